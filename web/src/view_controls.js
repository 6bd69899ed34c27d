import { button, checkbox, h, short } from "./dom.js";

const most_shown = 100;
const steps = ["0.1", "0.03", "0.01", "0.003", "0.001", "0.0003", "0.0001", "1e-05"];
const tolerances = ["0.001", "0.0001", "1e-05", "1e-06", "1e-07", "1e-08", "1e-09", "1e-10", "1e-12"];

const rounded = (value) => Number(value.toPrecision(4));

/** Where a slider goes around the value in the file. A parameter keeps its sign: a length below zero means nothing. */
export function slider_range({ value, whole }, keeps_sign) {
  if (whole) return [1, Math.max(10, 3 * value)];
  if (keeps_sign && value !== 0) return [value / 10, 3 * value].sort((a, b) => a - b);
  const span = Math.max(1, Math.abs(value));
  return [value - span, value + span];
}

/** A number with a slider and a field. `change(value)` is called as it moves. */
class NumberControl {
  constructor(entry, keeps_sign, change) {
    this.keeps_sign = keeps_sign;
    const name = short(entry.name, 60);
    const step = entry.whole ? 1 : "any";
    this.slider = h("input", { type: "range", step, "aria-label": `${name}, slider` });
    this.field = h("input", { type: "number", step, "aria-label": name });
    this.slider.addEventListener("input", () => {
      this.show(rounded(Number(this.slider.value)));
      change(Number(this.field.value));
    });
    this.field.addEventListener("input", () => {
      const value = Number(this.field.value);
      if (this.field.value === "" || !Number.isFinite(value)) return;
      this.place(value);
      change(value);
    });
    this.element = h(
      "div",
      { className: "control" },
      h("span", { className: "name", title: short(entry.name, 400) }, name),
      h("div", { className: "pair" }, this.slider, this.field),
    );
    this.set_base(entry);
  }

  /** The value in the file, around which the slider goes. */
  set_base(entry) {
    this.base = entry.value;
    [this.slider.min, this.slider.max] = slider_range(entry, this.keeps_sign);
    this.show(entry.value);
  }

  /** Moves the slider, and widens it for a value outside of it. */
  place(value) {
    if (value < Number(this.slider.min)) this.slider.min = value;
    if (value > Number(this.slider.max)) this.slider.max = value;
    this.slider.value = value;
    this.element.classList.toggle("changed", value !== this.base);
  }

  show(value) {
    this.place(value);
    // What is being typed is not written over by what it means, nor is a field that was emptied to type in.
    const emptied = this.field.value === "" && document.activeElement === this.field;
    if (!emptied && (Number(this.field.value) !== value || this.field.value === "")) this.field.value = value;
  }
}

/** A menu whose first entry is what the file says. */
class MenuControl {
  constructor(label, change) {
    this.select = h("select", { "aria-label": label, onchange: () => change(this.select.value) });
    this.element = h("div", { className: "control" }, h("span", { className: "name" }, label), this.select);
  }

  set_base(base, values, words = (value) => value) {
    const option = (value, text) => h("option", { value }, short(text, 60));
    this.select.replaceChildren(
      option("", `${words(base)} (as in the file)`),
      ...values.filter((value) => value !== base).map((value) => option(value, words(value))),
    );
  }

  show(value) {
    this.select.value = value ?? "";
    this.element.classList.toggle("changed", this.select.value !== "");
  }
}

const step_words = (step) => (step === "auto" ? "by error control" : `${step} s`);

/** Sliders for parameters and initial values, menus for method, integrator and step. */
export class Controls {
  /** `change(settings)` is called whenever the user changes something. */
  constructor(change) {
    this.change = () => change(structuredClone(this.settings));
    this.settings = { options: {}, set: {} };
    this.numbers = new Map();
    this.key = null;
    this.element = h("aside", { className: "view-controls", "aria-label": "Controls" });
  }

  /** Takes the controls of a model as it was read, and keeps the focus where that is the same one. */
  take(data) {
    const key = JSON.stringify([data.parameters, data.initial].map((list) => list.map(({ name }) => name)));
    if (key !== this.key) this.build(data);
    this.key = key;
    for (const entry of [...data.parameters, ...data.initial]) this.numbers.get(entry.name)?.set_base(entry);
    const { options } = data;
    this.menus.method.set_base(options.method, data.methods);
    this.menus.integrator.set_base(options.integrator, data.integrators);
    this.menus.energy.set_base(options.energy, data.energies);
    this.menus.step.set_base(options.step, ["auto", ...steps], step_words);
    this.menus.rtol.set_base(options.rtol, tolerances);
    this.options = options;
    this.until.set_base({ value: Number(options.until) });
    this.show(this.settings);
  }

  /** Shows settings without asking for them. `values` are those of initial values that formulas give. */
  show(settings, values = {}) {
    this.settings = structuredClone(settings);
    for (const [name, value] of Object.entries(values ?? {})) {
      const control = this.numbers.get(name);
      if (control && control.base !== value) control.set_base({ value });
    }
    for (const [name, control] of this.numbers) control.show(settings.set[name] ?? control.base);
    for (const [name, menu] of Object.entries(this.menus ?? {})) menu.show(settings.options[name]);
    if (!this.options) return;
    this.until.show(Number(settings.options.until ?? this.options.until));
    this.assemble.checked = (settings.options.assemble ?? this.options.assemble) === "on";
  }

  build(data) {
    this.numbers.clear();
    const option = (name) => (value) => {
      if (value === "") delete this.settings.options[name];
      else this.settings.options[name] = value;
      this.menus[name]?.show(value);
      this.change();
    };
    this.menus = {
      method: new MenuControl("Method", option("method")),
      integrator: new MenuControl("Integrator", option("integrator")),
      step: new MenuControl("Step", option("step")),
      rtol: new MenuControl("Tolerance", option("rtol")),
      energy: new MenuControl("Energy law", option("energy")),
    };
    this.until = new NumberControl({ name: "Until (s)", value: Number(data.options.until) }, true, (value) =>
      option("until")(value === this.until.base ? "" : String(value)),
    );
    const assemble = checkbox("Assemble the initial state first", false, (on) => {
      const value = on ? "on" : "off";
      option("assemble")(value === this.options.assemble ? "" : value);
    });
    this.assemble = assemble.querySelector("input");
    this.element.replaceChildren(
      h("h2", {}, "Try"),
      button("As in the file", () => this.reset(), { title: "Forget what was changed here" }),
      this.group("Parameters", data.parameters, true, data.parameters.length > 0),
      this.group("Initial values", data.initial, false, data.initial.length <= 12),
      h(
        "details",
        { open: true },
        h("summary", {}, "How to simulate"),
        Object.values(this.menus).map((menu) => menu.element),
        this.until.element,
        assemble,
      ),
    );
  }

  group(title, entries, keeps_sign, open) {
    if (entries.length === 0) return "";
    const shown = entries.slice(0, most_shown).map((entry) => {
      const control = new NumberControl(entry, keeps_sign, (value) => this.set(entry.name, value));
      this.numbers.set(entry.name, control);
      return control.element;
    });
    const more = entries.length - shown.length;
    return h(
      "details",
      { open },
      h("summary", {}, `${title} (${entries.length})`),
      shown,
      more > 0 ? h("p", { className: "hint" }, `and ${more} more, which --set can set`) : null,
    );
  }

  set(name, value) {
    if (value === this.numbers.get(name).base) delete this.settings.set[name];
    else this.settings.set[name] = value;
    this.change();
  }

  reset() {
    this.show({ options: {}, set: {} });
    this.change();
  }
}
