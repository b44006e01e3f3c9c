"""The worst case of every route and every message."""

from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any

import msgspec

from jamboree.core.learning.pictures import MOST_MOVES, Trial, pictures_of
from jamboree.games import find

from ..bench.online import ADMIN_TOKEN
from . import journals
from .stage import WIDEST_NAME, Stage, board, crate

Ask = Callable[[Stage], Awaitable[Any]]
API = "/api/v1"
ADMIN = f"{API}/admin"
CHECK, TABLE = f"{API}/games/{{key}}/check", f"{API}/tables/{{code}}"
WATCH = f"{API}/journals/watch"
OPEN = {"game": "bpm", "seats": 4, "name": WIDEST_NAME}
DEEP = b'{"x":' * 10_000


NUMBERS = count(20)  # so that nothing is asked twice: it might be remembered


def check(game: str, **options: Any) -> Ask:
    return lambda stage: stage.ask("POST", f"{API}/games/{game}/check", options)


def check_board(drawn: str) -> Ask:
    return lambda stage: check("bebop", board=f"# {next(NUMBERS)}\n{drawn}")(stage)


GZIP = {"accept-encoding": "gzip"}


def get(path: str, **headers: str) -> Ask:
    return lambda stage: stage.ask("GET", path, **headers)


def post(path: str, body: Any) -> Ask:
    return lambda stage: stage.ask("POST", path, body)


def send_in(journal: Callable[[], bytes], query: str = "") -> Ask:
    """Send a journal in to watch it; it is made only when it is wanted."""
    return lambda stage: stage.ask("POST", f"{WATCH}{query}", journal())


def of_running(method: str, what: str, body: Any = None, who: int = 0, **headers: str) -> Ask:
    """Ask something of the full table in mid-game, as one of its players."""
    return lambda stage: stage.ask(method, stage.at(stage.running, what), body, stage.running[who].token, **headers)


def about_somebody(what: str) -> Ask:
    """Ask something about another of those who watch, as the host."""
    return lambda stage: of_running("POST", what, {"person": f"p{next(NUMBERS)}"}, who=1)(stage)


def of_finished(method: str, what: str, body: Any = None, **headers: str) -> Ask:
    return lambda stage: stage.ask(method, stage.at(stage.finished, what), body, stage.finished[0].token, **headers)


def of_forked(what: str, body: Any = None) -> Ask:
    """Ask something of the table that takes the finished game up, as its host."""
    return lambda stage: stage.ask("POST", f"{API}/tables/{stage.gathering}{what}", body, stage.finished[0].token)


def of_party(what: str, body: Any = None) -> Ask:
    """Ask something of a full party, as its host."""
    return lambda stage: stage.ask("POST", f"{API}/tables/{stage.party.code}{what}", body, stage.party.token)


def steering(method: str, what: str, body: Any = None) -> Ask:
    """Send a request with the operator's token."""
    return lambda stage: stage.ask(method, f"{ADMIN}{what}", body, ADMIN_TOKEN)


def try_out(count: int, ask: str) -> Ask:
    """Try as many moves as one can in a worked example: cards laid one after the other."""
    game, moves = find("boogie"), list[Any]()
    trial = Trial(game, pictures_of(game).examples[0])
    for _ in range(count):
        move = next(each.action for each in trial.offers() if type(each.action).__name__ == "PlayCard")
        moves.append(msgspec.to_builtins(move))
        trial.act(move)
    return post(f"{API}/games/boogie/examples/{trial.example.name}?language=nl", {"moves": moves, "ask": ask})


async def read_back(stage: Stage) -> Any:
    """Look at a table that was put away."""
    code = stage.finished[0].session.code
    await stage.registry.unload(code)
    return await stage.ask("GET", f"{API}/tables/{code}")


async def largest_file(stage: Stage) -> Any:
    site = stage.server.app.state.site
    return await stage.ask("GET", f"/{max(site, key=lambda name: len(site[name].content))}")


def many_cookies(stage: Stage) -> Awaitable[Any]:
    cookies = ";".join(f"jamboree-{n}=x" for n in range(400))
    return stage.ask("GET", stage.at(stage.running), cookie=cookies)


HTTP: dict[str, dict[str, Ask]] = {
    f"GET {API}/games": {"": get(f"{API}/games")},
    f"GET {API}/games/{{key}}/rules": {"": get(f"{API}/games/boogie/rules?language=nl")},
    f"POST {CHECK}": {
        "quotes that never close": check("bpm", songs='x","\n' * 7_000),
        "wrong lines": check("bpm", songs="title,artist,bpm,released\n" + "a,b,c,d\n" * 4_000),
        "short lines": check("bpm", songs="title,artist,bpm,released\n" + "a\n" * 16_000),
        "one wide line": check("bpm", songs="," * 60_000),
        "many songs": check("bpm", songs=crate()),
        "a wide board": check_board(board(".")),
        "a board of one stage": check_board(board("A")),
        "unknown signs": check_board(board("?", rows=1, width=4_500)),
        "tabs": check_board("\t" * 19_000),
        "very deep": post(f"{API}/games/bebop/check", DEEP),
        "a number of 60,000 digits": post(f"{API}/games/bebop/check", b'{"star":' + b"9" * 60_000 + b"}"),
        "many fields": check("bebop", **{f"x{n}": n for n in range(4_000)}),
    },
    f"GET {API}/games/{{key}}/examples": {
        "": get(f"{API}/games/bebop/examples?language=nl"),
        "packed": get(f"{API}/games/bebop/examples?language=en", **GZIP),
    },
    f"POST {API}/games/{{key}}/examples/{{name}}": {
        "as many moves as there may be": try_out(MOST_MOVES, "play"),
        "the longest preview": try_out(MOST_MOVES, "preview"),
        "very deep": post(f"{API}/games/bebop/examples/stage", DEEP),
        "many fields": post(f"{API}/games/bpm/examples/combos", {"moves": [{f"x{n}": n for n in range(4_000)}] * 12}),
    },
    f"GET {API}/games/{{key}}/lessons": {
        "": get(f"{API}/games/bebop/lessons?language=nl"),
        "packed": get(f"{API}/games/bebop/lessons?language=en", **GZIP),
    },
    f"POST {API}/games/{{key}}/lessons": {"": post(f"{API}/games/bebop/lessons", {"name": WIDEST_NAME, "lesson": 8})},
    f"GET {API}/tables": {"": get(f"{API}/tables"), "packed": get(f"{API}/tables", **GZIP)},
    f"POST {API}/tables": {
        "many songs": post(f"{API}/tables", {**OPEN, "options": {"songs": crate()}}),
        "quotes that never close": post(f"{API}/tables", {**OPEN, "options": {"songs": 'x","\n' * 7_000}}),
        "many bots": post(f"{API}/tables", {**OPEN, "bots": {n << 40: "rookie" for n in range(2_000)}}),
    },
    f"GET {TABLE}": {"full": of_running("GET", ""), "put away": read_back, "cookies": many_cookies},
    f"POST {TABLE}/join": {"full": of_running("POST", "/join", {"name": WIDEST_NAME, "watch": True})},
    f"POST {TABLE}/seat": {"": of_forked("/seat", {"seat": 2})},
    f"POST {TABLE}/name": {"": of_running("POST", "/name", {"name": WIDEST_NAME})},
    f"POST {TABLE}/seat/request": {"": of_forked("/seat/request", {"seat": 2})},
    f"POST {TABLE}/seat/request/answer": {"": of_forked("/seat/request/answer", {"person": "p2", "agrees": True})},
    f"POST {TABLE}/bots": {"": of_forked("/bots", {"seat": 2, "level": "regular"})},
    f"POST {TABLE}/setup": {"many songs": of_forked("/setup", {"options": {"songs": crate(799)}})},
    f"POST {TABLE}/avatar": {"": of_forked("/avatar", {"avatar": 2})},
    f"POST {TABLE}/avatar/answer": {"": of_forked("/avatar/answer", {"person": "p2", "agrees": True})},
    f"POST {TABLE}/pace": {"": of_running("POST", "/pace", {"pace": "quick"})},
    f"POST {TABLE}/start": {"a forked game": of_forked("/start")},
    f"POST {TABLE}/rematch": {"many songs": of_finished("POST", "/rematch")},
    f"POST {TABLE}/fork": {
        "the last step": of_finished("POST", "/fork", {"step": 80}),
        "a step beyond": of_finished("POST", "/fork", {"step": 1 << 63}),
    },
    f"POST {TABLE}/forget-me": {"": of_running("POST", "/forget-me", who=-1)},
    f"POST {API}/parties": {"": post(f"{API}/parties", {"game": "boogie"})},
    f"POST {TABLE}/end": {"": of_party("/end")},
    f"POST {TABLE}/evening": {"": of_party("/evening", {})},
    f"POST {TABLE}/next-game": {"another game for everybody": of_party("/next-game", {"game": "bpm"})},
    f"POST {TABLE}/seat/reclaim": {"": of_running("POST", "/seat/reclaim", {"person": "p1"})},
    f"POST {TABLE}/seat/reclaim/answer": {
        "": of_running("POST", "/seat/reclaim/answer", {"person": "p1", "agrees": True})
    },
    f"POST {TABLE}/links": {"": of_running("POST", "/links")},
    f"POST {TABLE}/links/redeem": {"": of_running("POST", "/links/redeem", {"link": "x" * 128})},
    f"POST {TABLE}/host": {"": of_running("POST", "/host", {"person": "p2"})},
    f"POST {TABLE}/mute": {"": about_somebody("/mute")},
    f"POST {TABLE}/refuse-name": {"": about_somebody("/refuse-name")},
    f"POST {TABLE}/remove": {"": about_somebody("/remove")},
    f"POST {TABLE}/access": {"": of_running("POST", "/access", {"locked": True})},
    f"POST {TABLE}/ban": {"": about_somebody("/ban")},
    f"GET {TABLE}/bans": {"": of_running("GET", "/bans")},
    f"POST {TABLE}/unban": {"": of_running("POST", "/unban", {"ban": 1})},
    f"POST {TABLE}/sign-out": {"": of_running("POST", "/sign-out")},
    f"POST {TABLE}/leave": {"": of_running("POST", "/leave", who=-1)},
    f"GET {TABLE}/invite": {"": of_running("GET", "/invite", host="x" * 250)},
    f"GET {TABLE}/invite.svg": {
        "a long name": of_running("GET", "/invite.svg", host="x" * 250),
        "a very long name": of_running("GET", "/invite.svg", host="x" * 2_500),
    },
    f"GET {TABLE}/log": {
        "running": of_running("GET", "/log?language=nl"),
        "finished": of_finished("GET", "/log"),
        "a seat's": of_finished("GET", "/log?language=nl&seat=2"),
        "packed": of_finished("GET", "/log", **GZIP),
    },
    f"GET {TABLE}/fairness": {"": of_finished("GET", "/fairness")},
    f"GET {TABLE}/journal": {"": of_finished("GET", "/journal")},
    f"GET {TABLE}/paintings": {
        "packed": of_finished("GET", "/paintings", **{"accept-encoding": "gzip, deflate"}),
        "unpacked": of_finished("GET", "/paintings?language=nl"),
        "a seat's": of_finished("GET", "/paintings?language=nl&seat=2"),
    },
    f"GET {TABLE}/analysis": {
        "": of_finished("GET", "/analysis?language=nl&seat=1"),
        "packed": of_finished("GET", "/analysis?language=nl&seat=1", **GZIP),
    },
    f"POST {TABLE}/analysis": {"of a game that goes on": of_running("POST", "/analysis")},
    f"POST {TABLE}/analysis/stop": {"": of_running("POST", "/analysis/stop")},
    f"GET {TABLE}/replay": {
        "packed": of_finished("GET", "/replay", **{"accept-encoding": "gzip, deflate"}),
        "unpacked": of_finished("GET", "/replay"),
        "changes": of_finished("GET", "/replay?changes=true"),
        "a seat's": of_finished("GET", "/replay?seat=2"),
    },
    f"GET {ADMIN}/load": {"": steering("GET", "/load")},
    f"GET {ADMIN}/tables": {"": steering("GET", "/tables")},
    f"POST {ADMIN}/tables/{{code}}/close": {"": steering("POST", "/tables/nowhere/close", {"reason": "\ufdfa" * 200})},
    f"GET {ADMIN}/bans": {"": steering("GET", "/bans")},
    f"POST {ADMIN}/bans": {"": steering("POST", "/bans", {"address": "203.0.113.0/24", "note": "x" * 200})},
    f"POST {ADMIN}/bans/lift": {"": steering("POST", "/bans/lift", {"address": "2001:db8::/32"})},
    f"POST {WATCH}": {
        "a game of eight": send_in(journals.long_game),
        "a game of eight, painted": send_in(journals.long_game, "?painted=true&seat=7&language=nl"),
        "back and forth": send_in(journals.back_and_forth),
        "nothing but steps": send_in(journals.nothing_but_steps),
        "many songs": send_in(journals.many_songs),
        "very deep": send_in(journals.no_journal),
    },
    "GET /live": {"": get("/live")},
    "GET /ready": {"": get("/ready")},
    "GET /metrics": {"": get("/metrics")},
    "GET /": {"": get("/")},
    "GET /{path}": {"the largest": largest_file, "a long way": get("/" + "x/" * 3_000)},
    f"GET {API}/schema/openapi.json": {
        "": get(f"{API}/schema/openapi.json"),
        "packed": get(f"{API}/schema/openapi.json", **GZIP),
    },
    f"GET {API}/schema": {"": get(f"{API}/schema")},
    f"GET {API}/schema/{{path}}": {"": get(f"{API}/schema/x")},
}


def send(who: int = 0, **message: Any) -> Ask:
    """Send a message from a seat of the full table."""
    return lambda stage: stage.ears[3 * who].send(id="x", **message)


async def act(stage: Stage) -> Any:
    """Make a move while every seat watches in every language."""
    action, who = possible(stage)
    answer = await stage.ears[3 * who].send(type="act", id=f"move {next(NUMBERS)}", action=action)
    assert answer["type"] == "ack", answer
    return answer


def possible(stage: Stage) -> tuple[dict[str, Any], int]:
    state = stage.registry.tables[stage.running[0].session.code].state
    seat = next(iter(state.pending))
    (offer, *_) = state.game.legal(state.position, seat)

    return msgspec.to_builtins(offer.action), seat


def foresee(kind: str) -> Ask:
    async def asked(stage: Stage) -> Any:
        action, who = possible(stage)
        return await stage.ears[3 * who].send(type=kind, id="x", action=action)

    return asked


async def hello(stage: Stage) -> Any:
    """Come back after all steps that are still known."""
    ear, state = stage.ears[1], stage.registry.tables[stage.running[0].session.code].state
    await ear.session.end()
    answer = await ear.hello(state.number(0, state.witnesses.recent(0).since))
    assert answer["missed"], "there are missed steps"
    return answer


MESSAGES: dict[str, dict[str, Ask]] = {
    "hello": {"after all that is known": hello},
    "act": {
        "a move": act,
        "deep": send(type="act", action={"type": "x" * 7_000}),
        "a large number": send(type="act", action={"type": "PlayCard", "jump": 1 << 63}),
    },
    "preview": {"": foresee("preview")},
    "why-not": {"": foresee("why-not")},
    "say": {"letters that become eighteen": send(type="say", text="\ufdfa" * 2_000)},
    "phrase": {"": send(type="phrase", phrase="hello")},
    "report-peek": {"": send(type="report-peek")},
    "ready": {"": send(type="ready", ready=True)},
    "undo": {"": send(type="undo")},
    "answer-undo": {"": send(type="answer-undo", agrees=True)},
    "withdraw-undo": {"": send(type="withdraw-undo")},
    "seed": {"": send(type="seed", seed="f" * 64)},
    "pause": {"": send(1, type="pause")},
    "activity": {"": send(type="activity")},
    "hurry": {"": send(type="hurry")},
    "hint": {"": send(type="hint")},
    "resync": {"": send(type="resync")},
    "nudge": {"": send(type="nudge", person="p1")},
    "vote": {"": send(type="vote", person="p1")},
    "lesson": {"": send(type="lesson", lesson=0)},
    "retry": {"": send(type="retry")},
    "show-move": {"": send(type="show-move")},
    "ping": {"": send(type="ping")},
}
