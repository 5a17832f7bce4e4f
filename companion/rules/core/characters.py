"""Characters that a name or a remark may hold, and how many of them a person sees.

Nothing here rests on which characters the running Python knows: an emoji that is newer than its
tables is a character like any other. What is refused are kinds that Unicode never adds to in use:
controls, ends of lines, marks that turn the direction, private characters, what nobody sees."""

import unicodedata

import regex

CLUSTERS = 24
"""Characters as a person counts them (grapheme clusters) in a name, or in a card's own title."""
POINTS = 100  # Unicode's code points in the same text
WHY_NO_NAME = f"a name is 1 to {CLUSTERS} visible characters, {POINTS} code points at most"
_STACKED = 4  # marks on one letter, as UTS #39 (5.4) bounds them: more reach into other lines

_HIDDEN = (
    r"\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}"
    r"\p{Default_Ignorable_Code_Point}\u2800"
)
"""Without a shape, or with one that each machine draws as it likes. U+2800 is braille's blank."""
_PICTURE = r"\p{Extended_Pictographic}"
_TAG = r"[\U000E0020-\U000E007E]"
_SELECTOR = r"\p{Variation_Selector}"
_VIRAMA = r"(?<=\p{L}\p{M}*\p{ccc=9}\p{M}*)"

_hidden = regex.compile(f"[{_HIDDEN}]")
_harmful = regex.compile(rf"(?![\u200c\u200d\U000e0020-\U000e007f\p{{M}}])[{_HIDDEN}]")
_joining = regex.compile(
    rf"""
    # In UAX #31's contexts A1, A2 and B: between letters of scripts that are written with them.
    (?<=[\p{{jt=L}}\p{{jt=D}}]\p{{jt=T}}*) \u200C (?=\p{{jt=T}}*[\p{{jt=R}}\p{{jt=D}}])
    | {_VIRAMA} \u200C (?=\p{{M}}*\p{{L}})
    | {_VIRAMA} \u200D (?!\p{{InSC=Vowel_Dependent}})
    # In pictures, after a letter whose form they choose, and in the flags of regions.
    | (?<={_PICTURE}(?:{_SELECTOR}|\p{{Emoji_Modifier}})*) \u200D (?={_PICTURE})
    | (?<=[^\s{_HIDDEN}]) {_SELECTOR}
    | (?<=\U0001F3F4{_TAG}*) {_TAG} (?={_TAG}*\U000E007F)
    | (?<=\U0001F3F4{_TAG}+) \U000E007F
    """,
    regex.VERBOSE,
)
_shape = regex.compile(rf"[^\s\p{{M}}{_HIDDEN}]")
_pile = regex.compile(rf"(?:(?!{_SELECTOR})[\p{{Mn}}\p{{Me}}]){{{_STACKED + 1}}}")


def visible(text: str) -> str | None:
    """Returns the text trimmed and composed, or None if it isn't 1 to 24 visible characters."""
    trimmed = unicodedata.normalize("NFC", text).strip()
    if len(trimmed) > POINTS or not _shape.search(trimmed) or _pile.search(trimmed):
        return None
    if _hidden.search(_joining.sub("", trimmed)):
        return None
    return trimmed if clusters(trimmed) <= CLUSTERS else None


def clusters(text: str) -> int:
    """Returns how many characters a person counts in the text."""
    return sum(1 for _ in regex.finditer(r"\X", text))


def harmless(text: str) -> bool:
    """Returns True if the text has something to see, and hides and turns nothing around it.

    Joiners and marks may stand anywhere."""
    return bool(_shape.search(text)) and not _harmful.search(text)


def readable(name: str) -> bool:
    """Returns True for each stored name that any version of this program, on any Python, accepted,
    and for no name that is too long, or hides or turns what is around it."""
    short = len(name) <= POINTS and clusters(name) <= CLUSTERS
    return short and name == name.strip() and harmless(name)


def without_joiners(text: str) -> str:
    """Returns the text without characters that nobody sees, for comparing."""
    return str(_hidden.sub("", text))
