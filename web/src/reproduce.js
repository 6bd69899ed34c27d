import { button, h, save } from "./dom.js";
import { page_header, theme_button } from "./frame.js";
import { counted } from "./numbers.js";

const signs = { good: "✓", bad: "✗", plain: "–" };
const state_of = (finding) => (finding.left_out ? "plain" : finding.holds ? "good" : "bad");

function finding_row(finding) {
  const state = state_of(finding);
  return h(
    "tr",
    { className: state === "bad" ? "failed" : "" },
    h("th", { scope: "row" }, finding.what),
    h("td", {}, finding.published),
    h("td", {}, finding.ours, finding.varies ? h("p", { className: "hint" }, `elsewhere ${finding.varies}`) : null),
    h(
      "td",
      {},
      h("span", { className: `badge ${state}`, "aria-hidden": "true" }, signs[state]),
      ` ${finding.verdict}`,
      state === "bad" && finding.trouble ? `: ${finding.trouble}` : "",
      finding.why ? h("p", { className: "hint" }, finding.why) : null,
    ),
    h("td", {}, finding.rule),
  );
}

/** A picture as an image: whatever stands in it cannot act. */
function picture({ name, title, of, shows, svg }) {
  const source = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  return h(
    "figure",
    { className: "paper" },
    h("img", { src: source, alt: title, loading: "lazy" }),
    of ? h("figcaption", {}, `${of} of the paper: ${shows}`) : null,
    button("SVG", () => save(name, svg, "image/svg+xml"), { "aria-label": `Save ${title} as SVG` }),
  );
}

function example_of(example) {
  return h(
    "article",
    { className: "example", "aria-label": example.name },
    h("h3", {}, example.name),
    h("p", {}, example.about),
    h(
      "div",
      { className: "scroll", tabIndex: 0, role: "region", "aria-label": `Figures of ${example.name}` },
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h("tr", {}, ["quantity", "published", "ours", "verdict", "rule"].map((title) => h("th", { scope: "col" }, title))),
        ),
        h("tbody", {}, example.findings.map(finding_row)),
      ),
    ),
    h("div", { className: "pictures" }, example.pictures.map(picture)),
  );
}

function headline(findings) {
  const failed = findings.filter((finding) => state_of(finding) === "bad").length;
  const left_out = findings.filter((finding) => finding.left_out).length;
  const state = failed > 0 ? "bad" : "good";
  return h(
    "section",
    { className: `verdict ${state}`, "aria-label": "What came of it" },
    h(
      "p",
      { className: "headline" },
      h("span", { className: "sign", "aria-hidden": "true" }, failed > 0 ? "!" : "✓"),
      failed > 0
        ? ` ${failed} of ${counted(findings.length, "row")} not as the book states, marked below`
        : ` ${counted(findings.length - left_out, "row")}: all as the book states`,
    ),
    left_out > 0 ? h("p", {}, `${counted(left_out, "other")} left out, because they take long.`) : null,
  );
}

/** The examples of the papers: what is printed, what comes out here, and pictures. */
export function show_reproduction(page) {
  document.title = "The papers' examples, reproduced – taut";
  const theme = theme_button(() => {});
  const examples = page.papers.flatMap((paper) => paper.examples);
  document.getElementById("report").replaceChildren(
    page_header({
      title: "The papers' examples, reproduced",
      about: `by taut ${page.version}`,
      skip: "papers",
      tools: [theme],
    }),
    h(
      "main",
      {},
      headline(examples.flatMap((example) => example.findings)),
      h(
        "nav",
        { "aria-label": "Papers" },
        h(
          "ul",
          {},
          page.papers.map((paper, k) =>
            h("li", {}, h("a", { href: `#paper-${k}` }, `${paper.name}: ${paper.title}`)),
          ),
        ),
      ),
      h(
        "div",
        { id: "papers", className: "below" },
        page.papers.map((paper, k) =>
          h("section", { id: `paper-${k}` }, h("h2", {}, `${paper.name}: ${paper.title}`), paper.examples.map(example_of)),
        ),
      ),
    ),
  );
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() === "d" && !event.ctrlKey && !event.metaKey && !event.altKey) theme.click();
  });
  window.taut = { page };
  document.documentElement.dataset.ready = "true";
}
