/** The members of a sweep, by columns, and what can be said of a column. */

/** Numbers that are there. */
export const numbers = (values) => values.filter((value) => Number.isFinite(value));

export function range_of(values) {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low > high) return [0, 1];
  // One value is in the middle of something.
  return low === high ? [low - (Math.abs(low) || 1) / 2, high + (Math.abs(high) || 1) / 2] : [low, high];
}

/** Mean, standard deviation and quantiles. */
export function statistics(values) {
  const there = numbers(values).sort((a, b) => a - b);
  const n = there.length;
  if (n === 0) return null;
  const mean = there.reduce((sum, value) => sum + value, 0) / n;
  const square = there.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const quantile = (p) => {
    const at = p * (n - 1);
    const k = Math.floor(at);
    return k + 1 < n ? there[k] + (at - k) * (there[k + 1] - there[k]) : there[k];
  };
  return {
    n,
    mean,
    deviation: n > 1 ? Math.sqrt(square / (n - 1)) : NaN,
    least: there[0],
    median: quantile(0.5),
    most: there[n - 1],
  };
}

/** Bins of equal width, about the square root of how many values there are (at most 60). */
export function histogram(values) {
  const there = numbers(values);
  const [low, high] = range_of(there);
  const count = Math.max(1, Math.min(60, Math.ceil(Math.sqrt(there.length))));
  const bins = new Array(count).fill(0);
  for (const value of there) bins[Math.min(count - 1, Math.floor(((value - low) / (high - low)) * count))] += 1;
  return { low, high, bins };
}

/** The values of a column that is part of a grid, in order; null where it takes as many as there are members. */
export function grid_values(values) {
  const distinct = [...new Set(numbers(values))].sort((a, b) => a - b);
  return distinct.length > 1 && distinct.length ** 2 <= 4 * values.length ? distinct : null;
}

/** What is said of every run; what the model was asked for comes before it. */
const of_every_run = ["t_end", "steps", "evaluations", "max_position_violation", "max_velocity_violation", "max_energy_error"];

/** What the page holds, with nulls as NaN. */
export function read_sweep(json) {
  const columns = new Map();
  for (const [name, values] of Object.entries(json.columns)) columns.set(name, values.map((value) => value ?? NaN));
  const done = json.states.map((state) => state === "done");
  return {
    ...json,
    columns,
    done,
    size: json.ids.length,
    /** Figures that are not the same for all members. */
    telling: json.figures
      .filter((name) => new Set(numbers(columns.get(name))).size > 1)
      .sort((a, b) => of_every_run.includes(a) - of_every_run.includes(b)),
  };
}
