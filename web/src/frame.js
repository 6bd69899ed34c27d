import { button, h, short } from "./dom.js";

const keys = [
  ["Space", "play or pause"],
  ["← →", "one frame back or on"],
  ["Shift ← →", "a twentieth of the run"],
  ["Home, End", "to the start, to the end"],
  ["< >", "slower, faster"],
  ["F", "see everything"],
  ["X Y Z", "look along an axis"],
  ["G, T", "ghosts, trails"],
  ["D", "light or dark"],
  ["?", "this help"],
];

/** Light or dark: as the system has it, until the reader says otherwise. */
export function theme_button(redraw) {
  const dark = () => matchMedia("(prefers-color-scheme: dark)").matches;
  const root = document.documentElement;
  const set = (theme) => {
    root.dataset.theme = theme;
    toggle.textContent = theme === "dark" ? "Light" : "Dark";
    redraw();
  };
  const toggle = button("Dark", () => set(root.dataset.theme === "dark" ? "light" : "dark"), {
    title: "Light or dark (D)",
    className: "theme",
  });
  root.dataset.theme = dark() ? "dark" : "light";
  toggle.textContent = dark() ? "Light" : "Dark";
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => set(dark() ? "dark" : "light"));
  return toggle;
}

export function help_dialog() {
  const dialog = h(
    "dialog",
    { "aria-labelledby": "help-title" },
    h("h2", { id: "help-title" }, "Keys"),
    h(
      "dl",
      { className: "facts keys" },
      keys.map(([key, what]) => h("div", {}, h("dt", {}, h("kbd", {}, key)), h("dd", {}, what))),
    ),
    h(
      "p",
      {},
      "With the view in focus, arrow keys turn it (or move it in the plane), Shift and arrow keys move it, + and − zoom.",
    ),
    button("Close", () => dialog.close()),
  );
  return dialog;
}

/** The top of every page: what it is, and its tools. */
export function page_header({ title, about, skip, tools }) {
  return h(
    "header",
    {},
    h("a", { className: "skip", href: `#${skip}` }, "Skip to the " + skip),
    h(
      "div",
      { className: "title" },
      h("h1", {}, short(title, 120)),
      h("span", { className: "hint" }, about),
    ),
    h("div", { className: "tools" }, tools),
  );
}

export function listen_to_keys({ run, clock, view, player, theme, help }) {
  const press = (label) =>
    [...document.querySelectorAll(".view-tools label")]
      .find((one) => one.textContent === label)
      ?.querySelector("input")
      .click();
  const actions = {
    " ": () => clock.toggle(),
    ArrowLeft: (event) => (event.shiftKey ? clock.set(clock.t - (run.t1 - run.t0) / 20) : player.step(-1)),
    ArrowRight: (event) => (event.shiftKey ? clock.set(clock.t + (run.t1 - run.t0) / 20) : player.step(1)),
    Home: () => clock.set(run.t0),
    End: () => clock.set(run.t1),
    "<": () => player.faster(-1),
    ">": () => player.faster(1),
    f: () => view?.fit(),
    x: () => view?.flat === false && view.look_from("x"),
    y: () => view?.flat === false && view.look_from("y"),
    z: () => view?.flat === false && view.look_from("z"),
    g: () => press("Ghosts"),
    t: () => press("Trails"),
    d: () => theme.click(),
    "?": () => help.showModal(),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    const { target } = event;
    const typing = target.matches("input:not([type=checkbox]):not([type=range]), select, textarea");
    const own = event.key === " " && target.matches("button, summary, input[type=checkbox], a");
    const scrolls =
      ["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key) &&
      target.matches("input[type=range], .scroll, code");
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action || typing || own || scrolls) return;
    event.preventDefault();
    action(event);
  });
}
