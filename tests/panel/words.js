/** Loads the panel's English texts, for tests that check sentences. */
import { readFileSync } from "node:fs";
import { useWords } from "../../static/js/core/text.js";

/** @param {string} file */
const readJson = (file) =>
  JSON.parse(readFileSync(new URL(`../../static/text/${file}.json`, import.meta.url), "utf-8"));

useWords("en", { ...readJson("en"), ...readJson("late/en") });
