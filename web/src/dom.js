/**
 * An element with properties and children. Text is always text: nothing is ever read as HTML.
 * Properties that begin with "on" are listeners, those with a dash or "role" are attributes.
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name.includes("-") || ["role", "for", "list", "viewBox"].includes(name)) element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** A button that does something now. */
export const button = (label, action, properties = {}) =>
  h("button", { type: "button", onclick: action, ...properties }, label);

/** A checkbox with its label behind it. */
export function checkbox(label, checked, change, properties = {}) {
  const input = h("input", { type: "checkbox", checked, onchange: () => change(input.checked), ...properties });
  return h("label", { className: "check" }, input, h("span", {}, label));
}

/** Names may be of any length; what is shown of them is not. */
export function short(text, most = 40) {
  const letters = [...String(text)];
  return letters.length > most ? letters.slice(0, most - 1).join("") + "…" : String(text);
}

/** Lets the user keep some bytes as a file. */
export function save(name, content, type) {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A file name made of a title. */
export const file_name = (...parts) =>
  parts
    .map((part) =>
      short(
        String(part)
          .replace(/[^\p{L}\p{N}]+/gu, "-")
          .replace(/^-|-$/g, ""),
        60,
      ),
    )
    .filter(Boolean)
    .join("-");

export const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
