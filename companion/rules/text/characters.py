"""The characters that a name or a remark may contain, and their count as a person sees it.

The results don't depend on the Unicode version of the running Python: newer emoji are accepted like
any other character. Only control characters, line separators, direction marks, private-use
characters and invisible characters are refused, because Unicode adds no characters for normal use
to these classes.
"""

import unicodedata

import regex

CLUSTERS = 24
"""Maximum number of characters (grapheme clusters) in a name, or in a card's own title."""
POINTS = 100  # maximum number of code points in such a name or title
WHY_NO_NAME = f"a name is 1 to {CLUSTERS} visible characters, {POINTS} code points at most"
_STACKED = 4  # maximum number of marks on one letter (UTS #39, 5.4); more would overlap other lines

_HIDDEN = (
    r"\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}"
    r"\p{Default_Ignorable_Code_Point}\u2800"
)
"""Invisible characters, and characters that look different from machine to machine. U+2800 is an
empty braille pattern."""
_PICTURE = r"\p{Extended_Pictographic}"
_TAG = r"[\U000E0020-\U000E007E]"
_SELECTOR = r"\p{Variation_Selector}"
_VIRAMA = r"(?<=\p{L}\p{M}*\p{ccc=9}\p{M}*)"

_hidden = regex.compile(f"[{_HIDDEN}]")
_harmful = regex.compile(rf"(?![\u200c\u200d\U000e0020-\U000e007f\p{{M}}])[{_HIDDEN}]")
_joining = regex.compile(
    rf"""
    # Contexts A1, A2 and B of UAX #31: between letters of scripts that need joiners.
    (?<=[\p{{jt=L}}\p{{jt=D}}]\p{{jt=T}}*) \u200C (?=\p{{jt=T}}*[\p{{jt=R}}\p{{jt=D}}])
    | {_VIRAMA} \u200C (?=\p{{M}}*\p{{L}})
    | {_VIRAMA} \u200D (?!\p{{InSC=Vowel_Dependent}})
    # In emoji, after a character whose form they select, and in the flags of regions.
    | (?<={_PICTURE}(?:{_SELECTOR}|\p{{Emoji_Modifier}})*) \u200D (?={_PICTURE})
    | (?<=[^\s{_HIDDEN}]) {_SELECTOR}
    | (?<=\U0001F3F4{_TAG}*) {_TAG} (?={_TAG}*\U000E007F)
    | (?<=\U0001F3F4{_TAG}+) \U000E007F
    """,
    regex.VERBOSE,
)
_shape = regex.compile(rf"[^\s\p{{M}}{_HIDDEN}]")
_pile = regex.compile(rf"(?:(?!{_SELECTOR})[\p{{Mn}}\p{{Me}}]){{{_STACKED + 1}}}")


def trim_visible_text(text: str) -> str | None:
    """Return the text trimmed and composed (NFC), or None if that isn't 1 to 24 visible
    characters."""
    trimmed = unicodedata.normalize("NFC", text).strip()
    if len(trimmed) > POINTS or not _shape.search(trimmed) or _pile.search(trimmed):
        return None
    if _hidden.search(_joining.sub("", trimmed)):
        return None
    return trimmed if count_clusters(trimmed) <= CLUSTERS else None


def count_clusters(text: str) -> int:
    """Return the number of characters in the text as a person counts them."""
    return sum(1 for _ in regex.finditer(r"\X", text))


def is_harmless(text: str) -> bool:
    """Return True if the text is visible, and doesn't hide or reorder the text around it.

    Unlike ``trim_visible_text``, this allows joiners and marks anywhere.
    """
    return bool(_shape.search(text)) and not _harmful.search(text)


def is_readable(name: str) -> bool:
    """Return True if a name from the database can be shown.

    Unlike ``trim_visible_text``, this accepts every name that an earlier version of this program
    accepted on any version of Python. It rejects a name that is too long, or that would hide or
    reorder the text around it.
    """
    is_short = len(name) <= POINTS and count_clusters(name) <= CLUSTERS
    return is_short and name == name.strip() and is_harmless(name)


def without_joiners(text: str) -> str:
    """Return the text without invisible characters, for comparisons."""
    return str(_hidden.sub("", text))
