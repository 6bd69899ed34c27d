import { colour } from "./palette.js";
import { last_not_above } from "./numbers.js";

/** The motions of several runs as one: the columns of the first, then those of the second, and so on. */
class JointMotion {
  constructor(motions) {
    this.motions = motions;
    this.hidden = motions.map(() => false);
    this.starts = [];
    let width = 0;
    for (const motion of motions) {
      this.starts.push(width);
      width += motion.width;
    }
    this.now = new Float32Array(width);
    // Frames are those of the run with the most.
    this.t = motions.reduce((a, b) => (b.t.length > a.length ? b.t : a), motions[0].t);
  }

  get frames() {
    return this.t.length;
  }

  frame_at(t) {
    return last_not_above(this.t, t);
  }

  /** A run that ended early stays where it ended; one that is hidden has no place. */
  go_to(t) {
    this.motions.forEach((motion, k) => {
      if (this.hidden[k]) {
        this.now.fill(NaN, this.starts[k], this.starts[k] + motion.width);
        return;
      }
      motion.go_to(t);
      this.now.set(motion.now, this.starts[k]);
    });
  }

  go_to_frame(f) {
    this.go_to(this.t[f]);
  }

  value(place) {
    return typeof place === "number" ? this.now[place] : place.c;
  }

  owner(column) {
    return last_not_above(this.starts, column);
  }

  range(place) {
    if (typeof place !== "number") return [place.c, place.c];
    const k = this.owner(place);
    return this.motions[k].ranges[place - this.starts[k]];
  }

  moves(place) {
    if (typeof place !== "number") return false;
    const [low, high] = this.range(place);
    return high > low;
  }
}

/** Of runs that agree the first is a wide line, and the others are narrower ones on it. */
export const nested_width = (base, k, count) => base + (count - 1 - k) * Math.min(0.75 * base, (4 * base) / count);

const stands_still = (shape) =>
  !shape.points ? !shape.body || shape.body === "ground" : shape.points.every((point) => point.every((place) => typeof place !== "number"));

/** The drawings of several runs over one another, each in a colour of its own; what stands still is drawn once. */
export function overlay(runs) {
  const drawn = runs.filter(({ run }) => run.motion);
  if (drawn.length === 0) return { scene: null, motion: null };
  const motion = new JointMotion(drawn.map(({ run }) => run.motion));
  // Solids of runs that agree are seen through one another.
  const opacity = drawn.length > 1 ? 0.55 : 1;
  const scene = { ...drawn[0].run.scene, shapes: [], bodies: [], joints: [], forces: null, opacity };
  drawn.forEach(({ run, name, tint }, k) => {
    const place = (at) => (typeof at === "number" ? at + motion.starts[k] : at);
    const point = (list) => list.map(place);
    const own = (body) => (body ? `${name}: ${body}` : body);
    for (const shape of run.scene.shapes) {
      if (stands_still(shape)) {
        if (k === 0) scene.shapes.push({ ...shape, label: "" });
        continue;
      }
      const moved = { ...shape, label: name, body: own(shape.body), width: nested_width(4, k, drawn.length) };
      if (shape.points) moved.points = shape.points.map(point);
      // Asked for anew whenever light turns to dark.
      Object.defineProperty(moved, "color", { get: () => colour(tint), enumerable: true });
      scene.shapes.push(moved);
    }
    for (const body of run.scene.bodies ?? []) scene.bodies.push({ ...body, name: own(body.name), pose: point(body.pose) });
    for (const joint of run.scene.joints ?? [])
      scene.joints.push({ ...joint, name: own(joint.name), at: point(joint.at) });
  });
  return { scene, motion, drawn };
}
