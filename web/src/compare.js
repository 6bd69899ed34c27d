import { Clock } from "./clock.js";
import { command } from "./details.js";
import { button, checkbox, h, short } from "./dom.js";
import { help_dialog, listen_to_keys, page_header, theme_button } from "./frame.js";
import { joint_groups } from "./joint_curves.js";
import { brief, counted } from "./numbers.js";
import { nested_width, overlay } from "./overlay.js";
import { colour } from "./palette.js";
import { Player, stage, with_player } from "./player.js";
import { Plots } from "./plots.js";
import { decoded } from "./run.js";
import { WorkPrecision } from "./work_precision.js";

/** More drawings over one another than these nobody tells apart. */
const most_shown = 8;

const figures = [
  ["max_position_violation", "violation, position"],
  ["max_velocity_violation", "violation, velocity"],
  ["max_energy_error", "energy error"],
  ["error", "error"],
  ["observed_order", "order"],
  ["steps", "steps"],
  ["rejected_steps", "rejected"],
  ["evaluations", "evaluations"],
  ["time_ratio", "time"],
];

const went_through = (row) => row.outcome === "done" || row.outcome === "stopped";

/** The rows with their runs: a colour for each method, dashes for the values of a sweep. */
function entries_of(page) {
  const { rows, sweep } = page.comparison;
  const methods = [...new Set(rows.map((row) => row.method))];
  const entries = rows.map((row, k) => {
    const value = sweep ? row[sweep.option] : "";
    return {
      row,
      method: row.method,
      value,
      name: short(sweep ? `${row.method}, ${sweep.option} ${value}` : row.method, 60),
      tint: methods.indexOf(row.method),
      dash: sweep ? Math.max(0, sweep.values.indexOf(value)) : 0,
      run: page.runs[k] ? decoded(page.runs[k], page.runs[k].data) : null,
      shown: false,
    };
  });
  // Of a sweep the last value, which is the finest where one refines, and of no more methods than can be told apart.
  const last = sweep ? sweep.values[sweep.values.length - 1] : "";
  entries
    .filter(({ run, value }) => run && value === last)
    .slice(0, most_shown)
    .forEach((entry) => (entry.shown = true));
  return entries;
}

/** Below this a violation is rounding, and which is smaller says nothing. */
const rounding = { max_position_violation: 1e-14, max_velocity_violation: 1e-14, max_energy_error: 1e-14 };

/** A run that reached its end, and whose result can be trusted but for drift. */
const counts = (row) => went_through(row) && !["lost", "contradictory", "failed"].includes(row.verdict);

/** The rows that have the least of a figure among those that count, to one in a hundred; none if all do. */
function best_of(entries, name) {
  const there = entries.filter(({ row }) => counts(row) && typeof row[name] === "number");
  const floor = rounding[name] ?? 0;
  const least = Math.min(...there.map(({ row }) => Math.max(floor, row[name])));
  const best = there.filter(({ row }) => row[name] <= 1.01 * least);
  return best.length < there.length ? best : [];
}

function names_of(entries) {
  const names = entries.map(({ name }) => name);
  if (names.length > 3) return `${names.slice(0, 2).join(", ")} and ${names.length - 2} more, alike`;
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}, alike` : names[0];
}

/** The run whose time is one, by the name it has here. */
function time_base_of(page, entries) {
  const { time_base: base } = page.comparison;
  return entries.find(({ method, value }) => base === (value ? `${method}, ${value}` : method))?.name ?? base;
}

function headline(page, entries) {
  const through = entries.filter(({ row }) => went_through(row)).length;
  const all = through === entries.length;
  const astray = entries.filter(
    ({ row }) => went_through(row) && row.verdict === "lost",
  );
  const well = all && astray.length === 0;
  const state = well ? "good" : through > 0 ? "look" : "bad";
  const whole = entries.length === 1 ? "The run" : entries.length === 2 ? "Both runs" : `All ${entries.length} runs`;
  const words =
    (all ? `${whole} reached the end` : `${through} of ${counted(entries.length, "run")} reached the end`) +
    (astray.length > 0 ? `; constraints were lost by ${astray.map(({ name }) => name).join("; ")}` : "");
  const cards = [
    ["error", "Most accurate", (value) => `: within ${value} of the reference`],
    ["max_position_violation", "Holds positions best", (value) => `: to ${value}`],
    ["max_velocity_violation", "Holds velocities best", (value) => `: to ${value}`],
    ["max_energy_error", "Keeps energy best", (value) => `: to ${value}`],
    [
      "time_ratio",
      "Quickest",
      (value) => (value === "1" ? "" : `: ${value} of the time of ${time_base_of(page, entries)}`),
    ],
  ]
    .map(([name, title, words]) => [best_of(entries, name), name, title, words])
    .filter(([best]) => best.length > 0)
    .map(([best, name, title, words]) => {
      const worst = Math.max(...best.map(({ row }) => row[name]));
      return h(
        "li",
        { className: "card plain" },
        swatch(best[0]),
        h("div", {}, h("strong", {}, title), h("p", {}, `${names_of(best)}${words(brief(worst))}`)),
      );
    });
  const { reference } = page.comparison;
  return h(
    "section",
    { className: `verdict ${state}`, "aria-label": "What came of it" },
    h(
      "p",
      { className: "headline" },
      h("span", { className: "sign", "aria-hidden": "true" }, well ? "✓" : "!"),
      ` ${words}`,
    ),
    h("ul", { className: "cards" }, cards),
    reference.problem ? h("p", {}, `The reference: ${reference.problem}`) : null,
  );
}

function swatch({ tint }) {
  const dot = h("span", { className: "swatch", "aria-hidden": "true" });
  dot.style.background = `var(--c${tint % 8})`;
  return dot;
}

function table(page, entries) {
  const { comparison } = page;
  const columns = figures.filter(([name]) => entries.some(({ row }) => typeof row[name] === "number"));
  const best = new Map(
    columns.filter(([name]) => name !== "observed_order").map(([name]) => [name, best_of(entries, name)]),
  );
  const cell = (entry, [name]) => {
    const value = entry.row[name] ?? null;
    const text = Number.isInteger(value) ? value.toLocaleString("en") : brief(value);
    return h("td", {}, best.get(name)?.includes(entry) ? h("strong", { title: "the least" }, text) : text);
  };
  const { reference } = comparison;
  const accuracy = reference.accuracy === null ? "" : `, itself better than ${brief(reference.accuracy)}`;
  return h(
    "section",
    { id: "figures", "aria-labelledby": "figures-title" },
    h("h2", { id: "figures-title" }, "Figures"),
    h(
      "p",
      { className: "hint" },
      `Error: the largest difference of ${short(comparison.of.join(", "), 80)} from the reference` +
        (reference.about ? ` (${reference.about}${accuracy}).` : ".") +
        (comparison.time_base ? ` Time: against that of ${time_base_of(page, entries)}.` : ""),
    ),
    h(
      "div",
      { className: "scroll", tabIndex: 0, role: "region", "aria-label": "Table of figures" },
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["run", ...columns.map(([, title]) => title), "outcome"].map((title) => h("th", { scope: "col" }, title)),
          ),
        ),
        h(
          "tbody",
          {},
          entries.map((entry) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, swatch(entry), " ", entry.name),
              columns.map((column) => cell(entry, column)),
              h(
                "td",
                {},
                went_through(entry.row)
                  ? (entry.row.verdict ?? entry.row.outcome)
                  : `${entry.row.verdict ?? entry.row.outcome}: ${short(entry.row.reason ?? "", 200)}`,
              ),
            ),
          ),
        ),
      ),
    ),
    comparison.left_out.length > 0
      ? h(
          "details",
          { className: "box" },
          h("summary", {}, `Left out (${comparison.left_out.length}): methods that cannot run this model`),
          h("ul", { className: "notes" }, comparison.left_out.map((text) => h("li", {}, text))),
        )
      : null,
  );
}

/** Which runs are seen, in the drawing and in every plot. */
function choices(entries, show) {
  const there = entries.filter(({ run }) => run);
  return h(
    "fieldset",
    { className: "choices methods" },
    h("legend", {}, "Runs shown"),
    there.map((entry) => {
      const box = checkbox(entry.name, entry.shown, (on) => show(entry, on));
      box.prepend(swatch(entry));
      return box;
    }),
  );
}

/** All runs as one, for what shows a run. */
function joint_run(page, entries) {
  const runs = entries.filter(({ run }) => run);
  const { scene, motion, drawn } = overlay(runs);
  const none = { t: new Float64Array(0), columns: [], seen: 0 };
  return {
    model: page.model,
    version: page.version,
    command: page.command,
    rows: runs[0]?.run.rows ?? none,
    steps: none,
    scene,
    motion,
    drawn: drawn ?? [],
    forces: null,
    events: [],
    no_model: "",
    t0: runs.length ? Math.min(...runs.map(({ run }) => run.t0)) : 0,
    t1: runs.length ? Math.max(...runs.map(({ run }) => run.t1)) : 0,
  };
}

/** Each run leaves the trail of its last point, in its colour. */
function set_trails(view, run) {
  for (const trail of view.trails) trail.on = false;
  const owner = (trail) => run.motion.owner(trail.point.find((place) => run.motion.moves(place)));
  run.drawn.forEach(({ tint }, k) => {
    const own = view.trails.filter((trail) => owner(trail) === k);
    for (const trail of own) {
      trail.colour = () => colour(tint);
      trail.width = nested_width(2, k, run.drawn.length);
    }
    if (own.length > 0) view.trail_of(own).on = true;
  });
}

export function show_comparison(page) {
  const entries = entries_of(page);
  const run = joint_run(page, entries);
  const clock = new Clock(run.t0, run.t1);
  document.title = `${short(page.model.name, 60)}, compared – taut`;
  let parts = null;
  const theme = theme_button(() => parts?.redraw());
  const help = help_dialog();
  const header = page_header({
    title: page.model.name,
    about: `${counted(entries.length, "run")} compared by taut ${page.version}`,
    skip: "figures",
    tools: [button("Keys", () => help.showModal(), { title: "Keyboard (?)" }), theme],
  });
  const left = h("div", { className: "left" });
  const right = h("div", { className: "right" });
  const work = new WorkPrecision(entries, page.model.name);
  document
    .getElementById("report")
    .replaceChildren(
      header,
      h(
        "main",
        {},
        headline(page, entries),
        command(page),
        choices(entries, (entry, on) => parts.show(entry, on)),
        h("div", { className: "columns" }, left, right),
        h("div", { className: "below" }, work.says_something() ? work.element : null, table(page, entries)),
      ),
      help,
    );
  const { element, view } = run.motion
    ? stage(run, clock)
    : { element: h("div", {}, h("p", {}, "No run was recorded.")), view: null };
  element.querySelector(".legend ul")?.remove();
  const player = new Player(run, clock);
  left.append(h("section", { className: "sticky", "aria-label": "Animation" }, with_player(element, player)));
  if (view) set_trails(view, run);
  const hide = () => run.drawn.forEach((entry, k) => (run.motion.hidden[k] = !entry.shown));
  if (view) hide();
  view?.build();
  view?.resize();
  view?.fit();
  const recorded = entries.filter((entry) => entry.run);
  const plots = new Plots(run, clock, recorded.length ? joint_groups(recorded) : []);
  right.append(plots.element);
  plots.redraw();
  parts = {
    redraw() {
      view?.build();
      plots.redraw();
    },
    show(entry, on) {
      entry.shown = on;
      for (const group of plots.groups)
        for (const curve of group.curves) if (curve.of === entry && (curve.first || !on)) curve.on = on;
      if (view) hide();
      view?.build();
      plots.redraw();
    },
  };
  listen_to_keys({ run, clock, view, player, theme, help });
  window.taut = { page, run, entries, clock, view, plots, work };
  document.documentElement.dataset.ready = "true";
}
