import { Box3, Matrix4, Vector3 } from "three";
import { put_point } from "./figures.js";
import { body_matrix, is_solid, local_matrix, solid_corners } from "./solids.js";

/** About so many corners are looked at to find where a run leads. */
const most_corners = 200_000;

const finite = (place) => Number.isFinite(place.x + place.y + place.z);

/** The radius of a circle as it is now. */
function radius_of(motion, { points: [centre, rim] }) {
  const [from, to] = [
    [0, 0, 0],
    [0, 0, 0],
  ];
  put_point(motion, centre, from, 0);
  put_point(motion, rim, to, 0);
  const radius = Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
  return Number.isFinite(radius) ? radius : 0;
}

/** The box around every line, area and circle over the whole run, by the least and greatest values of their points. */
function stroke_bounds(motion, shapes, box) {
  motion.go_to_frame(0);
  for (const shape of shapes) {
    if (!shape.points) continue;
    const round = shape.kind === "circle";
    const margin = round ? radius_of(motion, shape) : 0;
    for (const point of round ? shape.points.slice(0, 1) : shape.points) {
      const ranges = [0, 1, 2].map((k) => (k < point.length ? motion.range(point[k]) : [0, 0]));
      if (ranges.flat().some((value) => !Number.isFinite(value))) continue;
      // A circle of two points lies in the plane.
      const depth = shape.points.length > 2 ? margin : 0;
      for (const [side, sign] of [
        [0, -1],
        [1, 1],
      ]) {
        const [x, y, z] = ranges.map((range) => range[side]);
        box.expandByPoint(new Vector3(x + sign * margin, y + sign * margin, z + sign * depth));
      }
    }
  }
}

/** Adds bodies and what they carry, as they are now. */
function add_bodies(motion, scene, carried, box) {
  const [pose, matrix, corner] = [new Matrix4(), new Matrix4(), new Vector3()];
  const add = (place, local) => {
    for (const at of local.corners) {
      corner.copy(at).applyMatrix4(place ? matrix.multiplyMatrices(place, local.matrix) : local.matrix);
      if (finite(corner)) box.expandByPoint(corner);
    }
  };
  for (const body of scene.bodies ?? []) {
    body_matrix(motion, body, pose);
    corner.setFromMatrixPosition(pose);
    if (finite(corner)) box.expandByPoint(corner);
    for (const local of carried.get(body.name) ?? []) add(pose, local);
  }
  for (const local of carried.get("") ?? []) add(null, local);
}

/** The corners of what each body carries, by its name; "" is what stands still. */
function carried_by(scene) {
  const carried = new Map();
  for (const shape of scene.shapes.filter(is_solid)) {
    const name = !shape.body || shape.body === "ground" ? "" : shape.body;
    if (!carried.has(name)) carried.set(name, []);
    carried.get(name).push({ matrix: local_matrix(shape), corners: solid_corners(shape) });
  }
  return carried;
}

/** The box around everything the run will show. Bodies are looked at now and then: boxes turn as they move. */
export function whole_bounds(motion, scene) {
  const box = new Box3();
  stroke_bounds(motion, scene.shapes, box);
  const carried = carried_by(scene);
  const corners = 8 * scene.shapes.length + (scene.bodies ?? []).length;
  const looks = Math.min(motion.frames, Math.max(4, Math.min(200, Math.floor(most_corners / corners))));
  for (let k = 0; k < looks; ++k) {
    motion.go_to_frame(Math.round((k * (motion.frames - 1)) / Math.max(1, looks - 1)));
    add_bodies(motion, scene, carried, box);
  }
  if (box.isEmpty()) box.set(new Vector3(-1, -1, 0), new Vector3(1, 1, 0));
  return box;
}

/** The box around everything as it is now, or around what moves at all. */
export function bounds_now(motion, scene, { moving = true } = {}) {
  const box = new Box3();
  const place = new Vector3();
  const numbers = [0, 0, 0];
  const add = (point) => {
    put_point(motion, point, numbers, 0);
    if (finite(place.fromArray(numbers))) box.expandByPoint(place);
  };
  for (const shape of scene.shapes) {
    if (!shape.points) continue;
    for (const point of shape.points) if (!moving || point.some((c) => motion.moves(c))) add(point);
  }
  if (moving)
    for (const { pose } of scene.bodies ?? []) add(pose.length > 3 ? pose : [pose[0], pose[1]]);
  else add_bodies(motion, scene, carried_by(scene), box);
  return box;
}
