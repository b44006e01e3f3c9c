"""A server's settings from flags, variables and a file, under the same names."""

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from jamboree.cli import app
from jamboree.cli.hosting.configuration import HIDDEN, Configuration, configuration
from jamboree.cli.hosting.settings import BY_NAME, SETTINGS
from jamboree.core.errors import JamboreeError

TOKEN = "a-token-for-the-figures"
Write = Callable[[str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(text: str) -> Path:
        path = tmp_path / "jamboree.toml"
        path.write_text(text)
        path.chmod(0o600)
        return path

    return written


def secret_file(path: Path, text: str, mode: int = 0o600) -> Path:
    path.write_text(text)
    path.chmod(mode)
    return path


def resolve(flags: Mapping[str, Any] | None = None, **environ: str) -> Configuration:
    return configuration(flags or {}, environ)


def test_flags_take_precedence_over_variables_and_variables_over_the_file(write: Write) -> None:
    file = write('host = "one"\nport = 1\nforget-after = 1\n')
    settings = configuration({"config": str(file), "host": "three"}, {"JAMBOREE_HOST": "two", "JAMBOREE_PORT": "2"})
    assert (settings["host"], settings["port"], settings["forget-after"], settings["public-url"]) == (
        "three",
        2,
        1.0,
        "",
    )
    sources = [settings.resolved[name].origin for name in ("host", "port", "forget-after", "public-url")]
    assert sources == ["--host", "JAMBOREE_PORT", f"{file}, line 3", "default"]


def test_the_file_can_be_named_by_a_variable(write: Write) -> None:
    assert resolve(JAMBOREE_CONFIG=str(write("port = 4\n")))["port"] == 4


def test_every_setting_has_the_same_name_as_flag_variable_and_line(write: Write) -> None:
    for setting in SETTINGS:
        assert setting.flag == f"--{setting.name}"
        assert setting.variable == "JAMBOREE_" + setting.name.upper().replace("-", "_")
        helped = CliRunner().invoke(app, ["serve", "--help"], env={"COLUMNS": "200"}).output
        assert (f"{setting.flag} " in helped) != setting.secret, "a secret is no flag"


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("prot = 80\n", "line 1: there is no setting prot; did you mean port?"),
        ('\nhost = "a"\ntrust_proxy = []\n', "line 3: there is no setting trust_proxy; did you mean trust-proxy?"),
        ("port = 80\n[server]\nx = 1\n", "line 2: there is no setting server; the settings are: db, db-file, host,"),
        ('# a port\nport = "eighty"\n', "line 2: port must be a number from 0 to 65535, not 'eighty'."),
        ("port = 70000\n", "line 1: port must be a number from 0 to 65535, not 70000."),
        ("port = true\n", "line 1: port must be a number from 0 to 65535, not True."),
        ("host = 5\n", "line 1: host must be a string in quotes, not 5."),
        ("forget-after = -1\n", "line 1: forget-after must be a number of days from 0 to 1000000, not -1."),
        ("forget-after = nan\n", "line 1: forget-after must be a number of days from 0 to 1000000, not nan."),
        ('trust-proxy = ["attic"]\n', 'line 1: trust-proxy must be a list of addresses: "attic" is not an IP address'),
        ("trust-proxy = 5\n", 'line 1: trust-proxy must be a list of addresses such as ["127.0.0.1"], not 5.'),
        (
            'public-url = "play.example"\n',
            "line 1: public-url must be a URL: http:// or https://, a host and optionally a path",
        ),
        ('metrics-token = "short"\n', "line 1: metrics-token must have at least 16 characters."),
        ('host = "a"\nport : 80\n', "line 2: Expected '=' after a key"),
        ("port = 80\nport = 81\n", "line 2: Cannot overwrite a value;"),
    ],
)
def test_an_invalid_file_is_reported_with_the_line_and_a_suggestion(write: Write, text: str, printed: str) -> None:
    file = write(text)
    answer = CliRunner().invoke(app, ["serve", "--config", str(file)])
    assert answer.exit_code == 2
    assert answer.output.startswith(f"{file}, {printed}")


def test_a_missing_or_binary_file_is_reported(tmp_path: Path) -> None:
    gone, junk = tmp_path / "gone.toml", tmp_path / "junk.toml"
    junk.write_bytes(b"port = \xff\n")
    with pytest.raises(JamboreeError, match=r"gone\.toml can't be read: no such file"):
        resolve({"config": str(gone)})
    with pytest.raises(JamboreeError, match=r"junk\.toml is not a text file in UTF-8: byte 8"):
        resolve({"config": str(junk)})


def test_an_invalid_value_is_reported_with_its_flag_or_variable() -> None:
    with pytest.raises(JamboreeError, match=r"^--port must be a number from 0 to 65535, not 'x'"):
        resolve({"port": "x"})
    with pytest.raises(JamboreeError, match=r"^JAMBOREE_PORT must be a number from 0 to 65535, not 'x'"):
        resolve(JAMBOREE_PORT="x")
    with pytest.raises(JamboreeError, match=r"^There is no variable JAMBOREE_PROT; did you mean JAMBOREE_PORT\?$"):
        resolve(JAMBOREE_PROT="80")
    assert resolve(JAMBOREE_KILLS="200")["port"] is None, "others have variables too"


@pytest.mark.parametrize("depth", [10, 200, 400, 990, 5_000])
@pytest.mark.parametrize(
    ("begin", "middle", "end"),
    [("port = ", "[", "]"), ("x = ", "{a = ", "}"), ("port.", "a.", "b = 1"), ("", "[", "x]")],
)
def test_a_deeply_nested_file_is_refused_in_a_sentence(
    write: Write, begin: str, middle: str, end: str, depth: int
) -> None:
    close = end if len(end) > 1 else end * depth
    with pytest.raises(JamboreeError) as refused:
        configuration({"config": str(write(begin + middle * depth + close))}, {})
    assert "jamboree.toml" in str(refused.value)
    assert len(str(refused.value)) < 600


LONG, HEX = "9" * 5_000, "0x" + "f" * 5_000
ODD = {
    "a long number": f"port = {LONG}",
    "a number with many zeros": f"port = 1{'0' * 400}",
    "a long hexadecimal number": f"port = {HEX}",
    "a long number of days": f"forget-after = {HEX}",
    "days without end": "keep-backups = 1e300",
    "a long number for a text": f"host = {HEX}",
    "a long number for a word": f"log-level = {HEX}",
    "a long number in a list": f"trust-proxy = [{HEX}]",
    "a long number in a text": f'port = "{LONG}"',
    "a digit that is none": 'node-address = "localhost:²"',
    "a long port": f'node-address = "localhost:{LONG}"',
    "NUL in a file name": r'admin-token-file = "a\u0000b"',
    "NUL in the name of the database": r'db = "a\u0000b"',
    "NUL in a host": r'host = "a\u0000b"',
    "NUL in a URL": r'public-url = "http://a\u0000b"',
    "a folder as a file": 'db-file = "/"',
    "a date": "host = 1979-05-27",
    "a table": "[port]\nx = 1",
    "tables": "[[host]]\n[[host]]",
    "a key of many parts": f"port.{'a.' * 200_000}b = 1",
    "a key of many parts in a table": f"port = {{{'a . ' * 100_000}b = 1}}",
    "a table of many parts": f"[{'a.' * 200_000}b]",
    "many names": "\n".join(f"name{number} = 1" for number in range(50_000)),
    "a long name": f"{'a' * 500_000} = 1",
    "a large file": "# " + "a" * (1 << 20),
    "no key": '"" = 1',
    "a mark": "\ufeffport = 1",
}


@pytest.mark.parametrize("what", ODD)
def test_a_malformed_file_is_refused_in_a_short_sentence(write: Write, what: str) -> None:
    file, before = write(ODD[what] + "\n"), time.monotonic()
    answer = CliRunner().invoke(app, ["config", "--config", str(file)])
    assert (answer.exit_code, type(answer.exception)) == (2, SystemExit), answer.output[:500]
    assert answer.output.count("\n") == 1 and len(answer.output) < 600
    assert what.startswith("a folder") or str(file) in answer.output
    assert time.monotonic() - before < 5, "nobody waits for it"


def test_a_directory_is_not_a_settings_file(tmp_path: Path) -> None:
    answer = CliRunner().invoke(app, ["serve", "--config", str(tmp_path)])
    assert (answer.exit_code, answer.output) == (2, f"{tmp_path} can't be read: is a directory.\n")


@pytest.mark.parametrize(
    "wrong", ["play.example", "ftp://play.example", "https://", "https://a b", "https://a/?x", "https://a@b", 5]
)
def test_a_public_url_has_a_host_and_optionally_a_path(wrong: Any) -> None:
    known = {
        "HTTPS://Play.Example/": "https://play.example",
        "http://a/Jam/": "http://a/Jam",
        "http://a/b/c": "http://a/b/c",
        "https://play.example:443/": "https://play.example",
        "http://play.example:80/jam": "http://play.example/jam",
        "https://play.example:8443": "https://play.example:8443",
    }
    assert {url: resolve({"public_url": url})["public-url"] for url in known} == known
    with pytest.raises(JamboreeError, match="--public-url must be a URL"):
        resolve({"public_url": wrong})


def test_a_list_of_proxies_can_be_given_as_text_or_as_a_list() -> None:
    assert resolve(JAMBOREE_TRUST_PROXY="127.0.0.1, 10.0.0.0/8")["trust-proxy"] == ("127.0.0.1", "10.0.0.0/8")
    assert resolve({"trust_proxy": ["::1"]})["trust-proxy"] == ("::1",)


def test_a_secret_is_never_shown_and_never_on_a_command_line(tmp_path: Path, write: Write) -> None:
    address = "postgresql://jam:hunter2@db/jam"
    refused = CliRunner().invoke(app, ["serve", "--db", address])
    assert (refused.exit_code, "hunter2" in refused.output) == (2, False)
    assert "JAMBOREE_DB" in refused.output
    for env in (
        {"JAMBOREE_DB": address, "JAMBOREE_METRICS_TOKEN": TOKEN},
        {"JAMBOREE_DB": f"{address}?password=hunter2"},
        {"JAMBOREE_DB": address.replace("hunter2", "hunter2:and:more")},
        {"JAMBOREE_DB": address.replace("hunter2", "at@hunter2")},
    ):
        shown = CliRunner().invoke(app, ["config"], env=env)
        assert shown.exit_code == 0
        assert "hunter2" not in shown.output and TOKEN not in shown.output
        assert f"jam:{HIDDEN}@db" in shown.output
    assert CliRunner().invoke(app, ["serve", "--metrics-token", TOKEN]).exit_code == 2


def test_a_secret_follows_the_precedence_and_leaves_the_environment(tmp_path: Path) -> None:
    secret_file(tmp_path / "token", f"{TOKEN}\n")
    environ = {"JAMBOREE_METRICS_TOKEN": "another-token-of-theirs"}
    settings = configuration({"metrics_token_file": str(tmp_path / "token")}, environ)
    assert (settings["metrics-token"], environ) == (TOKEN, {})
    assert resolve(JAMBOREE_METRICS_TOKEN_FILE=str(tmp_path / "token"))["metrics-token"] == TOKEN


def test_the_database_url_can_be_in_a_file_of_its_own(tmp_path: Path) -> None:
    secret_file(tmp_path / "db", "postgresql://jam:hunter2@db/jam\n")
    settings = resolve({"db_file": str(tmp_path / "db")}, JAMBOREE_DB="other.db")
    assert settings["db"] == "postgresql://jam:hunter2@db/jam"
    assert "hunter2" not in str(settings.resolved["db"].display_value)
    assert resolve({"db": "mine.db"}, JAMBOREE_DB_FILE=str(tmp_path / "db"))["db"] == "mine.db"


def test_a_file_with_a_secret_is_readable_by_its_owner_only(write: Write) -> None:
    for text in (f'metrics-token = "{TOKEN}"\n', 'db = "postgresql://jam:hunter2@db/jam"\n'):
        file = write(text)
        resolve({"config": str(file)})
        file.chmod(0o644)
        with pytest.raises(JamboreeError, match="line 1: other users can read this file") as refused:
            resolve({"config": str(file)})
        assert TOKEN not in str(refused.value) and "hunter2" not in str(refused.value)
    file = write("port = 80\n")
    file.chmod(0o644)
    assert resolve({"config": str(file)})["port"] == 80


SECRET_FILES = {"admin-token": TOKEN, "metrics-token": TOKEN, "db": "postgresql://jam:hunter2@db/jam"}


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o620])
@pytest.mark.parametrize("name", SECRET_FILES)
def test_a_secret_in_a_file_that_others_can_read_is_refused(tmp_path: Path, name: str, mode: int) -> None:
    """The mode alone decides, so that root is refused as everybody else is."""
    file = secret_file(tmp_path / "secret", SECRET_FILES[name], mode)
    setting = BY_NAME[f"{name}-file"]
    written = secret_file(tmp_path / "jamboree.toml", f'{setting.name} = "{file}"\n')
    sources: list[tuple[Mapping[str, Any], dict[str, str]]] = [
        ({setting.parameter: str(file)}, {}),
        ({}, {setting.variable: str(file)}),
        ({"config": str(written)}, {}),
    ]
    for flags, environ in sources:
        with pytest.raises(
            JamboreeError, match=rf"other users can read this file, so .* chmod 600 {file}\."
        ) as refused:
            configuration(flags, environ)
        assert TOKEN not in str(refused.value) and "hunter2" not in str(refused.value)
    answer = CliRunner().invoke(app, ["serve", setting.flag, str(file)])
    assert (answer.exit_code, "chmod 600" in answer.output) == (2, True)
    file.chmod(0o400)
    assert configuration(*sources[0])[name] == SECRET_FILES[name]


def test_a_database_url_without_a_password_is_not_secret(tmp_path: Path) -> None:
    file = secret_file(tmp_path / "db", "postgresql://jam@db/jam", 0o644)
    assert resolve({"db_file": str(file)})["db"] == "postgresql://jam@db/jam"


def test_the_output_of_config_is_an_equivalent_settings_file(tmp_path: Path, write: Write) -> None:
    env = {"JAMBOREE_HOST": "0.0.0.0", "JAMBOREE_TRUST_PROXY": "10.0.0.1", "XDG_DATA_HOME": str(tmp_path)}
    shown = CliRunner().invoke(app, ["config", "--port", "80"], env=env).output
    settings = configuration({"config": str(write(shown))}, {})
    assert (settings["host"], settings["port"], settings["trust-proxy"]) == ("0.0.0.0", 80, ("10.0.0.1",))
    assert settings["db"] == str(tmp_path / "jamboree" / "tables.db")


def test_backup_copies_the_database_named_in_the_settings_file(tmp_path: Path, write: Write) -> None:
    file = write(f'db = "{tmp_path / "nothing.db"}"\n')
    answer = CliRunner().invoke(app, ["backup", str(tmp_path / "copy.db"), "--config", str(file)])
    assert (answer.exit_code, "There is no database at" in answer.output) == (2, True)
