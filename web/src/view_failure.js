import { h, short } from "./dom.js";

/** The line that is wrong, marked from the column on, with the message below it. */
function wrong_line(text, { column, message }) {
  const at = Math.max(0, column - 1);
  return h(
    "li",
    { className: "line wrong" },
    h("code", {}, text.slice(0, at), h("mark", {}, text.slice(at) || " ")),
    h("span", { className: "at-line" }, short(message, 600)),
  );
}

function source(failure) {
  const lines = failure.text.replace(/\n$/, "").split("\n");
  if (failure.text === "" || failure.line < 1 || failure.line > lines.length + 1) return null;
  // A text that ends too early is wrong at a line that is not there.
  while (lines.length < failure.line) lines.push("");
  const items = lines.map((text, k) =>
    k + 1 === failure.line ? wrong_line(text, failure) : h("li", { className: "line" }, h("code", {}, text || " ")),
  );
  return h(
    "div",
    { className: "scroll source", tabIndex: 0, role: "region", "aria-label": "The text at the line that is wrong" },
    h("ol", {}, items),
  );
}

/** What is wrong with the file or the settings, over the text; empty when nothing is. */
export class Failure {
  constructor() {
    this.element = h("div", { role: "alert" });
    this.key = "null";
  }

  show(failure) {
    const key = JSON.stringify(failure);
    if (key === this.key) return;
    this.key = key;
    if (!failure) {
      this.element.replaceChildren();
      return;
    }
    const text = source(failure);
    this.element.replaceChildren(
      h(
        "section",
        { className: "view-failure", "aria-label": "What is wrong" },
        h("p", { className: "message" }, short(failure.message, 2000)),
        text ?? "",
        h("p", { className: "hint" }, "Below is the last run that went well."),
      ),
    );
    const wrong = text?.querySelector(".wrong");
    if (wrong) text.scrollTop = wrong.offsetTop - text.offsetTop - text.clientHeight / 2;
  }
}
