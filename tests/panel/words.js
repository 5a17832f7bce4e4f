/** The panel's English words, for the tests that read sentences. */
import { readFileSync } from "node:fs";
import { use } from "../../static/js/core/text.js";

use("en", JSON.parse(readFileSync(new URL("../../static/text/en.json", import.meta.url), "utf-8")));
