// How heavy pages are, when they show their first picture, and how fast they play where a processor draws:
//   TAUT_WEB=BUILD/web TAUT_PROGRAM=BUILD/bin/taut node tests/web/pace.mjs [PAGE.html …]
// Without a page it makes one of a thousand bodies. It prints figures and judges nothing: on a machine that others use,
// look at the processor's time of a frame, not at frames a second.
import { statSync } from "node:fs";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { bodies_page } from "./bodies.mjs";
import { close_browser, open_browser } from "./support.mjs";

const seconds = Number(process.env.TAUT_PACE_SECONDS || 5);

/** Processor time of the browser so far in seconds, by kind of process. */
async function processor_time(session) {
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const times = { renderer: 0, GPU: 0 };
  for (const { type, cpuTime } of processInfo) times[type] = (times[type] ?? 0) + cpuTime;
  return times;
}

/** From the request to the first frame that has the mechanism in it, in seconds. */
async function first_picture(page, file) {
  await page.goto(pathToFileURL(file).href, { waitUntil: "commit" });
  await page.waitForSelector("html[data-ready]", { timeout: 60_000 });
  return page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(performance.now() / 1000)))),
  );
}

/** Plays for a while: frames in each half second, and what the page's own script spends on a frame in milliseconds. */
const play = (page, wanted) =>
  page.evaluate(
    (span) =>
      new Promise((done) => {
        const { clock, view } = window.taut;
        const begun = performance.now();
        const windows = Array(span / 500).fill(0);
        let [own, drawn] = [0, 0];
        const timed = (object, name) => {
          const inner = object[name];
          object[name] = function (...words) {
            const from = performance.now();
            inner.apply(object, words);
            own += performance.now() - from;
          };
          return () => (object[name] = inner);
        };
        const render = timed(view.renderer, "render");
        const tell = timed(clock, "tell");
        clock.listen(() => {
          const at = Math.floor((performance.now() - begun) / 500);
          if (at < windows.length) ++windows[at];
          ++drawn;
        });
        clock.play();
        setTimeout(() => {
          clock.pause();
          clock.listeners.pop();
          render();
          tell();
          done({ drawn, own: own / drawn, paces: windows.map((frames) => 2 * frames).sort((a, b) => a - b) });
        }, span);
      }),
    1000 * wanted,
  );

async function measure(file) {
  const browser = await open_browser();
  const session = await browser.newBrowserCDPSession();
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const first = await first_picture(page, file);
  await play(page, 2); // the picture finds its detail
  const before = await processor_time(session);
  const { drawn, own, paces } = await play(page, seconds);
  const after = await processor_time(session);
  const spent = (kind) => ((1000 * (after[kind] - before[kind])) / drawn).toFixed(1);
  const { frames, ratio } = await page.evaluate(() => ({
    frames: window.taut.view.motion.frames,
    ratio: window.taut.view.renderer.getPixelRatio(),
  }));
  const lines = [
    ["page", `${(statSync(file).size / 1e6).toFixed(1)} MB, ${frames} frames of the motion`],
    ["first picture", `${first.toFixed(2)} s`],
    ["plays", `${(drawn / seconds).toFixed(1)} frames/s; by half seconds ${paces.join(" ")}`],
    ["a frame costs", `${own.toFixed(2)} ms script; processes: ${spent("renderer")} ms page, ${spent("GPU")} ms drawing`],
    ["pixel ratio", ratio],
  ];
  console.log(basename(file));
  for (const [what, figure] of lines) console.log(`  ${what.padEnd(14)} ${figure}`);
  await context.close();
}

const files = process.argv.slice(2);
for (const file of files.length > 0 ? files : [bodies_page("thousand.html", 1000, 360)]) await measure(file);
await close_browser();
