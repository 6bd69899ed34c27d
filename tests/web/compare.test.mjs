// The pages of taut compare and taut reproduce, and forces at joints, in a browser without a window.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { accessibility, close_browser, folder, open, read, taut, write } from "./support.mjs";

after(close_browser);

const file = (name) => join(folder, name);
const toggle = (page, label) =>
  page
    .locator("label.check", { hasText: new RegExp(`^${label}$`) })
    .first()
    .locator("input");
const overhang = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

async function is_accessible(name, theme, width) {
  const { page, trouble, close } = await open(file(name), { theme, width });
  for (const summary of await page.locator("summary").all()) await summary.click();
  assert.deepEqual(await accessibility(page), []);
  assert.equal(await overhang(page), 0);
  assert.deepEqual(trouble, []);
  await close();
}

describe("the page of a comparison", async () => {
  // Euler's method leaves the circle without correction, whatever else is done well.
  const words = ["compare", "pendulum", "--until", "4", "--step", "1e-2", "--integrator", "euler"];
  const methods = "udwadia-kalaba,perturbation,no-such-method";
  taut(...words, "--methods", methods, "--output", "rows.csv", "--report", "compare.html");

  test("shows the figures of the table, and says what is wrong with a row", async () => {
    const { page, trouble, close } = await open(file("compare.html"));
    assert.match(await page.locator(".headline").innerText(), /2 of 3 runs reached the end; constraints were lost by udwadia-kalaba$/);
    assert.equal(
      await page.locator(".command code").innerText(),
      `taut ${words[0]} ${words[1]} --methods ${methods} --until 4 --step 1e-2 --integrator euler`,
    );
    const rows = await page.locator("#figures tbody tr").allInnerTexts();
    assert.equal(rows.length, 3);
    assert.match(rows[2], /no-such-method[\s\S]*wrong: /);
    const [head, ...lines] = read(file("rows.csv")).trim().split("\n").map((line) => line.split(","));
    const steps = head.indexOf("steps");
    assert.ok(rows[0].split("\t").includes(lines[0][steps]), `${rows[0]} has ${lines[0][steps]} steps`);
    assert.deepEqual(trouble, []);
    await close();
  });

  test("draws the drift of every run: without correction it grows, with it it does not", async () => {
    const { page, trouble, close } = await open(file("compare.html"));
    assert.deepEqual(await page.locator(".plot h3").allInnerTexts(), [
      "Violation in position",
      "Violation in velocity",
      "Energy error",
    ]);
    const last = await page.evaluate(() => {
      const { group } = window.taut.plots.plots.get("position");
      return group.curves.map(({ label, values }) => [label, values[values.length - 1]]);
    });
    assert.deepEqual(last.map(([label]) => label), ["udwadia-kalaba", "perturbation"]);
    const worst = await page.evaluate(() => window.taut.page.comparison.rows.map((row) => row.max_position_violation));
    assert.ok(last[0][1] > 1e-6 && last[0][1] <= worst[0] * 1.0001);
    assert.ok(last[1][1] < 1e-9);
    assert.deepEqual(trouble, []);
    await close();
  });

  test("lays the drawings over one another, at one time, each to be hidden with its curves", async () => {
    const { page, trouble, close } = await open(file("compare.html"));
    await page.getByRole("button", { name: "To the end" }).click();
    const places = () =>
      page.evaluate(() => {
        const { motion } = window.taut.run;
        motion.go_to(window.taut.clock.t);
        return motion.motions.map((one, k) => [...motion.now.slice(motion.starts[k], motion.starts[k] + one.width)]);
      });
    const [a, b] = await places();
    assert.equal(a.length, b.length);
    // The table says how far the drifting run is off; the drawing shows it.
    const off = Math.max(...a.map((value, k) => Math.abs(value - b[k])));
    assert.ok(off > 1e-2, `the two differ by ${off} in the end`);
    // Where two runs agree, the one is seen beside the other.
    const widths = await page.evaluate(() => {
      const { stroked } = window.taut.view.strokes;
      return ["udwadia-kalaba", "perturbation"].map((name) => stroked.find(({ label }) => label === name).width);
    });
    assert.ok(widths[0] > widths[1] + 2, `${widths}`);
    const first = page.locator(".methods input").first();
    await first.uncheck();
    assert.ok((await places())[0].every(Number.isNaN));
    assert.ok((await places())[1].every(Number.isFinite));
    assert.doesNotMatch(await page.locator("#plot-position .u-legend").innerText(), /udwadia/);
    // A line of which one end stands still is gone as a whole.
    const ends = await page.evaluate(() => {
      const { positions, stroked } = window.taut.view.strokes;
      return [stroked.filter(({ label }) => label === "udwadia-kalaba").length, [...positions.slice(0, 6)]];
    });
    assert.ok(ends[0] > 0);
    assert.ok(ends[1].every((value) => value > 1e11), `${ends[1]}`);
    await first.check();
    assert.ok((await places())[0].every(Number.isFinite));
    assert.match(await page.locator("#plot-position .u-legend").innerText(), /udwadia/);
    await page.getByRole("button", { name: "Dark", exact: true }).click();
    const drawn = await page.evaluate(
      () => window.taut.run.scene.shapes.find(({ label }) => label === "perturbation").color,
    );
    const wanted = await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--c1").trim());
    assert.equal(drawn, wanted);
    assert.deepEqual(trouble, []);
    await close();
  });

  for (const [theme, width] of [
    ["light", 1280],
    ["dark", 390],
  ]) {
    test(`is accessible: ${theme}, ${width} wide`, () => is_accessible("compare.html", theme, width));
  }

  test("is refused before the work where it cannot be written", () => {
    assert.match(taut(...words, "--report", "compare.pdf", 2).stderr, /ends in \.html/);
    assert.match(taut(...words, "--report", "none/compare.html", 2).stderr, /folder/);
  });
});

test("a sweep is shown as error against work, by any of the figures", async () => {
  const words = ["compare", "pendulum", "--methods", "auto,perturbation"];
  taut(...words, "--sweep", "rtol=1e-4,1e-6,1e-8", "--report", "sweep.html");
  const { page, trouble, close } = await open(file("sweep.html"));
  assert.equal(await page.locator(".work circle").count(), 6);
  assert.equal(await page.locator(".work polyline").count(), 2);
  const heights = () =>
    page.locator(".work circle").evaluateAll((list) => list.map((one) => Number(one.getAttribute("cy"))));
  const before = await heights();
  // Finer tolerance, smaller error: farther down.
  for (const k of [0, 1, 3, 4]) assert.ok(before[k] < before[k + 1], `${before}`);
  await page.getByRole("combobox", { name: "Precision" }).selectOption("max_energy_error");
  assert.notDeepEqual(await heights(), before);
  await page.getByRole("combobox", { name: "Work" }).selectOption("steps");
  assert.match(await page.locator(".work svg").getAttribute("aria-label"), /energy error against steps/);
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save work and precision as SVG" }).click(),
  ]);
  const svg = (await readFile(await saved.path())).toString();
  assert.match(svg, /^<svg[\s\S]*<polyline[\s\S]*perturbation[\s\S]*<\/svg>$/);
  assert.doesNotMatch(svg, /var\(|NaN/);
  // Of each method the finest run is drawn; the others can be asked for.
  assert.deepEqual(
    await page.evaluate(() => window.taut.entries.map(({ shown }) => shown)),
    [false, false, true, false, false, true],
  );
  await page.locator(".methods input").first().check();
  assert.match(await page.locator("#plot-energy .u-legend").innerText(), /auto, rtol 1e-4/);
  assert.deepEqual(await accessibility(page), []);
  assert.deepEqual(trouble, []);
  await close();
});

test("names that look like HTML are text in a comparison", async () => {
  const model = write(
    "named.yaml",
    `model: "<img src=x onerror=alert(1)></script>"
coordinates: {x: [1, 0]}
kinetic_energy: x'^2/2
potential_energy: x^2/2
draw:
  - {line: [[0, 0], [x, 0]], label: "</script><b>"}
simulate: {until: 1}
`,
  );
  taut("compare", model, "--methods", "auto", "--report", "named.html");
  const { page, trouble, close } = await open(file("named.html"));
  assert.match(await page.locator("h1").innerText(), /^<img src=x/);
  assert.equal(await page.locator("#report img").count(), 0);
  assert.deepEqual(trouble, []);
  await close();
});

describe("the page of the papers' examples", async () => {
  taut("reproduce", "001", "--quick", "--report", "papers.html");

  test("has every figure with its verdict, and pictures that say what they show", async () => {
    const { page, trouble, close } = await open(file("papers.html"));
    const { findings, pictures } = await page.evaluate(() => {
      const examples = window.taut.page.papers.flatMap((paper) => paper.examples);
      return {
        findings: examples.flatMap((example) => example.findings).length,
        pictures: examples.flatMap((example) => example.pictures).map(({ title }) => title),
      };
    });
    assert.ok(findings > 0 && pictures.length > 0);
    assert.equal(await page.locator("tbody tr").count(), findings);
    assert.deepEqual(await page.locator("figure img").evaluateAll((list) => list.map(({ alt }) => alt)), pictures);
    for (const image of await page.locator("figure img").all()) {
      await image.scrollIntoViewIfNeeded();
      await image.evaluate((element) => element.decode());
      assert.ok((await image.evaluate((element) => element.naturalWidth)) > 100);
    }
    const [saved] = await Promise.all([page.waitForEvent("download"), page.locator("figure button").first().click()]);
    assert.match((await readFile(await saved.path())).toString(), /<svg[\s\S]*<\/svg>/);
    await page.keyboard.press("d");
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
    assert.deepEqual(trouble, []);
    await close();
  });

  for (const [theme, width] of [
    ["light", 1280],
    ["dark", 390],
  ]) {
    test(`is accessible: ${theme}, ${width} wide`, () => is_accessible("papers.html", theme, width));
  }
});

test("forces at joints are shown on demand, as large as they are", async () => {
  // A body that hangs at rest: its joint carries m g = 2 · 9.81 upwards on it, at every time.
  const model = write(
    "hanging.yaml",
    `model: hanging
gravity: [0, -9.81, 0]
bodies:
  bob: {mass: 2, inertia: [0, 0, 0.1], position: [0, -1, 0], planar: true}
joints:
  hinge: {type: revolute, bodies: [ground, bob], at: [0, 0, 0], axis: [0, 0, 1]}
simulate: {until: 1}
`,
  );
  taut("run", model, "--report", "hanging.html");
  const { page, trouble, close } = await open(file("hanging.html"));
  const forces = await page.evaluate(() => [...window.taut.run.forces.values]);
  assert.ok(forces.length >= 6);
  forces.forEach((value, k) => {
    const wanted = k % 3 === 1 ? 19.62 : 0;
    assert.ok(Math.abs(value - wanted) < 1e-5 * 19.62, `component ${k % 3} is ${value}, not ${wanted}`);
  });
  assert.equal(await page.evaluate(() => window.taut.view.forces.object.visible), false);
  await toggle(page, "Forces").check();
  const { from, tip, scale } = await page.evaluate(() => {
    const { positions, scale } = window.taut.view.forces;
    return { from: [...positions.slice(0, 3)], tip: [...positions.slice(3, 6)], scale };
  });
  assert.deepEqual(from, [0, 0, 0]);
  assert.ok(Math.abs(tip[1] - 19.62 * scale) < 1e-4 * tip[1]);
  assert.match(await page.locator(".scale").innerText(), /a square is a force of \d/);
  await toggle(page, "Forces").uncheck();
  assert.doesNotMatch(await page.locator(".scale").innerText(), /force/);
  assert.deepEqual(trouble, []);
  await close();
});

test("the last force shown is the one that the summary has, and taut report shows the same", async () => {
  taut("run", "mechanisms/slider-crank", "--until", "2", "--output", "joints.h5", "--report", "joints.html");
  taut("report", "joints.h5", "--out", "joints-again.html");
  assert.ok(read(file("joints.html")) === read(file("joints-again.html")));
  const { page, trouble, close } = await open(file("joints.html"));
  const { shown, exact, ranges } = await page.evaluate(() => {
    const { forces, scene, summary } = window.taut.run;
    forces.go_to_frame(forces.frames - 1);
    return {
      shown: scene.joints.map((_, k) => [...forces.now.slice(3 * k, 3 * k + 3)]),
      exact: scene.joints.map(({ name }) => summary.final.joints[name].force),
      ranges: forces.ranges,
    };
  });
  // Kept in steps of 1/65534 of each column's range, and in single precision.
  shown.flat().forEach((value, k) => {
    const [low, high] = ranges[k];
    const tolerance = (high - low) / 65534 + 1e-6 * Math.max(Math.abs(low), Math.abs(high));
    assert.ok(Math.abs(value - exact.flat()[k]) <= tolerance, `${value} is not ${exact.flat()[k]}`);
  });
  assert.deepEqual(trouble, []);
  await close();
});
