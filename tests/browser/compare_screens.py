"""Visual regression of the web client: pictures of a fixed list of screens, compared pixel by pixel.

    python -m tests.browser.compare_screens take SITE STATE FOLDER [PATTERN]
    python -m tests.browser.compare_screens compare BEFORE AFTER

SITE is a built client. `NODE_ENV=development npx vite build --mode development --outDir SITE` builds one that also has
the recorded games of `web/fixtures` in every phase. STATE is a folder with a database of tables and the cookies of
their players; the first `take` creates it and the later ones reuse it, so that all show the same tables. PATTERN is a
regular expression that selects screens by name. `compare` prints every screen that differs, with the share of differing
pixels and the largest difference of a colour, and exits with 1 if there is any. A few pixels may differ a little from
one run to the next, since the rasterizer draws the edges of scaled elements differently.
"""

import base64
import json
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, Literal, NamedTuple

from playwright.sync_api import Browser, BrowserContext, Page, TimeoutError, ViewportSize

from .bench.chromium import a_browser
from .bench.finished import a_finished_game
from .bench.party import opens_with
from .bench.person import KNOWS, PHONE, Person
from .bench.programs import LATE, by_program, fast_forward, others
from .bench.screen_checks import LAID_OUT
from .bench.serving import Server, a_server

CONTROLS: tuple[Literal["button", "tab", "menuitem"], ...] = ("button", "tab", "menuitem")
SIZES: dict[str, ViewportSize] = {"390": {"width": 390, "height": 844}, "1440": {"width": 1440, "height": 900}}
TELEVISION: ViewportSize = {"width": 1920, "height": 1080}
TITLES = {"bebop": "Bebop!", "bpm": "BPMs per minute", "boogie": "Boogie Beasts"}
SEATS = {"bebop": 2, "bpm": 2, "boogie": 3}
FIXTURES = Path(__file__).parents[2] / "web" / "fixtures"
PORT = 8391  # the same each time, because pictures of invitations show it
FONT = re.compile("font-display: ?(optional|swap)")
STEPS = 11  # pictures of each recorded game
NOW = 1_800_000_000_000  # ms: what the page's clock shows
SETTLED = 500  # ms after which what a page asks for is there
PAUSE = 60  # ms between two checks whether a page is at rest
TRIES = 12
PATIENCE = 6000  # ms for a page to come, or a button
STAY = """async (table) => {
  const body = JSON.stringify({ house_rules: { wait: null, idle: 'wait', hints: false } });
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`/api/v1/tables/${table}/setup`, { method: 'POST', headers, body })).ok;
}"""  # no bot plays for those who are away
DIFFERENCE = """async ([before, after]) => {
  const [one, other] = await Promise.all([before, after].map(async (data) => {
    const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
    const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
    context.drawImage(picture, 0, 0);
    return context.getImageData(0, 0, picture.width, picture.height);
  }));
  if (one.width !== other.width || one.height !== other.height) return [1, 255];
  let [count, most] = [0, 0];
  for (let at = 0; at < one.data.length; at += 4) {
    const steps = [0, 1, 2].map((channel) => Math.abs(one.data[at + channel] - other.data[at + channel]));
    const step = Math.max(...steps);
    count += step > 0;
    most = Math.max(most, step);
  }
  return [count / (one.data.length / 4), most];
}"""


class Screen(NamedTuple):
    name: str
    address: str
    visitor: str = ""  # whose cookies and settings the page has; "" for a new visitor
    press: tuple[str, ...] = ()  # the buttons pressed before the picture is taken
    theme: str = "light"


PAGES = (
    Screen("home", "/"),
    Screen("home-dark", "/", theme="dark"),
    Screen("home-settings", "/", press=("Settings",)),
    Screen("home-visited", "/", visitor="bebop-table"),
    Screen("home-options", "/", press=("change",)),
    Screen("hotseat", "/", press=("Round one device",)),
    Screen("tv-start", "/#/tv"),
    Screen("not-found", "/#/nowhere"),
    Screen("no-table", "/#/t/zzzzzz"),
    Screen("no-replay", "/#/replay/zzzzzz"),
    Screen("no-television", "/#/tv/zzzzzz"),
    Screen("admin", "/#/admin"),
    Screen("journal", "/#/journal/watch"),
)
"""Pages that need no table."""

AT_A_TABLE = {
    "": (),
    "menu": ("Menu",),
    "rules": ("Menu", "Rules"),
    "people": ("Menu", "People"),
    "hint": ("Hint",),
    "log": ("Log",),
    "chat": ("Chat",),
}
"""Buttons that are pressed at a table, by what they open."""


def screens(addresses: dict[str, str]) -> Iterator[Screen]:
    """List every screen, those of tables at their addresses among them."""
    yield from PAGES
    for game in TITLES:
        yield Screen(f"{game}-rules", f"/#/rules/{game}")
        yield from _at_tables(game, addresses)
    for path in sorted(FIXTURES.glob("*.json")):
        last = sum(frame["type"] == "update" for frame in json.loads(path.read_bytes())) - 1
        for number in range(STEPS + 1):
            step = last * number // STEPS
            theme = "dark" if number > 0.7 * STEPS else "light"
            yield Screen(f"recorded-{path.stem}-{step:03}", f"/#/dev/{path.stem}/{step}", theme=theme)


def _at_tables(game: str, addresses: dict[str, str]) -> Iterator[Screen]:
    lobby, table, late = (addresses[f"{game}-{each}"] for each in ("lobby", "table", "late"))
    over, tv = addresses[f"{game}-over"], f"{game}-television"
    yield Screen(f"{game}-lobby", lobby, f"{game}-lobby")
    yield Screen(f"{game}-lobby-dark", lobby, f"{game}-lobby", theme="dark")
    yield Screen(f"{game}-lobby-guest", lobby)
    for what, press in AT_A_TABLE.items():
        yield Screen(f"{game}-table-{what}".rstrip("-"), table, f"{game}-table", press)
    yield Screen(f"{game}-table-plain", f"/?ui=plain{table[1:]}", f"{game}-table")
    yield Screen(f"{game}-table-dark", table, f"{game}-table", theme="dark")
    yield Screen(f"{game}-table-watched", addresses[f"{tv}-table"].replace("/tv/", "/t/"))
    yield Screen(f"{game}-late", late, f"{game}-late")
    yield Screen(f"{game}-learn", addresses[f"{game}-learn"], f"{game}-learn")
    for what in ("t", "replay", "analysis", "fairness"):
        yield Screen(f"{game}-over-{what}", f"/#/{what}/{over}")
    for stage in ("lobby", "table", "over"):
        yield Screen(f"{tv}-{stage}", addresses[f"{tv}-{stage}"])
        yield Screen(f"{tv}-{stage}-phone", addresses[f"{tv}-{stage}"].replace("/tv/", "/t/"), f"{tv}-{stage}")


def prepare(browser: Browser, server: Server, folder: Path) -> None:
    """Open and play the tables that are pictured, and store who sits at them."""
    addresses: dict[str, str] = {}

    def store(name: str, person: Person, address: str = "") -> None:
        addresses[name] = address or person.page.url.removeprefix(server.url)
        person.context.storage_state(path=folder / f"{name}.json")
        person.context.close()

    for game, title in TITLES.items():
        host = Person(browser, server.url)
        host.invites(title, 3)
        store(f"{game}-lobby", host)
        learner = Person(browser, server.url)
        learner.page.goto("/")
        learner.page.get_by_role("region", name=title).get_by_role("link").click()
        learner.page.locator(".coach").wait_for()
        learner.page.wait_for_timeout(SETTLED)
        store(f"{game}-learn", learner)
        for name in ("table", "late"):
            player = Person(browser, server.url)
            player.opens_a_game_against_bots(title)
            _waits_for_a_turn(player)
            if name == "late":
                fast_forward(server, player, LATE[game])
            store(f"{game}-{name}", player)
        entry = a_finished_game(server.url, game, SEATS[game])
        addresses[f"{game}-over"] = entry.table
        _holds_a_party(browser, server, game, store)
    (folder / "addresses.json").write_text(json.dumps(addresses))


def _waits_for_a_turn(player: Person) -> None:
    player.wait(lambda: bool(player.legal), "for a turn")


def _holds_a_party(browser: Browser, server: Server, game: str, store: Any) -> None:
    names = ("Timo", "Saar", "Wout")[: SEATS[game] - 1]
    for stage in ("lobby", "table", "over"):
        television, phone = Person(browser, server.url), Person(browser, server.url, **PHONE)
        code = opens_with(television, game, SEATS[game], **({"pace": "untimed"} if game == "boogie" else {}))
        phone.joins(f"/#/t/{code}", "Noor")
        assert phone.page.evaluate(STAY, code)
        if stage != "lobby":
            with others(server, code, *names):
                television.page.get_by_text(names[-1], exact=True).wait_for()
                phone.starts()
                phone.page.goto("about:blank")
                with by_program(server, code, phone, enough=LATE[game]) as programs:
                    programs.wait()
                if stage == "over":
                    with by_program(server, code, phone):
                        television.page.get_by_role("heading", name=re.compile("^Winner")).wait_for(timeout=90_000)
        television.context.close()
        store(f"{game}-television-{stage}", phone, f"/#/tv/{code}")


def _addresses(state: Path) -> dict[str, str]:
    found: dict[str, str] = json.loads((state / "addresses.json").read_text())
    return found


def _context(browser: Browser, url: str, visitor: Path, theme: str, size: ViewportSize) -> BrowserContext:
    """Open a browser as a visitor, or a new one; what was stored belongs to another port, and is moved to this one."""
    stored: Any = json.loads(visitor.read_text()) if visitor.exists() else {"cookies": [], "origins": []}
    for origin in stored["origins"]:
        origin["origin"] = url
    context = browser.new_context(
        base_url=url,
        viewport=size,
        locale="en-GB",
        color_scheme="dark" if theme == "dark" else "light",
        reduced_motion="reduce",
        service_workers="block",
        storage_state=stored,
    )
    context.add_init_script(KNOWS)
    context.set_default_timeout(PATIENCE)
    return context


def _visit(page: Page, screen: Screen) -> None:
    page.goto(screen.address)
    page.locator("main").first.wait_for()
    if not screen.name.startswith("recorded"):
        page.wait_for_timeout(SETTLED)
    for name in screen.press:
        controls = [page.get_by_role(role, name=name) for role in CONTROLS]
        controls[0].or_(controls[1]).or_(controls[2]).first.click()
        page.mouse.move(0, 0)
        page.wait_for_timeout(SETTLED)


def _picture(page: Page, path: Path) -> None:
    """Take a picture once two in a row are the same, or after some seconds."""
    page.evaluate("document.fonts.ready.then(() => 0)")
    last = b""
    for _ in range(TRIES):
        page.evaluate(LAID_OUT)
        page.wait_for_timeout(PAUSE)
        last, before = page.screenshot(animations="disabled", full_page=True), last
        if last == before:
            break
    path.write_bytes(last)


def take(site: Path, state: Path, folder: Path, pattern: str = "") -> None:
    """Take the pictures of all screens whose name has the pattern."""
    folder.mkdir(parents=True, exist_ok=True)
    with a_browser() as browser:
        if not (state / "addresses.json").exists():
            state.mkdir(parents=True, exist_ok=True)
            with a_server(state) as server:
                prepare(browser, server, state)
        with tempfile.TemporaryDirectory() as data:
            shutil.copy(state / "tables.db", data)
            _copy(site, Path(data) / "site")
            server = Server(Path(data), "tests.browser.bench.serve_site")
            server.port = PORT
            server.start()
            wanted = [each for each in screens(_addresses(state)) if re.search(pattern, each.name)]
            for name, size in (SIZES | {"1920": TELEVISION}).items():
                pictured = [each for each in wanted if size != TELEVISION or "/#/tv" in each.address]
                for (visitor, theme), group in groupby(pictured, attrgetter("visitor", "theme")):
                    context = _context(browser, server.url, state / f"{visitor}.json", theme, size)
                    _take_group(context, list(group), folder, name)
            server.end()


def _copy(site: Path, target: Path) -> None:
    """Copy a client, with letters that wait for their font: whether one comes in time is otherwise chance."""
    shutil.copytree(site, target)
    for sheet in target.glob("assets/*.css"):
        text = sheet.read_text()
        if FONT.search(text):
            sheet.write_text(FONT.sub("font-display:block", text))
            for packed in target.glob(f"assets/{sheet.name}.*"):
                packed.unlink()


def _take_group(context: BrowserContext, screens: list[Screen], folder: Path, suffix: str) -> None:
    """Take pictures with one page, which goes from one to the next."""
    page = context.new_page()
    page.clock.set_fixed_time(NOW)
    for screen in screens:
        try:
            page.goto("about:blank") if not screen.name.startswith("recorded") else None
            _visit(page, screen)
            _picture(page, folder / f"{screen.name}@{suffix}.png")
        except TimeoutError as error:
            print(f"{screen.name}@{suffix}: {str(error).splitlines()[0]}", flush=True)
    context.close()


def compare(before: Path, after: Path) -> int:
    """Print the screens that differ; count them."""
    names = sorted({path.name for folder in (before, after) for path in folder.glob("*.png")})
    differing = 0
    with a_browser() as browser:
        page = browser.new_page()
        for name in names:
            if not (before / name).exists() or not (after / name).exists():
                print(f"{name}: only in {before if (before / name).exists() else after}")
                continue
            pictures = [(folder / name).read_bytes() for folder in (before, after)]
            if pictures[0] == pictures[1]:
                continue
            share, most = page.evaluate(DIFFERENCE, [base64.b64encode(each).decode() for each in pictures])
            if share:
                differing += 1
                print(f"{name}: {share:.4%} of the pixels differ, by {most} of 255 at most")
    print(f"{differing} of {len(names)} screens differ")
    return differing


if __name__ == "__main__":
    command, *arguments = sys.argv[1:]
    if command == "take":
        take(Path(arguments[0]), Path(arguments[1]), Path(arguments[2]), "".join(arguments[3:]))
    else:
        sys.exit(bool(compare(Path(arguments[0]), Path(arguments[1]))))
