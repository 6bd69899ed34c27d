import {
  BufferAttribute,
  BufferGeometry,
  BoxGeometry,
  CanvasTexture,
  Color,
  CylinderGeometry,
  DoubleSide,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  Points,
  PointsMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
} from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";

const round_parts = 48;
const solids = ["box", "cylinder", "sphere", "mesh"];
export const is_solid = (shape) => solids.includes(shape.kind);

/** How many segments a shape is drawn with. */
function segments_of(shape) {
  if (shape.kind === "line") return shape.points.length - 1;
  if (shape.kind === "polygon") return shape.points.length;
  if (shape.kind === "circle") return round_parts;
  return 0;
}

/** A place with two or three components as three numbers. */
export function put_point(motion, point, out, at) {
  out[at] = motion.value(point[0]);
  out[at + 1] = motion.value(point[1]);
  out[at + 2] = point.length > 2 ? motion.value(point[2]) : 0;
}

/** A circle by its centre and a point on it; a third point, or else the x-y plane, says how it lies. */
function put_circle(motion, points, out, at) {
  const [centre, rim, third] = points.map((point) => {
    const place = [0, 0, 0];
    put_point(motion, point, place, 0);
    return new Vector3(...place);
  });
  const first = rim.sub(centre);
  const radius = first.length();
  const normal = third ? first.clone().cross(third.sub(centre)).normalize() : new Vector3(0, 0, 1);
  const second = normal.cross(first).setLength(radius || 1);
  for (let k = 0; k < round_parts; ++k) {
    for (const [end, turn] of [
      [0, k],
      [3, k + 1],
    ]) {
      const angle = (2 * Math.PI * turn) / round_parts;
      const p = centre.clone().addScaledVector(first, Math.cos(angle)).addScaledVector(second, Math.sin(angle));
      p.toArray(out, at + 6 * k + end);
    }
  }
}

/** Puts the segments of a shape, as of now, from `at` on; returns where the next ones go. */
function put_segments(motion, shape, out, at) {
  if (shape.kind === "circle") {
    put_circle(motion, shape.points, out, at);
    return at + 6 * round_parts;
  }
  const n = segments_of(shape);
  for (let k = 0; k < n; ++k) {
    put_point(motion, shape.points[k], out, at);
    put_point(motion, shape.points[(k + 1) % shape.points.length], out, at + 3);
    at += 6;
  }
  return at;
}

/** What has no value is put where nobody sees it, and with it the rest of its group: its line, its area. */
function hide_missing(values, group) {
  for (let from = 0; from < values.length; from += group) {
    for (let k = from; k < from + group; ++k) {
      if (Number.isFinite(values[k])) continue;
      values.fill(1e12, from, from + group);
      break;
    }
  }
}

let dot = null;
/** A round dot, which a point of WebGL is not by itself. */
function dot_texture() {
  if (dot) return dot;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 64;
  const pen = canvas.getContext("2d");
  pen.fillStyle = "white";
  pen.arc(32, 32, 30, 0, 2 * Math.PI);
  pen.fill();
  dot = new CanvasTexture(canvas);
  return dot;
}

export function dots(count, size) {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * count), 3));
  geometry.setAttribute("color", new BufferAttribute(new Float32Array(3 * count), 3));
  const material = new PointsMaterial({
    size,
    sizeAttenuation: false,
    vertexColors: true,
    map: dot_texture(),
    alphaTest: 0.5,
  });
  const points = new Points(geometry, material);
  points.frustumCulled = false;
  return points;
}

/** Segments of a width in pixels. */
export function wide_segments(positions, colors, width, opacity = 1) {
  const geometry = new LineSegmentsGeometry();
  geometry.setPositions(positions);
  if (colors) geometry.setColors(colors);
  const material = new LineMaterial({
    linewidth: width,
    vertexColors: Boolean(colors),
    transparent: opacity < 1,
    opacity,
  });
  const segments = new LineSegments2(geometry, material);
  segments.frustumCulled = false;
  return segments;
}

export function move_segments(segments, positions) {
  const buffer = segments.geometry.attributes.instanceStart.data;
  buffer.array.set(positions);
  buffer.needsUpdate = true;
}

const fill = (count, color) => {
  const out = new Float32Array(3 * count);
  for (let k = 0; k < count; ++k) color.toArray(out, 3 * k);
  return out;
};

/** Lines, polygons, circles and points: all of a kind in one object, so that a thousand cost little. */
export class Strokes {
  constructor(motion, shapes, colour_of, { opacity = 1, pins = true } = {}) {
    this.motion = motion;
    this.shapes = shapes.filter((shape) => !is_solid(shape));
    this.object = new Group();
    const stroked = this.shapes.filter((shape) => segments_of(shape) > 0);
    const count = stroked.reduce((sum, shape) => sum + segments_of(shape), 0);
    this.positions = new Float32Array(6 * count);
    if (count > 0) {
      const colors = stroked.flatMap((shape) => [...fill(2 * segments_of(shape), new Color(colour_of(shape)))]);
      this.lines = wide_segments(this.positions, colors, 4, opacity);
      this.object.add(this.lines);
    }
    this.stroked = stroked;
    this.add_points(
      "points",
      this.shapes.filter((shape) => shape.kind === "point"),
      15,
      colour_of,
      opacity,
    );
    if (pins)
      this.add_points(
        "pins",
        stroked.filter((shape) => shape.kind !== "circle"),
        8,
        colour_of,
        opacity,
      );
    this.polygons = this.shapes
      .filter((shape) => shape.kind === "polygon")
      .map((shape) => this.area(shape, colour_of, opacity));
  }

  add_points(name, shapes, size, colour_of, opacity) {
    const places = shapes.flatMap((shape) => shape.points.map((point) => [point, new Color(colour_of(shape))]));
    if (places.length === 0) return;
    const points = dots(places.length, size);
    places.forEach(([, color], k) => color.toArray(points.geometry.attributes.color.array, 3 * k));
    points.material.transparent = opacity < 1;
    points.material.opacity = opacity;
    points.renderOrder = 1;
    this[name] = { places: places.map(([point]) => point), points };
    this.object.add(points);
  }

  area(shape, colour_of, opacity) {
    const n = shape.points.length;
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * n), 3));
    geometry.setIndex(Array.from({ length: Math.max(0, n - 2) }, (_, k) => [0, k + 1, k + 2]).flat());
    const material = new MeshBasicMaterial({
      color: colour_of(shape),
      transparent: true,
      opacity: 0.25 * opacity,
      side: DoubleSide,
      depthWrite: false,
    });
    const mesh = new Mesh(geometry, material);
    mesh.frustumCulled = false;
    this.object.add(mesh);
    return { shape, mesh };
  }

  /** Moves everything to where it is now. */
  update() {
    if (this.lines) {
      let at = 0;
      for (const shape of this.stroked) at = put_segments(this.motion, shape, this.positions, at);
      hide_missing(this.positions, 6);
      move_segments(this.lines, this.positions);
    }
    for (const group of [this.points, this.pins]) {
      if (!group) continue;
      const { array } = group.points.geometry.attributes.position;
      group.places.forEach((point, k) => put_point(this.motion, point, array, 3 * k));
      hide_missing(array, 3);
      group.points.geometry.attributes.position.needsUpdate = true;
    }
    for (const { shape, mesh } of this.polygons) {
      const attribute = mesh.geometry.attributes.position;
      shape.points.forEach((point, k) => put_point(this.motion, point, attribute.array, 3 * k));
      hide_missing(attribute.array, attribute.array.length);
      attribute.needsUpdate = true;
    }
  }
}

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

function solid_geometry(kind, coarse) {
  if (kind === "box") return new BoxGeometry(1, 1, 1);
  if (kind === "sphere") return coarse ? new SphereGeometry(1, 10, 6) : new SphereGeometry(1, 24, 16);
  // Along z, of unit length.
  return new CylinderGeometry(1, 1, 1, coarse ? 10 : 32).rotateX(Math.PI / 2);
}

/** Brightness by the side a face looks to, so that many solids need no light to be computed. */
function paint_sides(geometry) {
  const { normal } = geometry.attributes;
  const shades = new Float32Array(3 * normal.count);
  for (let k = 0; k < normal.count; ++k) {
    const shade = 0.72 + 0.1 * normal.getX(k) + 0.06 * normal.getY(k) + 0.16 * normal.getZ(k);
    shades.fill(shade, 3 * k, 3 * k + 3);
  }
  geometry.setAttribute("color", new BufferAttribute(shades, 3));
  return geometry;
}

function mesh_geometry(shape) {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(shape.vertices.flat()), 3));
  geometry.setIndex(shape.triangles.flat());
  geometry.computeVertexNormals();
  return geometry;
}

/** What a shape adds to its body's pose: its own place, its turn [w, x, y, z], and its size. */
function local_matrix(shape) {
  const size = shape.size ?? [1, 1, 1];
  const scale = {
    box: () => new Vector3(...size),
    cylinder: () => new Vector3(size[0], size[0], size[1]),
    sphere: () => new Vector3(size[0], size[0], size[0]),
    mesh: () => new Vector3(...(shape.size ?? [1, 1, 1])),
  }[shape.kind]();
  const [w, x, y, z] = shape.orientation ?? [1, 0, 0, 0];
  return new Matrix4().compose(new Vector3(...(shape.at ?? [0, 0, 0])), new Quaternion(x, y, z, w).normalize(), scale);
}

/** Boxes, cylinders, spheres and meshes that bodies carry: one instanced object for each kind. */
export class Solids {
  constructor(motion, scene, colour_of, { opacity = 1, copies = 1 } = {}) {
    this.motion = motion;
    this.object = new Group();
    this.bodies = new Map((scene.bodies ?? []).map((body) => [body.name, body]));
    this.poses = new Map([...this.bodies.values()].map((body) => [body, new Matrix4()]));
    const shapes = scene.shapes.filter(is_solid);
    const coarse = shapes.length > 200;
    this.coarse = coarse;
    this.groups = [];
    for (const kind of ["box", "cylinder", "sphere"]) {
      const members = shapes.filter((shape) => shape.kind === kind);
      if (members.length > 0) this.add(solid_geometry(kind, coarse), members, colour_of, opacity, copies);
    }
    for (const shape of shapes)
      if (shape.kind === "mesh") this.add(mesh_geometry(shape), [shape], colour_of, opacity, copies);
    this.matrix = new Matrix4();
  }

  add(geometry, members, colour_of, opacity, copies) {
    const look = { transparent: opacity < 1, opacity, depthWrite: opacity === 1 };
    const material = this.coarse
      ? new MeshBasicMaterial({ ...look, vertexColors: true })
      : new MeshLambertMaterial(look);
    if (this.coarse) paint_sides(geometry);
    const mesh = new InstancedMesh(geometry, material, members.length * copies);
    mesh.frustumCulled = false;
    for (let c = 0; c < copies; ++c) {
      members.forEach((shape, k) => mesh.setColorAt(c * members.length + k, new Color(colour_of(shape))));
    }
    this.groups.push({
      mesh,
      members: members.map((shape) => ({
        pose: this.poses.get(this.bodies.get(shape.body)),
        local: local_matrix(shape),
      })),
    });
    this.object.add(mesh);
  }

  update(copy = 0) {
    for (const [body, pose] of this.poses) body_matrix(this.motion, body, pose);
    for (const { mesh, members } of this.groups) {
      members.forEach(({ pose, local }, k) => {
        if (pose) this.matrix.multiplyMatrices(pose, local);
        else this.matrix.copy(local);
        mesh.setMatrixAt(copy * members.length + k, this.matrix);
      });
      mesh.instanceMatrix.needsUpdate = true;
    }
  }
}
