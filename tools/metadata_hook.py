"""The metadata hook: the project's URLs, and a README whose links work on a package index.

The release sets the environment variable ``SOURCE_URL`` to the URL of the repository's page, which
a clone doesn't know. Without the variable there are no URLs, and the README isn't changed.

hatch-fancy-pypi-readme can't do this: its substitutions know only the project's name and version.
"""

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

ELSEWHERE = re.compile(r"https?:|#|mailto:")


class Page(MetadataHookInterface):
    """Sets ``urls`` and ``readme`` in the project's metadata."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set both fields; hatchling calls this."""
        source = os.environ.get("SOURCE_URL", "").rstrip("/")
        readme = (Path(self.root) / "README.md").read_text("utf-8")
        metadata["urls"] = project_urls(source) if source else {}
        text = (
            with_absolute_urls(readme, f"{source}/raw/HEAD", f"{source}/blob/HEAD")
            if source
            else readme
        )
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def project_urls(source: str) -> dict[str, str]:
    """Return the project's URLs, with the labels that a package index knows."""
    pages = {"Changelog": "CHANGELOG.md", "Documentation": "docs/index.md"}
    links = {name: f"{source}/blob/HEAD/{page}" for name, page in pages.items()}
    return {"Homepage": source, "Source": source, "Issues": f"{source}/issues", **links}


def with_absolute_urls(readme: str, raw: str, pages: str) -> str:
    """Return the README with absolute URLs: pictures are below ``raw``, pages below ``pages``."""

    def rewrite_picture(match: re.Match[str]) -> str:
        return f'src="{raw}/{match[1]}"'

    def rewrite_link(match: re.Match[str]) -> str:
        return match[0] if ELSEWHERE.match(match[1]) else f"]({pages}/{match[1]})"

    return re.sub(
        r"\]\(([^)\s]+)\)",
        rewrite_link,
        re.sub(r'src="(?!https?:)([^"]+)"', rewrite_picture, readme),
    )
