import { last_not_above } from "./numbers.js";

/** The bytes of the page's binary part. */
function bytes_of(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text).buffer;
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let k = 0; k < letters.length; ++k) bytes[k] = letters.charCodeAt(k);
  return bytes.buffer;
}

/** Columns over a time of their own. */
function table_of(table, bytes) {
  if (!table) return { t: new Float64Array(0), columns: [], seen: 0 };
  return {
    t: new Float64Array(bytes, table.t, table.count),
    seen: table.seen,
    columns: table.columns.map(({ name, at }) => ({ name, values: new Float32Array(bytes, at, table.count) })),
  };
}

/** The columns that move the drawing, by frame, with values between frames. */
export class Motion {
  constructor(scene, bytes) {
    this.t = new Float64Array(bytes, scene.frames.t, scene.frames.count);
    this.width = scene.columns.length;
    this.ranges = scene.columns.map(({ low, high }) => [low, high]);
    this.values = new Float32Array(this.t.length * this.width);
    scene.columns.forEach(({ at, low, high }, k) => {
      const column = new Uint16Array(bytes, at, this.t.length);
      const step = (high - low) / 65534;
      for (let f = 0; f < column.length; ++f) {
        this.values[f * this.width + k] = column[f] === 65535 ? NaN : low + column[f] * step;
      }
    });
    this.now = new Float32Array(this.width);
  }

  get frames() {
    return this.t.length;
  }

  frame_at(t) {
    return last_not_above(this.t, t);
  }

  /** Sets `now` to the values at a time. */
  go_to(t) {
    const f = this.frame_at(t);
    const next = Math.min(f + 1, this.frames - 1);
    const span = this.t[next] - this.t[f];
    const share = span > 0 ? Math.min(1, Math.max(0, (t - this.t[f]) / span)) : 0;
    if (share === 0) {
      this.go_to_frame(f);
      return;
    }
    const { now, values, width } = this;
    const [a, b] = [f * width, next * width];
    for (let k = 0; k < width; ++k) now[k] = values[a + k] + share * (values[b + k] - values[a + k]);
  }

  /** Sets `now` to the values of a frame. */
  go_to_frame(f) {
    this.now.set(this.values.subarray(f * this.width, (f + 1) * this.width));
  }

  /** The value of a place as of `now`: a number, or a column. */
  value(place) {
    return typeof place === "number" ? this.now[place] : place.c;
  }

  /** The least and the greatest value that a place takes. */
  range(place) {
    return typeof place === "number" ? this.ranges[place] : [place.c, place.c];
  }

  moves(place) {
    return typeof place === "number" && this.ranges[place][1] > this.ranges[place][0];
  }
}

/** What stands in the page. */
export function read_page(document) {
  const json = JSON.parse(document.getElementById("run").textContent);
  const element = document.getElementById("data");
  const data = element.textContent.trim();
  element.remove();
  return { json, data };
}

/** What something moves along is as long as it moves. */
function stretch(scene, motion) {
  for (const shape of scene.shapes) {
    if (shape.reach === undefined || shape.stretched) continue;
    const [low, high] = motion.range(shape.reach);
    if (!Number.isFinite(low + high)) continue;
    const [w, x, y, z] = shape.orientation;
    const along = [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)];
    const middle = (Math.min(low, 0) + Math.max(high, 0)) / 2;
    shape.size = [shape.size[0], shape.size[1] + Math.max(high, 0) - Math.min(low, 0)];
    shape.at = shape.at.map((place, k) => place + middle * along[k]);
    shape.stretched = true;
  }
}

/** A run with its columns as arrays. */
export function decoded(run, data) {
  const bytes = bytes_of(data);
  const rows = table_of(run.rows, bytes);
  const steps = table_of(run.steps, bytes);
  const motion = run.scene && run.scene.frames.count > 0 ? new Motion(run.scene, bytes) : null;
  if (motion) stretch(run.scene, motion);
  const forces = run.scene?.forces?.frames.count > 0 ? new Motion(run.scene.forces, bytes) : null;
  const times = [rows.t, steps.t, motion ? motion.t : []].filter((list) => list.length > 0);
  return {
    ...run,
    rows,
    steps,
    motion,
    forces,
    t0: times.length ? Math.min(...times.map((list) => list[0])) : 0,
    t1: times.length ? Math.max(...times.map((list) => list[list.length - 1])) : 0,
    events: run.summary?.events ?? [],
  };
}
