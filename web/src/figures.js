import {
  BufferAttribute,
  BufferGeometry,
  CanvasTexture,
  Color,
  DoubleSide,
  Group,
  Mesh,
  MeshBasicMaterial,
  Points,
  PointsMaterial,
  Vector3,
} from "three";
import { is_solid } from "./solids.js";
import { WideLines } from "./wide_lines.js";

const round_parts = 48;

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
      const width = stroked.flatMap((shape) => Array(segments_of(shape)).fill(shape.width ?? 4));
      this.lines = new WideLines(this.positions, { colors, width, opacity });
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
      this.lines.move(this.positions);
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
