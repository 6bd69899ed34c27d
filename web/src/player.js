import { button, checkbox, file_name, h, save, short } from "./dom.js";
import { brief, clock_text, last_not_above } from "./numbers.js";
import { parts_picker } from "./parts.js";
import { View } from "./view.js";

const speeds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

/** Real time if the run then takes a few seconds to half a minute, else what comes nearest to ten seconds. */
export function natural_speed(span) {
  if (span >= 3 && span <= 30) return 1;
  return speeds.reduce((a, b) => (Math.abs(Math.log(span / b / 10)) < Math.abs(Math.log(span / a / 10)) ? b : a));
}

/** Play, pause, step, scrub, speed: what moves the one time. */
export class Player {
  constructor(run, clock) {
    this.run = run;
    this.clock = clock;
    clock.speed = natural_speed(run.t1 - run.t0);
    this.times = run.motion ? run.motion.t : run.rows.t;
    this.play = button("Play", () => clock.toggle(), { className: "main", "aria-keyshortcuts": "Space" });
    this.slider = h("input", {
      type: "range",
      min: 0,
      max: 1000,
      step: "any",
      value: 0,
      "aria-label": "Time",
      oninput: () => clock.set(run.t0 + (Number(this.slider.value) / 1000) * (run.t1 - run.t0)),
    });
    this.readout = h("output", { className: "time" });
    this.speed = h(
      "select",
      { "aria-label": "Speed", onchange: () => (clock.speed = Number(this.speed.value)) },
      speeds.map((value) => h("option", { value, selected: value === clock.speed }, `${value}×`)),
    );
    this.loop = checkbox("Loop", clock.loop, (on) => (clock.loop = on));
    this.element = h(
      "div",
      { className: "player", role: "group", "aria-label": "Time" },
      h(
        "div",
        { className: "tools" },
        button("|◀", () => clock.set(run.t0), { "aria-label": "To the start", title: "To the start (Home)" }),
        button("◀", () => this.step(-1), { "aria-label": "One frame back", title: "One frame back (left arrow)" }),
        this.play,
        button("▶", () => this.step(1), { "aria-label": "One frame on", title: "One frame on (right arrow)" }),
        button("▶|", () => clock.set(run.t1), { "aria-label": "To the end", title: "To the end (End)" }),
        this.speed,
        this.loop,
        this.readout,
      ),
      this.slider,
    );
    clock.listen_at_most(50, () => this.show());
  }

  show() {
    const { clock, run } = this;
    const span = run.t1 - run.t0;
    this.play.textContent = clock.playing ? "Pause" : "Play";
    this.slider.value = span > 0 ? (1000 * (clock.t - run.t0)) / span : 0;
    const text = clock_text(clock.t, span);
    this.readout.textContent = `t = ${text}`;
    this.slider.setAttribute("aria-valuetext", text);
  }

  step(direction) {
    this.clock.pause();
    const k = last_not_above(this.times, this.clock.t + 1e-12 * Math.abs(this.clock.t));
    const on_it = Math.abs(this.times[k] - this.clock.t) <= 1e-9 * Math.max(1e-3, Math.abs(this.clock.t));
    const next = direction > 0 ? k + 1 : on_it ? k - 1 : k;
    this.clock.set(this.times[Math.min(this.times.length - 1, Math.max(0, next))]);
  }

  faster(direction) {
    const k = speeds.indexOf(this.clock.speed) + direction;
    if (k < 0 || k >= speeds.length) return;
    this.clock.speed = speeds[k];
    this.speed.value = speeds[k];
  }
}

/** Puts the controls of time right below the picture that they move. */
export function with_player(element, player) {
  element.querySelector(".player")?.remove();
  const picture = element.querySelector(".canvas-host");
  if (picture) picture.after(player.element);
  else element.append(player.element);
  return element;
}

/** The stage on which the mechanism moves, with its controls. */
export function stage(run, clock) {
  const host = h("div", { className: "canvas-host" });
  if (!run.motion || (run.scene.shapes.length === 0 && (run.scene.bodies ?? []).length === 0)) {
    const why = run.no_model
      ? `There is no animation: the model could not be read again. ${run.no_model}`
      : "The model says nothing of what to draw: a section draw: in it would be shown here.";
    host.append(h("p", { className: "empty" }, why));
    return { element: h("div", { className: "stage none" }, host), view: null };
  }
  const canvas = h("canvas", {
    tabIndex: 0,
    role: "img",
    "aria-label": "The mechanism at the time shown; arrow keys move the view, plus and minus zoom",
  });
  host.append(canvas);
  let view = null;
  try {
    view = new View(canvas, run, clock);
  } catch (error) {
    host.replaceChildren(
      h(
        "p",
        { className: "empty" },
        `This browser cannot draw in three dimensions (WebGL): ${error.message}. Everything else works.`,
      ),
    );
    return { element: h("div", { className: "stage none" }, host), view: null };
  }
  canvas.addEventListener("keydown", (event) => move_by_key(event, view));
  host.append(h("span", { className: "scale" }, scale_text(view)));
  return { element: h("div", { className: "stage" }, host, view_tools(run, view), legend(run, view)), view };
}

export const scale_text = (view) =>
  `grid ${view.grid_step}` + (view.shown.forces ? `, a square is a force of ${brief(view.forces.per_square)}` : "");

function move_by_key(event, view) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const step = 0.12;
  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  const way = ways[event.key];
  if (way && event.shiftKey) view.pan(way[0] * step, way[1] * step);
  else if (way) view.orbit(way[0] * step, way[1] * step);
  else if (event.key === "+" || event.key === "=") view.zoom(1.2);
  else if (event.key === "-") view.zoom(1 / 1.2);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function view_tools(run, view) {
  const axes = view.flat
    ? []
    : [
        ...["x", "y", "z"].map((axis) =>
          button(axis.toUpperCase(), () => view.look_from(axis), {
            title: `Look along ${axis}`,
            "aria-label": `Look along ${axis}`,
          }),
        ),
        button("Up", () => view.turn_upwards(), { title: "Turn another axis upwards: y or z" }),
      ];
  const toggles = [
    ["Trails", "trails", view.trails.length > 0],
    ["Ghosts", "ghosts", true],
    ["Joints", "joints", (run.scene.joints ?? []).length > 0],
    ["Forces", "forces", Boolean(run.forces)],
    ["Frames", "frames", (run.scene.bodies ?? []).length > 0],
    ["Grid", "grid", true],
    ["Follow", "follow", true],
  ];
  return h(
    "div",
    { className: "tools view-tools", role: "group", "aria-label": "View" },
    button("Fit", () => view.fit(), { title: "See everything (F)" }),
    button("+", () => view.zoom(1.25), { "aria-label": "Closer" }),
    button("−", () => view.zoom(0.8), { "aria-label": "Farther" }),
    axes,
    toggles
      .filter(([, , there]) => there)
      .map(([label, what]) => 
        checkbox(label, view.shown[what], (on) => {
          view.show(what, on);
          view.canvas.parentElement.querySelector(".scale").textContent = scale_text(view);
        }),
      ),
    button("PNG", async () => save(`${file_name(run.model.name, "view")}.png`, await view.picture()), {
      title: "Save the view as a picture",
      "aria-label": "Save the view as PNG",
    }),
  );
}

/** More than these are not listed: nobody would look for one among them. */
const most_named = 400;
const looks = { shown: "through", through: "hidden", hidden: "shown" };
const look_words = { shown: "shown", through: "seen through", hidden: "hidden" };

/** A name in its colour; a press lets it be seen through, another one hides it, a third one shows it again. */
function named_button(label, view, recolour) {
  const swatch = h("span", { className: "swatch", "aria-hidden": "true" });
  const press = h("button", { type: "button", className: "named" }, swatch, short(label, 30));
  const tell = () => {
    const look = view.looks.get(label) ?? "shown";
    press.dataset.look = look;
    press.title = `${label}: ${look_words[look]}; press for ${look_words[looks[look]]}`;
    press.setAttribute("aria-label", `${label}, ${look_words[look]}`);
  };
  press.addEventListener("click", () => {
    view.set_look(label, looks[view.looks.get(label) ?? "shown"]);
    tell();
  });
  tell();
  recolour(swatch);
  return h("li", {}, press);
}

/** The names of what is drawn, in its colours, and the choice of trails. */
function legend(run, view) {
  const all = new Map();
  for (const shape of run.scene.shapes)
    if (shape.label && (!all.has(shape.label) || all.get(shape.label).role)) all.set(shape.label, shape);
  // The mechanism first, the ground last.
  const named = [...all].sort(([a], [b]) => (a === "ground") - (b === "ground")).slice(0, most_named);
  const swatches = [];
  const items = named.map(([label]) => named_button(label, view, (swatch) => swatches.push(swatch)));
  // Light and dark have colours of their own.
  view.recolour = () => named.forEach(([, shape], k) => (swatches[k].style.background = view.colour_of(shape)));
  view.recolour();
  const trails = view.trails.slice(0, 60);
  return h(
    "div",
    { className: "legend" },
    named.length > 0
      ? h("ul", { className: "names", "aria-label": "What is drawn: press to see through, hide, show" }, items)
      : null,
    all.size > most_named ? h("p", { className: "hint" }, `The first ${most_named} of ${all.size} are listed.`) : null,
    parts_picker(run.scene.parts ?? [], (numbers, on) => view.show_parts(numbers, on)),
    trails.length > 0
      ? h(
          "details",
          { className: "picker" },
          h("summary", {}, `Trails of points (${view.trails.length})`),
          h(
            "div",
            { className: "curves" },
            trails.map((trail) => checkbox(short(trail.name), trail.on, (on) => view.choose_trail(trail, on))),
          ),
        )
      : null,
  );
}
