// taut view, used as one would use it: an editor that saves the file, a browser without a window, and strangers.
import assert from "node:assert/strict";
import { mkdirSync, renameSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { after, test } from "node:test";
import { accessibility, close_browser, folder, open_at, stop_views, taut, view, write } from "./support.mjs";

after(async () => {
  stop_views();
  await close_browser();
});

const pendulum = `# a pendulum
model: swing
parameters: {m: 1, l: 1, g: 9.81}
coordinates:
  x: [l, 0]
  y: 0
kinetic_energy: m/2*(x'^2 + y'^2)
potential_energy: m*g*y
constraints:
  rod: x^2 + y^2 = l^2
outputs: {angle: atan2(x, -y)}
draw:
  - line: [[0, 0], [x, y]]
simulate: {until: 2}
`;

/** One request, with nothing in its path or its headers put right on the way. */
function ask(address, { path, token = address.searchParams.get("token"), headers = {}, method = "GET", body } = {}) {
  const query = token === null ? "" : `?token=${token}`;
  return new Promise((done, fail) => {
    const asked = request(
      { host: address.hostname, port: address.port, path: `${path ?? "/"}${query}`, method, headers, agent: false },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (part) => (text += part));
        answer.on("end", () => done({ status: answer.statusCode, headers: answer.headers, text }));
      },
    );
    asked.on("error", fail);
    asked.end(body);
  });
}

/** The page of a program, which may ask nobody but that program. */
const open = (address, looks) =>
  open_at(address.href, (url) => url.startsWith(`${address.origin}/`) || /^(data|blob):/.test(url), {
    width: 1400,
    ...looks,
  });

const command = (page) => page.locator(".command code");
const field = (page, name) => page.getByRole("spinbutton", { name, exact: true });
const slider = (page, name) => page.getByRole("slider", { name: `${name}, slider`, exact: true });
const wait_for_command = (page, part) =>
  page.waitForFunction((text) => document.querySelector(".command code")?.textContent.includes(text), part);
/** Waits for a whole run whose summary has these figures, and whose pendulum starts `x` out if that is told. */
const wait_for_run = (page, figures, x = null) =>
  page.waitForFunction(
    ([figures, x]) => {
      const { run, state } = window.taut ?? {};
      if (!run?.summary || !state.complete || state.running) return false;
      const start = run.rows.columns.find(({ name }) => name === "x")?.values[0];
      const starts_there = x === null || Math.abs(start - x) < 1e-6;
      return starts_there && Object.entries(figures).every(([name, value]) => run.summary[name] === value);
    },
    [figures, x],
  );
const wait_for_start = (page, x) => wait_for_run(page, {}, x);

test("strangers are refused, and there is no way to a file", async () => {
  write("guarded.yaml", pendulum);
  const { address, stop } = await view("guarded.yaml");
  assert.equal(address.hostname, "127.0.0.1");
  assert.match(address.searchParams.get("token"), /^[0-9a-f]{32}$/);
  const host = address.host;

  const page = await ask(address);
  assert.equal(page.status, 200);
  assert.match(page.headers["content-security-policy"], /default-src 'none'.*script-src 'nonce-[0-9a-f]{32}'/);
  assert.match(page.headers["content-security-policy"], /frame-ancestors 'none'/);
  assert.equal(page.headers["access-control-allow-origin"], undefined);
  assert.equal((await ask(address, { headers: { Host: `localhost:${address.port}` } })).status, 200);

  for (const path of ["/", "/run", "/state", "/controls", "/events", "/settings", "/../../etc/passwd"]) {
    assert.equal((await ask(address, { path, token: null })).status, 403, `${path} without a token`);
    assert.equal((await ask(address, { path, token: "0".repeat(32) })).status, 403, `${path} with a wrong token`);
    assert.equal((await ask(address, { path, token: "" })).status, 403, `${path} with an empty token`);
    for (const headers of [
      { Origin: "http://evil.example" },
      { Origin: "null" },
      { Origin: `http://localhost:${address.port}` },
      { Origin: `https://${host}` },
      { Host: "evil.example" },
      { Host: `evil.example:${address.port}` },
      { Host: "127.0.0.1:1" },
      { "Sec-Fetch-Site": "cross-site" },
      { "Sec-Fetch-Site": "same-site" },
    ])
      assert.equal((await ask(address, { path, headers })).status, 403, `${path} with ${JSON.stringify(headers)}`);
  }
  for (const path of [
    "/../../etc/passwd",
    "/../../../../../../../../etc/passwd",
    "/..%2f..%2f..%2f..%2fetc%2fpasswd",
    "//etc/passwd",
    "/guarded.yaml",
    "/./guarded.yaml",
    "/run/../guarded.yaml",
  ]) {
    const { status, text } = await ask(address, { path });
    assert.equal(status, 404, path);
    assert.doesNotMatch(text, /root:|kinetic/);
  }

  const post = (body, headers = {}) => ask(address, { path: "/settings", method: "POST", body, headers });
  const good = JSON.stringify({ options: {}, set: { l: 2 } });
  assert.equal((await post(good, { Origin: "http://evil.example" })).status, 403);
  for (const wrong of [
    "",
    "[]",
    "{}",
    '{"options": {}, "set": {"l": "1; import"}}',
    '{"options": {"output": "/tmp/x.csv"}, "set": {}}',
    '{"options": {"native": "on"}, "set": {}}',
    '{"options": {"method": 3}, "set": {}}',
    JSON.stringify({ options: { method: "x".repeat(1000) }, set: {} }),
  ])
    assert.equal((await post(wrong)).status, 400, wrong.slice(0, 60));
  assert.deepEqual(JSON.parse((await ask(address, { path: "/state" })).text).settings, { options: {}, set: {} });
  assert.equal((await post("x".repeat(3_000_000)).catch(() => ({ status: 413 }))).status, 413);
  assert.equal((await post(good, { Origin: address.origin })).status, 200);
  assert.equal(await stop(), 0);
});

test("a slider, a field and a menu make a new run, and the way back is one button", async () => {
  write("tried.yaml", pendulum);
  const { address, stop } = await view("tried.yaml");
  const { page, trouble, close } = await open(address);
  await wait_for_start(page, 1);
  assert.equal(await page.locator("h1").innerText(), "swing");
  assert.equal(await command(page).innerText(), "taut run tried.yaml");
  assert.ok(await page.locator("#plot-violation canvas").count(), "the drift is plotted");

  await slider(page, "l").fill("2.5");
  await wait_for_start(page, 2.5);
  assert.equal(await field(page, "l").inputValue(), "2.5");
  assert.equal(await command(page).innerText(), "taut run tried.yaml --set l=2.5");
  assert.equal(await field(page, "x(0)").inputValue(), "2.5", "a value given by a formula moves with it");

  await field(page, "y'(0)").fill("-3");
  await wait_for_command(page, "--set l=2.5");
  await wait_for_command(page, "y'\\''(0)=-3");
  await field(page, "l").fill("40");
  await wait_for_start(page, 40);
  assert.ok(Number(await slider(page, "l").getAttribute("max")) >= 40, "a slider widens for what is typed");

  await page.getByRole("combobox", { name: "Method" }).selectOption("braun-goldfarb");
  await page.getByRole("combobox", { name: "Integrator" }).selectOption("rk4");
  await page.getByRole("combobox", { name: "Step" }).selectOption("0.01");
  await wait_for_run(page, { method: "braun-goldfarb", integrator: "rk4", step: 0.01 });
  await page.getByRole("combobox", { name: "Step" }).selectOption({ label: "by error control (as in the file)" });
  await page.getByRole("combobox", { name: "Integrator" }).selectOption("dopri5");
  await page.getByRole("combobox", { name: "Tolerance" }).selectOption("1e-05");
  await wait_for_run(page, { step: null, rtol: 1e-5, integrator: "dopri5" });
  await field(page, "Until (s)").fill("3.5");
  await wait_for_run(page, { t_end: 3.5 });

  await page.getByRole("combobox", { name: "Energy law" }).selectOption("project");
  await wait_for_run(page, { energy: "project" });
  // Off the circle at the start: assembled first, it is on it.
  await field(page, "y(0)").fill("5");
  await page.getByLabel("Assemble the initial state first").check();
  await wait_for_command(page, "--assemble");
  await page.waitForFunction(() => {
    const { run, state } = window.taut;
    if (!state.complete || state.running || !(run.summary?.assembly_change > 0)) return false;
    const [x, y] = ["x", "y"].map((name) => run.rows.columns.find((column) => column.name === name).values[0]);
    return Math.abs(Math.hypot(x, y) - 40) < 1e-4;
  });

  // What the page shows as a command is the run: made by hand it ends in the same state.
  const words = (await command(page).innerText()).match(/'(?:[^']|'\\'')*'|\S+/g).slice(1);
  const by_hand = JSON.parse(
    taut(...words.map((word) => word.replaceAll("'\\''", "\0").replaceAll("'", "").replaceAll("\0", "'")), "--json").stdout,
  );
  assert.deepEqual(await page.evaluate(() => window.taut.run.summary.final.coordinates), by_hand.final.coordinates);

  await page.getByRole("button", { name: "As in the file" }).click();
  await wait_for_start(page, 1);
  assert.equal(await command(page).innerText(), "taut run tried.yaml");
  assert.equal(await field(page, "y'(0)").inputValue(), "0");
  assert.deepEqual(trouble, []);
  await close();
  assert.equal(await stop(), 0);
});

test("settings that do not go together are refused in words, and the last run stays", async () => {
  write("refused.yaml", pendulum);
  const { address, stop } = await view("refused.yaml");
  const { page, trouble, close } = await open(address);
  await wait_for_start(page, 1);
  await page.getByRole("combobox", { name: "Method" }).selectOption("stabilized-index-2");
  await page.getByRole("combobox", { name: "Integrator" }).selectOption("euler");
  await page.waitForSelector(".view-failure");
  assert.match(await page.locator(".view-failure .message").innerText(), /stabilized-index-2/);
  assert.equal(await page.locator(".verdict").count(), 1);
  await page.getByRole("button", { name: "As in the file" }).click();
  await page.waitForSelector(".view-failure", { state: "detached" });
  assert.deepEqual(trouble, []);
  await close();
  assert.equal(await stop(), 0);
});

test("the page follows the file: edited, broken, mended, replaced", async () => {
  write("edited.yaml", pendulum);
  const { address, stop } = await view("edited.yaml");
  const { page, trouble, close } = await open(address);
  await wait_for_start(page, 1);

  write("edited.yaml", pendulum.replace("l: 1", "l: 1.75"));
  await wait_for_start(page, 1.75);
  assert.equal(await field(page, "l").inputValue(), "1.75");

  // Broken: the message stands at its line of the text as it is now; the last run stays.
  const broken = pendulum.replace("l: 1", "l: 1.75").replace("m*g*y", "m*gg*y");
  write("edited.yaml", broken);
  await page.waitForSelector(".view-failure .wrong");
  const line = broken.split("\n").findIndex((text) => text.includes("gg")) + 1;
  const wrong = page.locator(".view-failure li.wrong");
  assert.equal(await wrong.evaluate((item) => [...item.parentElement.children].indexOf(item) + 1), line);
  assert.match(await wrong.innerText(), /potential_energy: m\*gg\*y[\s\S]*'gg'/);
  assert.match(await page.locator(".view-failure .message").innerText(), new RegExp(`^edited.yaml:${line}:\\d+: .*'gg'`));
  assert.match(await wrong.locator("mark").innerText(), /^gg/);
  assert.equal(await page.locator(".verdict").count(), 1, "the last good run stays");
  assert.deepEqual(await accessibility(page), []);

  // No YAML at all, then gone, then mended.
  write("edited.yaml", "model: [");
  await page.waitForFunction(() => /edited.yaml:\d+/.test(document.querySelector(".view-failure .message")?.textContent));
  renameSync(join(folder, "edited.yaml"), join(folder, "moved.yaml"));
  await page.waitForFunction(() => !/:\d+:/.test(document.querySelector(".view-failure .message")?.textContent));
  write("edited.yaml", pendulum.replace("l: 1", "l: 0.5").replace("model: swing", "model: mended"));
  await wait_for_start(page, 0.5);
  await page.waitForSelector(".view-failure", { state: "detached" });
  assert.equal(await page.locator("h1").innerText(), "mended");

  // An editor that writes beside and renames.
  write("edited.yaml~", pendulum.replace("l: 1", "l: 1.25"));
  renameSync(join(folder, "edited.yaml~"), join(folder, "edited.yaml"));
  await wait_for_start(page, 1.25);
  assert.deepEqual(trouble, []);
  await close();
  assert.equal(await stop(), 0);
});

test("who spoke last is heard: the page's value holds until the file has another", async () => {
  write("both.yaml", pendulum);
  const { address, stop } = await view("both.yaml", "--set", "m=2");
  const { page, trouble, close } = await open(address);
  await wait_for_start(page, 1);
  assert.equal(await field(page, "m").inputValue(), "2");
  await field(page, "l").fill("2");
  await field(page, "g").fill("5");
  await wait_for_command(page, "--set m=2 --set g=5 --set l=2");
  // A file that changes elsewhere leaves both; one that changes l takes it back.
  write("both.yaml", pendulum.replace("until: 2", "until: 3"));
  await wait_for_run(page, { t_end: 3 });
  assert.match(await command(page).innerText(), /--set g=5 --set l=2$/);
  write("both.yaml", pendulum.replace("l: 1", "l: 1.5"));
  await wait_for_start(page, 1.5);
  assert.match(await command(page).innerText(), /--set m=2 --set g=5$/);
  // A parameter that is no longer there is no longer set.
  write("both.yaml", pendulum.replace(", g: 9.81", "").replace("m*g*y", "m*9.81*y").replace("l: 1", "l: 1.125"));
  await wait_for_start(page, 1.125);
  assert.equal(await command(page).innerText(), "taut run both.yaml --set m=2");
  assert.equal(await field(page, "g").count(), 0);
  assert.deepEqual(trouble, []);
  await close();
  assert.equal(await stop(), 0);
});

test("a part's file is watched, too, whatever stands in it", async () => {
  write("made.yaml", `${pendulum}parts: {other: {model: other.yaml}}\n`);
  // Nothing is declared in it: only its drawing can change.
  write("other.yaml", "draw: [{point: [0, 0], label: mark}]\n");
  const { address, stop } = await view("made.yaml");
  const { page, close } = await open(address);
  await wait_for_start(page, 1);
  assert.match(await page.locator(".legend").innerText(), /other\.mark/);
  write("other.yaml", "draw: [{point: [0, 0], label: sign}]\n");
  await page.waitForFunction(() => /other\.sign/.test(document.querySelector(".legend")?.textContent));
  await close();
  assert.equal(await stop(), 0);
});

test("a file that the model includes is watched, too", async () => {
  write("whole.yaml", pendulum.replace("parameters: {m: 1, l: 1, g: 9.81}", "include: part.yaml"));
  write("part.yaml", "parameters: {m: 1, l: 1, g: 9.81}\n");
  const { address, stop } = await view("whole.yaml");
  const { page, close } = await open(address);
  await wait_for_start(page, 1);
  write("part.yaml", "parameters: {m: 1, l: 1.5, g: 9.81}\n");
  await wait_for_start(page, 1.5);
  write("part.yaml", "parameters: {m: 1, l: 1.5 +, g: 9.81}\n");
  await page.waitForSelector(".view-failure .wrong");
  assert.match(await page.locator(".view-failure .message").innerText(), /part\.yaml:1:/);
  write("part.yaml", "parameters: {m: 1, l: 2, g: 9.81}\n");
  await wait_for_start(page, 2);
  await close();
  assert.equal(await stop(), 0);
});

test("no text from outside the model's folder is shown, even where it is wrong", async () => {
  mkdirSync(join(folder, "inner"));
  write("outside.yaml", "secret: sauce\n");
  write("inner/model.yaml", pendulum.replace("parameters:", "include: ../outside.yaml\nparameters:"));
  const { address, stop } = await view("inner/model.yaml");
  const { page, close } = await open(address);
  await page.waitForFunction(() => document.querySelector(".view-failure .message")?.textContent.includes("secret"));
  for (const path of ["/state", "/run", "/controls"])
    assert.doesNotMatch((await ask(address, { path })).text, /sauce/, path);
  await close();
  assert.equal(await stop(), 0);
});

test("a long run is shown as it goes, and ends at once when it is no longer asked for", async () => {
  write("long.yaml", pendulum.replace("until: 2", "until: 1e7, step: 1e-3, integrator: rk4"));
  const { address, stop } = await view("long.yaml");
  const { page, trouble, close } = await open(address);
  await page.waitForFunction(() => /Simulating: t = .* drift so far/.test(document.body.innerText));
  await page.waitForFunction(() => window.taut?.run && !window.taut.state.complete && window.taut.run.t1 > 0);
  const so_far = await page.evaluate(() => window.taut.run.t1);
  await page.waitForFunction((t) => window.taut.run.t1 > t, so_far);
  assert.ok(await page.locator("#plot-violation canvas").count(), "the drift so far is plotted");
  assert.ok(await page.locator("progress").isVisible());
  await field(page, "Until (s)").fill("1");
  await wait_for_run(page, { t_end: 1 });
  assert.equal(await page.locator("progress").isVisible(), false);
  await page.waitForFunction(() => document.querySelector(".view-status").textContent.includes("Up to date"));
  await page.getByRole("button", { name: "As in the file" }).click();
  await page.waitForFunction(() => window.taut.state.running && window.taut.state.t > 0);
  assert.deepEqual(trouble, []);
  // An interruption ends a run under way.
  assert.equal(await stop(), 0);
  await page.waitForFunction(() => document.body.innerText.includes("taut view has ended"));
  await close();
});

test("the eye, the time and the choice of plots outlive a run; closing a page ends nothing", async () => {
  write("kept.yaml", pendulum);
  const { address, child, stop } = await view("kept.yaml");
  const first = await open(address);
  const { page } = first;
  await wait_for_start(page, 1);
  await page.locator("label.check", { hasText: /^Rates$/ }).locator("input").check();
  await page.getByRole("button", { name: "Closer" }).click();
  await page.evaluate(() => {
    window.taut.clock.set(0.75);
    window.canvas = document.querySelector("canvas");
  });
  const zoom = await page.evaluate(() => window.taut.view.camera.zoom);
  await field(page, "g").fill("3");
  await wait_for_command(page, "g=3");
  assert.equal(await page.evaluate(() => window.taut.view.camera.zoom), zoom);
  assert.equal(await page.evaluate(() => window.taut.clock.t), 0.75);
  assert.ok(await page.evaluate(() => window.canvas.isConnected));
  assert.equal(await page.locator("#plot-rates").count(), 1);
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "g", "the focus stays");
  await page.keyboard.press("Tab");
  await first.close();

  const second = await open(address);
  await wait_for_command(second.page, "g=3");
  assert.equal(await field(second.page, "g").inputValue(), "3");
  assert.equal(child.exitCode, null);
  assert.deepEqual([...first.trouble, ...second.trouble], []);
  await second.close();
  assert.equal(await stop(), 0);
});

test("hostile names and texts are inert, in runs and in messages", async () => {
  const hostile = "<img src=x onerror=alert(1)></script><script>alert(2)</script>";
  const model = pendulum
    .replace("model: swing", `model: ${JSON.stringify(hostile)}`)
    .replace("[x, y]]", `[x, y]]\n    label: ${JSON.stringify(hostile)}`);
  const name = "hostile <b> $(id).yaml";
  write(name, model + `# ${hostile} ${"x".repeat(10_000)} ünï∂☃\n`);
  const { address, stop } = await view(name);
  const { page, trouble, close } = await open(address);
  await wait_for_start(page, 1);
  assert.equal(await page.locator("h1").innerText(), hostile);
  assert.equal(await command(page).innerText(), "taut run 'hostile <b> $(id).yaml'");
  write(name, model.replace("m*g*y", JSON.stringify(`m*g*y + ${hostile}`)));
  await page.waitForSelector(".view-failure .wrong");
  assert.match(await page.locator(".view-failure .wrong").innerText(), /<img src=x onerror=alert/);
  write(name, Buffer.from([0x6d, 0x3a, 0x20, 0xff, 0xfe, 0x00, 0x3c, 0x62, 0x3e]));
  await page.waitForFunction(() => !document.querySelector(".view-failure")?.textContent.includes("onerror"));
  write(name, model);
  await page.waitForSelector(".view-failure", { state: "detached" });
  assert.equal(await page.locator("#report img, #report script").count(), 0);
  assert.deepEqual(trouble, []);
  await close();
  assert.equal(await stop(), 0);
});

test("a file that is broken from the start is shown, and one that is not there is refused", async () => {
  write("unborn.yaml", "model: unborn\ncoordinates: {x: 1}\nkinetic_energy: x'^2/2*q\n");
  const { address, stop } = await view("unborn.yaml");
  const { page, trouble, close } = await open(address);
  await page.waitForSelector(".view-failure .wrong");
  write("unborn.yaml", pendulum);
  await wait_for_start(page, 1);
  assert.deepEqual(trouble, []);
  await close();
  assert.equal(await stop(), 0);

  assert.match(taut("view", "nowhere.yaml", 2).stderr, /nowhere/);
  assert.match(taut("view", "unborn.yaml", "--method", "magic", 2).stderr, /magic/);
});

test("the page of a mechanism in space can be used by everyone, light, dark and at phone width", async () => {
  const { address, stop } = await view("slider-crank", "--until", "1");
  for (const look of [{}, { theme: "dark" }, { width: 380, height: 800 }]) {
    const { page, trouble, close } = await open(address, look);
    await wait_for_run(page, { t_end: 1 });
    assert.deepEqual(await accessibility(page), [], JSON.stringify(look));
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.ok(wide <= 0, `no sideways scrolling: ${wide} pixels too wide`);
    assert.deepEqual(trouble, []);
    await close();
  }
  assert.equal(await stop(), 0);
});
