"""`make run`: starts a server from a checkout, and installs numba for the strong bots once it is up.

The server offers the strong bots as soon as numba is installed, without a restart.
"""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from threading import Thread
from types import FrameType

ROOT = Path(__file__).resolve().parents[1]
SERVER = Path(sys.executable).with_name("jamboree")
INSTALL = ("nice", "make", "--no-print-directory", "--silent", "fast")
FAILED = "numba could not be installed, so there are no strong bots. `make fast` tries again."


def main() -> int:
    server = subprocess.Popen([SERVER, "serve", *sys.argv[1:]], stdout=subprocess.PIPE, text=True)

    def forward(number: int, frame: FrameType | None) -> None:
        server.send_signal(number)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, forward)
    installation = None
    assert server.stdout
    for line in server.stdout:  # the first line means that the server is up
        print(line, end="", flush=True)
        installation = installation or install()
    code = server.wait()
    if installation:
        end(installation)
    return code


def install() -> "subprocess.Popen[bytes]":
    """Install in the background, in a process group of its own so that all of it can be ended."""
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS")}
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(INSTALL, cwd=ROOT, env=environment, start_new_session=True, **quiet)
    Thread(target=report, args=(process,), daemon=True).start()
    return process


def report(process: "subprocess.Popen[bytes]") -> None:
    if process.wait() > 0:  # negative if `end` killed it
        print(FAILED, file=sys.stderr, flush=True)


def end(process: "subprocess.Popen[bytes]") -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)


if __name__ == "__main__":
    sys.exit(main())
