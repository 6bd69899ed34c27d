import { button, h, short } from "./dom.js";
import { brief, counted } from "./numbers.js";

async function copy(text, done) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // A page opened from a file may not be allowed to: the old way still works there.
    const area = h("textarea", { value: text });
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  done();
}

/** The command that made the run, to be copied. */
export function command(run) {
  const status = h("span", { className: "hint", role: "status" });
  const label = () => {
    status.textContent = "copied";
    setTimeout(() => (status.textContent = ""), 2000);
  };
  return h(
    "div",
    { className: "command" },
    h("code", { tabIndex: 0, role: "region", "aria-label": "The command that made this run" }, run.command),
    button("Copy", () => copy(run.command, label), { "aria-label": "Copy the command" }),
    status,
  );
}

const correction_of_a_step = (correction) =>
  correction?.mean == null
    ? null
    : `${brief(correction.mean)} on the average, ${brief(correction.largest)} at the most`;

const share_of_work = (correction) =>
  correction?.share == null ? null : `${brief(100 * correction.share)} % of all factorisations`;

const most_values = 12;

/** "x: 1, y: 2" of named numbers, or how many there are where they are too many to read. */
function values(named) {
  const pairs = Object.entries(named ?? {});
  if (pairs.length === 0) return null;
  if (pairs.length > most_values) return `${pairs.length} values; --json shows them`;
  return pairs.map(([name, value]) => `${name}: ${[value].flat().map((one) => brief(one)).join(", ")}`).join("; ");
}

function facts(run) {
  const { summary: s, version } = run;
  if (!s) return [["version", `taut ${version}`]];
  const step =
    s.step !== null ? `fixed, ${brief(s.step, 6)} s` : `chosen, rtol ${brief(s.rtol)}, atol ${s.atol === null ? `${brief(s.rtol / 100)} of the sizes` : brief(s.atol)}`;
  return [
    ["method", s.method],
    ["integrator", s.integrator],
    ["step", step],
    ["linear kernel", s.linear],
    ["energy law", s.energy],
    ["control", s.control],
    [
      "simulated",
      `${brief(s.t_end, 6)} s in ${counted(s.steps, "step")}, ${counted(s.rejected_steps, "more")} rejected`.replace(
        "mores",
        "more",
      ),
    ],
    [
      "cost",
      `${counted(s.evaluations, "evaluation")}, ${brief(s.wall_seconds)} s after ${brief(s.setup_seconds)} s of setting up`,
    ],
    [
      "size",
      `${counted(s.coordinates, "coordinate")}, ${counted(s.constraints, "constraint")}, ${counted(s.degrees_of_freedom, "degree of freedom", "degrees of freedom")}`,
    ],
    ["largest correction", s.largest_correction === null ? null : brief(s.largest_correction)],
    ["correction of a step", correction_of_a_step(s.correction)],
    ["work to correct", share_of_work(s.correction)],
    [
      "solutions of parts",
      s.part_solutions == null ? null : `${s.part_solutions.asked}, of which ${s.part_solutions.kept} were known already`,
    ],
    ["mean order", s.mean_order == null ? null : brief(s.mean_order)],
    ["constraint forces", values(s.final?.constraint_forces)],
    ["impulses of the correction", values(s.final?.impulses)],
    ["coupling with the energy law", values(s.coupling)],
    ["version", `taut ${version}`],
  ].filter(([, value]) => value !== null && value !== undefined && value !== "");
}

const list = (pairs) =>
  h(
    "dl",
    { className: "facts" },
    pairs.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, short(value, 400)))),
  );

/** What the run was. */
export function details(run) {
  const notes = run.summary?.notes ?? [];
  const given = [...run.options, ...run.set.map(([name, value]) => [`set ${name}`, value])];
  return h(
    "section",
    { id: "details", "aria-labelledby": "details-title" },
    h("h2", { id: "details-title" }, "What was run"),
    list(facts(run)),
    notes.length > 0
      ? h(
          "ul",
          { className: "notes" },
          notes.map((note) => h("li", {}, note)),
        )
      : null,
    given.length > 0 ? h("details", { className: "box" }, h("summary", {}, "Every option"), list(given)) : null,
  );
}

const most_listed = 500;

/** What happened, each with a way to go there. */
export function events(run, clock) {
  if (run.events.length === 0) return null;
  const rows = run.events.slice(0, most_listed).map((event) =>
    h(
      "li",
      {},
      button(`t = ${brief(event.t, 6)} s`, () => clock.set(event.t), { title: "Go to this time" }),
      h("span", { className: "kind" }, event.kind),
      h("span", {}, `${event.name ? `${short(event.name)}: ` : ""}${event.message}`),
    ),
  );
  return h(
    "section",
    { id: "events", "aria-labelledby": "events-title" },
    h("h2", { id: "events-title" }, "Events"),
    h("ol", { className: "events scroll", tabIndex: 0, "aria-label": "Events" }, rows),
    run.events.length > most_listed ? h("p", {}, `and ${run.events.length - most_listed} more`) : null,
  );
}
