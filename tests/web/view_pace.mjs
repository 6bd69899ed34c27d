// How soon the page of `taut view` follows: a slider moved, the file edited, broken and mended, five times each.
//   TAUT_WEB=BUILD/web TAUT_PROGRAM=BUILD/bin/taut node tests/web/view_pace.mjs [MODEL PARAMETER [PICTURE.png]]
// MODEL is copied, and its PARAMETER changed. It prints milliseconds, until the new run is in the page, and judges
// nothing. With a PICTURE the page is kept as one, once with the message of the broken file.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { close_browser, open_at, stop_views, view, write } from "./support.mjs";

const [model = "models/slider-crank.yaml", parameter = "g", picture] = process.argv.slice(2);
const name = basename(model);
const text = readFileSync(model, "utf8");
const entry = new RegExp(`\\b${parameter}: *([-+.\\deE]+)`);
const value = Number(entry.exec(text)?.[1]);
if (!Number.isFinite(value)) throw new Error(`${model} has no line '${parameter}: NUMBER'`);
const times_value = (factor) => String(Number((factor * value).toPrecision(4)));
const changed = (factor) => text.replace(entry, `${parameter}: ${times_value(factor)}`);

write(name, text);
const { address, stop } = await view(name);
const { page, close } = await open_at(address.href, () => true, { width: 1400 });

const settled = () => page.waitForFunction(() => window.taut?.state?.complete && !window.taut.state.running);
/** Waits until another whole run is shown than the one at hand; the time that took. */
async function until_new_run(act) {
  await page.evaluate(() => (window.seen = window.taut.run));
  const from = performance.now();
  await act();
  await page.waitForFunction(() => {
    const { run, state } = window.taut;
    return run !== window.seen && state.complete && !state.running && !document.querySelector(".view-failure");
  });
  return performance.now() - from;
}
async function until_failure(act) {
  const from = performance.now();
  await act();
  await page.waitForSelector(".view-failure .wrong");
  return performance.now() - from;
}

await settled();
const slider = page.getByRole("slider", { name: `${parameter}, slider`, exact: true });
const times = { "slider moved": [], "file edited": [], "file broken": [], "file mended": [] };
for (let k = 1; k <= 5; ++k) {
  times["slider moved"].push(await until_new_run(() => slider.fill(times_value(1 + 0.03 * k))));
  times["file edited"].push(await until_new_run(() => write(name, changed(1 + 0.01 * k))));
  const broken = changed(1 + 0.01 * k).replace(/^constraints:/m, "constraint:");
  times["file broken"].push(await until_failure(() => write(name, broken)));
  if (picture && k === 1) await page.screenshot({ path: picture.replace(/\.png$/, "-broken.png") });
  times["file mended"].push(await until_new_run(() => write(name, changed(1 - 0.01 * k))));
}
console.log(`${name}: milliseconds until the page shows it`);
for (const [what, list] of Object.entries(times)) {
  const sorted = list.map(Math.round).sort((a, b) => a - b);
  console.log(`  ${what.padEnd(14)} least ${sorted[0]}, median ${sorted[2]}, most ${sorted[4]}`);
}
if (picture) {
  await slider.fill(times_value(1.2));
  await settled();
  await page.evaluate(() => window.taut.clock.set(window.taut.run.t0 + 0.27 * (window.taut.run.t1 - window.taut.run.t0)));
  await page.waitForTimeout(500);
  await page.screenshot({ path: picture });
}
await close();
await stop();
stop_views();
await close_browser();
