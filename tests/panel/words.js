/** The panel's English words, for the tests that read sentences. */
import { readFileSync } from "node:fs";
import { use } from "../../static/js/core/text.js";

/** @param {string} file */
const read = (file) =>
  JSON.parse(readFileSync(new URL(`../../static/text/${file}.json`, import.meta.url), "utf-8"));

use("en", { ...read("en"), ...read("late/en") });
