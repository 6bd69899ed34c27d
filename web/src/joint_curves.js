import { nested_width } from "./overlay.js";

/** Curves of several runs, each at times of its own, over one time. */

/** All times of several rising lists, each once. */
export function all_times(lists) {
  const whole = new Float64Array(lists.reduce((sum, list) => sum + list.length, 0));
  let at = 0;
  for (const list of lists) {
    whole.set(list, at);
    at += list.length;
  }
  whole.sort();
  let kept = 0;
  for (let k = 0; k < whole.length; ++k) if (k === 0 || whole[k] !== whole[kept - 1]) whole[kept++] = whole[k];
  return whole.subarray(0, kept);
}

/** A curve at other times: straight between its own, nothing before its first and after its last. */
export function at_times(t, values, times) {
  const out = new Float32Array(times.length).fill(NaN);
  let k = 0;
  for (let i = 0; i < times.length; ++i) {
    while (k + 1 < t.length && t[k + 1] <= times[i]) ++k;
    if (t.length === 0 || times[i] < t[0] || times[i] > t[t.length - 1]) continue;
    if (t[k] === times[i] || k + 1 >= t.length) out[i] = values[k];
    else out[i] = values[k] + ((times[i] - t[k]) / (t[k + 1] - t[k])) * (values[k + 1] - values[k]);
  }
  return out;
}

const noise = 1e-17;

/** One group of curves: column `name` of the table `rows` or `steps` of each run. */
function group(runs, which, key, title, names, options = {}) {
  const curves = [];
  const times = all_times(runs.map(({ run }) => run[which].t));
  for (const column of names) {
    runs.forEach((one, k) => {
      const found = one.run[which].columns.find(({ name }) => name === column);
      if (!found) return;
      curves.push({
        name: `${column}, ${one.name}`,
        label: names.length > 1 ? `${column}, ${one.name}` : one.name,
        values: at_times(one.run[which].t, found.values, times),
        index: one.tint + 8 * one.dash,
        width: nested_width(1.8, k, runs.length),
        on: one.shown && column === names[0],
        of: one,
        first: column === names[0],
      });
    });
  }
  return { key, title, table: { t: times, seen: 0 }, curves, ...options };
}

export function joint_groups(runs) {
  const columns = runs[0].run.rows.columns.map(({ name }) => name);
  const coordinates = columns.filter((name) => columns.includes(`${name}'`));
  const rest = columns.filter((name) => !coordinates.includes(name) && !coordinates.includes(name.replace(/'$/, "")));
  const log = { log: true, floor: noise };
  const groups = [
    group(runs, "steps", "position", "Violation in position", ["position"], log),
    group(runs, "steps", "velocity", "Violation in velocity", ["velocity"], log),
    group(runs, "steps", "energy", "Energy error", ["energy"], log),
    group(runs, "rows", "coordinates", "Coordinates", coordinates),
    group(runs, "rows", "others", "Outputs, speeds and energies", rest),
    group(runs, "steps", "step", "Step size", ["step"], { log: true }),
    group(runs, "steps", "correction", "Correction size", ["correction"], log),
  ].filter(({ curves, table }) => curves.length > 0 && table.t.length > 0);
  const shown = new Set(["position", "velocity", "energy"]);
  for (const one of groups) one.shown = shown.has(one.key);
  return groups;
}
