import { css } from "./dom.js";
import { brief } from "./numbers.js";
import { colour, dashes } from "./palette.js";

/** The indices of the rows that a plot shows now. */
function visible(plot, t = plot.group.table.t) {
  const { from, to } = plot.all;
  const list = [];
  for (let k = 0; k < t.length; ++k) if (t[k] >= from && t[k] <= to) list.push(k);
  return list;
}

/** The chosen curves in the span that is shown, as a table. */
export function plot_csv(plot) {
  const chosen = plot.chosen();
  const quoted = (name) => (/[",\r\n]|^ | $/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);
  const lines = [["t", ...chosen.map((curve) => quoted(curve.name))].join(",")];
  // What was recorded, not what is drawn between.
  const { t } = plot.group.recorded ?? plot.group.table;
  for (const k of visible(plot, t))
    lines.push([t[k], ...chosen.map((curve) => (curve.recorded ?? curve.values)[k])].join(","));
  return lines.join("\n") + "\n";
}

/** The plot with title and legend on a plain ground. */
export function plot_png(plot) {
  const { canvas } = plot.chart.ctx;
  const scale = window.devicePixelRatio || 1;
  const chosen = plot.chosen();
  const line = 18 * scale;
  const rows = Math.ceil(chosen.length / 3);
  const picture = document.createElement("canvas");
  picture.width = canvas.width;
  picture.height = canvas.height + line * (rows + 2);
  const pen = picture.getContext("2d");
  pen.fillStyle = css("--page");
  pen.fillRect(0, 0, picture.width, picture.height);
  pen.fillStyle = css("--text");
  pen.font = `${14 * scale}px system-ui, sans-serif`;
  pen.fillText(`${plot.all.run.model.name}: ${plot.group.title}`.slice(0, 120), 8 * scale, line);
  pen.drawImage(canvas, 0, 1.3 * line);
  pen.font = `${12 * scale}px system-ui, sans-serif`;
  chosen.forEach((curve, k) => {
    const x = 8 * scale + (k % 3) * (picture.width / 3);
    const y = canvas.height + 1.3 * line + (Math.floor(k / 3) + 0.6) * line;
    pen.fillStyle = colour(curve.index);
    pen.fillRect(x, y - 5 * scale, 14 * scale, 3 * scale);
    pen.fillStyle = css("--text");
    pen.fillText(curve.label.slice(0, 40), x + 20 * scale, y);
  });
  return new Promise((done) => picture.toBlob(done, "image/png"));
}

const escaped = (text) =>
  String(text).replace(/[&<>"']/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[c]);

/** The plot as SVG, on white, for papers. */
export function plot_svg(plot) {
  const [width, height, left, right, top, bottom] = [760, 420, 84, 20, 40, 56];
  const { chart, group, log } = plot;
  const x_scale = chart.scales.x;
  const y_scale = chart.scales.y;
  const size = (value) => (log ? Math.log10(value) : value);
  const x = (t) => left + ((width - left - right) * (t - x_scale.min)) / (x_scale.max - x_scale.min);
  const y = (value) =>
    height -
    bottom -
    ((height - top - bottom) * (size(value) - size(y_scale.min))) / (size(y_scale.max) - size(y_scale.min));
  const out = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="sans-serif" font-size="13">`,
    `<title>${escaped(group.title)}</title><rect width="${width}" height="${height}" fill="white"/>`,
  ];
  const ticks = (axis) => chart.axes[axis]._splits ?? [];
  for (const t of ticks(0).filter((t) => t >= x_scale.min && t <= x_scale.max)) {
    out.push(
      `<line x1="${x(t).toFixed(1)}" x2="${x(t).toFixed(1)}" y1="${top}" y2="${height - bottom}" stroke="#e2e2e2"/>`,
    );
    out.push(
      `<text x="${x(t).toFixed(1)}" y="${height - bottom + 18}" text-anchor="middle">${escaped(brief(t, 6))}</text>`,
    );
  }
  for (const v of ticks(1).filter((v) => v >= y_scale.min && v <= y_scale.max)) {
    out.push(
      `<line x1="${left}" x2="${width - right}" y1="${y(v).toFixed(1)}" y2="${y(v).toFixed(1)}" stroke="#e2e2e2"/>`,
    );
    out.push(
      `<text x="${left - 8}" y="${(y(v) + 4).toFixed(1)}" text-anchor="end">${escaped(log ? `1e${Math.round(Math.log10(v))}` : brief(v, 5))}</text>`,
    );
  }
  out.push(
    `<rect x="${left}" y="${top}" width="${width - left - right}" height="${height - top - bottom}" fill="none" stroke="#888"/>`,
  );
  out.push(
    `<text x="${left}" y="24" font-size="15">${escaped(`${plot.all.run.model.name}: ${group.title}`.slice(0, 100))}</text>`,
  );
  out.push(`<text x="${(left + width - right) / 2}" y="${height - 14}" text-anchor="middle">t in s</text>`);
  const rows = visible(plot);
  plot.chosen().forEach((curve, k) => {
    const stroke = `stroke="${colour(curve.index)}" stroke-width="1.6" stroke-dasharray="${dashes(curve.index).join(" ") || "none"}"`;
    let points = [];
    const flush = () => {
      if (points.length > 1) out.push(`<polyline fill="none" ${stroke} points="${points.join(" ")}"/>`);
      points = [];
    };
    for (const row of rows) {
      const value = log ? Math.max(Math.abs(curve.values[row]), group.floor ?? 0) : curve.values[row];
      if (!Number.isFinite(value) || (log && value === 0)) flush();
      else points.push(`${x(group.table.t[row]).toFixed(1)},${y(value).toFixed(1)}`);
    }
    flush();
    if (k < 12) {
      const at = top + 18 + 18 * k;
      out.push(
        `<line x1="${width - right - 150}" x2="${width - right - 130}" y1="${at - 4}" y2="${at - 4}" ${stroke}/>`,
      );
      out.push(`<text x="${width - right - 124}" y="${at}">${escaped(curve.label.slice(0, 24))}</text>`);
    }
  });
  return out.join("\n") + "\n</svg>\n";
}
