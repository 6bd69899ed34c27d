import { dense_table } from "./dense.js";

/** What can be plotted, in groups of curves that share a time and a unit. */

/** Below this an error is rounding, and how small it is says nothing: it is drawn here. */
const noise = 1e-17;

const by_name = (table, name) => table.columns.find((column) => column.name === name);
const inner = (name) => name.slice(name.indexOf("(") + 1, -1);

function step_group(run, key, title, name, options = {}) {
  const column = by_name(run.steps, name);
  return column
    ? { key, title, table: run.steps, curves: [{ ...column, label: title.toLowerCase() }], ...options }
    : null;
}

function violations(run) {
  const curves = [];
  for (const level of ["position", "velocity"]) {
    const largest = by_name(run.steps, level);
    if (largest) curves.push({ ...largest, label: `largest, ${level}` });
  }
  for (const level of ["position", "velocity"]) {
    for (const column of run.steps.columns) {
      if (column.name.startsWith(`${level}(`)) curves.push({ ...column, label: `${inner(column.name)}, ${level}` });
    }
  }
  return {
    key: "violation",
    title: "Constraint violation",
    table: run.steps,
    curves,
    log: true,
    floor: noise,
    first: 2,
  };
}

/** The columns of the rows: coordinates, then their rates, then speeds and outputs, then energies. */
function row_groups(run) {
  run.dense ??= dense_table(run.rows);
  const names = new Set(run.rows.columns.map((column) => column.name));
  const energies = new Set(["kinetic energy", "potential energy", "total energy"]);
  const outputs = new Set(Object.keys(run.summary?.final?.outputs ?? {}));
  const lists = { coordinates: [], rates: [], speeds: [], outputs: [], energies: [], impulses: [], forces: [] };
  const seen = new Set();
  run.dense.columns.forEach((column, k) => {
    const { name } = column;
    const again = seen.has(name);
    seen.add(name);
    const { values: recorded } = run.rows.columns[k];
    const curve = { ...column, recorded, label: name };
    if (energies.has(name)) lists.energies.push(curve);
    else if (name.startsWith("mu(")) lists.impulses.push({ ...curve, label: inner(name) });
    else if (name.startsWith("Qc(")) lists.forces.push({ ...curve, label: inner(name) });
    else if (name === "correction" && !outputs.has(name) && !names.has("correction'")) return; // the steps tell it
    else if (!again && names.has(`${name}'`)) lists.coordinates.push(curve);
    else if (!again && name.endsWith("'") && names.has(name.slice(0, -1))) lists.rates.push(curve);
    else if (outputs.has(name)) lists.outputs.push(curve);
    else lists.speeds.push(curve);
  });
  const group = (key, title, curves, options = {}) => ({ key, title, table: run.dense, recorded: run.rows, curves, ...options });
  return {
    energy: group("energy", "Energy", lists.energies),
    coordinates: group("coordinates", "Coordinates", lists.coordinates),
    rates: group("rates", "Rates", lists.rates),
    speeds: group("speeds", "Speeds", lists.speeds),
    outputs: output_groups(run, lists.outputs, group),
    impulses: group("impulses", "Impulses of the correction", lists.impulses),
    forces: group("constraint-forces", "Constraint forces", lists.forces),
  };
}

/** Outputs of one group, or of one unit, share an axis. */
function output_groups(run, curves, group) {
  const about = new Map((run.outputs ?? []).map((output) => [output.name, output]));
  const parts = new Map();
  for (const curve of curves) {
    const { unit = "", group: name = "" } = about.get(curve.label) ?? {};
    const key = name || unit;
    if (!parts.has(key)) parts.set(key, { unit, named: Boolean(name), curves: [] });
    parts.get(key).curves.push(curve);
  }
  return [...parts].map(([key, { unit, named, curves: own }], k) => {
    const title = key === "" ? "Outputs" : named ? key + (unit ? ` in ${unit}` : "") : `Outputs in ${unit}`;
    return group(k === 0 ? "outputs" : `outputs-${k}`, title, own, { unit });
  });
}

export function plot_groups(run) {
  const rows = row_groups(run);
  const multipliers = run.steps.columns
    .filter((column) => column.name.startsWith("lambda("))
    .map((column) => ({ ...column, label: inner(column.name) }));
  // What was asked for first, what is rounding last.
  const groups = [
    ...rows.outputs,
    rows.coordinates,
    rows.rates,
    rows.speeds,
    rows.energy,
    rows.forces,
    rows.impulses,
    { key: "multipliers", title: "Multipliers", table: run.steps, curves: multipliers },
    violations(run),
    step_group(run, "energy-error", "Energy error", "energy", { log: true, floor: noise }),
    step_group(run, "step", "Step size", "step", { log: true }),
    step_group(run, "rank", "Rank", "rank", { stairs: true }),
    step_group(run, "correction", "Correction size", "correction", { log: true, floor: noise }),
  ].filter((group) => group && group.curves.length > 0 && group.table.t.length > 0);
  const shown = new Set(["violation", "energy-error", rows.outputs.length > 0 ? "" : "coordinates"]);
  for (const group of groups) group.shown = shown.has(group.key) || rows.outputs.slice(0, 4).includes(group);
  return groups;
}
