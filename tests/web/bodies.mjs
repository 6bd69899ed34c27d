// Runs of bodies in space, made by hand.
import { PageByHand } from "./support.mjs";

const summary = (count) => ({
  model: "bodies",
  method: "auto",
  integrator: "dop853",
  linear: "cod",
  control: "stages",
  energy: "none",
  step: null,
  rtol: 1e-8,
  atol: 1e-10,
  outcome: "done",
  reason: null,
  t_end: 4,
  steps: 400,
  rejected_steps: 3,
  evaluations: 900,
  wall_seconds: 0.1,
  setup_seconds: 0.01,
  coordinates: 7 * count,
  speeds: 6 * count,
  constraints: 5,
  degrees_of_freedom: 1,
  rank: { min: 5, max: 5 },
  dependent: [],
  max_position_violation: 2e-13,
  max_velocity_violation: 4e-13,
  max_energy_error: 1e-9,
  limit_broken: false,
  violations: { hinge: { position: 2e-13, velocity: 4e-13 } },
  largest_correction: 1e-12,
  assembly_change: null,
  passages: 0,
  events: [],
  notes: [],
  multipliers_unique: true,
  final: { t: 4, coordinates: {}, rates: {}, accelerations: {}, outputs: {}, multipliers: { hinge: 1 } },
});

/** Bodies on circles that turn about themselves; every kind of shape among the first five. */
export function bodies_page(name, count, frames) {
  const page = new PageByHand();
  const t = Array.from({ length: frames }, (_, f) => (4 * f) / (frames - 1));
  const scene = { space: 3, up: [0, 0, 1], shapes: [], bodies: [], joints: [], columns: [] };
  const place = (values) => scene.columns.push(page.moving(values)) - 1;
  const rows = [];
  for (let b = 0; b < count; ++b) {
    const radius = 1 + Math.floor(b / 12) * 0.5;
    const phase = (2 * Math.PI * b) / 12;
    const angle = t.map((time) => time + phase);
    const pose = [
      angle.map((a) => radius * Math.cos(a)),
      angle.map((a) => radius * Math.sin(a)),
      t.map((time) => 0.3 * Math.sin(3 * time + b)),
      angle.map((a) => Math.cos(a)),
      angle.map(() => 0),
      angle.map(() => 0),
      angle.map((a) => Math.sin(a)),
    ];
    if (b < 8) ["x", "y", "z"].forEach((axis, k) => rows.push([`b${b}.${axis}`, pose[k]]));
    const body = { name: `b${b}`, pose: pose.map(place) };
    scene.bodies.push(body);
    scene.joints.push({ name: `j${b}`, type: "revolute", at: body.pose.slice(0, 3) });
    const kind = ["box", "cylinder", "sphere", "mesh"][count > 100 ? b % 3 : b % 4];
    const size = { box: [0.4, 0.2, 0.15], cylinder: [0.1, 0.4], sphere: [0.15], mesh: [0.3, 0.3, 0.3] }[kind];
    const shape = { kind, body: body.name, size, label: kind, at: [0, 0, 0], orientation: [1, 0, 0, 0] };
    if (kind === "mesh") {
      shape.vertices = [
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ];
      shape.triangles = [
        [0, 2, 1],
        [0, 1, 3],
        [1, 2, 3],
        [0, 3, 2],
      ];
    }
    scene.shapes.push(shape);
  }
  // A planar body beside them, and a box that stands still.
  scene.bodies.push({ name: "planar", pose: [t.map(() => 0), t.map((time) => 0.2 * time), t].map(place) });
  scene.shapes.push({ kind: "box", body: "planar", size: [0.5, 0.1, 0.1], label: "planar", color: "#cc79a7" });
  scene.shapes.push({ kind: "box", size: [0.2, 0.2, 0.2], at: [0, 0, -0.5], label: "ground" });
  scene.frames = { count: frames, t: page.times(t) };
  const columns = rows.map(([column, values]) => page.column(column, values));
  const steps = [
    page.column(
      "position",
      t.map((time) => 1e-13 * (1 + Math.sin(9 * time) ** 2)),
    ),
    page.column(
      "rank",
      t.map(() => 5),
    ),
  ];
  return page.save(name, {
    format: 1,
    version: "0.1.0",
    command: "taut run bodies",
    options: [],
    set: [],
    no_model: "",
    model: { name: "bodies", file: "bodies.yaml", text: "model: bodies\njoints:\n  hinge: {type: revolute}\n" },
    summary: summary(count),
    constraints: [{ name: "hinge", line: 3 }],
    scene,
    rows: { t: page.times(t), count: frames, seen: frames, columns },
    steps: { t: page.times(t), count: frames, seen: frames, columns: steps },
  });
}
