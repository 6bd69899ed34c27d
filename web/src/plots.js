import uPlot from "uplot";
import { button, checkbox, css, h, save, short, file_name } from "./dom.js";
import { last_not_above, brief } from "./numbers.js";
import { colour, dashes } from "./palette.js";
import { plot_csv, plot_png, plot_svg } from "./export.js";

const most_listed = 200;

/** A curve's values as they are plotted: on a logarithmic axis their size, at least the floor, or nothing where it is zero. */
function plotted(curve, log, floor = 0) {
  const out = new Array(curve.values.length);
  for (let k = 0; k < out.length; ++k) {
    const value = curve.values[k];
    if (!log) out[k] = Number.isFinite(value) ? value : null;
    else if (Number.isFinite(value) && Math.max(Math.abs(value), floor) > 0) out[k] = Math.max(Math.abs(value), floor);
    else out[k] = null;
  }
  return out;
}

function log_range(low, high) {
  if (low === null || high === null || !(low > 0)) return [1e-16, 1];
  const from = Math.floor(Math.log10(low) + 1e-9);
  return [10 ** from, 10 ** Math.max(from + 1, Math.ceil(Math.log10(high) - 1e-9))];
}

function linear_range(low, high) {
  if (low === null || high === null) return [0, 1];
  const margin = high > low ? 0.06 * (high - low) : Math.max(1e-12, Math.abs(high) * 0.1);
  return [low - margin, high + margin];
}

/** Powers of ten, not too many. */
function log_ticks(low, high) {
  const [from, to] = [Math.round(Math.log10(low)), Math.round(Math.log10(high))];
  const every = Math.max(1, Math.ceil((to - from) / 6));
  const ticks = [];
  for (let k = from; k <= to; k += every) ticks.push(10 ** k);
  return ticks;
}

/** One plot: its curves, its controls, and a line where the time is. */
class Plot {
  constructor(group, all) {
    this.group = group;
    this.all = all;
    this.log = Boolean(group.log);
    group.curves.forEach((curve, k) => {
      curve.index ??= k;
      curve.on ??= k < (group.first ?? 8);
    });
    this.body = h("div", { className: "plot-body" });
    this.now = h("div", { className: "now", "aria-hidden": "true" });
    this.element = h(
      "article",
      { className: "plot", "aria-label": group.title, id: `plot-${group.key}` },
      h("div", { className: "plot-head" }, h("h3", {}, group.title), this.controls()),
      group.curves.length > 1 ? this.picker() : null,
      this.body,
    );
    new ResizeObserver(() => this.resize()).observe(this.body);
  }

  controls() {
    const log = checkbox("Log", this.log, (on) => {
      this.log = on;
      this.draw();
    });
    const name = file_name(this.all.run.model.name, this.group.title);
    return h(
      "div",
      { className: "tools", role: "group", "aria-label": `${this.group.title}: scale and export` },
      log,
      button("PNG", async () => save(`${name}.png`, await plot_png(this)), { title: "Save this plot as a picture" }),
      button("SVG", () => save(`${name}.svg`, plot_svg(this), "image/svg+xml"), { title: "Save this plot as SVG" }),
      button("CSV", () => save(`${name}.csv`, plot_csv(this), "text/csv"), { title: "Save these curves as a table" }),
    );
  }

  picker() {
    const list = h("div", { className: "curves" });
    const filter = h("input", {
      type: "search",
      "aria-label": `Filter the curves of ${this.group.title}`,
      placeholder: "filter by name",
      oninput: () => fill(),
    });
    const fill = () => {
      const wanted = filter.value.toLowerCase();
      const found = this.group.curves.filter((curve) => curve.label.toLowerCase().includes(wanted));
      const boxes = found.slice(0, most_listed).map((curve) =>
        checkbox(short(curve.label, 60), curve.on, (on) => {
          curve.on = on;
          this.draw();
        }),
      );
      const more =
        found.length > most_listed ? h("p", {}, `and ${found.length - most_listed} more: filter by name`) : null;
      list.replaceChildren(...boxes, ...(more ? [more] : []));
    };
    const set_all = (on) => {
      const wanted = filter.value.toLowerCase();
      for (const curve of this.group.curves
        .filter((one) => one.label.toLowerCase().includes(wanted))
        .slice(0, on ? 24 : Infinity))
        curve.on = on;
      fill();
      this.draw();
    };
    const details = h(
      "details",
      { className: "picker", ontoggle: () => details.open && fill() },
      h("summary", {}, `Curves (${this.group.curves.length})`),
      h(
        "div",
        { className: "tools" },
        filter,
        button("All", () => set_all(true)),
        button("None", () => set_all(false)),
      ),
      list,
    );
    return details;
  }

  /** The curves that are on. */
  chosen() {
    return this.group.curves.filter((curve) => curve.on);
  }

  draw() {
    this.chart?.destroy();
    const { table } = this.group;
    const chosen = this.chosen();
    const text = css("--text-soft");
    const axis = {
      stroke: text,
      grid: { stroke: css("--grid"), width: 1 },
      ticks: { stroke: css("--grid"), width: 1 },
      font: "12px system-ui, sans-serif",
    };
    const log = this.log;
    const options = {
      width: Math.max(120, this.body.clientWidth),
      height: 230,
      legend: { live: true, markers: { width: 3 } },
      cursor: {
        drag: { x: true, y: false, setScale: true },
        sync: { key: "run", setSeries: false },
        points: { size: 7 },
      },
      scales: {
        x: { time: false, min: this.all.from, max: this.all.to },
        y: log
          ? { distr: 3, range: (_, low, high) => log_range(low, high) }
          : { range: (_, low, high) => linear_range(low, high) },
      },
      axes: [
        { ...axis, size: 34, values: (_, ticks) => ticks.map((value) => brief(value, 6)) },
        {
          ...axis,
          size: 64,
          splits: log ? (_, __, low, high) => log_ticks(low, high) : undefined,
          filter: log ? (_, splits) => splits : undefined,
          values: (_, ticks) =>
            ticks.map((value) => (log ? `1e${Math.round(Math.log10(value))}`.replace("-", "−") : brief(value, 5))),
        },
      ],
      series: [
        { label: "t", value: (_, value) => (value === null || value === undefined ? "–" : brief(value, 7)) },
        ...chosen.map((curve) => ({
          label: short(curve.label),
          stroke: colour(curve.index),
          dash: dashes(curve.index),
          width: curve.width ?? 1.8,
          points: { show: table.seen <= 60 && table !== this.all.run.dense },
          pxAlign: 0,
          paths: this.group.stairs ? uPlot.paths.stepped({ align: 1 }) : undefined,
          value: (_, value, __, index) =>
            brief(index === null || index === undefined ? null : (curve.values[index] ?? null), 5),
        })),
      ],
      hooks: {
        draw: [(chart) => this.draw_events(chart)],
        setScale: [(chart, key) => key === "x" && this.all.follow(chart)],
        ready: [(chart) => this.listen(chart)],
      },
    };
    // Lines where they are, not at whole dots: a slope is smooth then.
    options.pxAlign = 0;
    this.chart = new uPlot(
      options,
      [table.t, ...chosen.map((curve) => plotted(curve, log, this.group.floor))],
      this.body,
    );
    this.chart.over.append(this.now);
    this.chart.root.setAttribute("role", "group");
    this.chart.root.setAttribute("aria-label", `${this.group.title} over time, with the values at the time shown`);
    this.show_time();
  }

  /** A click goes to that time; a double click shows the whole run again. */
  listen(chart) {
    let down = 0;
    chart.over.addEventListener("mousedown", (event) => (down = event.clientX));
    chart.over.addEventListener("mouseup", (event) => {
      if (Math.abs(event.clientX - down) < 4) this.all.clock.set(chart.posToVal(event.offsetX, "x"));
    });
    chart.over.addEventListener("dblclick", () => this.all.zoom_to(this.all.run.t0, this.all.run.t1));
    chart.over.addEventListener("mouseleave", () => this.show_time());
  }

  draw_events(chart) {
    const { ctx, bbox } = chart;
    ctx.save();
    ctx.strokeStyle = css("--event");
    ctx.lineWidth = 1;
    ctx.setLineDash([3, 4]);
    for (const event of this.all.run.events) {
      const x = Math.round(chart.valToPos(event.t, "x", true)) + 0.5;
      if (!(x >= bbox.left && x <= bbox.left + bbox.width)) continue;
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
    }
    ctx.restore();
  }

  show_time() {
    this.show_line();
    this.show_figures();
  }

  show_line() {
    if (!this.chart) return;
    const { t } = this.all.clock;
    const { min, max } = this.chart.scales.x;
    const inside = t >= min && t <= max;
    this.now.hidden = !inside;
    if (inside) this.now.style.transform = `translateX(${this.chart.valToPos(t, "x")}px)`;
  }

  /** The figures below a plot are those of the time shown, unless one points at another. */
  show_figures() {
    if (!this.chart) return;
    if (this.chart.cursor.left < 0 || this.chart.cursor.left === null || !this.chart.over.matches(":hover")) {
      this.chart.setLegend({ idx: last_not_above(this.group.table.t, this.all.clock.t) });
    }
  }

  resize() {
    const width = Math.max(120, this.body.clientWidth);
    if (this.chart && this.chart.width !== width) this.chart.setSize({ width, height: 230 });
    this.show_time();
  }
}

/** All plots: they share the time, its cursor, and the span that is zoomed to. */
export class Plots {
  constructor(run, clock, groups) {
    this.run = run;
    this.clock = clock;
    this.from = run.t0;
    this.to = Math.max(run.t1, run.t0 + 1e-9);
    this.plots = new Map();
    this.host = h("div", { className: "plot-list" });
    const toggles = groups.map((group) => checkbox(group.title, group.shown, (on) => this.show(group, on)));
    this.element = h(
      "section",
      { id: "plots", "aria-labelledby": "plots-title" },
      h(
        "div",
        { className: "plot-head" },
        h("h2", { id: "plots-title" }, "Over time"),
        h(
          "div",
          { className: "tools", role: "group", "aria-label": "Zoom all plots" },
          button("Zoom in", () => this.zoom(0.5), { title: "Zoom in around the time shown" }),
          button("Zoom out", () => this.zoom(2)),
          button("Whole run", () => this.zoom_to(run.t0, run.t1)),
        ),
      ),
      h("fieldset", { className: "choices" }, h("legend", {}, "Show"), toggles),
      h(
        "p",
        { className: "hint" },
        "Click in a plot to go to that time, drag to zoom, double-click to see the whole run.",
        this.thinning_note(),
      ),
      this.host,
    );
    this.groups = groups;
    for (const group of groups) if (group.shown) this.show(group, true);
    // Figures that change faster than one reads them cost only time.
    clock.listen_at_most(80, () => this.plots.forEach((plot) => plot.show_time()));
  }

  thinning_note() {
    const { rows, steps } = this.run;
    const thin = [rows, steps].filter((table) => table.seen > table.t.length);
    if (thin.length === 0) return "";
    const seen = Math.max(...thin.map((table) => table.seen)).toLocaleString("en");
    return ` The run has ${seen} steps; they are thinned here so that every extreme still shows.`;
  }

  show(group, on) {
    const shown = this.plots.get(group.key);
    if (!on) {
      shown?.chart?.destroy();
      shown?.element.remove();
      this.plots.delete(group.key);
      return;
    }
    if (shown) return;
    const plot = new Plot(group, this);
    this.plots.set(group.key, plot);
    // In the order of the list, wherever it is switched on.
    const after = this.groups
      .slice(this.groups.indexOf(group) + 1)
      .map((other) => this.plots.get(other.key))
      .find(Boolean);
    this.host.insertBefore(plot.element, after?.element ?? null);
    if (this.host.isConnected) plot.draw();
  }

  redraw() {
    for (const plot of this.plots.values()) plot.draw();
  }

  zoom(factor) {
    const width = Math.min(this.run.t1 - this.run.t0, (this.to - this.from) * factor);
    const from = Math.max(this.run.t0, Math.min(this.run.t1 - width, this.clock.t - width / 2));
    this.zoom_to(from, from + width);
  }

  zoom_to(from, to) {
    if (!(to > from)) return;
    this.from = from;
    this.to = to;
    this.leading = true;
    for (const plot of this.plots.values()) {
      plot.chart?.setScale("x", { min: from, max: to });
      plot.show_time();
    }
    this.leading = false;
  }

  /** One plot was zoomed: the others follow. */
  follow(chart) {
    const { min, max } = chart.scales.x;
    if (this.leading || min === null || max === null || (min === this.from && max === this.to)) return;
    queueMicrotask(() => this.zoom_to(min, max));
  }
}
