"""What a client asks of a table. What is not a field here is not heard."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from jamboree.core.words import Language

Id = Annotated[str, Meta(min_length=1, max_length=64, description="the client's own name for what it asks")]
Action = Annotated[dict[str, Any], Meta(extra_json_schema={"$ref": "#/$defs/AnyAction"})]


class FromClient(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    pass


class Hello(FromClient, frozen=True, tag="hello"):
    """The first message. Without a token one watches; `seen` asks for what happened after that number.

    With a language every frame carries its sentences; for another language a client connects anew. A client that can't
    draw a game asks to have its positions `painted`. With `whole` every update has the whole position. A
    client that can unpack raw deflate says `packed`. A big `screen` is shown what spectators are shown, whatever token
    comes along.

    On a device that is `shared`, the line is that of one `person` whose cookie came along, or of nobody: then it shows
    what everybody may see, and all who play on the device count as there.
    """

    token: Annotated[str, Meta(max_length=128)] | None = None
    seen: Annotated[int, Meta(ge=0, le=2**53)] | None = None
    language: Language | None = None
    painted: bool = False
    whole: bool = False
    packed: bool = False
    screen: bool = False
    shared: bool = False
    person: Annotated[str, Meta(max_length=64)] | None = None


class NotMe(FromClient, frozen=True, tag="not-me"):
    """Say that somebody else looked through one's curtain on a shared device; everybody is told for how long."""

    id: Id


class Act(FromClient, frozen=True, tag="act"):
    """Take an action. Sent again under the same id, it is not taken again."""

    id: Id
    action: Action


class AskPreview(FromClient, frozen=True, tag="preview"):
    """Ask what is certain to follow an action."""

    id: Id
    action: Action


class AskWhyNot(FromClient, frozen=True, tag="why-not"):
    """Ask which rule forbids an action."""

    id: Id
    action: Action


class Say(FromClient, frozen=True, tag="say"):
    """Speak to all, or whisper to one person."""

    id: Id
    text: Annotated[str, Meta(max_length=2000)]
    to: str | None = None


class Speak(FromClient, frozen=True, tag="phrase"):
    """Say one of the quick phrases of the game, which everybody reads in their own language."""

    id: Id
    phrase: Annotated[str, Meta(max_length=32)]


class Ready(FromClient, frozen=True, tag="ready"):
    id: Id
    ready: bool = True


class TakeBack(FromClient, frozen=True, tag="undo"):
    """Take my last move back, or ask the others whether that may be."""

    id: Id


class Withdraw(FromClient, frozen=True, tag="withdraw"):
    """Stop asking the others whether a move may be taken back."""

    id: Id


class Agree(FromClient, frozen=True, tag="agree"):
    """Answer somebody who asks to take a move back."""

    id: Id
    agree: bool


class AddSeed(FromClient, frozen=True, tag="seed"):
    """Add one's part to the luck of the game that begins, as hexadecimal digits."""

    id: Id
    seed: Annotated[str, Meta(max_length=64)]


class Ping(FromClient, frozen=True, tag="ping"):
    id: Id


class AskAnew(FromClient, frozen=True, tag="anew"):
    """Ask for everything anew: a `welcome`. For a client whose position is not what it should be."""

    id: Id


class Here(FromClient, frozen=True, tag="here"):
    """Show that somebody is there: a touch, a key, a page that is being read. Once in a while is enough."""

    id: Id


class Hurry(FromClient, frozen=True, tag="hurry"):
    """Have bots move at once until it is my turn; for somebody with whom nobody else plays."""

    id: Id


class Nudge(FromClient, frozen=True, tag="nudge"):
    """Ask a player whom the table waits for whether they are still there."""

    id: Id
    person: str


class VoteBot(FromClient, frozen=True, tag="vote"):
    """Say whether a bot should play for somebody who is away or gives no sign of life."""

    id: Id
    person: str
    bot: bool = True


class AskHint(FromClient, frozen=True, tag="hint"):
    """Ask what is best here, with reasons; where people play with each other, only if the host allows it."""

    id: Id


class AskPause(FromClient, frozen=True, tag="pause"):
    """Pause the game, or go on; for the host."""

    id: Id
    paused: bool = True


class BeginLesson(FromClient, frozen=True, tag="lesson"):
    """Have the table laid for a lesson: the next one, or any."""

    id: Id
    lesson: Annotated[int, Meta(ge=0, le=99)]


class RetryLesson(FromClient, frozen=True, tag="retry"):
    """Take back what missed the point in a lesson, or what the coach has shown."""

    id: Id


class ShowMove(FromClient, frozen=True, tag="show"):
    """Have the coach of a lesson make the move."""

    id: Id


ClientMessage = (
    Hello
    | Act
    | NotMe
    | AskPreview
    | AskWhyNot
    | Say
    | Speak
    | Ready
    | TakeBack
    | Withdraw
    | Agree
    | AddSeed
    | AskPause
    | AskHint
    | AskAnew
    | Here
    | Hurry
    | Nudge
    | VoteBot
    | BeginLesson
    | RetryLesson
    | ShowMove
    | Ping
)
