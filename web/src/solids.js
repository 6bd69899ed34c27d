import {
  Box3,
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Color,
  CylinderGeometry,
  DoubleSide,
  FrontSide,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshPhongMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
} from "three";
import { coil_geometry, cone_geometry, gear_geometry, spiral_geometry, tube_geometry, turn_geometry } from "./signs.js";
import { WideLines } from "./wide_lines.js";

/** Of unit size, to be stretched: one geometry for all of a kind. */
const stretched = {
  cone: cone_geometry,
  tube: tube_geometry,
  coil: coil_geometry,
  spiral: spiral_geometry,
  turn: turn_geometry,
};
const kinds = ["box", "cylinder", "sphere", "mesh", "gear", ...Object.keys(stretched)];
export const is_solid = (shape) => kinds.includes(shape.kind);
/** What reaches from one moving point to another. */
export const is_span = ({ kind }) => kind === "rod" || kind === "spring" || kind === "damper";
/** How many solids are drawn in full detail, and how many are more than dots to the eye. */
const most_in_detail = 200;
const most_coarse = 1500;

// Used anew for every body of every frame: a thousand bodies make no garbage.
const body_place = new Vector3();
const body_turn = new Quaternion();
const as_large = new Vector3(1, 1, 1);

/** Position and orientation of a body as of now, as a matrix. Its pose is x y z qw qx qy qz, or x y angle in the plane. */
export function body_matrix(motion, body, out) {
  const { pose } = body;
  const in_space = pose.length > 3;
  const third = motion.value(pose[2]);
  body_place.set(motion.value(pose[0]), motion.value(pose[1]), in_space ? third : 0);
  if (in_space) {
    body_turn.set(motion.value(pose[4]), motion.value(pose[5]), motion.value(pose[6]), motion.value(pose[3]));
    body_turn.normalize();
  } else {
    body_turn.set(0, 0, Math.sin(third / 2), Math.cos(third / 2));
  }
  return out.compose(body_place, body_turn, as_large);
}

function solid_geometry(kind, count) {
  const [around, upwards] = count <= most_in_detail ? [32, 16] : count <= most_coarse ? [6, 4] : [4, 2];
  if (kind === "box") return new BoxGeometry(1, 1, 1);
  if (kind === "sphere") return new SphereGeometry(1, Math.min(24, around), upwards);
  // Along z, of unit length.
  return new CylinderGeometry(1, 1, 1, around).rotateX(Math.PI / 2);
}

function mesh_geometry(shape) {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(shape.vertices.flat()), 3));
  geometry.setIndex(shape.triangles.flat());
  geometry.computeVertexNormals();
  return geometry;
}

/** What a shape adds to its body's pose: its own place, its turn [w, x, y, z], and its size. */
export function local_matrix(shape) {
  const size = shape.size ?? [1, 1, 1];
  const scale =
    shape.kind === "box" || shape.kind === "mesh"
      ? new Vector3(...size)
      : new Vector3(size[0], size[0], shape.kind === "sphere" ? size[0] : size[1]);
  const [w, x, y, z] = shape.orientation ?? [1, 0, 0, 0];
  return new Matrix4().compose(new Vector3(...(shape.at ?? [0, 0, 0])), new Quaternion(x, y, z, w).normalize(), scale);
}

/** The corners of the box around a shape, before its matrix is applied. */
export function solid_corners(shape) {
  const box = new Box3();
  if (shape.kind === "mesh") for (const at of shape.vertices) box.expandByPoint(new Vector3(...at));
  else if (shape.kind === "box") box.set(new Vector3(-0.5, -0.5, -0.5), new Vector3(0.5, 0.5, 0.5));
  else box.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
  if (shape.kind !== "mesh" && shape.kind !== "sphere") [box.min.z, box.max.z] = [-0.5, 0.5];
  return Array.from({ length: 8 }, (_, corner) => {
    const ends = [box.min, box.max];
    return new Vector3(ends[corner & 1].x, ends[(corner >> 1) & 1].y, ends[(corner >> 2) & 1].z);
  });
}

/** Many equal shapes, each with a matrix and a colour of its own, by the graphics card. */
class Instances {
  constructor(geometry, count, { opacity, sides }) {
    const look = { transparent: opacity < 1, opacity, depthWrite: opacity === 1, side: sides ?? FrontSide };
    this.mesh = new InstancedMesh(geometry, new MeshPhongMaterial({ ...look, specular: 0x333333, shininess: 35 }), count);
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = this.mesh.receiveShadow = opacity === 1;
  }

  paint(k, color) {
    this.mesh.setColorAt(k, color);
  }

  put(k, matrix) {
    this.mesh.setMatrixAt(k, matrix);
  }

  moved() {
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}

/**
 * The same as one mesh whose corners are moved here. Where a processor does a graphics card's work, each instance costs
 * it as much as a drawing of its own, ten times what moving a few corners does. Faces are shaded once, by the side they
 * look to from their body, so that no light has to be computed.
 */
class Merged {
  constructor(geometry, count, { opacity }) {
    this.corners = geometry.attributes.position.array;
    this.shades = Merged.shades(geometry.attributes.normal);
    const size = this.corners.length;
    this.places = new BufferAttribute(new Float32Array(count * size), 3);
    this.colors = new BufferAttribute(new Float32Array(count * size), 3);
    const merged = new BufferGeometry();
    merged.setAttribute("position", this.places);
    merged.setAttribute("color", this.colors);
    const order = geometry.index.array;
    const index = new Uint32Array(count * order.length);
    for (let k = 0; k < count; ++k)
      for (let i = 0; i < order.length; ++i) index[k * order.length + i] = order[i] + (k * size) / 3;
    merged.setIndex(new BufferAttribute(index, 1));
    geometry.dispose();
    const look = { transparent: opacity < 1, opacity, depthWrite: opacity === 1 };
    this.mesh = new Mesh(merged, new MeshBasicMaterial({ ...look, vertexColors: true }));
    this.mesh.frustumCulled = false;
  }

  static shades(normal) {
    return Float32Array.from(
      { length: normal.count },
      (_, k) => 0.72 + 0.1 * normal.getX(k) + 0.06 * normal.getY(k) + 0.16 * normal.getZ(k),
    );
  }

  paint(k, color) {
    const from = k * this.corners.length;
    this.shades.forEach((shade, i) =>
      this.colors.array.set([color.r * shade, color.g * shade, color.b * shade], from + 3 * i),
    );
  }

  put(k, { elements: e }) {
    const { corners } = this;
    const out = this.places.array;
    for (let i = 0, to = k * corners.length; i < corners.length; i += 3, to += 3) {
      const [x, y, z] = [corners[i], corners[i + 1], corners[i + 2]];
      out[to] = e[0] * x + e[4] * y + e[8] * z + e[12];
      out[to + 1] = e[1] * x + e[5] * y + e[9] * z + e[13];
      out[to + 2] = e[2] * x + e[6] * y + e[10] * z + e[14];
    }
  }

  moved() {
    this.places.needsUpdate = true;
  }
}

/** How thick a shape is, and the ends of its longest side before its matrix is applied; nothing where it has none. */
function rod_of({ kind, size }) {
  if (kind !== "box" && kind !== "cylinder") return null;
  const sides = kind === "box" ? size : [2 * size[0], 2 * size[0], size[1]];
  const longest = sides.indexOf(Math.max(...sides));
  const ends = [-0.5, 0.5].map((end) => new Vector3().setComponent(longest, end));
  // A cylinder that lies flat is as long as it is wide.
  if (kind === "cylinder" && longest < 2) for (const end of ends) end.multiplyScalar(2);
  return { thickness: sides.filter((_, k) => k !== longest).reduce((a, b) => Math.max(a, b)), ends };
}

/** Rods that would be thinner than a pixel, as lines: a chain of a thousand bars is seen as a chain. */
class Hairlines {
  constructor(shapes, pose_of, colour_of, opacity) {
    const place = (shape, end) => end.applyMatrix4(local_matrix(shape));
    this.rods = shapes.map((shape) => ({
      pose: pose_of.get(shape.body),
      ends: rod_of(shape).ends.map((end) => place(shape, end)),
    }));
    this.positions = new Float32Array(6 * shapes.length);
    this.end = new Vector3();
    const colors = shapes.flatMap((shape) => {
      const color = new Color(colour_of(shape)).toArray();
      return [...color, ...color];
    });
    this.lines = new WideLines(this.positions, { colors, width: 2, opacity });
  }

  update() {
    const { end, positions } = this;
    for (let k = 0; k < this.rods.length; ++k) {
      const { pose, ends } = this.rods[k];
      for (let which = 0; which < 2; ++which) {
        end.copy(ends[which]);
        if (pose) end.applyMatrix4(pose);
        end.toArray(positions, 6 * k + 3 * which);
      }
    }
    this.lines.move(positions);
  }
}

const z_axis = new Vector3(0, 0, 1);
const never = new Matrix4().makeScale(0, 0, 0);

/** Rods, springs and dampers between points that move. A damper is a barrel that a piston goes into. */
class Spans {
  constructor(motion, shapes, { colour_of, opacity, copies }) {
    this.motion = motion;
    this.object = new Group();
    this.groups = [];
    const add = (geometry, members, sides) => {
      if (members.length === 0) return;
      const drawn = new Instances(geometry, members.length * copies, { opacity, sides });
      for (let c = 0; c < copies; ++c)
        members.forEach(({ shape }, k) => drawn.paint(c * members.length + k, new Color(colour_of(shape))));
      this.groups.push({ drawn, members });
      this.object.add(drawn.mesh);
    };
    const of = (kind) => shapes.filter((shape) => shape.kind === kind);
    const round = [
      ...of("rod").map((shape) => ({ shape, radius: shape.size[0] })),
      ...of("damper").map((shape) => ({ shape, radius: 0.45 * shape.size[0] })),
      ...of("damper").map((shape) => ({ shape, radius: shape.size[0], length: shape.size[1] })),
    ];
    add(new CylinderGeometry(1, 1, 1, 24).rotateX(Math.PI / 2), round);
    add(
      coil_geometry(),
      of("spring").map((shape) => ({ shape, radius: shape.size[0] })),
      DoubleSide,
    );
  }

  update(copy = 0) {
    for (const { drawn, members } of this.groups) {
      members.forEach((member, k) => drawn.put(copy * members.length + k, this.place(member)));
      drawn.moved();
    }
  }

  /** From the first point to the second, or as far as its own length reaches. */
  place({ shape, radius, length }) {
    const [from, to] = shape.points.map((point) => {
      const place = [0, 1, 2].map((k) => (k < point.length ? this.motion.value(point[k]) : 0));
      return new Vector3(...place);
    });
    const along = to.clone().sub(from);
    const whole = along.length();
    if (!(whole > 0) || !Number.isFinite(whole)) return never;
    along.divideScalar(whole);
    const reach = Math.min(length ?? whole, whole);
    const middle = from.addScaledVector(along, reach / 2);
    const turn = new Quaternion().setFromUnitVectors(z_axis, along);
    return new Matrix4().compose(middle, turn, new Vector3(radius, radius, reach));
  }
}

/**
 * Boxes, cylinders, spheres and meshes that bodies carry: one object for each kind. What is thinner than `hair` is a line
 * as well.
 */
export class Solids {
  constructor(motion, scene, colour_of, { opacity = 1, copies = 1, hair = 0 } = {}) {
    this.motion = motion;
    this.object = new Group();
    this.bodies = scene.bodies ?? [];
    this.poses = this.bodies.map(() => new Matrix4());
    this.matrix = new Matrix4();
    this.groups = [];
    const pose_of = new Map(this.bodies.map(({ name }, k) => [name, this.poses[k]]));
    const shapes = scene.shapes.filter(is_solid);
    this.coarse = shapes.length > most_in_detail;
    const look = { colour_of, opacity, copies, pose_of };
    for (const kind of ["box", "cylinder", "sphere"]) {
      const members = shapes.filter((shape) => shape.kind === kind);
      if (members.length === 0) continue;
      this.add(this.coarse ? Merged : Instances, solid_geometry(kind, shapes.length), members, look);
    }
    const thin = shapes.filter((shape) => !shape.role && rod_of(shape)?.thickness < hair);
    if (thin.length > 0) {
      this.hairlines = new Hairlines(thin, pose_of, colour_of, opacity);
      this.object.add(this.hairlines.lines);
    }
    for (const [kind, geometry] of Object.entries(stretched)) {
      const members = shapes.filter((shape) => shape.kind === kind);
      if (members.length > 0) this.add(Instances, geometry(), members, { ...look, sides: DoubleSide });
    }
    // Meshes may have many corners each, and are not all alike.
    for (const shape of shapes) {
      if (shape.kind === "mesh") this.add(Instances, mesh_geometry(shape), [shape], look);
      if (shape.kind === "gear") this.add(Instances, gear_geometry(shape.size[2]), [shape], look);
    }
    this.spans = new Spans(motion, scene.shapes.filter(is_span), look);
    this.object.add(this.spans.object);
  }

  add(Kind, geometry, members, { colour_of, opacity, copies, pose_of, sides }) {
    const drawn = new Kind(geometry, members.length * copies, { opacity, sides });
    for (let c = 0; c < copies; ++c)
      members.forEach((shape, k) => drawn.paint(c * members.length + k, new Color(colour_of(shape))));
    this.groups.push({
      drawn,
      mesh: drawn.mesh,
      members: members.map((shape) => ({ pose: pose_of.get(shape.body), local: local_matrix(shape) })),
    });
    this.object.add(drawn.mesh);
  }

  update(copy = 0) {
    for (let k = 0; k < this.bodies.length; ++k) body_matrix(this.motion, this.bodies[k], this.poses[k]);
    for (const { drawn, members } of this.groups) {
      for (let k = 0; k < members.length; ++k) {
        const { pose, local } = members[k];
        const place = pose ? this.matrix.multiplyMatrices(pose, local) : local;
        drawn.put(copy * members.length + k, place);
      }
      drawn.moved();
    }
    this.hairlines?.update();
    this.spans.update(copy);
  }
}
