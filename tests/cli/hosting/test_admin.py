"""`jamboree admin` and `jamboree doctor` against a running server."""

import asyncio
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from jamboree.cli import app
from jamboree.cli.hosting.http_client import _decode
from jamboree.server.store.store import Store
from tests.server.bench.online import ADMIN_TOKEN, HOST, Online, online


async def run(server: Online, *words: str, token: str = ADMIN_TOKEN) -> Result:
    command = [*words, "--url", f"http://{HOST}:{server.port}"]
    return await asyncio.to_thread(CliRunner().invoke, app, ["admin", *command], env={"JAMBOREE_ADMIN_TOKEN": token})


async def test_a_server_is_inspected_and_controlled(store: Store) -> None:
    async with online(store) as server:
        code = (await server.seated())[0]["table"]
        assert "tables       1" in (await run(server, "load")).output
        assert f"{code}  high-card  playing" in (await run(server, "tables")).output
        assert (await run(server, "close", code, "--reason", "Bedtime.")).output == f"{code} is closed.\n"
        assert "closed" in (await run(server, "tables")).output
        assert (await run(server, "bans")).output == "No address is banned.\n"
        assert (await run(server, "ban", "192.0.2.7", "--note", "floods")).exit_code == 0
        assert (await run(server, "bans")).output.startswith("192.0.2.7/32 until ")
        assert (await run(server, "lift", "192.0.2.7")).exit_code == 0


@pytest.mark.parametrize("text", [b"{", b"[" * 100_000, b"\xff"], ids=["cut", "deep", "no text"])
def test_an_unparsable_body_is_ignored(text: bytes) -> None:
    assert _decode(text) is None


async def test_a_server_is_found_through_its_own_settings_file(store: Store, tmp_path: Path) -> None:
    """The commands read the address from the settings file of the server."""
    async with online(store) as server:
        file = tmp_path / "jamboree.toml"
        file.write_text(f'host = "0.0.0.0"\nport = {server.port}\nadmin-token = "{ADMIN_TOKEN}"\n')
        file.chmod(0o600)
        result = await asyncio.to_thread(CliRunner().invoke, app, ["admin", "load", "--config", str(file)])
        assert (result.exit_code, "tables       0" in result.output) == (0, True), result.output


async def test_errors_are_sentences(store: Store) -> None:
    async with online(store) as server:
        stranger = await run(server, "load", token="a-token-nobody-knows")
        assert (stranger.exit_code, "has no admin token, or a different one" in stranger.output) == (2, True)
        assert "needs the server's admin token" in (await run(server, "load", token="")).output
        assert "There is no such table" in (await run(server, "close", "nowhere")).output
        assert "is not a table code" in (await run(server, "close", "../load")).output
        assert "This would ban you" in (await run(server, "ban", HOST)).output
        assert "is not an IP address or network" in (await run(server, "ban", "attic")).output
    gone = await run(server, "load")
    assert (gone.exit_code, "can't be reached" in gone.output) == (2, True)


async def test_the_doctor_recognizes_a_running_server_and_its_proxy(store: Store) -> None:
    async with online(store) as server:
        url = f"http://{HOST}:{server.port}"
        command = ["doctor", "--db", "/nowhere.db", "--port", str(server.port), "--public-url", url]
        result = await asyncio.to_thread(CliRunner().invoke, app, command, env={"JAMBOREE_ADMIN_TOKEN": ADMIN_TOKEN})
        assert f"A server is running at port {server.port} and is ready." in result.output
        assert f"{url} leads to a Jamboree server." in result.output
        assert "There is no proxy in front of the server." in result.output
        store.health.stop("the disk is full")
        result = await asyncio.to_thread(CliRunner().invoke, app, command)
        assert "Something is wrong with the tables" in result.output
