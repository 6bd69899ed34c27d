import { h, short } from "./dom.js";
import { brief, counted } from "./numbers.js";

const most_shown = 200;
const level_of = (largest) => (largest <= 1e-6 ? "good" : largest <= 1e-3 ? "look" : "bad");
const largest_of = (figure) => Math.max(figure?.position ?? 0, figure?.velocity ?? 0);

function figure_text(figure) {
  const parts = [];
  if (figure?.position !== null && figure?.position !== undefined) parts.push(`position ${brief(figure.position, 2)}`);
  if (figure?.velocity !== null && figure?.velocity !== undefined) parts.push(`velocity ${brief(figure.velocity, 2)}`);
  return parts.join(", ") || "no figure";
}

/** What stands beside a line of the model: the figures of the constraint there, or of the worst of several. */
function badge(names, violations) {
  const worst = names.reduce((a, b) => (largest_of(violations[b]) > largest_of(violations[a]) ? b : a));
  const text = figure_text(violations[worst]);
  const several = names.length > 1 ? `${counted(names.length, "constraint")}, worst ${short(worst, 24)}: ` : "";
  return h("span", { className: `badge ${level_of(largest_of(violations[worst]))}` }, several + text);
}

function lines(run) {
  const violations = run.summary?.violations ?? {};
  const by_line = new Map();
  for (const { name, line } of run.constraints) {
    if (line > 0 && violations[name]) by_line.set(line, [...(by_line.get(line) ?? []), name]);
  }
  return run.model.text
    .replace(/\n$/, "")
    .split("\n")
    .map((text, k) => {
      const names = by_line.get(k + 1);
      return h(
        "li",
        { className: names ? "line marked" : "line" },
        h("code", {}, text || " "),
        names ? badge(names, violations) : null,
      );
    });
}

/** Every constraint with its figures, the worst first. */
function table(run) {
  const violations = Object.entries(run.summary?.violations ?? {});
  if (violations.length === 0) return null;
  const multipliers = run.summary.final?.multipliers ?? {};
  violations.sort(([, a], [, b]) => largest_of(b) - largest_of(a));
  const cell = (value) => h("td", {}, value);
  const multiplier = (name) =>
    [multipliers[name] ?? null]
      .flat()
      .map((value) => brief(value, 4))
      .join(", ");
  const body = violations
    .slice(0, most_shown)
    .map(([name, figure]) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, short(name, 80)),
        cell(brief(figure.position, 3)),
        cell(brief(figure.velocity, 3)),
        cell(multiplier(name)),
      ),
    );
  const head = ["constraint", "position", "velocity", "final multiplier"].map((text) =>
    h("th", { scope: "col" }, text),
  );
  return h(
    "details",
    { className: "box" },
    h("summary", {}, `Every constraint at its worst (${violations.length})`),
    h(
      "div",
      { className: "scroll", tabIndex: 0, role: "region", "aria-label": "Constraints" },
      h("table", {}, h("thead", {}, h("tr", {}, head)), h("tbody", {}, body)),
    ),
    violations.length > most_shown ? h("p", {}, `and ${violations.length - most_shown} that are violated less`) : null,
  );
}

export function model_text(run) {
  return h(
    "section",
    { id: "model", "aria-labelledby": "model-title" },
    h("h2", { id: "model-title" }, "The model"),
    run.model.file ? h("p", { className: "hint" }, short(run.model.file, 200)) : null,
    run.model.text
      ? h(
          "div",
          { className: "scroll source", tabIndex: 0, role: "region", "aria-label": "The model's text" },
          h("ol", {}, lines(run)),
        )
      : h("p", {}, "The model was not read from a text."),
    table(run),
  );
}
