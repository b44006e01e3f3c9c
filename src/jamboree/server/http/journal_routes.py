"""The route that replays an uploaded journal."""

import zlib

from litestar import Response, post
from litestar.params import FromQuery

from jamboree.core.words import Language

from ..live.commands.base import BODY
from ..protocol.journals import WatchedJournal
from ..service import journals as service
from ..service.journals import MAX_JOURNAL
from .auth import check_json, check_origin
from .compression import EncodedBody
from .error_responses import accepted_coding, refusals, sent
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
    answer = await service.watch_journal(registry, await request.body(), language, seat, painted)
    is_packed = accepted_coding(request, "deflate")
    return sent(EncodedBody(answer, "deflate") if is_packed else EncodedBody(zlib.decompress(answer)))
