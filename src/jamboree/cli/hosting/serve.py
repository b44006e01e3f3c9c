"""`jamboree serve`: runs the server, as one process or several."""

from functools import partial
from typing import Any
from urllib.parse import urlsplit

import typer

from .configuration import Configuration, apply_cache_setting, configuration, with_settings


@with_settings()
def serve(**flags: Any) -> None:
    """Run a server for live tables and the web client."""
    from jamboree.server.serve import Settings
    from jamboree.server.serve import serve as run

    configured = configuration(flags)
    apply_cache_setting(configured)
    settings = Settings(
        database=configured["db"],
        host=configured["host"],
        port=configured["port"],
        public_url=configured["public-url"],
        forget_after_days=configured["forget-after"],
        trusted_proxies=configured["trust-proxy"],
        metrics_token=configured["metrics-token"],
        admin_token=configured["admin-token"],
        log_format=configured["log-format"],
        log_level=configured["log-level"],
        telemetry=configured["telemetry"] == "on",
        node=configured["node"],
        node_address=configured["node-address"],
        node_lease=configured["node-lease"],
        get_ready=True,
    )
    if configured["processes"] > 1:
        from jamboree.server.processes import serve_with_processes

        serve_with_processes(settings, configured["processes"], partial(_announce, configured))
    else:
        run(settings, partial(_announce, configured))


def _announce(settings: Configuration, address: str) -> None:
    typer.echo(f"Tables are open at {address}")  # programs read the address from the end of this line
    typer.echo("Open this address in a browser. Ctrl+C stops the server.")
    if not settings["public-url"] and urlsplit(address).hostname in ("127.0.0.1", "localhost", "::1"):
        typer.echo("Only this machine can reach the server; `jamboree serve --host 0.0.0.0` opens it to the network.")
