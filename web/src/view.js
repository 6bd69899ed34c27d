import {
  Box3,
  Color,
  DirectionalLight,
  Group,
  HemisphereLight,
  Matrix4,
  Mesh,
  MOUSE,
  OrthographicCamera,
  PCFShadowMap,
  PerspectiveCamera,
  PlaneGeometry,
  Quaternion,
  Scene,
  ShadowMaterial,
  Spherical,
  TOUCH,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { bounds_now, whole_bounds } from "./bounds.js";
import { css } from "./dom.js";
import { Strokes, dots, put_point } from "./figures.js";
import { Forces } from "./forces.js";
import { grid_lines } from "./grid.js";
import { nice_step } from "./numbers.js";
import { colour } from "./palette.js";
import { Solids, body_matrix, is_solid, is_span } from "./solids.js";
import { WideLines } from "./wide_lines.js";

const ghost_count = 8;
/** Shadows cost as much as the picture. */
const most_with_shadows = 160;
/** How much of what is behind a body seen through hides. */
const seen_through = 0.22;
const axis_colours = ["#d55e00", "#009e73", "#0072b2"];

/** The animation: what the model draws, at the clock's time. */
export class View {
  constructor(canvas, run, clock) {
    this.run = run;
    this.motion = run.motion;
    this.data = run.scene;
    this.flat = run.scene.space === 2;
    this.tells_forces = Boolean(run.forces);
    this.clock = clock;
    this.canvas = canvas;
    this.shown = { trails: true, ghosts: false, joints: false, forces: false, frames: false, grid: true, follow: false };
    /** Numbers of parts of the model. */
    this.hidden_parts = new Set();
    /** Names that are hidden or seen through; all others are shown. */
    this.looks = new Map([
      ...(run.scene.see_through ?? []).map((name) => [name, "through"]),
      ...(run.scene.hidden ?? []).map((name) => [name, "hidden"]),
    ]);
    this.ratio = Math.min(2, window.devicePixelRatio || 1);
    // Smooth edges cost as much as everything else together where a processor has to do a graphics card's work.
    this.renderer = new WebGLRenderer({ canvas, antialias: run.scene.shapes.length <= 300 });
    this.scene = new Scene();
    this.content = new Group();
    this.ambient = new HemisphereLight(0xffffff, 0x9aa4b0);
    this.scene.add(this.content, this.ambient);
    this.shadows = !this.flat && run.scene.shapes.length <= most_with_shadows;
    this.up = this.upwards();
    this.bounds = whole_bounds(this.motion, this.data);
    this.trails = this.trail_choices();
    this.shown.follow = this.travels_far();
    this.build();
    this.make_camera();
    this.fit();
    this.resize();
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
    clock.listen(() => this.move());
  }

  // ---- what there is ---------------------------------------------------------------------------

  /** Against gravity; else y in the plane and z in space. */
  upwards() {
    if (this.flat || this.data.planar) return new Vector3(0, 1, 0);
    const up = this.data.up;
    return up ? new Vector3(...up).normalize() : new Vector3(0, 0, 1);
  }

  box_now(moving = true) {
    const box = bounds_now(this.motion, this.data, { moving });
    return box.isEmpty() ? this.bounds.clone() : box;
  }

  longest(box) {
    return Math.max(...box.getSize(new Vector3()).toArray());
  }

  /** A vehicle is small against its way: then one looks at the vehicle. */
  travels_far() {
    this.motion.go_to(this.run.t0);
    this.extent = Math.max(this.longest(this.box_now(false)), this.longest(this.bounds) / 100);
    return this.longest(this.bounds) > 5 * this.extent;
  }

  /** What is to be seen at once: the whole motion, or the mechanism where it is now. */
  seen() {
    if (!this.shown.follow) return this.bounds;
    this.motion.go_to(this.clock.t);
    return new Box3().setFromCenterAndSize(
      this.box_now().getCenter(new Vector3()),
      new Vector3(1, 1, 1).multiplyScalar(1.5 * this.extent),
    );
  }

  follow() {
    const centre = this.box_now().getCenter(new Vector3());
    const shift = centre.clone().sub(this.followed ?? centre);
    this.followed = centre;
    this.camera.position.add(shift);
    this.controls.target.add(shift);
    this.camera.updateMatrixWorld();
  }

  /** Points that move, each once, with a name for choosing them. */
  trail_choices() {
    const seen = new Set();
    const choices = [];
    const add = (name, point, marked) => {
      const key = JSON.stringify(point);
      if (seen.has(key) || !point.some((place) => this.motion.moves(place))) return;
      seen.add(key);
      choices.push({ name, point, marked, on: false, index: choices.length });
    };
    this.data.shapes.forEach((shape, number) => {
      if (!shape.points || is_span(shape)) return;
      shape.points.forEach((point, k) => add(this.point_name(shape, number, k), point, shape.kind === "point"));
    });
    for (const body of this.data.bodies ?? []) add(body.name, body.pose.slice(0, body.pose.length > 3 ? 3 : 2));
    for (const path of this.data.paths ?? []) add(`${path.name}, output`, path.point, true);
    const first = this.trail_of(choices);
    if (first) first.on = true;
    return choices;
  }

  /** Whose trail says most: the last point that was drawn as one, else the last of all. */
  trail_of(choices) {
    return choices.findLast(({ marked }) => marked) ?? choices[choices.length - 1];
  }

  point_name(shape, number, k) {
    const name = shape.label || `${shape.kind} ${number + 1}`;
    return shape.points.length > 1 ? `${name}, point ${k + 1}` : name;
  }

  /** By its own word, else by its label, else by its number where these are few. */
  colour_of(shape) {
    if (shape.role) return css(`--role-${shape.role}`) || css("--text-soft");
    if (/^(#[0-9a-f]{3}|#[0-9a-f]{6}|[a-z]+)$/i.test(shape.color ?? "")) return shape.color;
    if (this.colours_of !== this.data.shapes) {
      this.colours_of = this.data.shapes;
      this.labels = new Map();
      for (const { label, role } of this.data.shapes)
        if (!role && !this.labels.has(label || "")) this.labels.set(label || "", this.labels.size);
    }
    if (shape.label) return colour(this.labels.get(shape.label));
    return colour(this.data.shapes.length > 12 ? 0 : this.data.shapes.indexOf(shape));
  }

  // ---- building --------------------------------------------------------------------------------

  /**
   * Shows another run of the same scene: the eye stays where it is, and what was chosen stays chosen. False, with
   * nothing done, where there are other things to see.
   */
  show_run(run) {
    const old = [this.run, this.motion, this.data];
    [this.run, this.motion, this.data] = [run, run.motion, run.scene];
    const names = (list) => JSON.stringify(list?.map(({ name }) => name));
    const key = ({ space, parts, shapes, bodies, joints }) =>
      JSON.stringify([space, names(parts), shapes.map(({ kind, label }) => [kind, label]), names(bodies), names(joints)]);
    const trails = this.trail_choices();
    if (key(old[2]) !== key(run.scene) || names(trails) !== names(this.trails) || (run.forces && !this.tells_forces)) {
      [this.run, this.motion, this.data] = old;
      return false;
    }
    trails.forEach(({ point }, k) => (this.trails[k].point = point));
    this.bounds = whole_bounds(this.motion, this.data);
    this.travels_far();
    this.rebuild();
    return true;
  }

  rebuild() {
    this.content.traverse((part) => {
      part.geometry?.dispose();
      for (const material of [part.material ?? []].flat()) material.dispose();
      if (part.isInstancedMesh) part.dispose();
    });
    this.build();
  }

  /** Shows parts of the model, by their numbers, or hides them. */
  show_parts(numbers, on) {
    for (const number of numbers) on ? this.hidden_parts.delete(number) : this.hidden_parts.add(number);
    this.rebuild();
  }

  /** Of shapes, bodies or joints, those whose part is shown, and whose name is not hidden. */
  shown_of(list) {
    const hidden = (name) => this.looks.get(name) === "hidden";
    if (this.hidden_parts.size === 0 && this.looks.size === 0) return list;
    return list.filter(({ part, label, name }) => !this.hidden_parts.has(part) && !hidden(label ?? name));
  }

  /** Shows what has a name, lets it be seen through, or hides it: "shown", "through" or "hidden". */
  set_look(name, look) {
    if (look === "shown") this.looks.delete(name);
    else this.looks.set(name, look);
    this.rebuild();
  }

  is_through({ label, kind }) {
    return kind === "tube" || this.looks.get(label) === "through";
  }

  /** A plane that something moves on, as large as all that moves. */
  floor_of({ at, orientation, size, label, role }) {
    const [w, x, y, z] = orientation;
    const normal = new Vector3(0, 0, 1).applyQuaternion(new Quaternion(x, y, z, w));
    const centre = this.bounds.getCenter(new Vector3());
    const height = normal.dot(centre) - normal.dot(new Vector3(...at));
    const side = 1.35 * this.longest(this.bounds);
    const thickness = this.flat ? size[0] : 0.3 * size[0];
    const middle = centre.addScaledVector(normal, -height - thickness / 2);
    return { kind: "box", body: "ground", label, role, orientation, at: middle.toArray(), size: [side, side, thickness] };
  }

  /** Everything that is drawn, in the colours of the present theme. */
  build() {
    this.content.clear();
    this.scene.background = new Color(css("--view"));
    // The colours of dark pages are light ones, and would be white in full light.
    this.ambient.intensity = document.documentElement.dataset.theme === "dark" ? 1.1 : 1.7;
    const colour_of = (shape) => this.colour_of(shape);
    const shapes = this.shown_of(this.data.shapes).filter(({ kind }) => kind !== "floor");
    const floors = this.shown_of(this.data.shapes.filter(({ kind }) => kind === "floor"));
    const faint = [...shapes.filter((shape) => this.is_through(shape)), ...floors.map((floor) => this.floor_of(floor))];
    const solid = shapes.filter((shape) => !this.is_through(shape));
    this.strokes = new Strokes(this.motion, solid, colour_of, { pins: this.data.shapes.length < 400 });
    this.faint_strokes = new Strokes(this.motion, faint, colour_of, { opacity: seen_through, pins: false });
    // Seen from where everything is in the picture, this is about a pixel.
    const hair = (this.shown.follow ? 2 * this.extent : this.longest(this.bounds)) / 400;
    const opacity = this.data.opacity ?? 1;
    this.solids = new Solids(this.motion, { ...this.data, shapes: solid }, colour_of, { opacity, hair });
    this.faint_solids = new Solids(this.motion, { ...this.data, shapes: faint }, colour_of, {
      opacity: seen_through * opacity,
    });
    this.light();
    this.grid = this.make_grid();
    this.ghosts = this.make_ghosts(colour_of);
    this.trail_lines = this.make_trails();
    this.joints = this.make_joints();
    this.frames = this.make_frames();
    this.forces = this.make_forces();
    const parts = [
      this.grid,
      this.ghosts,
      this.trail_lines,
      this.strokes.object,
      this.solids.object,
      this.faint_strokes.object,
      this.faint_solids.object,
      ...(this.shadow_floor ? [this.shadow_floor] : []),
      this.joints.object,
      this.frames.object,
      ...(this.forces ? [this.forces.object] : []),
    ];
    this.content.add(...parts);
    this.recolour?.();
    this.move();
  }

  /** A sun from above, aside and in front of the first look; in space what it lights throws a soft shadow. */
  light() {
    this.sun ??= new DirectionalLight(0xffffff);
    this.sun.intensity = document.documentElement.dataset.theme === "dark" ? 1.9 : 2.1;
    const centre = this.bounds.getCenter(new Vector3());
    const reach = Math.max(this.longest(this.bounds), 1e-9);
    const towards = this.flat
      ? new Vector3(0.5, 0.7, 1.6)
      : this.up.clone().multiplyScalar(1.5).addScaledVector(this.default_direction().normalize(), 0.8).add(this.aside());
    this.sun.position.copy(centre).addScaledVector(towards.normalize(), 2 * reach);
    this.sun.target.position.copy(centre);
    this.scene.add(this.sun, this.sun.target);
    this.sun.castShadow = this.shadows;
    this.renderer.shadowMap.enabled = this.shadows;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.shadow_floor = this.shadows ? this.make_shadow_floor(centre, reach) : null;
  }

  aside() {
    const across = new Vector3().crossVectors(this.up, this.default_direction());
    return across.lengthSq() > 0 ? across.normalize().multiplyScalar(0.6) : across;
  }

  make_shadow_floor(centre, reach) {
    const { camera, mapSize } = this.sun.shadow;
    const half = 0.95 * reach;
    Object.assign(camera, { left: -half, right: half, top: half, bottom: -half, near: 0.01 * reach, far: 5 * reach });
    camera.updateProjectionMatrix();
    mapSize.set(1024, 1024);
    this.sun.shadow.radius = 5;
    this.sun.shadow.normalBias = 0.004 * reach;
    const floor = new Mesh(new PlaneGeometry(6 * reach, 6 * reach), new ShadowMaterial({ opacity: 0.16 }));
    const box = [this.bounds.min, this.bounds.max].map((corner) => corner.dot(this.up));
    const level = Math.min(...box) - 0.002 * reach;
    floor.position.copy(centre).addScaledVector(this.up, level - centre.dot(this.up));
    floor.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), this.up);
    floor.receiveShadow = true;
    return floor;
  }

  make_grid() {
    const size = this.bounds.getSize(new Vector3());
    const whole = Math.max(size.x, size.y, size.z, 1e-9);
    const far = whole > 5 * this.extent;
    const step = nice_step(far ? 6 * this.extent : whole, 6);
    this.grid_step = step;
    const centre = this.bounds.getCenter(new Vector3());
    // The two axes of the grid; in space it lies below everything.
    const axes = this.flat ? [0, 1] : [0, 1, 2].filter((k) => Math.abs(this.up.getComponent(k)) < 0.7).slice(0, 2);
    const upwards = [0, 1, 2].find((k) => !axes.includes(k));
    const level = this.flat ? 0 : Math.min(this.bounds.min.getComponent(upwards), 0);
    const reach = far ? Math.min(400, 40 + 2 * Math.ceil(whole / step)) : 40;
    const grid = grid_lines({ axes, centre, level, step, reach, color: css("--grid") });
    grid.visible = this.shown.grid;
    return grid;
  }

  /** The drawing at evenly spread moments, faint. */
  make_ghosts(colour_of) {
    const group = new Group();
    const shapes = this.shown_of(this.data.shapes).filter(({ kind, role }) => kind !== "floor" && role !== "ground");
    const solids_shown = shapes.filter(is_solid).length;
    const solids =
      solids_shown > 0 && solids_shown <= 300
        ? new Solids(this.motion, { ...this.data, shapes }, colour_of, { opacity: 0.12, copies: ghost_count })
        : null;
    for (let k = 0; k < ghost_count; ++k) {
      const t = this.run.t0 + ((this.run.t1 - this.run.t0) * k) / (ghost_count - 1);
      this.motion.go_to(t);
      const strokes = new Strokes(this.motion, shapes, colour_of, { opacity: 0.18, pins: false });
      strokes.update();
      group.add(strokes.object);
      solids?.update(k);
    }
    if (solids) group.add(solids.object);
    group.visible = this.shown.ghosts;
    return group;
  }

  make_trails() {
    const group = new Group();
    for (const trail of this.trails) {
      if (!trail.on) continue;
      const n = this.motion.frames;
      const positions = new Float32Array(6 * Math.max(1, n - 1));
      const place = [0, 0, 0];
      let last = null;
      for (let f = 0; f < n; ++f) {
        this.motion.go_to_frame(f);
        put_point(this.motion, trail.point, place, 0);
        if (place.some((value) => !Number.isFinite(value))) place.fill(1e12);
        if (last) positions.set([...last, ...place], 6 * (f - 1));
        last = [...place];
      }
      const color = trail.colour?.() ?? colour(trail.index + 3);
      group.add(new WideLines(positions, { color, width: trail.width ?? 2, opacity: 0.85 }));
    }
    group.visible = this.shown.trails;
    return group;
  }

  make_joints() {
    const list = this.shown_of(this.data.joints ?? []);
    const points = dots(Math.max(1, list.length), 12);
    const color = new Color(css("--text"));
    list.forEach((_, k) => color.toArray(points.geometry.attributes.color.array, 3 * k));
    points.visible = this.shown.joints && list.length > 0;
    points.renderOrder = 2;
    return { object: points, list };
  }

  make_frames() {
    const list = this.shown_of(this.data.bodies ?? []);
    const count = 3 * Math.max(1, list.length);
    const colors = new Float32Array(6 * count);
    for (let k = 0; k < count; ++k)
      for (const end of [0, 3]) new Color(axis_colours[k % 3]).toArray(colors, 6 * k + end);
    const object = new WideLines(new Float32Array(6 * count), { colors, width: 2 });
    object.visible = this.shown.frames && list.length > 0;
    return { object, list, positions: new Float32Array(6 * count), length: this.grid_step * 0.5 };
  }

  make_forces() {
    if (!this.run.forces) return null;
    const forces = new Forces(this.run, this.grid_step, this.flat, ({ part }) => !this.hidden_parts.has(part));
    forces.object.visible = this.shown.forces;
    return forces;
  }

  /** Towards the eye. */
  sight() {
    return this.flat || !this.camera
      ? new Vector3(0, 0, 1)
      : this.camera.position.clone().sub(this.controls.target).normalize();
  }

  // ---- moving ----------------------------------------------------------------------------------

  move() {
    this.motion.go_to(this.clock.t);
    this.strokes.update();
    this.solids.update();
    this.faint_strokes.update();
    this.faint_solids.update();
    const frame = this.motion.frame_at(this.clock.t);
    for (const line of this.trail_lines.children) line.show_first(frame);
    if (this.shown.follow && this.controls) this.follow();
    if (this.joints.object.visible) this.move_joints();
    if (this.frames.object.visible) this.move_frames();
    if (this.forces?.object.visible) this.forces.update(this.clock.t, this.sight());
    this.draw();
  }

  move_joints() {
    const attribute = this.joints.object.geometry.attributes.position;
    this.joints.list.forEach((joint, k) => put_point(this.motion, joint.at, attribute.array, 3 * k));
    attribute.needsUpdate = true;
  }

  move_frames() {
    const { list, positions, length } = this.frames;
    const matrix = new Matrix4();
    list.forEach((body, k) => {
      body_matrix(this.motion, body, matrix);
      const origin = new Vector3().setFromMatrixPosition(matrix);
      for (let axis = 0; axis < 3; ++axis) {
        const tip = new Vector3().setFromMatrixColumn(matrix, axis).setLength(length).add(origin);
        origin.toArray(positions, 18 * k + 6 * axis);
        tip.toArray(positions, 18 * k + 6 * axis + 3);
      }
    });
    this.frames.object.move(positions);
  }

  show(what, on) {
    this.shown[what] = on;
    if (what === "follow") return this.fit();
    const objects = {
      trails: this.trail_lines,
      ghosts: this.ghosts,
      grid: this.grid,
      joints: this.joints.object,
      frames: this.frames.object,
      forces: this.forces?.object,
    };
    if (objects[what]) objects[what].visible = on;
    this.move();
  }

  choose_trail(trail, on) {
    trail.on = on;
    this.content.remove(this.trail_lines);
    this.trail_lines = this.make_trails();
    this.content.add(this.trail_lines);
    this.move();
  }

  // ---- the camera ------------------------------------------------------------------------------

  make_camera() {
    this.camera = this.flat ? new OrthographicCamera(-1, 1, 1, -1, -1e6, 1e6) : new PerspectiveCamera(32, 1, 1e-3, 1e5);
    this.camera.up.copy(this.up);
    const light = new DirectionalLight(0xffffff, 0.7);
    light.position.set(-0.4, 0.3, 1);
    this.camera.add(light);
    this.scene.add(this.camera);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableRotate = !this.flat;
    this.controls.screenSpacePanning = true;
    this.controls.zoomToCursor = true;
    if (this.flat) {
      this.controls.mouseButtons = { LEFT: MOUSE.PAN, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN };
      this.controls.touches = { ONE: TOUCH.PAN, TWO: TOUCH.DOLLY_PAN };
    }
    this.controls.addEventListener("change", () => this.draw());
  }

  /** Looks at everything the run will show. */
  fit(direction) {
    const box = this.seen();
    const centre = box.getCenter(new Vector3());
    const size = box.getSize(new Vector3());
    this.followed = this.shown.follow ? centre.clone() : null;
    this.controls.target.copy(centre);
    if (this.flat) {
      // Near and far leave depth its digits: pins lie a little above bars.
      const deep = 4 * Math.max(this.longest(this.bounds), size.x, size.y, 1e-9);
      this.camera.position.set(centre.x, centre.y, deep);
      Object.assign(this.camera, { near: 0, far: 2 * deep });
      this.camera.zoom = 1;
      this.span = [Math.max(size.x, 1e-9) * 1.16, Math.max(size.y, 1e-9) * 1.16];
      if (size.x === 0 && size.y === 0) this.span = [2, 2];
    } else {
      const radius = Math.max(size.length() / 2, 1e-9);
      const towards = (direction ?? this.default_direction()).normalize();
      this.camera.up.copy(Math.abs(towards.dot(this.up)) > 0.99 ? this.sideways() : this.up);
      this.camera.position.copy(centre).addScaledVector(towards, this.distance_to_see(box, centre, towards));
      this.camera.near = radius * 1e-3;
      this.camera.far = Math.max(radius, this.longest(this.bounds)) * 1e3;
    }
    this.aim();
  }

  /** How far away every corner of a box is inside the picture. */
  distance_to_see(box, centre, towards) {
    const right = new Vector3().crossVectors(this.camera.up, towards).normalize();
    const above = new Vector3().crossVectors(towards, right);
    const { clientWidth, clientHeight } = this.canvas;
    const tall = Math.tan((this.camera.fov * Math.PI) / 360) / 1.12;
    const wide = (tall * Math.max(1, clientWidth)) / Math.max(1, clientHeight);
    let distance = 1e-9;
    for (let corner = 0; corner < 8; ++corner) {
      const p = new Vector3(...["x", "y", "z"].map((axis, k) => box[(corner >> k) & 1 ? "max" : "min"][axis])).sub(
        centre,
      );
      distance = Math.max(
        distance,
        p.dot(towards) + Math.max(Math.abs(p.dot(right)) / wide, Math.abs(p.dot(above)) / tall),
      );
    }
    return distance;
  }

  /** From the side on which there is most to see: across what is flat, else from a corner and somewhat from above. */
  default_direction() {
    if (this.data.planar) return new Vector3(0.1, 0.15, 1);
    const size = this.bounds.getSize(new Vector3()).toArray();
    const level = [0, 1, 2].filter((k) => Math.abs(this.up.getComponent(k)) < 0.7);
    const thin = level.find((k) => size[k] < 0.2 * Math.max(...size));
    if (thin !== undefined && this.up.lengthSq() > 0) {
      const across = new Vector3().setComponent(thin, this.up.z > 0.7 && thin === 1 ? -1 : 1);
      const aside = new Vector3().setComponent(
        level.find((k) => k !== thin),
        0.35,
      );
      return across.add(aside).addScaledVector(this.up, 0.25);
    }
    const direction = new Vector3(1.1, 1.1, 1.1).addScaledVector(this.up, -0.45);
    return this.up.z > 0.7 ? new Vector3(1, -1.3, 0.65) : direction;
  }

  /** An axis that is not the one upwards, for looking straight down. */
  sideways() {
    return Math.abs(this.up.y) > 0.7 ? new Vector3(0, 0, -1) : new Vector3(0, 1, 0);
  }

  look_from(axis) {
    this.fit(new Vector3(axis === "x" ? 1 : 0, axis === "y" ? (this.up.z > 0.7 ? -1 : 1) : 0, axis === "z" ? 1 : 0));
  }

  turn_upwards() {
    this.up = Math.abs(this.up.z) > 0.7 ? new Vector3(0, 1, 0) : new Vector3(0, 0, 1);
    this.build();
    this.fit();
  }

  aim() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const aspect = width / Math.max(1, height);
    if (this.flat) {
      const tall = Math.max(this.span[1], this.span[0] / aspect) / 2;
      Object.assign(this.camera, { left: -tall * aspect, right: tall * aspect, top: tall, bottom: -tall });
    } else {
      this.camera.aspect = aspect;
    }
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.draw();
  }

  zoom(factor) {
    if (this.flat) {
      this.camera.zoom *= factor;
    } else {
      this.camera.position.sub(this.controls.target).divideScalar(factor).add(this.controls.target);
    }
    this.aim();
  }

  /** Shares of the picture's height. */
  pan(x, y) {
    const distance = this.flat ? 1 : this.camera.position.distanceTo(this.controls.target);
    const tall = this.flat
      ? (this.camera.top - this.camera.bottom) / this.camera.zoom
      : 2 * distance * Math.tan((this.camera.fov * Math.PI) / 360);
    const shift = new Vector3(x * tall, y * tall, 0).applyQuaternion(this.camera.quaternion);
    this.camera.position.add(shift);
    this.controls.target.add(shift);
    this.aim();
  }

  orbit(sideways, upwards) {
    if (this.flat) return this.pan(sideways / 4, upwards / 4);
    const arm = this.camera.position.clone().sub(this.controls.target);
    // Spherical coordinates have y upwards.
    const turn = new Matrix4().lookAt(new Vector3(), new Vector3(0, 0, 1), new Vector3(0, 1, 0));
    const basis = new Vector3();
    const forward = Math.abs(this.up.y) > 0.7 ? new Vector3(0, 0, 1) : new Vector3(1, 0, 0);
    turn.makeBasis(basis.crossVectors(this.up, forward).clone(), this.up, forward);
    const spherical = new Spherical().setFromVector3(arm.applyMatrix4(turn.clone().transpose()));
    spherical.theta += sideways;
    spherical.phi -= upwards;
    spherical.makeSafe();
    this.camera.position.copy(new Vector3().setFromSpherical(spherical).applyMatrix4(turn).add(this.controls.target));
    this.aim();
  }

  // ---- drawing ---------------------------------------------------------------------------------

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    this.renderer.setPixelRatio(this.ratio);
    this.renderer.setSize(width, height, false);
    this.aim();
  }

  draw() {
    if (this.asked || !this.controls) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.renderer.render(this.scene, this.camera);
      this.watch_pace();
    });
  }

  /** Where drawing is slow the picture gets coarser, rather than the motion jerky. */
  watch_pace() {
    const now = performance.now();
    const passed = now - (this.drawn ?? now);
    this.drawn = now;
    if (!this.clock.playing || passed > 500) return;
    this.pace = 0.9 * (this.pace ?? 16) + 0.1 * passed;
    if (this.pace < 34 || this.ratio <= 0.5) return;
    if (this.shadows) {
      this.shadows = false;
      this.pace = 16;
      return this.rebuild();
    }
    this.ratio = Math.max(0.5, this.ratio * 0.75);
    this.clock.patience = 3;
    this.pace = 16;
    this.resize();
  }

  /** The picture as a file's content. */
  picture() {
    this.renderer.render(this.scene, this.camera);
    return new Promise((done) => this.canvas.toBlob(done, "image/png"));
  }
}
