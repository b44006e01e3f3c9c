"""Real HAProxy and nginx in front of a server."""

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jamboree.server.serve import free_port
from tests.debian import found_or_installed

from ..bench.online import HOST

NGINX = """
daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log; worker_processes 1;
events {{ worker_connections 512; }}
http {{
  access_log off; client_body_temp_path {folder}; proxy_temp_path {folder};
  fastcgi_temp_path {folder}; uwsgi_temp_path {folder}; scgi_temp_path {folder};
  server {{
    listen {host}:{port};
    location / {{
      proxy_pass http://{host}:{server};
      proxy_http_version 1.1;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto https;
      proxy_set_header X-Forwarded-Host $host;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $http_connection;
    }}
  }}
}}
"""
HAPROXY = """
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
frontend front
  bind {host}:{port}
  option forwardfor
  http-request set-header X-Forwarded-Proto https
  default_backend back
backend back
  server one {host}:{server}
"""


@contextmanager
def a_proxy(name: str, server: int, folder: Path) -> Iterator[int]:
    """Start a proxy in front of a server's port, return its own port, and end it by its process id."""
    program = found_or_installed(lambda: shutil.which(name) or shutil.which(name, path="/usr/sbin"), name)
    port = free_port(HOST, 0)
    settings = folder / f"{name}.conf"
    template = {"nginx": NGINX, "haproxy": HAPROXY}[name]
    settings.write_text(template.format(host=HOST, port=port, server=server, folder=folder))
    command = [program, *({"nginx": ["-c"], "haproxy": ["-db", "-f"]}[name]), str(settings)]
    running = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        wait_for(port)
        yield port
    finally:
        running.terminate()
        running.wait(30)


def wait_for(port: int) -> None:
    """Wait until something listens at a port."""
    end = time.monotonic() + 30
    while True:
        try:
            socket.create_connection((HOST, port), 1).close()
            return
        except OSError:
            assert time.monotonic() < end, "the proxy does not start"
            time.sleep(0.05)
