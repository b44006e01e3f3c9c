"""Declares every setting of a server. Flag, variable and TOML key share one name: --port, JAMBOREE_PORT, port."""

from typing import Any, NamedTuple

from jamboree.server.logs import FORMATS, LEVELS

from .value_types import (
    DAYS,
    FILE,
    HOST_AND_PORT,
    LEASE_SECONDS,
    NETWORKS,
    NODE,
    PORT,
    PROCESS_COUNT,
    TEXT,
    TOKEN,
    URL,
    ValueType,
    choice,
)

PREFIX = "JAMBOREE_"
CONFIG = "config"  # names the settings file, so it can't be set in it


class Setting(NamedTuple):
    name: str
    type: ValueType
    help: str
    default: Any = None
    default_help: str = ""  # shown in the help instead of the default
    secret: bool = False  # never a flag: every user of a machine can list the command lines

    @property
    def flag(self) -> str:
        return f"--{self.name}"

    @property
    def variable(self) -> str:
        return PREFIX + self.name.upper().replace("-", "_")

    @property
    def parameter(self) -> str:
        return self.name.replace("-", "_")


def _secret(name: str, purpose: str) -> tuple[Setting, Setting]:
    """Declare a secret token and the setting that names a file with it."""
    secret = Setting(name, TOKEN, f"The token {purpose}; without one, access is disabled.", "", secret=True)
    file = Setting(f"{name}-file", FILE, f"A file that contains the token {purpose}.", "")
    return secret, file


DB = Setting("db", TEXT, "The database: a file or postgresql://…", None, "a file in your data folder")
SETTINGS = (
    DB,
    Setting("db-file", FILE, "A file that contains the database URL, if it has a password.", ""),
    Setting("host", TEXT, "The address to listen on; 0.0.0.0 accepts connections from the network.", "127.0.0.1"),
    Setting("port", PORT, "The port to listen on; it must be free.", None, "8300, or any free port if that is in use"),
    Setting("public-url", URL, "The address at which players reach the server, for example behind a proxy.", ""),
    Setting(
        "trust-proxy",
        NETWORKS,
        "The address or network of a proxy whose X-Forwarded headers are trusted. Can be repeated.",
        (),
    ),
    Setting("node", NODE, "The name of this server among several on one PostgreSQL.", "", "it is the only one"),
    Setting(
        "node-address",
        HOST_AND_PORT,
        "The HOST:PORT at which the other servers reach this one.",
        "127.0.0.1:0",
        "this machine only",
    ),
    Setting("node-lease", LEASE_SECONDS, "Seconds after which other servers take over the tables of a dead one.", 2.0),
    Setting("processes", PROCESS_COUNT, "The number of processes that share the port and a PostgreSQL.", 1),
    Setting("forget-after", DAYS, "Days after which names and chat are erased.", 90.0),
    *_secret("metrics-token", "for /metrics"),
    *_secret("admin-token", "for administration"),
    Setting("backups", FILE, "The folder in which `jamboree backup` stores its copies.", ""),
    Setting("keep-backups", DAYS, "Days after which `jamboree backup` deletes copies in that folder.", 30.0),
    Setting("cache", FILE, "The folder for the compiled code of the strong bots.", "", "jamboree in your cache folder"),
    Setting("log-format", choice(*FORMATS), "The format of the log.", "text"),
    Setting("log-level", choice(*LEVELS), "The lowest level of messages in the log.", "info"),
    Setting("telemetry", choice("off", "on"), "Export spans as OpenTelemetry's variables (OTEL_…) say.", "off"),
)
BY_NAME = {setting.name: setting for setting in SETTINGS}
SECRETS = tuple(setting for setting in SETTINGS if setting.secret)
