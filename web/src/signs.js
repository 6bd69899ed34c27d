import { BufferGeometry, Curve, CylinderGeometry, ExtrudeGeometry, Shape, TorusGeometry, TubeGeometry, Vector3 } from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";

// Shapes of unit size along z, from −1/2 to 1/2, of radius 1: the signs of springs, motors and gears.

class Way extends Curve {
  constructor(at) {
    super();
    this.at = at;
  }

  getPoint(share, target = new Vector3()) {
    return target.set(...this.at(share));
  }
}

const coil_turns = 8;

/** A coil with straight ends. It is stretched to its length, and its wire is thick for that. */
export function coil_geometry() {
  const straight = 0.08;
  const way = new Way((share) => {
    const z = share - 0.5;
    const inside = Math.min(1, Math.max(0, (share - straight) / (1 - 2 * straight)));
    const radius = 0.86 * Math.min(1, Math.min(inside, 1 - inside) * 14);
    const angle = 2 * Math.PI * coil_turns * inside;
    return [radius * Math.cos(angle), radius * Math.sin(angle), z];
  });
  const tube = new TubeGeometry(way, coil_turns * 24, 0.14, 6);
  // Along z the wire would be as thick as the whole is long.
  const place = tube.attributes.position;
  const [middle, rings] = [new Vector3(), 7];
  for (let k = 0; k < place.count; ++k) {
    way.getPointAt(Math.floor(k / rings) / (coil_turns * 24), middle);
    place.setZ(k, middle.z + 0.12 * (place.getZ(k) - middle.z));
  }
  tube.computeVertexNormals();
  return tube;
}

export function spiral_geometry() {
  const turns = 2.75;
  const way = new Way((share) => {
    const angle = 2 * Math.PI * turns * share;
    const radius = 0.25 + 0.7 * share;
    return [radius * Math.cos(angle), radius * Math.sin(angle), 0];
  });
  return new TubeGeometry(way, 90, 0.07, 6);
}

/** Three quarters of a circle with an arrow's head, anticlockwise about z. */
export function turn_geometry() {
  const whole = 1.5 * Math.PI;
  const arc = new TorusGeometry(0.9, 0.09, 8, 40, whole - 0.25);
  const head = new CylinderGeometry(0, 0.26, 0.5, 16).translate(0, 0.9 * 0.12, 0);
  head.translate(0.9, 0, 0).rotateZ(whole - 0.25);
  return merged([arc, head]);
}

export const cone_geometry = () => new CylinderGeometry(0, 1, 1, 24).rotateX(Math.PI / 2);
export const tube_geometry = () => new CylinderGeometry(1, 1, 1, 48, 1, true).rotateX(Math.PI / 2);

/** A wheel with teeth, whose middle line is at the radius 1. */
export function gear_geometry(count) {
  const teeth = Math.max(6, Math.round(count));
  const depth = Math.min(0.12, 2.2 / teeth);
  const outline = new Shape();
  for (let k = 0; k < 4 * teeth; ++k) {
    const angle = (2 * Math.PI * (k + 0.5)) / (4 * teeth);
    const radius = k % 4 < 2 ? 1 + depth : 1 - depth;
    const corner = [radius * Math.cos(angle), radius * Math.sin(angle)];
    if (k === 0) outline.moveTo(...corner);
    else outline.lineTo(...corner);
  }
  return new ExtrudeGeometry(outline, { depth: 1, bevelEnabled: false }).translate(0, 0, -0.5);
}

function merged(parts) {
  const together = mergeGeometries(parts.map((part) => part.toNonIndexed()));
  return together ?? new BufferGeometry();
}
