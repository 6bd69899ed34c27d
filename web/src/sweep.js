import { command } from "./details.js";
import { h, short } from "./dom.js";
import { page_header, theme_button } from "./frame.js";
import { brief, counted } from "./numbers.js";
import { Histogram, ParallelCoordinates, Response, ScatterMatrix } from "./sweep_charts.js";
import { read_sweep, statistics } from "./sweep_data.js";

/** More axes than these nobody reads. */
const most_axes = 6;

function headline(sweep) {
  const { counts } = sweep;
  const state = counts.done === counts.members ? "good" : counts.done > 0 ? "look" : "bad";
  const left = counts.running + counts.waiting;
  const words =
    `${counted(counts.done, "member")} of ${counts.members.toLocaleString("en")} done` +
    (counts.failed ? `, ${counts.failed.toLocaleString("en")} failed` : "") +
    (left ? `, ${left.toLocaleString("en")} still to run` : "");
  return h(
    "section",
    { className: `verdict ${state}`, "aria-label": "How the sweep stands" },
    h("h2", {}, words),
    sweep.size < counts.members
      ? h("p", {}, `The page shows ${counted(sweep.size, "member")}, spread evenly over all.`)
      : null,
    counts.reasons.length > 0
      ? h(
          "ul",
          { className: "reasons" },
          counts.reasons.map(({ reason, members }) => h("li", {}, `${counted(members, "member")}: ${short(reason, 300)}`)),
        )
      : null,
  );
}

/** How a list of facts about the figure reads. */
function facts_of(sweep, figure) {
  const facts = statistics(sweep.columns.get(figure).filter((_, k) => sweep.done[k]));
  if (!facts) return h("p", {}, "No member has this figure.");
  const rows = [
    ["mean", facts.mean],
    ["standard deviation", facts.deviation],
    ["least", facts.least],
    ["median", facts.median],
    ["most", facts.most],
  ];
  return h(
    "dl",
    { className: "facts" },
    rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, brief(value, 6)))),
  );
}

/** One member: its values, and the command that shows its motion. */
function member_panel(sweep, member) {
  if (member === null)
    return h("p", { className: "hint" }, "Press a dot, a cell or a line: here stand the member's values, and the command that shows its motion.");
  const id = sweep.ids[member];
  const values = [...sweep.names, ...sweep.figures].map((name) => [name, sweep.columns.get(name)[member]]);
  const set = sweep.names.map((name) => `--set '${name.replaceAll("'", "'\\''")}=${sweep.columns.get(name)[member]}'`);
  return h(
    "div",
    {},
    h("h3", {}, `Member ${id}: ${sweep.states[member]}`),
    sweep.reasons[member] ? h("p", { className: "hint" }, sweep.reasons[member]) : null,
    command({ command: `${sweep.command} ${set.join(" ")} --report member-${id}.html` }),
    h(
      "dl",
      { className: "facts" },
      values.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, brief(value, 6)))),
    ),
  );
}

function chooser(label, names, chosen, change, empty) {
  const select = h(
    "select",
    { "aria-label": label, onchange: () => change(select.value) },
    empty ? h("option", { value: "" }, empty) : null,
    names.map((name) => h("option", { value: name, selected: name === chosen }, name)),
  );
  return h("label", { className: "check" }, h("span", {}, `${label} `), select);
}

const part = (id, title, ...content) =>
  h("section", { id, "aria-labelledby": `${id}-title` }, h("h2", { id: `${id}-title` }, title), ...content);

export function show_sweep(json) {
  const sweep = read_sweep(json);
  const figures = sweep.telling.length > 0 ? sweep.telling : sweep.figures;
  const choice = { x: sweep.names[0], y: sweep.names[1] ?? "", figure: figures[0], member: null };
  const axes = () => [...sweep.names.slice(0, most_axes - 1), choice.figure];
  const panel = h("div", { className: "member", role: "status" });
  const facts = h("div", {});
  const charts = [];
  const redraw = () => charts.forEach((chart) => chart.redraw());
  const choose = (member) => {
    choice.member = member;
    panel.replaceChildren(member_panel(sweep, member));
    redraw();
  };
  const change = (key) => (value) => {
    choice[key] = value;
    facts.replaceChildren(facts_of(sweep, choice.figure));
    redraw();
  };
  document.title = `${short(sweep.model, 60)}: a sweep – taut`;
  const theme = theme_button(redraw);
  const host = document.getElementById("report");
  const tools = h("div", { className: "tools sweep-tools" }, [
    chooser("Figure", figures, choice.figure, change("figure")),
    chooser("over", sweep.names, choice.x, change("x")),
    sweep.names.length > 1 ? chooser("and", sweep.names, choice.y, change("y"), "nothing else") : null,
  ]);
  panel.append(member_panel(sweep, null));
  facts.append(figures.length > 0 ? facts_of(sweep, choice.figure) : "");
  const header = page_header({ title: sweep.model, about: `a sweep of taut ${sweep.version}`, skip: "response", tools: [theme] });
  if (figures.length === 0) {
    host.replaceChildren(header, h("main", {}, headline(sweep)));
  } else {
    charts.push(
      new Response(sweep, choice, choose),
      new Histogram(sweep, choice),
      new ParallelCoordinates(sweep, choice, choose, axes),
      new ScatterMatrix(sweep, choice, choose, axes),
    );
    const [response, spread, lines, matrix] = charts.map(({ canvas }) => canvas);
    host.replaceChildren(
      header,
      h(
        "main",
        {},
        headline(sweep),
        tools,
        h(
          "div",
          { className: "columns" },
          h("div", { className: "left" }, part("response", "Response", response), part("spread", "Distribution", spread, facts)),
          h(
            "div",
            { className: "right" },
            part("member", "One member", panel),
            part("lines", "All members, axis by axis", lines),
            part("matrix", "Pair by pair", matrix),
          ),
        ),
      ),
    );
  }
  redraw();
  // What tests and a curious reader may look at.
  window.taut = { sweep, choice, charts, choose };
  document.documentElement.dataset.ready = "true";
}
