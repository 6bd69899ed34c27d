// What every test of the page needs: a browser, pages made by the program, pages made by hand.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const web = process.env.TAUT_WEB;
const program = process.env.TAUT_PROGRAM;
if (!web || !program) throw new Error("set TAUT_WEB to the build folder of the page and TAUT_PROGRAM to the program");
const load = createRequire(join(web, "node_modules", "x"));
const { chromium } = load("playwright-core");
const axe = readFileSync(load.resolve("axe-core/axe.min.js"), "utf8");

export const folder = mkdtempSync(join(tmpdir(), "taut-web-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const found = spawnSync(
  "sh",
  ["-c", "command -v chromium || command -v chromium-browser || command -v google-chrome"],
  { encoding: "utf8" },
);
const executable = process.env.TAUT_CHROMIUM || found.stdout.trim();

/** Runs the program; a status other than the one expected is an error. */
export function taut(...words) {
  const last = words[words.length - 1];
  const expected = typeof last === "number" ? words.pop() : 0;
  const result = spawnSync(program, words, { encoding: "utf8", cwd: folder });
  if (result.status !== expected) throw new Error(`taut ${words.join(" ")}: ${result.status}\n${result.stderr}`);
  return result;
}

export function write(name, text) {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

export const read = (file) => readFileSync(file, "utf8");

let browser = null;
export async function open_browser() {
  if (!executable) throw new Error("no chromium: scripts/install-dependencies test");
  browser ??= await chromium.launch({
    executablePath: executable,
    args: [
      "--no-sandbox",
      "--disable-dev-shm-usage",
      // As on a machine without a graphics card: everything is drawn by the processor.
      "--disable-gpu",
      "--enable-unsafe-swiftshader",
    ],
  });
  return browser;
}
export async function close_browser() {
  await browser?.close();
  browser = null;
}

/** Opens an address and notes what its page must not do: complain, fail, or ask for what is not `allowed`. */
export async function open_at(address, allowed, { width = 1280, height = 900, theme = "light" } = {}) {
  const context = await (
    await open_browser()
  ).newContext({ viewport: { width, height }, colorScheme: theme, acceptDownloads: true });
  const page = await context.newPage();
  const trouble = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !/GPU stall|GL Driver/.test(message.text()))
      trouble.push(message.text());
  });
  page.on("pageerror", (error) => trouble.push(String(error)));
  page.on("request", (request) => {
    if (!allowed(request.url())) trouble.push(`asked for ${request.url()}`);
  });
  page.on("dialog", (dialog) => {
    trouble.push(`a dialog opened: ${dialog.message()}`);
    dialog.dismiss();
  });
  await page.goto(address);
  await page.waitForSelector("html[data-ready]", { timeout: 90_000 }).catch((error) => {
    throw new Error(`${error.message}\n${trouble.join("\n")}`);
  });
  return { page, trouble, close: () => context.close() };
}

/** A page in a file, which may ask no network. */
export const open = (file, looks) => open_at(pathToFileURL(file).href, (url) => /^(file|data|blob):/.test(url), looks);

const running = new Set();
/** Ends what `view` started and nobody stopped. */
export function stop_views() {
  for (const child of running) child.kill("SIGKILL");
}

/** Starts `taut view` and waits for the address it prints. */
export async function view(...words) {
  const child = spawn(program, ["view", ...words], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  running.add(child);
  const ended = new Promise((done) => child.on("exit", (status, signal) => done(status ?? signal)));
  ended.then(() => running.delete(child));
  const address = await new Promise((done, fail) => {
    let text = "";
    child.stdout.on("data", (part) => {
      text += part;
      if (text.includes("\n")) done(new URL(text.trim()));
    });
    child.stderr.on("data", (part) => (text += part));
    ended.then((status) => fail(new Error(`taut view ended with ${status}: ${text}`)));
  });
  const stop = () => {
    child.kill("SIGINT");
    return ended;
  };
  return { address, child, ended, stop };
}

/** What axe-core finds wrong, one line each. */
export async function accessibility(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 160)} (${node.failureSummary.slice(0, 200)})`),
  );
}

/** A page made by hand: numbers go in by `column` (float32), `times` (float64) and `moving` (16 bits of a range). */
export class PageByHand {
  bytes = [];
  add(array) {
    while (this.bytes.length % 8) this.bytes.push(0);
    const at = this.bytes.length;
    for (const byte of new Uint8Array(array.buffer)) this.bytes.push(byte);
    return at;
  }
  times(values) {
    return this.add(Float64Array.from(values));
  }
  column(name, values) {
    return { name, at: this.add(Float32Array.from(values)) };
  }
  moving(values) {
    const low = Math.min(...values);
    const high = Math.max(...values);
    const scale = high > low ? 65534 / (high - low) : 0;
    return { at: this.add(Uint16Array.from(values, (value) => Math.round((value - low) * scale))), low, high };
  }
  save(name, run) {
    const template = readFileSync(join(web, "report.html"), "utf8");
    const json = JSON.stringify(run).replaceAll("<", "\\u003c");
    return write(
      name,
      template.replace("@RUN@", () => json).replace("@DATA@", () => Buffer.from(this.bytes).toString("base64")),
    );
  }
}
