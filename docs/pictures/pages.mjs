// Takes the pictures of pages that stand beside this file anew:
//   TAUT_WEB=BUILD/web TAUT_PROGRAM=BUILD/bin/taut node docs/pictures/pages.mjs
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { close_browser, folder, open, open_browser, taut, write } from "../../tests/web/support.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const file = (name) => join(folder, name);
const go_to = (page, share) =>
  page.evaluate((part) => {
    const { clock, run } = window.taut;
    clock.set(run.t0 + part * (run.t1 - run.t0));
  }, share);

async function take(name, report, { share = 0.35, prepare, ...looks }) {
  const { page, close } = await open(file(report), looks);
  await go_to(page, share);
  await prepare?.(page);
  await page.waitForTimeout(400);
  await page.screenshot({ path: join(here, name) });
  await close();
}

const check = (label) => (page) => page.getByLabel(label, { exact: true }).check();

taut("run", "slider-crank", "--report", "crank.html");
taut("run", "mechanisms/stewart-platform", "--report", "stewart.html");
await take("report.png", "crank.html", { prepare: check("Ghosts"), share: 0.27 });
await take("report-dark.png", "stewart.html", { theme: "dark", width: 1120, height: 680, prepare: check("Forces"), share: 0.6 });
await take("report-phone.png", "stewart.html", { width: 390, height: 844, share: 0.6 });

const methods = "udwadia-kalaba,baumgarte,perturbation";
taut("compare", "slider-crank", "--step", "1e-2", "--methods", methods, "--report", "compare.html");
await take("compare.png", "compare.html", { share: 0.55 });

// What the mechanisms of the gallery look like in the animation, each with its name, on one sheet.
const shown = [
  "four-bar-spatial", "slider-crank-spatial", "cardan-shaft", "stewart-platform", "delta-robot", "differential-gear",
  "jansen-linkage", "bicycle", "gyroscope",
];
const cells = [];
for (const name of shown) {
  taut("run", `mechanisms/${name}`, "--report", `${name}.html`);
  const { page, close } = await open(file(`${name}.html`));
  await go_to(page, 0.4);
  await page.getByLabel("Grid", { exact: true }).uncheck();
  const picture = await page.evaluate(async () => {
    const blob = await window.taut.view.picture();
    return new Promise((done) => {
      const reader = new FileReader();
      reader.onload = () => done(reader.result);
      reader.readAsDataURL(blob);
    });
  });
  cells.push(`<figure><img src="${picture}" width="300"><figcaption>${name}</figcaption></figure>`);
  await close();
}
const style = "body{margin:8px;font:15px sans-serif;display:grid;grid-template-columns:repeat(3,300px);gap:8px}figure{margin:0}";
write("sheet.html", `<!doctype html><style>${style}</style>${cells.join("")}`);
const page = await (await open_browser()).newPage({ viewport: { width: 932, height: 100 } });
await page.goto(pathToFileURL(file("sheet.html")).href);
const sheet = await page.screenshot({ fullPage: true });
writeFileSync(join(here, "mechanisms.png"), sheet);
await close_browser();
