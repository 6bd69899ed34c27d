// The page of a run, used as a reader would use it, in a browser without a window.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { bodies_page } from "./bodies.mjs";
import { PageByHand, accessibility, close_browser, folder, open, read, taut, write } from "./support.mjs";

after(close_browser);

const file = (name) => join(folder, name);
const time = (page) => page.evaluate(() => window.taut.clock.t);
const close_to = (a, b, tolerance) => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b} within ${tolerance}`);
const toggle = (page, label) =>
  page
    .locator("label.check", { hasText: new RegExp(`^${label}$`) })
    .first()
    .locator("input");

/** Where each plot's line stands, as a time. */
const marked_times = (page) =>
  page.evaluate(() =>
    [...window.taut.plots.plots.values()].map((plot) => {
      const shift = Number(/translateX\(([-\d.e]+)px\)/.exec(plot.now.style.transform)[1]);
      return plot.chart.posToVal(shift, "x");
    }),
  );

/** How many different colours the animation shows, counted coarsely: an empty one shows its ground and grid. */
const colours_shown = (page) =>
  page.evaluate(async () => {
    const picture = await createImageBitmap(await window.taut.view.picture());
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [picture.width, picture.height];
    const pen = canvas.getContext("2d");
    pen.drawImage(picture, 0, 0);
    const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
    const seen = new Map();
    for (let k = 0; k < data.length; k += 4) {
      const key = (data[k] >> 5) * 64 + (data[k + 1] >> 5) * 8 + (data[k + 2] >> 5);
      seen.set(key, (seen.get(key) ?? 0) + 1);
    }
    return [...seen.values()].filter((count) => count > 20).length;
  });

async function download(page, click) {
  const [saved] = await Promise.all([page.waitForEvent("download"), click()]);
  return { name: saved.suggestedFilename(), bytes: await readFile(await saved.path()) };
}

describe("the report of a plane mechanism", async () => {
  taut("run", "slider-crank", "--until", "4", "--output", "crank.h5", "--report", "crank.html");

  test("opens without trouble and says in words that all is well", async () => {
    const { page, trouble, close } = await open(file("crank.html"));
    assert.match(
      await page.locator(".verdict").innerText(),
      /Constraints held[\s\S]*Held to .* in position, .* in velocity/,
    );
    assert.equal(await page.locator("h1").innerText(), "slider-crank");
    assert.match(await page.locator(".command code").innerText(), /^taut run slider-crank --until 4$/);
    assert.match(await page.locator("#details").innerText(), /integrator[\s\S]*version\s+taut \d/);
    assert.ok((await colours_shown(page)) >= 4, "the mechanism is drawn");
    assert.deepEqual(trouble, []);
    await close();
  });

  test("plays, pauses, steps and is scrubbed, and every plot shows the same time", async () => {
    const { page, trouble, close } = await open(file("crank.html"));
    const play = page.getByRole("button", { name: "Play", exact: true });
    await play.click();
    await page.waitForFunction(() => window.taut.clock.t > 0.05);
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    const stopped = await time(page);
    await page.waitForTimeout(120);
    assert.equal(await time(page), stopped, "a paused run stands still");
    for (const t of await marked_times(page)) close_to(t, stopped, 0.02);

    await page.getByRole("slider", { name: "Time" }).fill("500");
    close_to(await time(page), 2, 1e-9);
    for (const t of await marked_times(page)) close_to(t, 2, 0.01);
    assert.match(await page.locator("output.time").innerText(), /t = 2\.0+ s/);

    await page.getByRole("button", { name: "One frame on" }).click();
    const next = await time(page);
    assert.ok(next > 2);
    await page.getByRole("button", { name: "One frame back" }).click();
    assert.ok((await time(page)) < next);
    await page.getByRole("button", { name: "To the end" }).click();
    close_to(await time(page), 4, 1e-9);
    await page.getByRole("button", { name: "To the start" }).click();
    assert.equal(await time(page), 0);

    await page.getByRole("combobox", { name: "Speed" }).selectOption("10");
    await toggle(page, "Loop").uncheck();
    await play.click();
    await page.waitForFunction(() => !window.taut.clock.playing);
    close_to(await time(page), 4, 1e-9);
    assert.deepEqual(trouble, []);
    await close();
  });

  test("a click in a plot goes to that time, a drag zooms all plots, buttons zoom back", async () => {
    const { page, trouble, close } = await open(file("crank.html"));
    const over = page.locator("#plot-violation .u-over");
    await over.scrollIntoViewIfNeeded();
    const box = await over.boundingBox();
    await page.mouse.click(box.x + box.width * 0.75, box.y + 60);
    close_to(await time(page), 3, 0.05);
    for (const t of await marked_times(page)) close_to(t, 3, 0.05);

    await page.mouse.move(box.x + box.width * 0.25, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.5, box.y + 60, { steps: 5 });
    await page.mouse.up();
    const spans = () =>
      page.evaluate(() =>
        [...window.taut.plots.plots.values()].map(({ chart }) => [chart.scales.x.min, chart.scales.x.max]),
      );
    await page.waitForFunction(() => window.taut.plots.to < 3);
    for (const [from, to] of await spans()) {
      close_to(from, 1, 0.05);
      close_to(to, 2, 0.05);
    }
    await page.getByRole("button", { name: "Whole run" }).click();
    for (const [from, to] of await spans()) assert.deepEqual([from, to], [0, 4]);
    await page.getByRole("button", { name: "Zoom in" }).click();
    for (const [from, to] of await spans()) close_to(to - from, 2, 1e-9);
    await page.getByRole("button", { name: "Zoom out" }).click();
    for (const [from, to] of await spans()) close_to(to - from, 4, 1e-9);

    await page.mouse.move(box.x + box.width * 0.5, box.y + 60);
    await page.waitForFunction(
      () => Math.abs(parseFloat(document.querySelector("#plot-outputs .u-value").textContent) - 2) < 0.1,
    );
    await over.dblclick();
    assert.deepEqual(trouble, []);
    await close();
  });

  test("every plot can be shown, its curves picked, its scale changed, and saved as PNG, SVG and CSV", async () => {
    const { page, trouble, close } = await open(file("crank.html"));
    const choices = page.locator("fieldset.choices input");
    for (let k = 0; k < (await choices.count()); ++k) await choices.nth(k).check();
    const titles = await page.locator(".plot h3").allInnerTexts();
    for (const wanted of [
      "Constraint violation",
      "Energy error",
      "Energy",
      "Coordinates",
      "Rates",
      "Outputs",
      "Multipliers",
      "Step size",
      "Rank",
      "Correction size",
    ]) {
      assert.ok(titles.includes(wanted), `${wanted} is among ${titles}`);
    }
    const plots = page.locator(".plot");
    for (let k = 0; k < (await plots.count()); ++k) {
      const log = plots.nth(k).locator(".plot-head input[type=checkbox]");
      const was = await log.isChecked();
      await log.setChecked(!was);
      await log.setChecked(was);
      assert.ok(await plots.nth(k).locator("canvas").isVisible());
    }

    const violation = page.locator("#plot-violation");
    await violation.locator("summary").click();
    await violation.getByRole("searchbox").fill("rail");
    await violation.locator(".curves").getByText("rail, position").click();
    assert.match(await violation.locator(".u-legend").innerText(), /rail, position/);
    await violation.getByRole("button", { name: "None", exact: true }).click();
    assert.doesNotMatch(await violation.locator(".u-legend").innerText(), /rail/);
    await violation.getByRole("button", { name: "All", exact: true }).click();
    assert.match(await violation.locator(".u-legend").innerText(), /rail, velocity/);

    const outputs = page.locator("#plot-outputs");
    const csv = await download(page, () => outputs.getByRole("button", { name: "CSV" }).click());
    assert.equal(csv.name, "slider-crank-Outputs.csv");
    const lines = csv.bytes.toString().trim().split("\n");
    assert.equal(lines[0], "t,x_s,v_s");
    assert.equal(lines.length, 1 + (await page.evaluate(() => window.taut.run.rows.t.length)));
    close_to(Number(lines[1].split(",")[1]), 2, 1e-6);
    const svg = await download(page, () => outputs.getByRole("button", { name: "SVG" }).click());
    assert.match(svg.bytes.toString(), /^<svg[\s\S]*<polyline[\s\S]*x_s[\s\S]*<\/svg>/);
    assert.doesNotMatch(svg.bytes.toString(), /NaN|undefined/);
    const png = await download(page, () => outputs.getByRole("button", { name: "PNG" }).click());
    assert.equal(png.bytes.subarray(1, 4).toString(), "PNG");
    assert.ok(png.bytes.length > 3000);

    for (let k = 0; k < (await choices.count()); ++k) await choices.nth(k).uncheck();
    assert.equal(await plots.count(), 0);
    assert.deepEqual(trouble, []);
    await close();
  });

  test("the view zooms, fits, and shows ghosts, trails and grid on demand", async () => {
    const { page, trouble, close } = await open(file("crank.html"));
    const zoom = () => page.evaluate(() => window.taut.view.camera.zoom);
    await page.getByRole("button", { name: "Closer" }).click();
    close_to(await zoom(), 1.25, 1e-9);
    await page.getByRole("button", { name: "Farther" }).click();
    close_to(await zoom(), 1, 1e-9);
    const host = await page.locator(".canvas-host").boundingBox();
    await page.mouse.move(host.x + 100, host.y + 100);
    await page.mouse.wheel(0, -300);
    await page.waitForFunction(() => window.taut.view.camera.zoom > 1);
    const x = () => page.evaluate(() => window.taut.view.camera.position.x);
    const before = await x();
    await page.mouse.down();
    await page.mouse.move(host.x + 180, host.y + 100, { steps: 4 });
    await page.mouse.up();
    assert.notEqual(await x(), before, "dragging moves the plane");
    await page.getByRole("button", { name: "Fit", exact: true }).click();
    assert.equal(await zoom(), 1);
    for (const what of ["Trails", "Ghosts", "Grid"]) {
      const box = toggle(page, what);
      const key = what.toLowerCase();
      const was = await box.isChecked();
      await box.setChecked(!was);
      assert.equal(await page.evaluate((name) => window.taut.view.shown[name], key), !was);
    }
    await page.locator(".legend summary").click();
    const trails = page.locator(".legend .curves input");
    for (let k = 0; k < (await trails.count()); ++k) await trails.nth(k).check();
    assert.equal(await page.evaluate(() => window.taut.view.trail_lines.children.length), await trails.count());
    const png = await download(page, () => page.getByRole("button", { name: "Save the view as PNG" }).click());
    assert.ok(png.bytes.length > 3000);
    assert.deepEqual(trouble, []);
    await close();
  });

  test("works without a mouse", async () => {
    const { page, trouble, close } = await open(file("crank.html"));
    await page.keyboard.press("End");
    close_to(await time(page), 4, 1e-9);
    await page.keyboard.press("Home");
    assert.equal(await time(page), 0);
    await page.keyboard.press("ArrowRight");
    const one = await time(page);
    assert.ok(one > 0 && one < 0.1);
    await page.keyboard.press("ArrowLeft");
    assert.equal(await time(page), 0);
    await page.keyboard.press("Shift+ArrowRight");
    close_to(await time(page), 0.2, 1e-9);
    await page.keyboard.press(" ");
    assert.equal(await page.evaluate(() => window.taut.clock.playing), true);
    await page.keyboard.press(" ");
    assert.equal(await page.evaluate(() => window.taut.clock.playing), false);
    await page.keyboard.press(">");
    assert.equal(await page.evaluate(() => window.taut.clock.speed), 2);
    await page.keyboard.press("<");
    assert.equal(await page.evaluate(() => window.taut.clock.speed), 1);
    await page.keyboard.press("g");
    assert.equal(await page.evaluate(() => window.taut.view.shown.ghosts), true);
    await page.keyboard.press("t");
    assert.equal(await page.evaluate(() => window.taut.view.shown.trails), false);
    await page.locator(".canvas-host canvas").focus();
    const x = await page.evaluate(() => window.taut.view.camera.position.x);
    await page.keyboard.press("ArrowRight");
    assert.ok((await page.evaluate(() => window.taut.view.camera.position.x)) > x);
    await page.keyboard.press("+");
    assert.ok((await page.evaluate(() => window.taut.view.camera.zoom)) > 1);
    await page.keyboard.press("f");
    assert.equal(await page.evaluate(() => window.taut.view.camera.zoom), 1);
    await page.keyboard.press("?");
    assert.ok(await page.getByRole("heading", { name: "Keys" }).isVisible());
    await page.keyboard.press("Escape");
    await page.keyboard.press("d");
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
    // Every control can be reached by the Tab key, and shows that it has been.
    const reached = new Set();
    for (let k = 0; k < 60; ++k) {
      await page.keyboard.press("Tab");
      reached.add(
        await page.evaluate(
          () => document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent,
        ),
      );
    }
    for (const name of ["Time", "Play", "Fit", "Zoom in", "Speed"])
      assert.ok(reached.has(name), `${name} is reached: ${[...reached]}`);
    assert.deepEqual(trouble, []);
    await close();
  });

  test("copies its command, and shows the constraints' figures beside their lines", async () => {
    const { page, trouble, close } = await open(file("crank.html"));
    await page.getByRole("button", { name: "Copy the command" }).click();
    await page.getByText("copied").waitFor();
    const lines = await page.locator(".source li.marked").allInnerTexts();
    assert.equal(lines.length, 3);
    assert.match(lines[2], /rail: y1[\s\S]*position .*velocity/);
    await page.getByText("Every constraint at its worst").click();
    assert.equal(await page.locator("#model tbody tr").count(), 3);
    assert.deepEqual(trouble, []);
    await close();
  });

  for (const [theme, width] of [
    ["light", 1280],
    ["dark", 1280],
    ["light", 390],
    ["dark", 390],
  ]) {
    test(`is accessible: ${theme}, ${width} wide, and nothing sticks out`, async () => {
      const { page, trouble, close } = await open(file("crank.html"), { theme, width });
      const choices = page.locator("fieldset.choices input");
      for (let k = 0; k < (await choices.count()); ++k) await choices.nth(k).check();
      for (const summary of await page.locator("summary").all()) await summary.click();
      assert.deepEqual(await accessibility(page), []);
      const overhang = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      assert.equal(overhang, 0);
      assert.deepEqual(trouble, []);
      await close();
    });
  }

  test("taut report makes the same page from the run's file", () => {
    taut("report", "crank.h5", "--out", "again.html");
    assert.ok(read(file("again.html")) === read(file("crank.html")));
  });
});

test("a mechanism in space is orbited, moved, and looked at along its axes", async () => {
  taut("run", "bricard", "--until", "2", "--report", "bricard.html");
  const { page, trouble, close } = await open(file("bricard.html"));
  const camera = () => page.evaluate(() => window.taut.view.camera.position.toArray());
  const target = () => page.evaluate(() => window.taut.view.controls.target.toArray());
  const host = await page.locator(".canvas-host").boundingBox();
  const first = await camera();
  await page.mouse.move(host.x + 200, host.y + 200);
  await page.mouse.down();
  await page.mouse.move(host.x + 260, host.y + 220, { steps: 4 });
  await page.mouse.up();
  assert.notDeepEqual(await camera(), first);
  for (const axis of ["x", "y", "z"]) {
    await page.getByRole("button", { name: `Look along ${axis}` }).click();
    const [from, to] = [await camera(), await target()];
    ["x", "y", "z"].forEach((other, k) => other !== axis && close_to(from[k], to[k], 1e-3 * Math.hypot(...from)));
  }
  await page.keyboard.press("f");
  await page.locator(".canvas-host canvas").focus();
  const distance = async () => {
    const [a, b] = [await camera(), await target()];
    return Math.hypot(...a.map((value, k) => value - b[k]));
  };
  const far = await distance();
  await page.keyboard.press("ArrowLeft");
  close_to(await distance(), far, 1e-6 * far);
  const moved_from = await target();
  await page.keyboard.press("Shift+ArrowUp");
  assert.notDeepEqual(await target(), moved_from);
  await page.keyboard.press("-");
  assert.ok((await distance()) > far);
  await page.getByRole("button", { name: "Up", exact: true }).click();
  assert.ok((await colours_shown(page)) >= 4);
  assert.deepEqual(await accessibility(page), []);
  assert.deepEqual(trouble, []);
  await close();
});

test("a mechanism that goes far is followed, and can be let go", async () => {
  taut("run", "rolling-disk", "--until", "5", "--report", "disk.html");
  const { page, trouble, close } = await open(file("disk.html"));
  assert.equal(await toggle(page, "Follow").isChecked(), true);
  const target = () => page.evaluate(() => window.taut.view.controls.target.toArray());
  const before = await target();
  await page.keyboard.press("End");
  const after_end = await target();
  assert.ok(Math.hypot(...after_end.map((value, k) => value - before[k])) > 0.5);
  await toggle(page, "Follow").uncheck();
  const whole = await target();
  await page.keyboard.press("Home");
  assert.deepEqual(await target(), whole);
  assert.deepEqual(trouble, []);
  await close();
});

test("bodies are shown as boxes, cylinders, spheres and meshes, with joints and frames", async () => {
  const { page, trouble, close } = await open(bodies_page("bodies.html", 8, 100));
  // Where a shape is follows from its body's pose: the first body starts at (1, 0, 0).
  const where = () =>
    page.evaluate(() => [...window.taut.view.solids.groups[0].mesh.instanceMatrix.array.slice(12, 15)]);
  const start = await where();
  close_to(start[0], 1, 1e-3);
  close_to(start[1], 0, 1e-3);
  await page.evaluate(() => window.taut.clock.set(1));
  const later = await where();
  close_to(later[0], Math.cos(1), 2e-3);
  close_to(later[1], Math.sin(1), 2e-3);
  const boxed = await page.evaluate(() => window.taut.view.solids.groups.map(({ mesh }) => mesh.count));
  assert.deepEqual(boxed, [4, 2, 2, 1, 1]);
  for (const what of ["Joints", "Frames", "Ghosts"]) await toggle(page, what).check();
  assert.ok((await colours_shown(page)) >= 6);
  assert.deepEqual(await accessibility(page), []);
  assert.deepEqual(trouble, []);
  await close();
});

test("everything that bodies carry is in the picture from the start", async () => {
  const { page, trouble, close } = await open(bodies_page("framed.html", 8, 100));
  // Eight bodies on a circle of radius 1 about z; the mesh goes farthest from its body, to (0.3, 0.3, 0.3).
  const { min, max } = await page.evaluate(() => window.taut.view.bounds);
  const reach = Math.hypot(0.3, 0.3, 0.3);
  for (const value of [-min.x, max.x, -min.y, max.y]) assert.ok(value > 1 && value < 1 + reach, `${value}`);
  const corners = await page.evaluate(() => {
    const { bounds, camera } = window.taut.view;
    return [0, 1, 2, 3, 4, 5, 6, 7].map((corner) => {
      const pick = (axis, bit) => bounds[corner & bit ? "max" : "min"][axis];
      const place = bounds.min.clone().set(pick("x", 1), pick("y", 2), pick("z", 4)).project(camera);
      return Math.max(Math.abs(place.x), Math.abs(place.y));
    });
  });
  assert.ok(Math.max(...corners) <= 1, `${corners}`);
  assert.ok(Math.max(...corners) > 0.6, "and not far away");
  assert.deepEqual(trouble, []);
  await close();
});

test("bars thinner than a pixel are seen as lines", async () => {
  for (const [bars, thin] of [
    [60, true],
    [10, false],
  ]) {
    taut("run", "mechanisms/chain", "--set", `N=${bars}`, "--until", "0", "--report", "chain.html");
    const { page, trouble, close } = await open(file("chain.html"));
    const lines = await page.evaluate(() => {
      const { hairlines } = window.taut.view.solids;
      return hairlines ? [...hairlines.positions] : null;
    });
    assert.equal(lines !== null, thin, `${bars} bars`);
    if (thin) {
      // Bar k leads from k to k + 1 along x; as a box of its moments it is 1 - 0.0025 of a metre long.
      assert.equal(lines.length, 6 * bars);
      for (let k = 0; k < bars; ++k) {
        const [from, to] = [lines.slice(6 * k, 6 * k + 3), lines.slice(6 * k + 3, 6 * k + 6)];
        [k, 0, 0].forEach((value, axis) => close_to(from[axis], value, 2e-3));
        [k + 1, 0, 0].forEach((value, axis) => close_to(to[axis], value, 2e-3));
      }
    }
    assert.deepEqual(trouble, []);
    await close();
  }
});

test("a thousand bodies open and play, in a few drawings", async () => {
  const { page, trouble, close } = await open(bodies_page("many.html", 1000, 60));
  // The middle of the first box is where its body is: a frame's own values, kept to 1/65534 of their range.
  const t = (4 * 30) / 59;
  await page.evaluate((time) => window.taut.clock.set(time), t);
  const middle = await page.evaluate(() => {
    const places = window.taut.view.solids.groups[0].mesh.geometry.attributes.position.array;
    return [0, 1, 2].map((axis) => {
      let sum = 0;
      for (let k = 0; k < 24; ++k) sum += places[3 * k + axis] / 24;
      return sum;
    });
  });
  [Math.cos(t), Math.sin(t), 0.3 * Math.sin(3 * t)].forEach((value, k) => close_to(middle[k], value, 1e-4));
  await page.waitForFunction(() => window.taut.view.renderer.info.render.frame > 2);
  const calls = await page.evaluate(() => window.taut.view.renderer.info.render.calls);
  assert.ok(calls <= 8, `${calls} drawings`);
  await page.keyboard.press(" ");
  await page.waitForFunction(() => window.taut.clock.t > 0.2);
  await page.keyboard.press(" ");
  assert.deepEqual(trouble, []);
  await close();
});

const failing = `model: ends early
parameters: {l: 1}
coordinates: {x: [1, 0], y: 0}
kinetic_energy: (x'^2 + y'^2)/2
potential_energy: 9.81*y
forces: {x: sqrt(0.5 - t)}
constraints: {rod: x^2 + y^2 = l^2}
draw:
  - line: [[0, 0], [x, y]]
simulate: {until: 2, step: 1e-2, integrator: rk4}
`;

test("the report of a run that could not go on opens, and says how far it went and why it ended", async () => {
  taut("run", write("early.yaml", failing), "--report", "early.html", 1);
  const { page, trouble, close } = await open(file("early.html"));
  const verdict = await page.locator(".verdict").innerText();
  assert.match(verdict, /Could not go on/);
  assert.match(verdict, /t\s=\s0\.\d+\ss/);
  assert.match(verdict, /0\.\d+ of 2 s were simulated/);
  assert.equal(await toggle(page, "Follow").isChecked(), false);
  const { reason } = await page.evaluate(() => window.taut.run.summary);
  assert.ok(reason.length > 10 && verdict.includes(reason), "the reason is told");
  const end = await page.evaluate(() => window.taut.run.t1);
  assert.ok(end > 0.3 && end <= 0.5);
  await page.getByRole("button", { name: "To the end" }).click();
  assert.ok((await colours_shown(page)) >= 3);
  assert.deepEqual(await accessibility(page), []);
  assert.deepEqual(trouble, []);
  await close();
});

test("where constraints were lost the page says which, and goes there", async () => {
  // Euler's method without correction leaves the circle outwards, more with every step.
  taut("run", "pendulum", "--method", "udwadia-kalaba", "--integrator", "euler", "--step", "1e-2", "--report", "lost.html", 1);
  const { page, trouble, close } = await open(file("lost.html"));
  const verdict = page.locator(".verdict");
  assert.match(await verdict.locator(".headline").innerText(), /Not to be trusted: constraint 'rod' is off by .* of the sizes/);
  assert.match(await verdict.innerText(), /Constraints did not hold/);
  assert.match(await verdict.innerText(), /Off by .* in position.*: rod the most, at t = /);
  await verdict.getByRole("button", { name: "Go there" }).click();
  const { t, worst, largest } = await page.evaluate(() => {
    const { run, clock } = window.taut;
    const { values } = run.steps.columns.find(({ name }) => name === "position");
    return { t: clock.t, worst: values[run.steps.t.indexOf(clock.t)], largest: Math.max(...values) };
  });
  assert.ok(t > 0);
  assert.equal(worst, largest);
  assert.deepEqual(await accessibility(page), []);
  assert.deepEqual(trouble, []);
  await close();
});

test("a line is as wide as it should be, and in the colours of the theme like its name", async () => {
  taut("run", "pendulum", "--until", "1", "--report", "line.html");
  const { page, trouble, close } = await open(file("line.html"));
  for (const what of ["Trails", "Grid"]) await toggle(page, what).uncheck();
  for (const theme of ["light", "dark"]) {
    // At the start the rod lies level: the pixels above one another in its middle that are not the ground's.
    const { wide, colour, swatch } = await page.evaluate(async () => {
      const picture = await createImageBitmap(await window.taut.view.picture());
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [picture.width, picture.height];
      const pen = canvas.getContext("2d");
      pen.drawImage(picture, 0, 0);
      const { camera, bounds } = window.taut.view;
      const place = bounds.min.clone().set(0.5, 0, 0).project(camera);
      const x = Math.round(((place.x + 1) / 2) * picture.width);
      const { data } = pen.getImageData(x, 0, 1, picture.height);
      const pixels = Array.from({ length: picture.height }, (_, k) => [...data.slice(4 * k, 4 * k + 3)].join());
      const others = pixels.filter((pixel) => pixel !== pixels[0]);
      const most = others[Math.floor(others.length / 2)];
      const dot = document.querySelector(".legend .swatch");
      return { wide: others.length, colour: `rgb(${most.split(",").join(", ")})`, swatch: getComputedStyle(dot).backgroundColor };
    });
    // Four pixels, of which two may lie across the edge.
    assert.ok(wide >= 4 && wide <= 5, `${theme}: ${wide} pixels wide`);
    assert.equal(colour, swatch, theme);
    if (theme === "light") await page.getByRole("button", { name: "Dark", exact: true }).click();
  }
  assert.deepEqual(trouble, []);
  await close();
});

/** What can be operated, by what it is called; what there are many of is named once. */
const controls_of = (page) =>
  page.evaluate(() => {
    const names = [...document.querySelectorAll("button, input, select, summary, a[href]")].map((control) => {
      const words = control.getAttribute("aria-label") ?? control.labels?.[0]?.textContent ?? control.textContent;
      const where = control.closest(".plot, #events, .curves, .choices, .names");
      if (!where) return words.replace(/\(\d+\)/, "").trim();
      if (where.matches("#events")) return "an event";
      if (where.matches(".names")) return "a name of what is drawn";
      if (where.matches(".curves")) return "a curve or trail";
      if (where.matches(".choices")) return "a plot to show";
      return `of a plot: ${words.replace(/\(\d+\)/, "").replace(/^Filter.*/, "Filter").trim()}`;
    });
    return [...new Set(names)].sort();
  });

test("every control there is can be used, and none complains", async () => {
  taut("run", "mechanisms/slider-crank", "--until", "3", "--report", "all.html");
  const { page, trouble, close } = await open(file("all.html"));
  page.on("download", (saved) => saved.cancel());
  for (const summary of await page.locator("summary").all()) await summary.click();
  // A control that is not in this list has no test of its own yet.
  assert.deepEqual(await controls_of(page), [
    "Close", "Closer", "Copy the command", "Dark", "Every constraint at its worst", "Every option", "Farther", "Fit", "Follow", "Forces",
    "Frames", "Ghosts", "Grid", "Joints", "Keys", "Loop", "One frame back", "One frame on", "Play",
    "Save the view as PNG", "Skip to the plots", "Speed", "Time", "To the end", "To the start", "Trails",
    "Trails of points", "Whole run", "Zoom in", "Zoom out", "a curve or trail", "a name of what is drawn", "a plot to show", "an event",
    "of a plot: All", "of a plot: CSV", "of a plot: Curves", "of a plot: Filter", "of a plot: Log", "of a plot: None",
    "of a plot: PNG", "of a plot: SVG",
  ]);
  // What brings and takes away whole plots comes last.
  for (const boxes of [":not(.choices *)", ".choices *"]) {
    for (const box of await page.locator(`main input[type=checkbox]:visible:is(${boxes})`).all()) {
      await box.click();
      await box.click();
    }
  }
  for (const chosen of await page.locator("main select:visible").all())
    for (const value of await chosen.locator("option").evaluateAll((options) => options.map((one) => one.value)))
      await chosen.selectOption(value);
  for (const press of await page.locator("main button:visible").all()) await press.click();
  await page.getByRole("button", { name: "Keys" }).click();
  await page.getByRole("button", { name: "Close", exact: true }).click();
  assert.equal(await page.locator("dialog").isVisible(), false);
  await page.getByRole("link", { name: "Skip to the plots" }).focus();
  await page.keyboard.press("Enter");
  assert.match(page.url(), /#plots$/);
  assert.deepEqual(trouble, []);
  await close();
});

const hostile = [
  "<img src=x onerror=alert(1)>",
  "</script><script>alert(2)</script>",
  "<!--<script>",
  "ünïcödé ∂☃ \u202e",
  "x".repeat(10_000),
  "__proto__",
  "' onload='alert(3)",
];

test("hostile names from a model are inert text", async () => {
  // Characters that turn the text around are refused in a model.
  const name = hostile.slice(0, 4).join(" ").replace(/ ?\u202e/g, "");
  const text =
    failing.replace("sqrt(0.5 - t)", "0").replace("ends early", JSON.stringify(name)) +
    `# ${hostile.join(" ")}\n`.replace(/\u202e/g, "") +
    "";
  const labelled = text.replace(
    "  - line: [[0, 0], [x, y]]",
    `  - line: [[0, 0], [x, y]]\n    label: ${JSON.stringify(hostile[1] + hostile[0])}\n  - point: [x, y]\n    label: ${JSON.stringify(hostile[4])}`,
  );
  taut("run", write("hostile <b>.yaml", labelled), "--report", "hostile.html");
  const { page, trouble, close } = await open(file("hostile.html"));
  assert.equal(await page.locator("h1").innerText(), name.slice(0, 120));
  assert.equal(await page.locator("#report img, #report script").count(), 0);
  assert.match(await page.locator(".legend").innerText(), /<\/script><script>/);
  assert.deepEqual(trouble, []);
  await close();
});

test("hostile names of columns, constraints and events are inert text", async () => {
  const page_by_hand = new PageByHand();
  const t = [0, 0.5, 1];
  const columns = hostile.flatMap((name) => [
    page_by_hand.column(name, [1, 2, 3]),
    page_by_hand.column(`${name}'`, [1, NaN, 3]),
  ]);
  const steps = [
    page_by_hand.column("position", [0, 1e-9, 0]),
    ...hostile.map((name) => page_by_hand.column(`position(${name})`, [0, 1e-9, NaN])),
  ];
  const summary = {
    model: hostile[0],
    outcome: "stopped",
    reason: hostile[1],
    t_end: 1,
    steps: 2,
    rejected_steps: 0,
    evaluations: 3,
    wall_seconds: 0,
    setup_seconds: 0,
    method: hostile[2],
    integrator: "rk4",
    linear: "qr",
    control: "stages",
    energy: "none",
    step: 0.5,
    rtol: null,
    atol: null,
    coordinates: 7,
    constraints: 7,
    degrees_of_freedom: 0,
    rank: { min: 7, max: 7 },
    dependent: hostile,
    max_position_violation: 1e-9,
    max_velocity_violation: null,
    max_energy_error: null,
    limit_broken: false,
    violations: Object.fromEntries(hostile.map((name) => [name, { position: 1e-9, velocity: null }])),
    largest_correction: null,
    events: hostile.map((name) => ({ t: 0.5, kind: name, name, message: name })),
    notes: hostile,
    final: { outputs: {}, multipliers: Object.fromEntries(hostile.map((name) => [name, 1])) },
  };
  const saved = page_by_hand.save("names.html", {
    format: 1,
    version: hostile[0],
    command: hostile.join(" "),
    options: hostile.map((name) => [name, name]),
    set: [[hostile[0], hostile[1]]],
    no_model: hostile[1],
    model: { name: hostile[0], file: hostile[1], text: hostile.join("\n") },
    summary,
    constraints: hostile.map((name, k) => ({ name, line: k + 1 })),
    scene: null,
    rows: { t: page_by_hand.times(t), count: 3, seen: 3, columns },
    steps: { t: page_by_hand.times(t), count: 3, seen: 3, columns: steps },
  });
  const { page, trouble, close } = await open(saved, { width: 390 });
  for (const summary_element of await page.locator("summary").all()) await summary_element.click();
  assert.equal(await page.locator("#report img, #report script").count(), 0);
  assert.match(await page.locator("#events").innerText(), /<img src=x/);
  await page.locator("#events button").first().click();
  assert.equal(await time(page), 0.5);
  const overhang = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  assert.equal(overhang, 0, "long names break, or are shortened");
  assert.deepEqual(await accessibility(page), []);
  assert.deepEqual(trouble, []);
  await close();
});

describe("the report of a model made of parts", async () => {
  write(
    "elbow.yaml",
    "coordinates: {a: 1}\nkinetic_energy: a'^2/2\npotential_energy: -9.81*cos(a)\n" +
      "draw: [{line: [[1, 0], [1 + sin(a), -cos(a)]], label: lower, color: '#ff0000'}]\n",
  );
  write(
    "arm.yaml",
    "parts: {elbow: {model: elbow.yaml}}\ncoordinates: {b: 1}\nkinetic_energy: b'^2/2\npotential_energy: -9.81*cos(b)\n" +
      "draw: [{line: [[0, 0], [sin(b), -cos(b)]], label: upper, color: '#00ff00'}]\n",
  );
  const model = write(
    "made.yaml",
    "parts: {arm: {model: arm.yaml}, spare: {model: elbow.yaml}}\nconstraints: {tie: arm.b = arm.elbow.a}\n" +
      "draw: [{line: [[-1, 0], [1, 0]], label: bench, color: '#0000ff'}]\nsimulate: {until: 1, step: 1e-2}\n",
  );
  taut("run", model, "--effort", "--method", "braun-goldfarb", "--report", "made.html", "--output", "made.csv");

  /** Is there red (the lower arms), green (the upper one), blue (the bench) in the picture? */
  const seen = (page) =>
    page.evaluate(async () => {
      window.taut.view.show("trails", false);
      const picture = await createImageBitmap(await window.taut.view.picture());
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [picture.width, picture.height];
      const pen = canvas.getContext("2d");
      pen.drawImage(picture, 0, 0);
      const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
      const found = [0, 1, 2].map((wanted) => {
        let count = 0;
        for (let k = 0; k < data.length; k += 4)
          if ([0, 1, 2].every((c) => (c === wanted ? data[k + c] > 180 : data[k + c] < 90))) ++count;
        return count > 20;
      });
      return "RGB".split("").filter((_, c) => found[c]).join("");
    });

  test("has them as a tree, and hides a part with all that is in it", async () => {
    const { page, trouble, close } = await open(file("made.html"));
    assert.equal(await seen(page), "RGB");
    await page.locator(".parts summary").click();
    const names = await page.locator(".parts label").allInnerTexts();
    assert.deepEqual(names, ["arm", "arm.elbow", "spare"]);
    assert.equal(await page.locator(".parts li li label").innerText(), "arm.elbow", "it stands inside the arm");
    await toggle(page, "spare").uncheck();
    assert.equal(await seen(page), "RGB", "one of the two lower arms is left");
    await toggle(page, "arm").uncheck();
    assert.equal(await toggle(page, "arm\\.elbow").isChecked(), false, "what is in the arm goes with it");
    assert.equal(await seen(page), "B");
    await toggle(page, "arm\\.elbow").check();
    assert.equal(await seen(page), "RB");
    assert.deepEqual(await accessibility(page), []);
    assert.deepEqual(trouble, []);
    await close();
  });

  test("plots what keeping the constraints takes, where that was asked for", async () => {
    const header = read(file("made.csv")).split("\n")[0].split(",");
    const taken = ["mu(tie)", "Qc(arm.elbow.a)", "Qc(arm.b)", "Qc(spare.a)", "correction"];
    assert.deepEqual(header.slice(-5), taken);
    const { page, trouble, close } = await open(file("made.html"));
    for (const label of ["Constraint forces", "Impulses of the correction", "Correction size"]) {
      await toggle(page, label).check();
      assert.ok((await page.locator(".plot h3", { hasText: label }).count()) > 0, label);
    }
    assert.deepEqual(trouble, []);
    await close();
  });
});

test("a long run is thinned without losing an extreme", async () => {
  const model = write(
    "long.yaml",
    failing.replace("sqrt(0.5 - t)", "0").replace("until: 2, step: 1e-2", "until: 2, step: 1e-4"),
  );
  taut("run", model, "--report", "long.html", "--output", "long.csv");
  const { page, trouble, close } = await open(file("long.html"));
  const { kept, seen, worst, least, most } = await page.evaluate(() => {
    const { rows, steps, summary } = window.taut.run;
    const x = rows.columns.find(({ name }) => name === "x").values;
    const position = steps.columns.find(({ name }) => name === "position").values;
    return {
      kept: rows.t.length,
      seen: rows.seen,
      worst: [Math.max(...position), Math.fround(summary.max_position_violation)],
      least: Math.min(...x),
      most: Math.max(...x),
    };
  });
  assert.equal(seen, 20_001);
  assert.ok(kept <= 4000);
  assert.equal(worst[0], worst[1]);
  const exact = read(file("long.csv"))
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => Number(line.split(",")[1]));
  assert.equal(least, Math.fround(Math.min(...exact)));
  assert.equal(most, Math.fround(Math.max(...exact)));
  assert.match(await page.locator("#plots .hint").innerText(), /20,001 steps/);
  assert.deepEqual(trouble, []);
  await close();
});

const suspension = `
model: suspension
gravity: [0, -9.81]
bodies:
  arm: {bar: {from: [0, 0], to: [1, 0], mass: 1}, planar: true}
joints:
  pin: {type: revolute, bodies: [ground, arm], at: arm.from, axis: [0, 0, 1]}
forces:
  strut: {type: spring, bodies: [ground, arm], points: [[1, 1], arm.to], stiffness: 50, damping: 0.2, length: 0.9}
outputs:
  tip: point(arm, [0.5, 0, 0])
  swing: {value: arm.angle, unit: rad}
  load: {value: strut.value, unit: N}
  lean: {value: 2*arm.angle, unit: rad}
draw: {see_through: [strut]}
`;

test("what is drawn is seen through, hidden and shown again by its name", async () => {
  taut("run", write("suspension.yaml", suspension), "--until", "3", "--report", "suspension.html");
  const { page, trouble, close } = await open(file("suspension.html"));
  const drawn = () =>
    page.evaluate(() => {
      const { solids, faint_solids } = window.taut.view;
      const count = (list) => list.groups.concat(list.spans.groups).reduce((sum, { members }) => sum + members.length, 0);
      return { solid: count(solids), faint: count(faint_solids) };
    });
  const first = await drawn();
  // The coil, and the damper in it: a barrel and a piston.
  assert.equal(first.faint, 3, "the file lets the strut be seen through");
  const arm = page.getByRole("button", { name: /^arm, / });
  await arm.click();
  assert.equal(await arm.getAttribute("aria-label"), "arm, seen through");
  const through = await drawn();
  assert.equal(through.solid + through.faint, first.solid + first.faint);
  assert.ok(through.faint > first.faint);
  await arm.click();
  const hidden = await drawn();
  assert.equal(hidden.faint, first.faint);
  assert.equal(hidden.solid, through.solid);
  await arm.click();
  assert.deepEqual(await drawn(), first);
  assert.deepEqual(await accessibility(page), []);
  assert.deepEqual(trouble, []);
  await close();
});

test("outputs of one unit share an axis, those that are points leave trails", async () => {
  taut("run", write("suspension.yaml", suspension), "--until", "3", "--report", "suspension.html");
  const { page, trouble, close } = await open(file("suspension.html"));
  const titles = await page.locator(".plot h3").allInnerTexts();
  assert.deepEqual(titles.slice(0, 3), ["Outputs", "Outputs in rad", "Outputs in N"]);
  const shared = await page.evaluate(() =>
    window.taut.plots.groups.find(({ title }) => title === "Outputs in rad").curves.map(({ label }) => label),
  );
  assert.deepEqual(shared, ["swing", "lean"]);
  const trails = await page.evaluate(() => window.taut.view.trails.map(({ name }) => name));
  assert.ok(trails.includes("tip, output"), trails.join());
  assert.deepEqual(trouble, []);
  await close();
});

test("curves follow the motion between few rows, and tables hold what was recorded", async () => {
  const text = "coordinates: {x: [0, 1]}\nkinetic_energy: x'^2/2\npotential_energy: x^2/2\ndraw: [{point: [x, 0]}]\n";
  taut("run", write("sine.yaml", text), "--until", "12", "--report", "sine.html");
  const { page, trouble, close } = await open(file("sine.html"));
  const { rows, points, error, step } = await page.evaluate(() => {
    const { rows: recorded, dense } = window.taut.run;
    const x = dense.columns.find(({ name }) => name === "x").values;
    const steps = Array.from(recorded.t).slice(1).map((t, k) => t - recorded.t[k]);
    return {
      rows: recorded.t.length,
      points: dense.t.length,
      error: Math.max(...Array.from(dense.t, (t, k) => Math.abs(x[k] - Math.sin(t)))),
      step: Math.max(...steps),
    };
  });
  assert.ok(rows < 100 && points >= 900, `${rows} rows, ${points} points`);
  // Hermite's cubic errs by h⁴/384 at most where the fourth derivative is at most 1; single precision adds 1e-7.
  assert.ok(error <= step ** 4 / 384 + 2e-7, `${error} with steps of ${step}`);
  assert.deepEqual(trouble, []);
  await close();
});
