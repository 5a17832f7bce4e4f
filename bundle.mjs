/**
 * What the build hook runs: the panel's modules and style sheets joined and made short.
 *
 *     node bundle.mjs FOLDER        static/ lies here; static/lean/ is written
 *
 * A page alone asks for some sixty files, one of which names the next; joined it asks for one
 * script and one sheet, and parts that come late for one more. The pages in static/lean/ are those
 * of static/ but for the names of these files, which bear a hash of what is in them.
 */

import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { rollup } from "@rollup/wasm-node";
import { transform } from "esbuild";

const PAGES = { index: "home", table: "table", replay: "replay" };

const root = process.argv[2] ?? ".";
const from = join(root, "static");
const into = join(from, "lean");

await rm(into, { recursive: true, force: true });
await mkdir(into, { recursive: true });
for (const [page, entry] of Object.entries(PAGES)) {
  const script = await joined(entry);
  const html = await readFile(join(from, `${page}.html`), "utf8");
  await writeFile(
    join(into, `${page}.html`),
    await dressed(html.replace(`js/${entry}.js`, `lean/${script}`)),
  );
}

/** Bundles one page's modules; what it needs at once is one file. @param {string} entry */
async function joined(entry) {
  const bundle = await rollup({ input: { [entry]: join(from, `js/${entry}.js`) } });
  const atOnce = await needed(bundle);
  const { output } = await bundle.write({
    dir: into,
    format: "es",
    entryFileNames: "[name]-[hash].js",
    chunkFileNames: "[name]-[hash].js",
    manualChunks: (id) => (atOnce.has(id) ? entry : null),
    minifyInternalExports: true,
    plugins: [{ name: "short", renderChunk: (code) => short(code, "js") }],
  });
  // The entry itself may be but a door to this file.
  return output.find(
    (part) => part.type === "chunk" && part.name === entry && part.moduleIds.length > 0,
  ).fileName;
}

/** The modules that a page can't do without. @param {import("@rollup/wasm-node").RollupBuild} bundle */
async function needed(bundle) {
  const { output } = await bundle.generate({ format: "es" });
  const chunks = new Map(output.map((part) => [part.fileName, part]));
  const found = new Set(output.filter((part) => part.type === "chunk" && part.isEntry));
  for (const part of found) for (const name of part.imports) found.add(chunks.get(name));
  return new Set([...found].flatMap((part) => part.moduleIds));
}

/** Without what only readers need. @param {string} text @param {"js" | "css"} loader */
async function short(text, loader) {
  return (
    await transform(text, { loader, minify: true, target: "es2022", legalComments: "inline" })
  ).code;
}

/** A page with one sheet in the place of many, and without its hints at modules. @param {string} html */
async function dressed(html) {
  const links = /[ \t]*<link rel="stylesheet" href="([^"]*?)((?:css|art)\/[\w-]+\.css)">\n/g;
  const found = [...html.matchAll(links)];
  const sheets = await Promise.all(found.map(([, , name]) => readFile(join(from, name), "utf8")));
  const sheet = await short(sheets.join("\n"), "css");
  const name = `${createHash("sha256").update(sheet).digest("hex").slice(0, 8)}.css`;
  await writeFile(join(into, name), sheet);
  const one = `    <link rel="stylesheet" href="${found[0][1]}lean/${name}">\n`;
  const plain = html.replace(/[ \t]*<link rel="modulepreload"[^>]*>\n/g, "");
  return plain.replace(found[0][0], one).replace(links, "");
}
