// Bundles the pages into report.html and view.html, and those into report_page.cpp and view_page.cpp:
//   node bundle.mjs NODE_MODULES OUT_FOLDER
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const [modules, out] = process.argv.slice(2).map((path) => resolve(path));
const source = join(dirname(fileURLToPath(import.meta.url)), "src");
const esbuild = createRequire(join(modules, "x"))("esbuild");

const options = {
  bundle: true,
  minify: true,
  write: false,
  charset: "ascii",
  legalComments: "none",
  target: ["es2020"],
  nodePaths: [modules],
  logLevel: "warning",
};
const text = (result) => result.outputFiles[0].text;
/** The bytes as C++ string literals of moderate length. */
function literals(bytes) {
  const lines = [];
  for (let at = 0; at < bytes.length; at += 4000) {
    let line = "";
    for (const byte of bytes.subarray(at, at + 4000)) {
      const c = String.fromCharCode(byte);
      if (c === "\\" || c === '"') line += "\\" + c;
      else if (c === "?" || byte < 32 || byte > 126) line += "\\" + byte.toString(8).padStart(3, "0");
      else line += c;
    }
    lines.push(`    "${line}"`);
  }
  return lines.join("\n");
}

/** One page of a frame, a script and a style, as NAME.html and as the C++ function NAME_page. */
async function make_page(name, { frame, script, style }) {
  const code = text(await esbuild.build({ ...options, entryPoints: [join(source, script)], format: "iife" }));
  const look = text(await esbuild.build({ ...options, entryPoints: [join(source, style)] }));
  // Functions as replacements: a dollar sign in the script means nothing then.
  const page = readFileSync(join(source, frame), "utf8")
    .replace("@STYLE@", () => look)
    .replace("@SCRIPT@", () => code);
  writeFileSync(join(out, `${name}.html`), page);
  writeFileSync(
    join(out, `${name}_page.cpp`),
    `// Made by web/bundle.mjs.
#include "output/${name}_page.hpp"

namespace taut {

std::string_view ${name}_page() {
  static constexpr char page[] =
${literals(Buffer.from(page, "utf8"))};
  return {page, sizeof page - 1};
}

}  // namespace taut
`,
  );
}

await make_page("report", { frame: "page.html", script: "main.js", style: "style.css" });
await make_page("view", { frame: "view_page.html", script: "view_page.js", style: "view_page.css" });
