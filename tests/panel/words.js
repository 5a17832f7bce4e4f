/** Loads the panel's English texts, for tests that check sentences. */
import { readFileSync } from "node:fs";
import { setSentences } from "../../static/js/core/text.js";

/** @param {string} file */
const readJson = (file) =>
  JSON.parse(readFileSync(new URL(`../../static/text/${file}.json`, import.meta.url), "utf-8"));

setSentences("en", { ...readJson("en"), ...readJson("late/en") });
