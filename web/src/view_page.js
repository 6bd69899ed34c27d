/** The page of `taut view`: the page of a run, with controls, that follows what the program does. */
import { Clock } from "./clock.js";
import { command, details, events } from "./details.js";
import { button, h, short } from "./dom.js";
import { help_dialog, listen_to_keys, page_header, theme_button } from "./frame.js";
import { plot_groups } from "./groups.js";
import { model_text } from "./model_text.js";
import { brief } from "./numbers.js";
import { Player, natural_speed, scale_text, stage, with_player } from "./player.js";
import { Plots } from "./plots.js";
import { decoded } from "./run.js";
import { verdict } from "./verdict.js";
import { Controls } from "./view_controls.js";
import { Failure } from "./view_failure.js";
import { Sender, ask, listen } from "./view_link.js";

/** What the program is doing. */
class Status {
  constructor() {
    this.text = h("span", { role: "status" });
    this.bar = h("progress", { max: 1, "aria-label": "Simulated so far" });
    this.bar.hidden = true;
    this.element = h("div", { className: "view-status" }, this.text, this.bar);
    this.lost = false;
  }

  show(state) {
    const share = state.until > 0 ? state.t / state.until : 0;
    this.bar.hidden = !(state.running && share > 0);
    this.bar.value = share;
    if (this.lost) return;
    const so_far = `t = ${brief(state.t, 3)} of ${brief(state.until, 3)} s, drift so far ${brief(state.violation, 2)}`;
    if (state.running) this.text.textContent = share > 0 ? `Simulating: ${so_far}` : "Simulating…";
    else this.text.textContent = state.failure ? "Waiting for it to be mended" : "Up to date";
  }

  silence(lost) {
    this.lost = lost;
    this.element.classList.toggle("lost", lost);
    if (lost) this.text.textContent = "taut view has ended: start it again, and open the address it prints.";
  }
}

/** The run: one clock and one eye for every run that comes. */
class Shown {
  constructor() {
    this.clock = new Clock(0, 0);
    this.words = h("div");
    this.left = h("section", { className: "sticky", "aria-label": "Animation" });
    this.right = h("div", { className: "right" });
    this.below = h("div", { className: "below" });
    this.element = h(
      "div",
      { className: "view-run" },
      this.words,
      h("div", { className: "columns" }, h("div", { className: "left" }, this.left), this.right),
      this.below,
    );
  }

  show(run, complete) {
    const { clock } = this;
    const first = !this.run;
    const same_pace = !first && natural_speed(run.t1 - run.t0) === natural_speed(this.run.t1 - this.run.t0);
    const { speed } = clock;
    const at_end = !first && clock.t >= clock.t1 && !clock.playing;
    this.run = run;
    clock.listeners = [];
    clock.t0 = run.t0;
    clock.t1 = run.t1;
    clock.t = Math.min(Math.max(clock.t, run.t0), run.t1);
    // A run that is under way is looked at where it is now.
    if (!complete && !clock.playing && (at_end || first)) clock.t = run.t1;
    this.show_view(run);
    this.player = new Player(run, clock);
    if (same_pace) {
      clock.speed = speed;
      this.player.speed.value = speed;
    }
    this.left.replaceChildren(with_player(this.stage.element, this.player));
    if (this.stage.fresh) this.stage.view?.resize();
    if (this.stage.fresh) this.stage.view?.fit();
    this.stage.fresh = false;
    this.show_plots(run);
    this.show_words(run, complete);
  }

  /** The eye stays where it is as long as there are the same things to see. */
  show_view(run) {
    const view = this.stage?.view;
    if (view && run.motion && view.show_run(run)) {
      this.clock.listen(() => view.move());
      this.stage.element.querySelector(".scale").textContent = scale_text(view);
      return;
    }
    if (view) {
      view.renderer.dispose();
      view.renderer.forceContextLoss();
    }
    this.stage = { ...stage(run, this.clock), fresh: true };
  }

  /** The plots that were chosen stay chosen, with their scale and their curves. */
  show_plots(run) {
    const groups = plot_groups(run);
    const before = this.plots;
    if (before) for (const group of groups) group.shown = before.plots.has(group.key);
    this.plots = new Plots(run, this.clock, groups);
    for (const [key, plot] of this.plots.plots) {
      const old = before?.plots.get(key);
      if (!old) continue;
      plot.log = old.log;
      const on = new Map(old.group.curves.map((curve) => [curve.label, curve.on]));
      for (const curve of plot.group.curves) curve.on = on.get(curve.label) ?? curve.on;
    }
    if (before) for (const plot of before.plots.values()) plot.chart?.destroy();
    this.right.replaceChildren(this.plots.element);
    this.plots.redraw();
  }

  show_words(run, complete) {
    // While a run goes on there is no verdict yet: the old one stays, and shows that it is old.
    this.words.classList.toggle("view-old", !complete);
    if (!complete) return;
    this.words.replaceChildren(verdict(run, this.clock), command(run));
    const open = new Set([...this.below.querySelectorAll("details[open] > summary")].map(without_numbers));
    const scroll = this.below.querySelector(".source")?.scrollTop ?? 0;
    this.below.replaceChildren(...[details(run), events(run, this.clock), model_text(run)].filter(Boolean));
    for (const summary of this.below.querySelectorAll("summary"))
      if (open.has(without_numbers(summary))) summary.parentElement.open = true;
    const source = this.below.querySelector(".source");
    if (source) source.scrollTop = scroll;
  }

  redraw() {
    this.stage?.view?.build();
    this.plots?.redraw();
  }
}

const without_numbers = (element) => element.textContent.replace(/\d+/g, "");

/** The keys of the page of a run, for whatever run is shown. */
function keys_for(shown, theme, help) {
  const view = {
    get flat() {
      return shown.stage?.view?.flat;
    },
    fit: () => shown.stage?.view?.fit(),
    look_from: (axis) => shown.stage?.view?.look_from(axis),
  };
  const player = { step: (way) => shown.player?.step(way), faster: (way) => shown.player?.faster(way) };
  listen_to_keys({ run: shown.clock, clock: shown.clock, view, player, theme, help });
}

function start() {
  const shown = new Shown();
  const status = new Status();
  const failure = new Failure();
  const sender = new Sender(
    (why) => failure.show({ message: why, line: 0, column: 0, text: "" }),
    () => show_settings(),
  );
  const controls = new Controls((settings) => sender.send(settings));
  const theme = theme_button(() => shown.redraw());
  const help = help_dialog();
  const header = page_header({
    title: "taut",
    about: "simulated while you look; save the file, and it is read again",
    skip: "plots",
    tools: [button("Keys", () => help.showModal(), { title: "Keyboard (?)" }), theme],
  });
  document
    .getElementById("report")
    .replaceChildren(
      header,
      h(
        "main",
        {},
        status.element,
        failure.element,
        h("div", { className: "view-layout" }, controls.element, shown.element),
      ),
      help,
    );
  keys_for(shown, theme, help);

  const seen = { state: null, controls: 0, run: 0 };
  /** What the user is changing is not written over by a state that does not know of it yet. */
  function show_settings() {
    const { state } = seen;
    if (state && !sender.pending && state.settings_number >= sender.number) controls.show(state.settings, state.values);
  }

  async function follow(state) {
    seen.state = state;
    status.show(state);
    failure.show(state.failure);
    if (state.controls !== seen.controls) {
      const data = await ask("controls");
      seen.controls = state.controls;
      controls.take(data);
      document.title = `${short(data.name, 60)} – taut view`;
      header.querySelector("h1").textContent = short(data.name, 120);
    }
    show_settings();
    if (state.run !== seen.run) {
      const { run, data } = await ask("run");
      seen.run = state.run;
      shown.show(decoded(run, data), state.complete);
    }
    window.taut = { state, controls, clock: shown.clock, run: shown.run, plots: shown.plots, view: shown.stage?.view };
    document.documentElement.dataset.ready = "true";
    document.documentElement.dataset.run = state.run;
  }

  // States come faster than they can be shown; the last one counts.
  let latest = null;
  let busy = false;
  async function news(state) {
    latest = state;
    if (busy) return;
    busy = true;
    try {
      while (latest) {
        const next = latest;
        latest = null;
        await follow(next);
      }
    } catch (error) {
      // A program that has ended answers nothing: the stream says so by itself.
      if (!(error instanceof TypeError && /fetch|network/i.test(error.message))) throw error;
    } finally {
      busy = false;
    }
  }
  listen(news, (lost) => status.silence(lost));
}

start();
