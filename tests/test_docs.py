"""What the documents say is so."""

import runpy
from pathlib import Path

from companion.cli import serve

DOCS = Path(__file__).parent.parent / "docs"


def test_the_table_of_steps_is_the_referees_own() -> None:
    written = runpy.run_path(str(DOCS / "steps.py"))["text"]()
    assert (DOCS / "steps.md").read_text("utf-8") == written, "run `python docs/steps.py`"


def test_every_setting_stands_in_the_readme() -> None:
    readme = (DOCS.parent / "README.md").read_text("utf-8")
    for option in serve.params:
        names = [
            *option.opts,
            *([option.envvar] if isinstance(option.envvar, str) else option.envvar),
        ]
        for name in names:
            assert f"`{name}`" in readme, f"README.md lacks {name}"
