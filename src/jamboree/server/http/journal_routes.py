"""The route that replays an uploaded journal; nothing is stored."""

import zlib
from functools import partial

from litestar import Response, post
from litestar.params import FromQuery

from jamboree.core.errors import BadJournal, ChangedJournal
from jamboree.core.game import AnyGame, Eye
from jamboree.core.journal import Journal, read
from jamboree.core.words import Language

from ..errors import Refused
from ..live.commands.base import BODY
from ..live.registry import Registry
from ..live.viewers.sent_journal import Watching, watched
from ..protocol.journals import WatchedJournal
from ..protocol.wire import encode
from .auth import check_json, check_origin
from .compression import EncodedBody
from .error_responses import MAX_JOURNAL, accepted_coding, refusals, sent
from .parameters import ApiRequest, RegistryDep

BAD = ("no-journal", "changed-journal", "unsound-journal", "other-rules", "unknown-game", "no-seat", "bad-options")


@post(
    "/journals/watch",
    status_code=200,
    tags=["afterwards"],
    request_max_body_size=MAX_JOURNAL,
    responses=refusals(*BODY, *BAD, "busy", "foreign-origin"),
)
async def watch_journal(
    request: ApiRequest,
    registry: RegistryDep,
    language: FromQuery[Language] = "en",
    seat: FromQuery[int | None] = None,
    painted: FromQuery[bool] = False,
) -> Response[WatchedJournal]:
    """Validate and replay the journal in the body, of a table or a terminal, 256 KiB at most; nothing is stored.

    The `views` are deltas after the first. They have all hidden information, or with `seat` what that seat knew at the
    time. With `painted` every step comes as text too. The `outcome` is null if the game was not over.
    """
    check_origin(request)
    check_json(request)
    journal = await registry.offload.run(_read, await request.body())
    game = _rules(journal, registry)
    viewer = Eye.ALL if seat is None else _seat(seat, journal.header.seats)
    options = Watching(viewer, language, painted)
    work = partial(_watched, journal, game, options)
    answer = await registry.offload.set_up(f"journals of {game.info.key}", work)
    is_packed = accepted_coding(request, "deflate")
    return sent(EncodedBody(answer, "deflate") if is_packed else EncodedBody(zlib.decompress(answer)))


def _read(body: bytes) -> Journal:
    try:
        return read(body)
    except ChangedJournal as error:
        raise Refused("changed-journal", str(error)) from None
    except BadJournal as error:
        raise Refused("no-journal", str(error)) from None


def _rules(journal: Journal, registry: Registry) -> AnyGame:
    header = journal.header
    if header.game not in registry.games:
        raise Refused("unknown-game", f"There is no such game; there are: {', '.join(registry.games)}.")
    game = registry.games.version(header.game, header.rules)
    if game is None:
        raise Refused("other-rules", "This journal was played by rules that this server does not have.")
    return game


def _seat(seat: int, seats: int) -> int:
    if not 0 <= seat < seats:
        raise Refused("no-seat", f"This journal has seats 0 to {seats - 1}.")
    return seat


def _watched(journal: Journal, game: AnyGame, options: Watching) -> bytes:
    return zlib.compress(encode(watched(journal, game, options)))
