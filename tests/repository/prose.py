"""Find signs of odd English in docstrings, comments, names and pages.

    python -m tests.repository.prose [FOLDER ...]
        share of each marker, folder by folder
    python -m tests.repository.prose --list [FOLDER ...]
        every text and name with a marker, and its place

Each marker is a habit that makes a sentence hard to read:

- *relative*: a docstring or comment begins with What, Who, Whether, Where, How … instead of a verb
  or a noun. Instead of "Whether somebody may Nope", write "Return True if any living player can
  still Nope".
- *speech*: say, tell or hear in a text about programs. Clients send and receive; players say and
  tell, so a few of these words are right.
- *whoever*: whoever or whatever, where a noun would name the actor.
- *measure*: so many, so long, so often or so much as a measure.
- *participle*: a function named by one bare participle, as ``told`` or ``kept``.
- *packed*: an assignment that packs unrelated values into a tuple.

The limits are shares in per cent. h11, python-chess, datasette, Flask and Starlette are at 0 to 1 %
for each marker. A text can pass all of them and still be odd: read it aloud, too.
"""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from tests.support.paths import ROOT

FOLDERS = (
    "companion", "static/js", "tests", "tools", "docs", "README.md", ".github/CONTRIBUTING.md",
)  # fmt: skip
SKIPPED = {"vendor", "lean", "node_modules", ".venv", "__pycache__"}

MARKERS = {
    "relative": re.compile(
        r"(What|Who|Whoever|Whatever|Whom|Whose|Whether|Where|How|Why|When|Which)\b"
    ),
    "speech": re.compile(r"(?i).*\b(says?|said|tells?|told|hears?|heard)\b", re.DOTALL),
    "whoever": re.compile(r"(?i).*\b(whoever|whatever)\b", re.DOTALL),
    "measure": re.compile(r"(?i).*\bso (many|long|often|much)\b", re.DOTALL),
}
LIMITS = {
    "relative": 2.0,
    "speech": 4.0,
    "whoever": 0.5,
    "measure": 0.5,
    "participle": 2.0,
    "packed": 1.0,
}
"""For each marker, the largest permitted share of a folder's texts, names or assignments, in per
cent."""

PARTICIPLE = re.compile(
    r"_?(told|said|laid|made|kept|shown|opened|heard|known|found|given|taken|seen|sent|asked|tried"
    r"|gone|read|drawn|dealt|lost|meant|held|left|put|set|worn|spoken|written|born|done|begun|come"
    r"|brought|[a-z]{3,}ed)"
)
NO_PARTICIPLES = set("bed embed exceed feed need proceed red seed shed speed".split())
PRAGMA = re.compile(r"#\s*(noqa|type:|fmt:|pragma|!)")
JSDOC_TAG = re.compile(r"@(?:param|returns|type|import|typedef|template)\b")


class Text(NamedTuple):
    """A docstring, comment, name or assignment, with its place in the repository."""

    place: str
    """``path:line``, relative to the repository."""
    kind: str
    """``text``, ``name`` or ``assignment``."""
    content: str
    """The text or name itself. For an assignment, ``packed`` or an empty string."""


def python_texts(path: Path) -> Iterator[Text]:
    """Yield a Python module's docstrings, comments, function names and assignments.

    A string under a variable or field counts as its docstring.
    """
    source = path.read_text("utf-8")
    for node in ast.walk(ast.parse(source)):
        documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        if isinstance(node, documented) and (docstring := ast.get_docstring(node)):
            line = getattr(node, "lineno", 1)
            yield Text(format_place(path, line), "text", " ".join(docstring.split()))
        for line, docstring in attribute_docstrings(node):
            yield Text(format_place(path, line), "text", " ".join(docstring.split()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield Text(format_place(path, node.lineno), "name", node.name)
        if isinstance(node, ast.Assign):
            kind = "packed" if unpacks_tuple(node) else ""
            yield Text(format_place(path, node.lineno), "assignment", kind)
    yield from python_comments(path, source)


def python_comments(path: Path, source: str) -> Iterator[Text]:
    """Yield a module's comments. Comments on successive lines form one text."""
    block: list[tokenize.TokenInfo] = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT or PRAGMA.match(token.string):
            continue
        is_alone = token.line.lstrip().startswith("#")
        last = block[-1] if block else None
        continues = last and is_alone and token.start == (last.start[0] + 1, last.start[1])
        if block and not (continues and block[0].line.lstrip().startswith("#")):
            yield comment_text(path, block)
            block = []
        block.append(token)
    if block:
        yield comment_text(path, block)


def comment_text(path: Path, block: list[tokenize.TokenInfo]) -> Text:
    """Return successive comments as one text."""
    content = " ".join(token.string.lstrip("# ").strip() for token in block)
    return Text(format_place(path, block[0].start[0]), "text", content)


def attribute_docstrings(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the strings under the variables and fields of a module, class or function."""
    if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
        return
    for before, statement in pairwise(node.body):
        if isinstance(before, ast.Assign | ast.AnnAssign):
            match statement:
                case ast.Expr(value=ast.Constant(value=str() as docstring)):
                    yield statement.lineno, docstring


def unpacks_tuple(node: ast.Assign) -> bool:
    """Return True if the assignment unpacks a tuple of values into a tuple of targets."""
    target = node.targets[0]
    value = node.value
    return isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) > 1


def javascript_texts(path: Path) -> Iterator[Text]:
    """Yield a JavaScript module's doc comments, line comments and function names."""
    source = path.read_text("utf-8")
    for match in re.finditer(r"/\*\*(.*?)\*/", source, re.DOTALL):
        text = JSDOC_TAG.split(re.sub(r"\n\s*\*", " ", match[1]))[0]
        if len(text.strip()) > 5:
            yield Text(format_place_at(path, source, match.start()), "text", " ".join(text.split()))
    for match in re.finditer(r"(?m)^[ \t]*// ?.+(?:\n[ \t]*// ?.+)*|(?<=\s)// ?.+", source):
        text = " ".join(line.strip().lstrip("/ ") for line in match[0].splitlines())
        if not text.startswith("@"):
            yield Text(format_place_at(path, source, match.start()), "text", text)
    comments = re.compile(r"/\*.*?\*/|(?<=\s)//[^\n]*", re.DOTALL)
    source = comments.sub(lambda match: "\n" * match[0].count("\n"), source)
    for pattern in (r"\bfunction\*?\s+(\w+)", r"\bconst (\w+) = (?:async )?\("):
        for match in re.finditer(pattern, source):
            yield Text(format_place_at(path, source, match.start()), "name", match[1])


def markdown_texts(path: Path) -> Iterator[Text]:
    """Yield the sentences, table cells and list items of a page, without its code blocks."""
    source = path.read_text("utf-8")
    blank = re.sub(
        r"```.*?```", lambda block: re.sub(r"[^\n]", " ", block[0]), source, flags=re.DOTALL
    )
    start = 0
    for end in [*(match.end() for match in re.finditer(r"(?<=[.:;|])\s+|\n\n", blank)), len(blank)]:
        text = blank[start:end].strip()
        if len(text) > 20:
            yield Text(format_place_at(path, blank, start), "text", text)
        start = end


def format_place(path: Path, line: int) -> str:
    """Return ``path:line``, relative to the repository."""
    return f"{shorten_path(path)}:{line}"


@cache
def shorten_path(path: Path) -> Path:
    """Return the path relative to the repository."""
    return path.resolve().relative_to(ROOT)


def format_place_at(path: Path, source: str, offset: int) -> str:
    """Return ``path:line`` of a character in the file's text."""
    return format_place(path, source.count("\n", 0, offset) + 1)


READERS = {".py": python_texts, ".js": javascript_texts, ".md": markdown_texts}


def texts_in(folder: str) -> Iterator[Text]:
    """Yield all texts of a folder or file, given relative to the repository."""
    place = ROOT / folder
    for path in [place] if place.is_file() else sorted(place.rglob("*")):
        if path.suffix in READERS and not SKIPPED & set(path.parts):
            yield from READERS[path.suffix](path)


def find_markers(text: Text) -> Iterator[str]:
    """Yield the markers that a text, name or assignment has."""
    if text.kind == "name":
        if PARTICIPLE.fullmatch(text.content) and text.content.lstrip("_") not in NO_PARTICIPLES:
            yield "participle"
    elif text.kind == "assignment":
        if text.content:
            yield "packed"
    else:
        yield from (name for name, pattern in MARKERS.items() if pattern.match(text.content))


def measure_shares(texts: Iterable[Text]) -> dict[str, float]:
    """Return, for each marker, the share of texts, names or assignments that have the marker, in
    per cent."""
    counts = dict.fromkeys(LIMITS, 0)
    totals = {"text": 0, "name": 0, "assignment": 0}
    for text in texts:
        totals[text.kind] += 1
        for marker in find_markers(text):
            counts[marker] += 1
    kinds = {"participle": "name", "packed": "assignment"}
    return {
        marker: 100 * count / max(1, totals[kinds.get(marker, "text")])
        for marker, count in counts.items()
    }


def main(arguments: list[str]) -> int:
    """Print the shares, or every text with a marker if ``--list`` is given. Returns 1 if a share is
    over its limit."""
    folders = [argument for argument in arguments if argument != "--list"] or list(FOLDERS)
    over = False
    for folder in folders:
        texts = [*texts_in(folder)]
        if "--list" in arguments:
            for text in texts:
                if markers := [*find_markers(text)]:
                    print(f"{text.place}: {', '.join(markers)}: {text.content[:160]}")
        folder_shares = measure_shares(texts)
        over |= any(folder_shares[marker] > limit for marker, limit in LIMITS.items())
        print(
            f"{folder:16}"
            + "  ".join(f"{name} {share:.1f} %" for name, share in folder_shares.items())
        )
    return int(over)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
