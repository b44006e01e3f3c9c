"""The configurations of deploy/ for nginx and HAProxy, run by the real programs with a certificate of their own."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from jamboree.server.serve import free_port
from tests.debian import found_or_installed
from tests.server.bench.online import HOST
from tests.server.edge.proxies import wait_for

DEPLOY = Path(__file__).parents[2] / "deploy"
AROUND = """
daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log; worker_processes 1;
events {{ worker_connections 512; }}
http {{
  access_log off; client_body_temp_path {folder}; proxy_temp_path {folder};
  fastcgi_temp_path {folder}; uwsgi_temp_path {folder}; scgi_temp_path {folder};
  {inside}
}}
"""
A_SITE = "server {{ listen 443 ssl; ssl_certificate x; ssl_certificate_key x; {inside} }}"


class Front(NamedTuple):
    """A proxy that runs: its ports, and the certificate by which it is known."""

    port: int
    plain: int
    pem: Path


def certificate(folder: Path, name: str) -> Path:
    """Make a certificate that is good for the name alone, with its key in the same file."""
    key, pem = folder / "key.pem", folder / "cert.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}"]
    more = ["-addext", f"subjectAltName=DNS:{name}", "-keyout", str(key), "-out", str(pem)]
    subprocess.run([*command, *more], capture_output=True, timeout=60, check=True)
    both = folder / "both.pem"
    both.write_text(pem.read_text() + key.read_text())
    return both


@contextmanager
def in_front(
    name: str, file: str, server: int | dict[str, int], folder: Path, host: str, port: int | None = None
) -> Iterator[Front]:
    """Run a proxy with one of our configurations, with only its ports, folders and certificate changed.

    With several servers, each has the address that it has in the file.
    """
    program = found_or_installed(lambda: shutil.which(name) or shutil.which(name, path="/usr/sbin"), name)
    front = Front(port or free_port(HOST, 0), free_port(HOST, 0), certificate(folder, host))
    settings = folder / f"{name}.conf"
    servers = {"127.0.0.1:8300": server} if isinstance(server, int) else server
    settings.write_text(_configured(name, file, servers, folder, front))
    command = [program, *({"nginx": ["-c"], "haproxy": ["-db", "-f"]}[name]), str(settings)]
    running = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        wait_for(front.port)
        yield front
    finally:
        running.terminate()
        running.wait(30)


def _configured(name: str, file: str, servers: dict[str, int], folder: Path, front: Front) -> str:
    text = (DEPLOY / name / file).read_text(encoding="utf-8")
    for address, port in servers.items():
        text = text.replace(address, f"{HOST}:{port}")
    if name == "haproxy":
        certified = re.sub(r"crt \S+", f"crt {front.pem}", text)
        return certified.replace("bind :443", f"bind {HOST}:{front.port}").replace(
            "bind :80", f"bind {HOST}:{front.plain}"
        )
    inside = text if re.search(r"^server {", text, re.MULTILINE) else A_SITE.format(inside=text)
    inside = re.sub(r"(ssl_certificate(?:_key)?)\s+\S+;", rf"\1 {front.pem};", inside)
    inside = inside.replace("listen 443", f"listen {HOST}:{front.port}").replace(
        "listen 80;", f"listen {HOST}:{front.plain};"
    )
    return AROUND.format(folder=folder, inside=inside)
