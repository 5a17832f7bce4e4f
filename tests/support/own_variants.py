"""The program's own variants. Each is loaded once in a process, since many modules need them."""

from functools import cache

from companion.rules.families import load
from companion.rules.variants.variant import Variant
from tests.support.paths import ROOT

FOLDER = ROOT / "variants"


@cache
def load_own(name: str) -> Variant:
    """Return the program's variant in the folder of this name."""
    variant: Variant = load(FOLDER / name)
    return variant


def load_all_own() -> dict[str, Variant]:
    """Return all variants of the program, each under its id."""
    names = sorted(file.parent.name for file in FOLDER.glob("*/variant.toml"))
    return {name: load_own(name) for name in names}
