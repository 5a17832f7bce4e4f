import { readFileSync } from "node:fs";

/** Return the texts of the variant's language file. Reads only lines such as `key = "…"`. */
export function readSentences(language) {
  const text = readFileSync(
    new URL(`../../variants/quarantined/${language}.toml`, import.meta.url),
    "utf-8",
  );
  const texts = {};
  let section = texts;
  for (const line of text.split("\n")) {
    const head = /^\[(.+)\]$/.exec(line)?.[1];
    if (head) section = head.split(".").reduce((into, key) => (into[key] ??= {}), texts);
    const said = /^"?([^"=]+?)"? = (".*")$/.exec(line);
    if (said) section[said[1]] = JSON.parse(said[2]);
    const [, word, other, letters] = /^(\w+) = \{ (\w+) = "(\w+)" \}$/.exec(line) ?? [];
    if (word) section[word] = { [other]: letters };
  }
  return texts;
}
