import { css, h, short } from "./dom.js";
import { brief, nice_step } from "./numbers.js";
import { grid_values, histogram, range_of } from "./sweep_data.js";

/** From the least to the most: dark to light for dark pages, and the other way round. Even steps look even (viridis). */
const scale = ["#440154", "#482878", "#3e4a89", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6ece58", "#b5de2b", "#fde725"];

export function tint(share) {
  if (!Number.isFinite(share)) return css("--bad");
  const at = Math.min(scale.length - 1.001, Math.max(0, share * (scale.length - 1)));
  const k = Math.floor(at);
  const part = (colour, i) => parseInt(colour.slice(1 + 2 * i, 3 + 2 * i), 16);
  const mixed = [0, 1, 2].map((i) => Math.round(part(scale[k], i) + (at - k) * (part(scale[k + 1], i) - part(scale[k], i))));
  return `rgb(${mixed.join(", ")})`;
}

/** A canvas that is drawn anew when its size or the theme changes, and tells which member is under the pointer. */
class Chart {
  constructor(height, label, choose) {
    this.height = height;
    this.choose = choose;
    this.places = []; // of members: x, y, member
    this.canvas = h("canvas", { className: "sweep-chart", role: "img", "aria-label": label });
    this.canvas.style.height = `${height}px`;
    this.canvas.addEventListener("click", (event) => {
      const member = this.member_at(event.offsetX, event.offsetY);
      if (member !== null) this.choose(member);
    });
    new ResizeObserver(() => this.redraw()).observe(this.canvas);
  }

  member_at(x, y) {
    let best = null;
    let least = 12 ** 2;
    for (const place of this.places) {
      const distance = (place.x - x) ** 2 + (place.y - y) ** 2;
      if (distance < least) [best, least] = [place.member, distance];
    }
    return best;
  }

  redraw() {
    const width = this.canvas.clientWidth;
    if (width === 0) return;
    const dots = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(width * dots);
    this.canvas.height = Math.round(this.height * dots);
    const pen = this.canvas.getContext("2d");
    pen.scale(dots, dots);
    pen.font = "12px system-ui, sans-serif";
    this.places = [];
    this.draw(pen, width, this.height);
  }
}

const to_share = ([low, high]) => (value) => (value - low) / (high - low);

/** Half a cell more at both ends of a grid. */
function with_margin(values) {
  const [low, high] = [values[0], values[values.length - 1]];
  const half = (high - low) / (values.length - 1) / 2;
  return [low - half, high + half];
}

/** Numbers along an axis, a few. */
function ticks([low, high], parts) {
  const step = nice_step(high - low, parts);
  const list = [];
  for (let k = Math.ceil(low / step); k * step <= high + 1e-9 * step; ++k) list.push(k * step);
  return list;
}

function axes(pen, box, x_range, y_range, names) {
  const { left, top, right, bottom } = box;
  const across = to_share(x_range);
  const up = to_share(y_range);
  pen.strokeStyle = css("--grid");
  pen.fillStyle = css("--text-soft");
  pen.lineWidth = 1;
  pen.textAlign = "center";
  for (const value of ticks(x_range, Math.max(2, (right - left) / 90))) {
    const x = left + across(value) * (right - left);
    pen.beginPath();
    pen.moveTo(x, top);
    pen.lineTo(x, bottom);
    pen.stroke();
    pen.fillText(brief(value), x, bottom + 15);
  }
  pen.textAlign = "right";
  for (const value of ticks(y_range, Math.max(2, (bottom - top) / 45))) {
    const y = bottom - up(value) * (bottom - top);
    pen.beginPath();
    pen.moveTo(left, y);
    pen.lineTo(right, y);
    pen.stroke();
    pen.fillText(brief(value), left - 6, y + 4);
  }
  pen.fillStyle = css("--text");
  pen.textAlign = "center";
  pen.fillText(short(names[0], 60), (left + right) / 2, bottom + 32);
  pen.save();
  pen.translate(13, (top + bottom) / 2);
  pen.rotate(-Math.PI / 2);
  pen.fillText(short(names[1], 40), 0, 0);
  pen.restore();
  return (x, y) => [left + across(x) * (right - left), bottom - up(y) * (bottom - top)];
}

function legend(pen, { x, top, bottom }, [low, high], name) {
  const steps = 64;
  for (let k = 0; k < steps; ++k) {
    pen.fillStyle = tint(k / (steps - 1));
    pen.fillRect(x, bottom - ((k + 1) / steps) * (bottom - top), 12, (bottom - top) / steps + 1);
  }
  pen.fillStyle = css("--text-soft");
  pen.textAlign = "left";
  pen.fillText(brief(high), x + 16, top + 9);
  pen.fillText(brief(low), x + 16, bottom);
  pen.save();
  pen.translate(x + 28, (top + bottom) / 2);
  pen.rotate(-Math.PI / 2);
  pen.textAlign = "center";
  pen.fillText(short(name, 30), 0, 0);
  pen.restore();
}

function mark_chosen(pen, x, y) {
  pen.strokeStyle = css("--now");
  pen.lineWidth = 2.5;
  pen.beginPath();
  pen.arc(x, y, 7, 0, 2 * Math.PI);
  pen.stroke();
}

/** A figure over what varies: dots over one name, colours over two; cells where these two make a grid. */
export class Response extends Chart {
  constructor(sweep, choice, choose) {
    super(380, "A figure over what varies", choose);
    Object.assign(this, { sweep, choice });
  }

  draw(pen, width, height) {
    const { x, y, figure } = this.choice;
    const { columns, done } = this.sweep;
    const values = columns.get(figure).map((value, k) => (done[k] ? value : NaN));
    const range = range_of(values);
    if (!y) return this.draw_dots(pen, width, height, columns.get(x), values, range);
    const box = { left: 64, top: 12, right: width - 80, bottom: height - 42 };
    const [xs, ys] = [columns.get(x), columns.get(y)];
    const [columns_x, columns_y] = [grid_values(xs), grid_values(ys)];
    const whole = columns_x && columns_y;
    const place = axes(pen, box, whole ? with_margin(columns_x) : range_of(xs), whole ? with_margin(columns_y) : range_of(ys), [x, y]);
    const cell = columns_x && columns_y ? [(box.right - box.left) / columns_x.length, (box.bottom - box.top) / columns_y.length] : null;
    const share = to_share(range);
    for (let k = 0; k < this.sweep.size; ++k) {
      const [px, py] = place(xs[k], ys[k]);
      pen.fillStyle = tint(share(values[k]));
      if (cell) pen.fillRect(px - cell[0] / 2, py - cell[1] / 2, cell[0] + 0.5, cell[1] + 0.5);
      else this.dot(pen, px, py, Number.isFinite(values[k]));
      this.places.push({ x: px, y: py, member: k });
      if (this.choice.member === k) mark_chosen(pen, px, py);
    }
    legend(pen, { x: width - 62, top: box.top, bottom: box.bottom }, range, figure);
  }

  draw_dots(pen, width, height, xs, values, range) {
    const box = { left: 64, top: 12, right: width - 14, bottom: height - 42 };
    const place = axes(pen, box, range_of(xs), range, [this.choice.x, this.choice.figure]);
    pen.fillStyle = css("--c0");
    for (let k = 0; k < this.sweep.size; ++k) {
      const there = Number.isFinite(values[k]);
      const [px, py] = place(xs[k], there ? values[k] : range[0]);
      pen.fillStyle = there ? css("--c0") : css("--bad");
      this.dot(pen, px, py, there);
      this.places.push({ x: px, y: py, member: k });
      if (this.choice.member === k) mark_chosen(pen, px, py);
    }
  }

  /** Members without a figure are crosses. */
  dot(pen, x, y, there) {
    pen.beginPath();
    if (there) {
      pen.arc(x, y, this.sweep.size > 3000 ? 1.5 : 3, 0, 2 * Math.PI);
      pen.fill();
      return;
    }
    pen.strokeStyle = css("--bad");
    pen.lineWidth = 1.5;
    pen.moveTo(x - 3, y - 3);
    pen.lineTo(x + 3, y + 3);
    pen.moveTo(x - 3, y + 3);
    pen.lineTo(x + 3, y - 3);
    pen.stroke();
  }
}

/** How often a figure takes which values. */
export class Histogram extends Chart {
  constructor(sweep, choice) {
    super(220, "How often a figure takes which values", () => {});
    Object.assign(this, { sweep, choice });
  }

  draw(pen, width, height) {
    const { low, high, bins } = histogram(this.sweep.columns.get(this.choice.figure).filter((_, k) => this.sweep.done[k]));
    const box = { left: 64, top: 12, right: width - 14, bottom: height - 42 };
    const place = axes(pen, box, [low, high], [0, Math.max(1, ...bins)], [this.choice.figure, "members"]);
    pen.fillStyle = css("--c0");
    const each = (high - low) / bins.length;
    bins.forEach((count, k) => {
      const [x0, y0] = place(low + k * each, count);
      const [x1, y1] = place(low + (k + 1) * each, 0);
      pen.fillRect(x0 + 0.5, y0, Math.max(1, x1 - x0 - 1), y1 - y0);
    });
  }
}

/** Every pair of what varies and the figure, as small plots. */
export class ScatterMatrix extends Chart {
  constructor(sweep, choice, choose, names) {
    super(120 * names().length + 30, "Every pair of what varies and the figure", choose);
    Object.assign(this, { sweep, choice, names });
  }

  draw(pen, width, height) {
    const names = this.names();
    const n = names.length;
    const [cell_x, cell_y] = [(width - 20) / n, (height - 24) / n];
    const { columns, done } = this.sweep;
    const ranges = names.map((name) => range_of(columns.get(name)));
    const share = to_share(range_of(columns.get(this.choice.figure)));
    for (let i = 0; i < n; ++i) {
      for (let j = 0; j < n; ++j) {
        const [left, top] = [16 + j * cell_x, 4 + i * cell_y];
        pen.strokeStyle = css("--line");
        pen.lineWidth = 1;
        pen.strokeRect(left, top, cell_x - 6, cell_y - 6);
        if (i === j) {
          pen.fillStyle = css("--text");
          pen.textAlign = "center";
          pen.fillText(short(names[i], Math.max(6, Math.floor(cell_x / 8))), left + cell_x / 2 - 3, top + cell_y / 2);
          continue;
        }
        const [across, up] = [to_share(ranges[j]), to_share(ranges[i])];
        const [xs, ys] = [columns.get(names[j]), columns.get(names[i])];
        for (let k = 0; k < this.sweep.size; ++k) {
          if (!done[k]) continue;
          const x = left + 4 + across(xs[k]) * (cell_x - 14);
          const y = top + cell_y - 10 - up(ys[k]) * (cell_y - 14);
          pen.fillStyle = tint(share(columns.get(this.choice.figure)[k]));
          pen.fillRect(x - 1, y - 1, 2.5, 2.5);
          this.places.push({ x, y, member: k });
          if (this.choice.member === k) mark_chosen(pen, x, y);
        }
      }
    }
  }
}

/** A line a member, from axis to axis. */
export class ParallelCoordinates extends Chart {
  constructor(sweep, choice, choose, names) {
    super(300, "Every member as a line over what varies and the figure", choose);
    Object.assign(this, { sweep, choice, names });
  }

  draw(pen, width, height) {
    const names = this.names();
    const { columns, done } = this.sweep;
    const [top, bottom, left, right] = [34, height - 24, 60, width - 60];
    const at = (k) => left + (names.length > 1 ? (k / (names.length - 1)) * (right - left) : 0);
    const ranges = names.map((name) => range_of(columns.get(name)));
    const share = to_share(range_of(columns.get(this.choice.figure)));
    const line = (member) => {
      pen.beginPath();
      names.forEach((name, k) => {
        const y = bottom - to_share(ranges[k])(columns.get(name)[member]) * (bottom - top);
        this.places.push({ x: at(k), y, member });
        if (k === 0) pen.moveTo(at(k), y);
        else pen.lineTo(at(k), y);
      });
      pen.stroke();
    };
    pen.lineWidth = 1;
    pen.globalAlpha = Math.max(0.08, Math.min(0.9, 300 / this.sweep.size));
    for (let k = 0; k < this.sweep.size; ++k) {
      if (!done[k]) continue;
      pen.strokeStyle = tint(share(columns.get(this.choice.figure)[k]));
      line(k);
    }
    pen.globalAlpha = 1;
    if (this.choice.member !== null && done[this.choice.member]) {
      pen.strokeStyle = css("--now");
      pen.lineWidth = 3;
      line(this.choice.member);
    }
    names.forEach((name, k) => {
      pen.strokeStyle = css("--text-soft");
      pen.lineWidth = 1;
      pen.beginPath();
      pen.moveTo(at(k), top);
      pen.lineTo(at(k), bottom);
      pen.stroke();
      pen.fillStyle = css("--text");
      pen.textAlign = "center";
      pen.fillText(short(name, 18), at(k), 12);
      pen.fillStyle = css("--text-soft");
      pen.fillText(brief(ranges[k][1]), at(k), top - 3);
      pen.fillText(brief(ranges[k][0]), at(k), bottom + 15);
    });
  }
}
