import { button, file_name, h, save, short } from "./dom.js";
import { brief } from "./numbers.js";
import { colour, colours, dashes } from "./palette.js";

const width = 640;
const height = 360;
const left = 64;
const right = 16;
const top = 14;
const bottom = 46;
/** More names than these would cover the dots. */
const most_labelled = 10;

const work = [
  ["evaluations", "evaluations of the equations of motion"],
  ["time_ratio", "time, against that of the first run"],
  ["steps", "steps"],
];
const precision = [
  ["error", "error against the reference"],
  ["max_position_violation", "largest violation in position"],
  ["max_velocity_violation", "largest violation in velocity"],
  ["max_energy_error", "largest energy error"],
];

function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Decades around some values. */
function decades(values) {
  const low = Math.floor(Math.log10(Math.min(...values)));
  return [low, Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))))];
}

/** What was spent and what it bought, of every row that has both; rows of one method are joined. */
export class WorkPrecision {
  constructor(rows, model_name) {
    this.rows = rows;
    this.x = "evaluations";
    this.y = "error";
    this.body = h("div", { className: "work" });
    const choice = (label, list, key) => {
      const select = h(
        "select",
        {
          "aria-label": label,
          onchange: () => {
            this[key] = select.value;
            this.draw();
          },
        },
        list
          .filter(([name]) => this.has(name))
          .map(([name, text]) => h("option", { value: name, selected: name === this[key] }, text)),
      );
      return select;
    };
    if (!this.has(this.y)) this.y = precision.find(([name]) => this.has(name))?.[0] ?? "error";
    if (!this.has(this.x)) this.x = work.find(([name]) => this.has(name))?.[0] ?? "steps";
    const name = file_name(model_name, "work and precision");
    this.element = h(
      "section",
      { id: "work", "aria-labelledby": "work-title" },
      h(
        "div",
        { className: "plot-head" },
        h("h2", { id: "work-title" }, "Work and precision"),
        h(
          "div",
          { className: "tools" },
          choice("Precision", precision, "y"),
          choice("Work", work, "x"),
          button("SVG", () => save(`${name}.svg`, this.text(), "image/svg+xml"), {
            title: "Save this plot as SVG",
            "aria-label": "Save work and precision as SVG",
          }),
        ),
      ),
      h("p", { className: "hint" }, "Down and to the left is better: less error for less work."),
      this.body,
    );
    this.draw();
  }

  has(name) {
    return this.rows.filter(({ row }) => row[name] > 0).length > 1;
  }

  /** Runs that all cost the same would stand above one another. */
  says_something() {
    return new Set(this.points().map(({ row }) => row[this.x])).size > 1;
  }

  points() {
    return this.rows.filter(({ row }) => row[this.x] > 0 && row[this.y] > 0);
  }

  draw() {
    const points = this.points();
    this.body.replaceChildren(points.length > 0 ? this.picture(points) : h("p", {}, "No row has both figures."));
  }

  picture(points) {
    const [x0, x1] = decades(points.map(({ row }) => row[this.x]));
    const [y0, y1] = decades(points.map(({ row }) => row[this.y]));
    const px = (value) => left + ((Math.log10(value) - x0) / (x1 - x0)) * (width - left - right);
    const py = (value) => height - bottom - ((Math.log10(value) - y0) / (y1 - y0)) * (height - top - bottom);
    const title = (list, name) => list.find(([key]) => key === name)[1];
    const picture = svg("svg", {
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-label": `${title(precision, this.y)} against ${title(work, this.x)}; the figures are in the table`,
    });
    const text = (x, y, words, anchor = "middle") =>
      svg("text", { x, y, "text-anchor": anchor, "font-size": 12, class: "soft" }, words);
    const power = (k) => `1e${k}`.replace("-", "−");
    for (let k = x0; k <= x1; ++k) {
      picture.append(svg("line", { x1: px(10 ** k), x2: px(10 ** k), y1: top, y2: height - bottom, class: "rule" }));
      picture.append(text(px(10 ** k), height - bottom + 16, power(k)));
    }
    const every = Math.max(1, Math.ceil((y1 - y0) / 7));
    for (let k = y0; k <= y1; k += every) {
      picture.append(svg("line", { x1: left, x2: width - right, y1: py(10 ** k), y2: py(10 ** k), class: "rule" }));
      picture.append(text(left - 6, py(10 ** k) + 4, power(k), "end"));
    }
    picture.append(text((left + width - right) / 2, height - 8, title(work, this.x)));
    const upright = text(0, 0, title(precision, this.y));
    upright.setAttribute("transform", `translate(14 ${(top + height - bottom) / 2}) rotate(-90)`);
    picture.append(upright);
    for (const name of new Set(points.map((point) => point.method))) {
      const own = points.filter((point) => point.method === name);
      const stroke = own[0].tint < colours ? `var(--c${own[0].tint})` : colour(own[0].tint);
      picture.append(
        svg("polyline", {
          points: own.map(({ row }) => `${px(row[this.x])},${py(row[this.y])}`).join(" "),
          fill: "none",
          style: `stroke:${stroke}`,
          "stroke-width": 1.8,
          "stroke-dasharray": dashes(own[0].tint).join(" ") || "none",
        }),
      );
      for (const one of own) {
        picture.append(
          svg(
            "circle",
            { cx: px(one.row[this.x]), cy: py(one.row[this.y]), r: 4.5, style: `fill:${stroke}` },
            svg("title", {}, `${one.name}: ${brief(one.row[this.y])} for ${brief(one.row[this.x])}`),
          ),
        );
      }
    }
    this.label_dots(picture, points, px, py);
    return picture;
  }

  /** The name of each method beside its last dot, if these are few; to its left where there is no room. */
  label_dots(picture, points, px, py) {
    const names = [...new Set(points.map((point) => point.method))];
    if (names.length > most_labelled) return;
    for (const name of names) {
      const { row } = points.filter((point) => point.method === name).at(-1);
      const x = px(row[this.x]);
      const left_of = x > 0.7 * width;
      const at = { x: x + (left_of ? -9 : 9), y: py(row[this.y]) + 4, "text-anchor": left_of ? "end" : "start" };
      picture.append(svg("text", { ...at, "font-size": 12, class: "soft" }, short(name, 30)));
    }
  }

  /** The picture as a file of its own: colours as numbers, and words for what they mean. */
  text() {
    const picture = this.body.querySelector("svg").cloneNode(true);
    const style = getComputedStyle(document.documentElement);
    const plain = (value) => value.replace(/var\((--[\w-]+)\)/g, (_, name) => style.getPropertyValue(name).trim());
    for (const element of picture.querySelectorAll("[style]"))
      element.setAttribute("style", plain(element.getAttribute("style")));
    for (const element of picture.querySelectorAll(".rule")) element.setAttribute("stroke", plain("var(--grid)"));
    for (const element of picture.querySelectorAll("text")) {
      element.setAttribute("fill", plain("var(--text-soft)"));
      element.setAttribute("font-family", "sans-serif");
    }
    const names = [...new Map(this.points().map((point) => [point.method, point]))];
    names.forEach(([name, { tint }], k) => {
      const label = svg("text", { x: width + 24, y: 30 + 20 * k, "font-size": 12, "font-family": "sans-serif" }, name);
      label.setAttribute("fill", plain("var(--text)"));
      const dot = svg("circle", { cx: width + 12, cy: 26 + 20 * k, r: 5, fill: plain(`var(--c${tint % 8})`) });
      picture.append(dot, label);
    });
    picture.setAttribute("viewBox", `0 0 ${width + 220} ${Math.max(height, 50 + 20 * names.length)}`);
    picture.setAttribute("style", `background:${plain("var(--page)")}`);
    return new XMLSerializer().serializeToString(picture);
  }
}
