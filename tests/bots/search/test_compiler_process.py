"""A compiling process exits with its parent, however the parent ends."""

import subprocess
import sys

PARENT = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", sys.argv[1]], stdin=subprocess.PIPE)
child.wait()
"""
CHILD = """
import time
from threading import Thread
from jamboree.bots.search.__main__ import exit_with_parent
Thread(target=exit_with_parent, daemon=True).start()
print("at work", flush=True)
time.sleep(300)
"""
LONGEST = 120


def test_the_compiler_exits_with_a_killed_server() -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT, CHILD], stdout=subprocess.PIPE)
    assert parent.stdout
    assert parent.stdout.readline() == b"at work\n"
    parent.kill()
    parent.communicate(timeout=LONGEST)  # the child holds the other end of the output until it is gone


def test_the_compiler_exits_silently_when_done() -> None:
    done_soon = CHILD.replace("time.sleep(300)", "time.sleep(0.2)")
    command = [sys.executable, "-c", done_soon]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=subprocess.DEVNULL, stderr=pipe) as child:
        assert child.wait(LONGEST) == 0
        assert child.stderr
        assert child.stderr.read() == b""
