import { checkbox, h, short } from "./dom.js";

/** More than these are not listed: nobody would look for one among them. */
const most_listed = 400;

/** The parts of a model as a tree: each with its number, its name and the parts in it. */
export function tree_of(parts) {
  const by_name = new Map(parts.map(({ name, file }, number) => [name, { number, name, file, inside: [] }]));
  const roots = [];
  for (const node of by_name.values()) {
    const around = by_name.get(node.name.slice(0, Math.max(0, node.name.lastIndexOf("."))));
    (around ? around.inside : roots).push(node);
  }
  return roots;
}

/** A choice of the parts that are shown; what is in a part goes with it. `change` is given numbers, and whether to show. */
export function parts_picker(parts, change) {
  if (parts.length === 0) return null;
  let listed = 0;
  const boxes = new Map();
  const numbers_in = (node) => [node.number, ...node.inside.flatMap(numbers_in)];
  const choose = (node, on) => {
    const numbers = numbers_in(node);
    for (const number of numbers) if (boxes.has(number)) boxes.get(number).checked = on;
    change(numbers, on);
  };
  const row = (node) => {
    if (++listed > most_listed) return null;
    const choice = checkbox(short(node.name, 40), true, (on) => choose(node, on));
    choice.title = node.file;
    boxes.set(node.number, choice.querySelector("input"));
    return h("li", {}, choice, node.inside.length > 0 ? h("ul", {}, node.inside.map(row).filter(Boolean)) : null);
  };
  const rows = tree_of(parts).map(row).filter(Boolean);
  return h(
    "details",
    { className: "picker parts" },
    h("summary", {}, `Parts (${parts.length})`),
    h("ul", { "aria-label": "Parts that are shown" }, rows),
    listed > most_listed ? h("p", { className: "hint" }, `The first ${most_listed} are listed.`) : null,
  );
}
