"""Check the luck of a journal: python verify.py JOURNAL [COMMITMENT]. It needs nothing but Python 3.10."""

import hashlib
import hmac
import json
import sys
from pathlib import Path

RANGE = 2**64


def expected(key, stream, number, n):
    attempt = 0
    while 1 <= n <= RANGE:
        digest = hmac.digest(key, f"{stream}:{number}:{attempt}".encode(), "sha256")
        drawn = int.from_bytes(digest[:8], "big")
        if drawn < RANGE - RANGE % n:
            return drawn % n
        attempt += 1
    sys.exit(f"there is no picking among {n}")


journal = json.loads(Path(sys.argv[1]).read_text("utf-8"))
steps = [journal["setup"]] + [entry["picks"] for entry in journal["entries"]]
parts = journal.get("fairness") or sys.exit("this game was not served, so there is nothing to check")
if parts[0]["since"] != 0 or sys.argv[2:] not in ([], [parts[-1]["commitment"]]):
    sys.exit("this is not the luck that was promised")
for part, end in zip(parts, [later["since"] for later in parts[1:]] + [len(steps)], strict=True):
    secret, made = bytes.fromhex(part["secret"]), {"open": 0, "hidden": 0}
    if hashlib.sha256(secret).hexdigest() != part["commitment"]:
        sys.exit("the server's seed is not the one it was bound to")
    key = hmac.digest(secret, ",".join(part["seeds"]).encode(), "sha256")
    for step in range(part["since"], end):
        for pick in steps[step]:
            if pick["index"] != expected(key, pick["stream"], made[pick["stream"]], pick["n"]):
                sys.exit(f"step {step}: {pick['value']} does not follow from the seeds")
            made[pick["stream"]] += 1
    print(f"from step {part['since']}: {made}, all as {part['commitment']} and {part['seeds']} say")
