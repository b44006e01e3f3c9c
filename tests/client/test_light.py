"""The client imports the wire protocol and nothing else of the server."""

import subprocess
import sys

HEAVY = {"apsw", "psycopg", "litestar"}
LOADED = "import sys, jamboree.client; print(*sys.modules)"


def test_the_client_imports_only_the_protocol_of_the_server() -> None:
    loaded = subprocess.run([sys.executable, "-c", LOADED], check=True, capture_output=True, text=True).stdout.split()
    of_server = [name for name in loaded if name.startswith("jamboree.server.")]
    assert "jamboree.server.protocol.wire" in of_server
    assert [name for name in of_server if not f"{name}.".startswith("jamboree.server.protocol.")] == []
    assert HEAVY.isdisjoint(name.partition(".")[0] for name in loaded)
