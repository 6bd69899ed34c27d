import { Vector3 } from "three";
import { css } from "./dom.js";
import { put_point } from "./figures.js";
import { nice_step } from "./numbers.js";
import { WideLines } from "./wide_lines.js";

const far = 1e12;
/** A shaft and two sides of the head. */
const strokes = 3;

/** The size of each frame's largest force, in rising order. */
function largest_by_frame(forces) {
  const sizes = [];
  for (let f = 0; f < forces.frames; ++f) {
    let most = 0;
    for (let k = f * forces.width; k + 2 < (f + 1) * forces.width; k += 3) {
      const size = Math.hypot(forces.values[k], forces.values[k + 1], forces.values[k + 2]);
      if (size > most) most = size;
    }
    sizes.push(most);
  }
  return sizes.sort((a, b) => a - b);
}

/** The reaction of each joint on its second body, as an arrow at the point where it acts. */
export class Forces {
  constructor(run, grid_step, flat, is_shown = () => true) {
    this.motion = run.motion;
    this.forces = run.forces;
    this.joints = run.scene.joints;
    this.flat = flat;
    this.is_shown = is_shown;
    // As long as two squares of the grid where the largest force is as it mostly is; a short blow is cut at eight.
    const sizes = largest_by_frame(this.forces);
    const usual = sizes[Math.floor(sizes.length / 2)] || sizes[sizes.length - 1] || 1;
    this.per_square = nice_step(usual / 2, 1);
    this.scale = grid_step / this.per_square;
    this.most = 8 * grid_step;
    this.head = 0.28 * grid_step;
    this.positions = new Float32Array(6 * strokes * this.joints.length).fill(far);
    this.object = new WideLines(this.positions, { color: css("--now"), width: 2.5 });
    this.object.renderOrder = 3;
    this.from = new Vector3();
    this.along = new Vector3();
    this.across = new Vector3();
    this.tip = new Vector3();
    this.place = [0, 0, 0];
  }

  /** Puts the arrows where they are at a time; the drawing must be there already. */
  update(t, towards) {
    this.forces.go_to(t);
    const { now } = this.forces;
    this.joints.forEach((joint, k) => {
      if (!this.is_shown(joint)) return; // its arrow is where nobody sees it
      put_point(this.motion, joint.at, this.place, 0);
      this.from.fromArray(this.place);
      this.along.set(now[3 * k], now[3 * k + 1], this.flat ? 0 : now[3 * k + 2]).multiplyScalar(this.scale);
      this.put(18 * k, towards);
    });
    this.object.move(this.positions);
  }

  put(at, towards) {
    const { positions, from, along, across, tip } = this;
    const length = along.length();
    if (!Number.isFinite(length) || !Number.isFinite(from.x + from.y + from.z) || length === 0) {
      positions.fill(far, at, at + 18);
      return;
    }
    if (length > this.most) along.setLength(this.most);
    tip.copy(from).add(along);
    from.toArray(positions, at);
    tip.toArray(positions, at + 3);
    // The head lies across the line of sight.
    across.crossVectors(along, towards);
    if (across.lengthSq() < 1e-12 * along.lengthSq()) across.set(along.y, -along.x, along.z);
    const head = Math.min(this.head, 0.5 * along.length());
    across.setLength(0.5 * head);
    along.setLength(head);
    for (const side of [1, -1]) {
      const start = at + (side > 0 ? 6 : 12);
      tip.toArray(positions, start);
      positions[start + 3] = tip.x - along.x + side * across.x;
      positions[start + 4] = tip.y - along.y + side * across.y;
      positions[start + 5] = tip.z - along.z + side * across.z;
    }
  }
}
