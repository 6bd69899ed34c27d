import { Clock } from "./clock.js";
import { show_comparison } from "./compare.js";
import { command, details, events } from "./details.js";
import { button, h, short } from "./dom.js";
import { help_dialog, listen_to_keys, page_header, theme_button } from "./frame.js";
import { plot_groups } from "./groups.js";
import { model_text } from "./model_text.js";
import { Player, stage, with_player } from "./player.js";
import { Plots } from "./plots.js";
import { show_reproduction } from "./reproduce.js";
import { read_page, decoded } from "./run.js";
import { show_sweep } from "./sweep.js";
import { verdict } from "./verdict.js";

function show_run(run) {
  const clock = new Clock(run.t0, run.t1);
  document.title = `${short(run.model.name, 60)} – taut`;
  const host = document.getElementById("report");
  let parts = null;
  const theme = theme_button(() => parts?.redraw());
  const help = help_dialog();
  const header = page_header({
    title: run.model.name,
    about: `a run of taut ${run.version}`,
    skip: "plots",
    tools: [button("Keys", () => help.showModal(), { title: "Keyboard (?)" }), theme],
  });
  const left = h("div", { className: "left" });
  const right = h("div", { className: "right" });
  const below = h("div", { className: "below" });
  host.replaceChildren(
    header,
    h("main", {}, verdict(run, clock), command(run), h("div", { className: "columns" }, left, right), below),
    help,
  );

  const { element, view } = stage(run, clock);
  const player = new Player(run, clock);
  left.append(h("section", { className: "sticky", "aria-label": "Animation" }, with_player(element, player)));
  view?.resize();
  view?.fit();
  const plots = new Plots(run, clock, plot_groups(run));
  right.append(plots.element);
  plots.redraw();
  below.append(...[details(run), events(run, clock), model_text(run)].filter(Boolean));
  parts = {
    redraw() {
      view?.build();
      plots.redraw();
    },
  };
  listen_to_keys({ run, clock, view, player, theme, help });
  // What tests and a curious reader may look at.
  window.taut = { run, clock, view, plots };
  document.documentElement.dataset.ready = "true";
}

/** What stands in the page says what it is a page of. */
function start() {
  const { json, data } = read_page(document);
  if (json.kind === "compare") show_comparison(json);
  else if (json.kind === "reproduce") show_reproduction(json);
  else if (json.kind === "sweep") show_sweep(json);
  else show_run(decoded(json, data));
}

try {
  start();
} catch (error) {
  const host = document.getElementById("report");
  host.replaceChildren(
    h("p", { className: "loading", role: "alert" }, `This report cannot be shown: ${error.message}`),
  );
  throw error;
}
