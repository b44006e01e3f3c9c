"""The settings of a server as they were found: flags count before variables, variables before the file."""

import os
import re
import reprlib
from collections.abc import Mapping, MutableMapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from jamboree.core.errors import JamboreeError

from ..files import check_private, data_folder, read_with_mode
from .kinds import Wrong
from .settings import BY_NAME, CONFIG, DB, PREFIX, SECRETS, SETTINGS, Setting
from .toml_file import has_password, read_settings

CONFIG_VARIABLE = f"{PREFIX}{CONFIG.upper()}"
USUAL = "the usual"
FLAG, VARIABLE, FILE, NOWHERE = range(4)  # what counts first
CLOSE = 0.75
PASSWORD = re.compile(r"(?<=:)[^/]+(?=@)|(?<=password=)[^&]+", re.I)
HIDDEN = "…"
SHORTLY = reprlib.Repr()  # of a wrong value, which may be nested or long
SHORTLY.maxstring = SHORTLY.maxother = 200


class Found(NamedTuple):
    setting: Setting
    value: Any
    source: str
    rank: int

    @property
    def shown(self) -> Any:
        """Give the value as it may be seen by people who look over a shoulder."""
        if self.setting.secret and self.value:
            return HIDDEN
        return hidden(self.value) if self.setting.name == "db" else self.value


def hidden(address: str) -> str:
    """Write a database's address without its password."""
    return PASSWORD.sub(HIDDEN, address)


class Configuration(Mapping[str, Any]):
    """The values of all settings by their names, and where each comes from."""

    def __init__(self, found: Mapping[str, Found]) -> None:
        self.found = found

    def __getitem__(self, name: str) -> Any:
        return self.found[name].value

    def __iter__(self) -> Any:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)


def configuration(told: Mapping[str, Any], environ: MutableMapping[str, str] | None = None) -> Configuration:
    """Find every setting. Secrets are taken out of the environment: the bots' processes need not know them."""
    environ = os.environ if environ is None else environ
    shown = dict(environ)
    for setting in SECRETS:
        environ.pop(setting.variable, None)
    _check_variables(shown)
    file = told.get(CONFIG) or shown.get(CONFIG_VARIABLE)
    lines = read_settings(Path(file)) if file else {}
    found = {setting.name: _found(setting, told, shown, lines) for setting in SETTINGS}
    for setting in (DB, *SECRETS):
        found[setting.name] = _from_file(found[setting.name], found[f"{setting.name}-file"])
    return Configuration(found)


def use_cache(found: Configuration) -> None:
    """Keep compiled code where the settings say, in this process and in those it starts."""
    if found["cache"]:
        os.environ[BY_NAME["cache"].variable] = found["cache"]


def _found(setting: Setting, told: Mapping[str, Any], environ: Mapping[str, str], lines: Mapping[str, Any]) -> Found:
    flag = told.get(setting.parameter)
    if flag not in (None, [], ()):
        if setting.name == "db" and has_password(flag):
            raise JamboreeError(
                f"Everybody on this machine can list {setting.flag}, so a password can't stand there;"
                f" set {setting.variable}, or write db in a file for --config."
            )
        return Found(setting, _read(setting, flag, setting.flag), setting.flag, FLAG)
    if setting.variable in environ and environ[setting.variable] != "":
        return Found(setting, _read(setting, environ[setting.variable], setting.variable), setting.variable, VARIABLE)
    if setting.name in lines:
        value, place = lines[setting.name]
        return Found(setting, _read(setting, value, f"{place}: {setting.name}"), place, FILE)
    default = str(data_folder() / "tables.db") if setting.name == "db" else setting.default
    return Found(setting, default, USUAL, NOWHERE)


def _read(setting: Setting, value: Any, place: str) -> Any:
    try:
        return setting.kind.read(value)
    except Wrong as wrong:
        instead = "" if setting.secret else f", not {SHORTLY.repr(value)}"
        raise JamboreeError(f"{place} {wrong}{instead}.") from None


def _from_file(secret: Found, file: Found) -> Found:
    """Read a secret from its file, if the file was named by what counts first."""
    if not file.value or file.rank > secret.rank:
        return secret
    path = Path(file.value)
    data, mode = read_with_mode(path)
    try:
        text = data.decode("utf-8").strip()
    except UnicodeDecodeError:
        raise JamboreeError(f"{path} can't be read: it is no text.") from None
    is_address = secret.setting is DB
    if not is_address or has_password(text):
        check_private(path, mode, "the password in it" if is_address else f"the {secret.setting.name}")
    value = _read(secret.setting, text, f"The {'address' if is_address else 'token'} in {path}")
    return Found(secret.setting, value, file.source, file.rank)


def _check_variables(environ: Mapping[str, str]) -> None:
    """Refuse a variable that looks like a setting and is none: it would be overlooked in silence."""
    known = [setting.variable for setting in BY_NAME.values()] + [CONFIG_VARIABLE]
    for name in environ:
        if name.startswith(PREFIX) and name not in known:
            endings = {each.removeprefix(PREFIX): each for each in known}
            meant = get_close_matches(name.removeprefix(PREFIX), endings, 1, CLOSE)
            if meant:
                raise JamboreeError(f"There is no {name}; did you mean {endings[meant[0]]}?")
