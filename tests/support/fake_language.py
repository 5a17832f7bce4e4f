"""Files of a third language: English with accented letters, under the code of German.

A text on the panel that has no accents therefore doesn't come from the language's files.
"""

import json
import re
import shutil
import string
import tomllib
from pathlib import Path
from typing import Any

from tests.support.paths import ROOT

CODE = "de"
MARKED = "áƀćđéƒǧĥíĵķĺɱńóṕɋŕśţúṽẃẋýźÁɃĆĐÉƑǦĤÍĴĶĹⱮŃÓṔɊŔŚŢÚṼẂẊÝŹ"
ACCENTS = str.maketrans(string.ascii_letters, MARKED)


def add_accents(sentence: Any) -> Any:
    """Return the sentence with accents, or a dict of sentences with accents. Names in braces stay
    unchanged."""
    if isinstance(sentence, dict):
        return {
            form: add_accents(text) if isinstance(text, str) else text
            for form, text in sentence.items()
        }
    parts = re.split(r"(\{[^{}]*\})", sentence)
    return "".join(_add_accents_to_part(part) for part in parts)


def _add_accents_to_part(part: str) -> str:
    if not part.startswith("{"):
        return part.translate(ACCENTS)
    name, _, forms = part[1:-1].partition(":")
    return f"{{{name}:{forms.translate(ACCENTS)}}}" if "|" in forms else part


def write_language(static: Path, variants: Path) -> None:
    """Write the language's files into copies of the panel's texts and of the variants."""
    shutil.copytree(ROOT / "static/text", static / "text")
    for file in static.rglob("en.json"):
        texts = json.loads(file.read_text("utf-8"))
        texts.pop("dates", None)
        unchanged = {key: texts.pop(key) for key in ("small",) if key in texts}
        accented = {key: add_accents(sentence) for key, sentence in texts.items()} | unchanged
        file.with_name(f"{CODE}.json").write_text(json.dumps(accented, ensure_ascii=False), "utf-8")
    shutil.copytree(ROOT / "variants", variants)
    for file in variants.rglob("en.toml"):
        accented = tomllib.loads(file.read_text("utf-8"))
        file.with_name(f"{CODE}.toml").write_text("\n".join(_to_toml(accented)), "utf-8")


def _to_toml(table: dict[str, Any], path: tuple[str, ...] = ()) -> list[str]:
    plain = {key: value for key, value in table.items() if not isinstance(value, dict)}
    values = plain if path[:1] == ("small",) else {key: add_accents(plain[key]) for key in plain}
    lines = [f"[{'.'.join(map(json.dumps, path))}]"] if path and plain else []
    lines += [f"{json.dumps(k)} = {json.dumps(v, ensure_ascii=False)}" for k, v in values.items()]
    inner = ((key, value) for key, value in table.items() if isinstance(value, dict))
    return [*lines, *(line for key, value in inner for line in _to_toml(value, (*path, key)))]


LIST_PAGE_TEXTS = """() => {
  const found = [];
  const both = NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT;
  const walk = document.createTreeWalker(document.body, both);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    if (node.nodeType === Node.TEXT_NODE) {
      if (!node.parentElement.closest("script, noscript, style, code")) found.push(node.data);
    } else
      for (const name of ["aria-label", "title", "placeholder", "alt"])
        if (node.hasAttribute(name)) found.push(node.getAttribute(name));
  }
  return [document.title, ...found];
}"""
"""JavaScript that lists the texts of a page, including those for screen readers."""


def unaccented_words(texts: list[str], known: set[str]) -> set[str]:
    """Return the words that have no accents, except words that occur in an entry of ``known``."""
    words = {word for text in texts for word in re.findall(r"[A-Za-z]{3,}", text)}
    return {word for word in words if not any(word in name for name in known)}
