// The page of taut sweep, in a browser without a window.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { accessibility, close_browser, folder, open, read, taut, write } from "./support.mjs";

after(close_browser);

const file = (name) => join(folder, name);
const overhang = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

describe("the page of a sweep", async () => {
  // x(t) = cos(sqrt(k/m) t); without mass there is no motion, and the member fails.
  write(
    "oscillator.yaml",
    "model: oscillator\nparameters: {k: 4, m: 1}\ncoordinates: {x: [1, 0]}\n" +
      "kinetic_energy: m/2*x'^2\npotential_energy: k/2*x^2\nsimulate: {until: 2}\n",
  );
  taut("sweep", "oscillator.yaml", "--vary", "k=1:9:5", "--vary", "m=0:2:3", "--ledger", "sweep.db", "--report", "sweep.html");

  test("counts members, and says why some failed", async () => {
    const { page, trouble, close } = await open(file("sweep.html"));
    assert.match(await page.locator(".verdict h2").innerText(), /^10 members of 15 done, 5 failed$/);
    assert.match(await page.locator(".reasons").innerText(), /^5 members: /);
    assert.deepEqual(trouble, []);
    await close();
  });

  test("holds the figures of the ledger", async () => {
    taut("sweep", "--ledger", "sweep.db", "--export", "sweep.csv");
    const [head, ...rows] = read(file("sweep.csv")).trim().split("\n").map((line) => line.split(","));
    const at = head.indexOf("x");
    const { page, close } = await open(file("sweep.html"));
    const shown = await page.evaluate(() => window.taut.sweep.columns.get("x").map((x) => (Number.isNaN(x) ? "" : String(x))));
    assert.deepEqual(shown.map(Number), rows.map((row) => Number(row[at])));
    await close();
  });

  test("tells of the member that is pressed, with the command that shows its motion", async () => {
    const { page, close } = await open(file("sweep.html"));
    const place = await page.evaluate(() => window.taut.charts[0].places.find(({ member }) => member === 7));
    await page.locator("#response canvas").click({ position: { x: place.x, y: place.y } });
    assert.match(await page.locator("#member h3").innerText(), /^Member 7: done$/);
    assert.match(await page.locator("#member code").innerText(), /^taut run .*oscillator\.yaml .*--set 'k=5' --set 'm=1' --report member-7\.html$/);
    await close();
  });

  test("draws another figure over another name", async () => {
    const { page, trouble, close } = await open(file("sweep.html"));
    await page.getByLabel("Figure", { exact: true }).selectOption("steps");
    await page.getByLabel("over", { exact: true }).selectOption("m");
    await page.getByLabel("and", { exact: true }).selectOption("");
    const places = await page.evaluate(() => new Set(window.taut.charts[0].places.map(({ x }) => Math.round(x))).size);
    assert.equal(places, 3);
    assert.deepEqual(trouble, []);
    await close();
  });

  for (const [theme, width] of [
    ["light", 1200],
    ["dark", 390],
  ])
    test(`can be read by everybody, ${theme}, ${width} wide`, async () => {
      const { page, trouble, close } = await open(file("sweep.html"), { theme, width });
      assert.deepEqual(await accessibility(page), []);
      assert.equal(await overhang(page), 0);
      assert.deepEqual(trouble, []);
      await close();
    });
});
