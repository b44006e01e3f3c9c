"""Smoke-test the lowest dependency versions that pyproject.toml allows: `make lowest`.

Every direct dependency of the extras is installed in its lowest allowed version, in a separate environment. There every
module is imported, bots play each game (one of them searches, which is compiled first), and two programs play a game at
a server.
"""

import os
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
UV = Path(sys.executable).with_name("uv")
EXTRAS = ("client", "fast", "telemetry", "rate")  # all but Ray, which takes up 200 MB
TIMEOUT = 900  # seconds for one step

IMPORTS = """
import importlib, pkgutil, jamboree
for module in pkgutil.walk_packages(jamboree.__path__, "jamboree."):
    if not module.name.endswith("__main__") and not module.name.endswith(("fast.gpu", "pgx_baseline")):
        importlib.import_module(module.name)
"""

TELEMETRY = """
from jamboree.server import telemetry
telemetry.switch_on(telemetry._provider())
with telemetry.span("smoke"):
    pass
telemetry.switch_off()
"""

ONLINE = """
import asyncio, random, sys
from jamboree.client import Client, play

class Anything:
    def choose(self, view, offers):
        return random.choice(list(offers)).action

async def main(url):
    async with Client(url) as client:
        ada = await client.open("bpm", 2, "Ada")
        bob = await client.join(ada.table, "Bob")
        async with client.connect(ada) as one, client.connect(bob) as two:
            await client.start(ada)
            await asyncio.gather(play(one, Anything()), play(two, Anything()))
            assert one.position.outcome and one.position.outcome == two.position.outcome

asyncio.run(main(sys.argv[1]))
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        pinned, venv = root / "lowest.txt", root / "venv"
        extras = [word for extra in EXTRAS for word in ("--extra", extra)]
        lowest = ("--resolution", "lowest-direct", "--no-annotate", "--no-header", "--output-file", pinned)
        step("resolve", UV, "pip", "compile", "--quiet", "pyproject.toml", *extras, *lowest)
        print(pinned.read_text(), end="")
        builder = root / "builder" / "bin" / "python"
        requires = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
        step("make an environment for the build", UV, "venv", "--quiet", "--python", sys.executable, root / "builder")
        tools = ("--resolution", "lowest-direct", *requires)
        step("install the lowest build tools", UV, "pip", "install", "--quiet", "--python", builder, *tools)
        step("build", builder, "-m", "hatchling", "build", "-t", "wheel", "-d", root)
        (wheel,) = root.glob("*.whl")
        step("make an environment", UV, "venv", "--quiet", "--python", sys.executable, venv)
        python = venv / "bin" / "python"
        install = (UV, "pip", "install", "--quiet", "--python", python)
        step("install the lowest versions", *install, "--requirements", pinned)
        step("install jamboree", *install, "--no-deps", wheel)
        os.environ["JAMBOREE_CACHE"] = str(root / "cache")
        step("import everything", python, "-c", IMPORTS)
        step("send spans", python, "-c", TELEMETRY)
        jamboree = venv / "bin" / "jamboree"
        for words in ("--help", "play --help", "serve --help", "games"):
            step(f"jamboree {words}", jamboree, *words.split())
        for game in ("bebop", "bpm"):
            step(f"let bots play {game}", jamboree, "play", game, "--auto", "--seed", "1", "--bots", "regular")
        step("compile and let bots search", jamboree, "play", "boogie", "--auto", "--seed", "1", "--bots", "sharp")
        step("rate bots", jamboree, "rate", "boogie", "--levels", "rookie,regular", "--games", "2", cwd=root)
        step("play at a server", python, "-c", ONLINE, server=jamboree, database=root / "tables.db")
    print("The lowest versions work.")


def step(
    name: str, *command: object, cwd: Path = ROOT, server: Path | None = None, database: Path | None = None
) -> None:
    """Run a command, if requested next to a server whose URL it gets; exit if it fails."""
    print(f"{name} …", flush=True)
    started = time.perf_counter()
    words = [str(word) for word in command]
    serving = None
    if server:
        serve = [str(server), "serve", "--port", "0", "--db", str(database)]
        serving = subprocess.Popen(serve, stdout=subprocess.PIPE, text=True)
        assert serving.stdout
        words.append(serving.stdout.readline().split()[-1])
    try:
        done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    finally:
        if serving:
            serving.terminate()
            serving.wait(30)
    if done.returncode:
        sys.exit(f"{done.stdout[-2000:]}{done.stderr[-4000:]}\nFailed: {name}.")
    print(f"{name}: {time.perf_counter() - started:.1f} s", flush=True)


if __name__ == "__main__":
    main()
