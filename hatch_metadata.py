"""What an index shows of the project: its addresses, and the README with links that work there.

Where it is published from is not known in a clone: the release says it in ``SOURCE_URL`` (the
repository's page). Without it there are no addresses, and the README stays as it is.
"""

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

ELSEWHERE = re.compile(r"https?:|#|mailto:")


class Page(MetadataHookInterface):
    """Fills in ``urls`` and ``readme``."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Sets both in the project's metadata."""
        source = os.environ.get("SOURCE_URL", "").rstrip("/")
        readme = (Path(self.root) / "README.md").read_text("utf-8")
        metadata["urls"] = addresses(source) if source else {}
        text = absolute(readme, f"{source}/raw/HEAD", f"{source}/blob/HEAD") if source else readme
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def addresses(source: str) -> dict[str, str]:
    """The project's addresses, by the names that an index knows."""
    pages = {"Changelog": "CHANGELOG.md", "Documentation": "docs/index.md"}
    links = {name: f"{source}/blob/HEAD/{page}" for name, page in pages.items()}
    return {"Homepage": source, "Source": source, "Issues": f"{source}/issues", **links}


def absolute(readme: str, raw: str, pages: str) -> str:
    """The README with whole addresses: of pictures below ``raw``, of pages below ``pages``."""

    def picture(found: re.Match[str]) -> str:
        return f'src="{raw}/{found[1]}"'

    def page(found: re.Match[str]) -> str:
        return found[0] if ELSEWHERE.match(found[1]) else f"]({pages}/{found[1]})"

    return re.sub(r"\]\(([^)\s]+)\)", page, re.sub(r'src="(?!https?:)([^"]+)"', picture, readme))
