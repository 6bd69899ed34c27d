// Between recorded rows a curve is drawn on cubics, as in src/output/dense_curve.cpp: an integrator of high order takes
// steps within which a rod swings visibly, and straight lines would show the steps and not the motion.

/** As many points a plot is drawn with where the run has fewer rows. */
const wanted = 900;

/** More times between those of the rows, with the row that each lies behind. */
export function dense_times(t) {
  const span = t[t.length - 1] - t[0];
  if (t.length < 2 || t.length >= wanted || !(span > 0)) return null;
  const out = { t: [], before: [] };
  for (let k = 0; k < t.length; ++k) {
    out.t.push(t[k]);
    out.before.push(k);
    if (k + 1 === t.length || !(t[k + 1] > t[k])) continue;
    const parts = Math.max(1, Math.ceil(((t[k + 1] - t[k]) / span) * wanted));
    for (let i = 1; i < parts; ++i) {
      out.t.push(t[k] + ((t[k + 1] - t[k]) * i) / parts);
      out.before.push(k);
    }
  }
  return out;
}

/** Akima's slopes, modified so that flat parts stay flat. */
export function estimated_slopes(t, y) {
  const n = t.length;
  const d = new Float64Array(n + 3);
  for (let k = 0; k + 1 < n; ++k) d[k + 2] = t[k + 1] > t[k] ? (y[k + 1] - y[k]) / (t[k + 1] - t[k]) : 0;
  d[1] = n > 2 ? 2 * d[2] - d[3] : d[2];
  d[0] = 2 * d[1] - d[2];
  d[n + 1] = n > 2 ? 2 * d[n] - d[n - 1] : d[n];
  d[n + 2] = 2 * d[n + 1] - d[n];
  return Float64Array.from({ length: n }, (_, k) => {
    const right = Math.abs(d[k + 3] - d[k + 2]) + 0.5 * Math.abs(d[k + 3] + d[k + 2]);
    const left = Math.abs(d[k + 1] - d[k]) + 0.5 * Math.abs(d[k + 1] + d[k]);
    return right + left > 0 ? (right * d[k + 1] + left * d[k + 2]) / (right + left) : 0;
  });
}

/** Values at these times on Hermite's cubics; a slope that is not known is that of the straight line. */
export function dense_values(times, t, y, slopes) {
  return Float64Array.from(times.t, (at, i) => {
    const k = times.before[i];
    if (at === t[k] || k + 1 >= t.length) return y[k];
    const h = t[k + 1] - t[k];
    const s = (at - t[k]) / h;
    const d = (y[k + 1] - y[k]) / h;
    const a = Number.isFinite(slopes[k]) ? slopes[k] : d;
    const b = Number.isFinite(slopes[k + 1]) ? slopes[k + 1] : d;
    return y[k] + h * s * (a + s * (3 * d - 2 * a - b + s * (a + b - 2 * d)));
  });
}

/** The rows of a run with more between them, where they are few and none was left out. */
export function dense_table(table) {
  const times = table.seen > table.t.length ? null : dense_times(table.t);
  if (!times) return table;
  const rates = new Map(table.columns.map(({ name, values }) => [name, values]));
  const columns = table.columns.map(({ name, values }) => {
    const slopes = rates.get(`${name}'`) ?? estimated_slopes(table.t, values);
    return { name, values: dense_values(times, table.t, values, slopes) };
  });
  return { ...table, t: Float64Array.from(times.t), columns, seen: times.t.length };
}
