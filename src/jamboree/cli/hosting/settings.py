"""Every setting of a server. Flag, variable and line of a file have the same name: --port, JAMBOREE_PORT, port."""

from typing import Any, NamedTuple

from jamboree.server.logs import FORMATS, LEVELS

from .kinds import COUNT, DAYS, FILE, NAME, NETWORKS, PLACE, PORT, SECONDS, TEXT, TOKEN, URL, Kind, choice

PREFIX = "JAMBOREE_"
CONFIG = "config"  # where the file is; it can't stand in the file itself


class Setting(NamedTuple):
    name: str
    kind: Kind
    about: str
    default: Any = None
    usual: str = ""  # what the help says instead of a default
    secret: bool = False  # never a flag: everybody on a machine can list those

    @property
    def flag(self) -> str:
        return f"--{self.name}"

    @property
    def variable(self) -> str:
        return PREFIX + self.name.upper().replace("-", "_")

    @property
    def parameter(self) -> str:
        return self.name.replace("-", "_")


def _with_secret(name: str, opens: str) -> tuple[Setting, Setting]:
    """Make a secret of two settings: itself, and the file in which it stands."""
    secret = Setting(name, TOKEN, f"The token that opens {opens}; none closes it.", "", secret=True)
    file = Setting(f"{name}-file", FILE, f"A file with the token that opens {opens}.", "")
    return secret, file


DB = Setting("db", TEXT, "A file, or postgresql://…", None, "a file in your data folder")
SETTINGS = (
    DB,
    Setting("db-file", FILE, "A file with the address of the database, for one with a password.", ""),
    Setting("host", TEXT, "Where to listen; 0.0.0.0 lets in the whole house.", "127.0.0.1"),
    Setting("port", PORT, "Which port; it must be free.", None, "8300, or any if that is in use"),
    Setting("public-url", URL, "The address others use, behind a proxy for instance.", ""),
    Setting(
        "trust-proxy",
        NETWORKS,
        "A proxy that may say who is asking: its address or network. Can be given several times.",
        (),
    ),
    Setting("node", NAME, "What this server is called among several on one PostgreSQL.", "", "it is the only one"),
    Setting("node-address", PLACE, "Where the other servers reach this one, at HOST:PORT.", "127.0.0.1:0", "only here"),
    Setting("node-lease", SECONDS, "Seconds after which the others take its tables over if it is dead.", 2.0),
    Setting("processes", COUNT, "How many processes share the port and a PostgreSQL.", 1),
    Setting("forget-after", DAYS, "Days after which names and talk are erased.", 90.0),
    *_with_secret("metrics-token", "/metrics"),
    *_with_secret("admin-token", "the view of whoever runs the server"),
    Setting("backups", FILE, "A folder for copies that `jamboree backup` makes.", ""),
    Setting("keep-backups", DAYS, "Days after which `jamboree backup` deletes copies in that folder.", 30.0),
    Setting("cache", FILE, "A folder for the compiled code of the strong bots.", "", "jamboree in your cache folder"),
    Setting("log-format", choice(*FORMATS), "How the log is written.", "text"),
    Setting("log-level", choice(*LEVELS), "How much is written to the log.", "info"),
    Setting("telemetry", choice("off", "on"), "Send spans to where OpenTelemetry's variables (OTEL_…) say.", "off"),
)
BY_NAME = {setting.name: setting for setting in SETTINGS}
SECRETS = tuple(setting for setting in SETTINGS if setting.secret)
