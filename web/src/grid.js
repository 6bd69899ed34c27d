import { BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments } from "three";

/** How many squares one piece of a line spans. */
const piece = 4;

/**
 * A grid of squares of side `step` around a centre, in the two `axes`, at a `level` of the third one. Its lines are in
 * pieces: what crosses the plane of the eye is not drawn by every graphics card, and a whole line would be missing.
 */
export function grid_lines({ axes, centre, level, step, reach, color }) {
  const across = [0, 1, 2].find((k) => !axes.includes(k));
  const positions = [];
  for (const [along, other] of [axes, [...axes].reverse()]) {
    const first = Math.round(centre.getComponent(other) / step) - reach / 2;
    const start = Math.round(centre.getComponent(along) / step) - reach / 2;
    for (let line = 0; line <= reach; ++line) {
      for (let at = 0; at < reach; at += piece) {
        for (const end of [at, Math.min(reach, at + piece)]) {
          const p = [0, 0, 0];
          p[along] = (start + end) * step;
          p[other] = (first + line) * step;
          p[across] = level;
          positions.push(...p);
        }
      }
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
  // Behind everything, whatever the depth of things that lie in its plane.
  const lines = new LineSegments(geometry, new LineBasicMaterial({ color, depthWrite: false }));
  lines.renderOrder = -1;
  return lines;
}
