/**
 * The panel's modules and style sheets joined and made short: `rollup --config` in this folder writes
 * static/lean/. A page asks for one script and one sheet, and parts that come late for one script
 * more. The pages there are those of static/ but for the names of these files, which bear a hash of
 * what is in them.
 */

import { readFile } from "node:fs/promises";
import { transform } from "esbuild";

const PAGES = { index: "home", table: "table", replay: "replay" };
const SHEET = /[ \t]*<link rel="stylesheet" href="([^"]*?)((?:css|art)\/[\w-]+\.css)">\n/g;
const HINT = /[ \t]*<link rel="modulepreload"[^>]*>\n/g;

export default Object.entries(PAGES).map(([page, entry]) => ({
  input: { [entry]: `static/js/${entry}.js` },
  output: {
    dir: "static/lean",
    format: "es",
    entryFileNames: "[name]-[hash].js",
    chunkFileNames: "[name]-[hash].js",
    assetFileNames: "[hash][extname]",
    minifyInternalExports: true,
  },
  plugins: [
    { name: "short", renderChunk: (code) => short(code, "js") },
    { name: "page", generateBundle: dress(page) },
  ],
}));

/**
 * Without what only readers need, which line breaks in templates are, too.
 * @param {string} text
 * @param {"js" | "css"} loader
 */
async function short(text, loader) {
  const how = { loader, minify: true, target: "es2022", legalComments: "inline" };
  return (await transform(text, how)).code.replace(/\n\s+/g, "\n");
}

/** A page with one script and one sheet in the place of many. @param {string} page */
function dress(page) {
  /**
   * @this {import("@rollup/wasm-node").PluginContext}
   * @param {unknown} _options
   * @param {import("@rollup/wasm-node").OutputBundle} bundle
   */
  return async function (_options, bundle) {
    const html = await readFile(`static/${page}.html`, "utf8");
    const links = [...html.matchAll(SHEET)];
    const sheets = await Promise.all(links.map(([, , name]) => readFile(`static/${name}`, "utf8")));
    const source = await short(sheets.join("\n"), "css");
    const sheet = this.getFileName(this.emitFile({ type: "asset", name: "page.css", source }));
    const script = Object.values(bundle).find((part) => part.isEntry).fileName;
    const dressed = html
      .replace(SHEET, (link, _up, name, at) =>
        at === links[0].index ? link.replace(name, `lean/${sheet}`) : "",
      )
      .replace(HINT, "")
      .replace(/js\/[\w-]+\.js/, `lean/${script}`);
    this.emitFile({ type: "asset", fileName: `${page}.html`, source: dressed });
  };
}
