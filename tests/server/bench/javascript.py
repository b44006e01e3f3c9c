"""Runs JavaScript in Node: the browser's own code, and JavaScript's own numbers, for comparison."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec

NODE = Path(sys.executable).parent / "node"
DIFFERENCE = Path(__file__).parents[3] / "web" / "src" / "net" / "delta.ts"
READ = 'const given = JSON.parse((await import("node:fs")).readFileSync(0, "utf8"));'


def evaluated(script: str, given: Any) -> Any:
    """Run a module that reads `given` and prints JSON; return the output."""
    command = [str(NODE), "--input-type=module", "--eval", READ + script]
    done = subprocess.run(command, input=msgspec.json.encode(given), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return msgspec.json.decode(done.stdout)
