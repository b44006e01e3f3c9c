"""The table as a person looks at it in a terminal: the plane, the jumps with their piles, the players."""

from collections.abc import Iterable, Iterator, Sequence

from jamboree.core.words import Line, Span

from ..box.components import BOX, NUMBER
from ..box.jumps import Jump, layout
from ..box.odds import percent, weigh
from ..box.texts import CATALOGUE
from ..visibility.views import JumpSeen, Laid, View
from .phrases import naming, say_animal, say_card, say_promise, say_to

LONGEST_NAME = 14
FEW = 3  # promises in a small window
WINGS = ("  ______", " |  o o o o o o o o \\_", "=|____________________)=  ")


def paint(view: View, names: Sequence[str], lang: str) -> list[Line]:
    lines: list[Line] = [[*_title(view, lang)], []]
    if view.phase == "plane":
        lines += [*_plane(view, lang), []]
    if view.phase in ("jump", "pulled"):
        lines += [*_sky(view, names, lang), []]
    elif view.phase != "plane" and view.jury.jumps:
        lines += [*_last_jury(view, names, lang), []]
    lines += [*_players(view, names, lang), []]
    lines += [*_promises(view, names, lang), *_own_hand(view, lang)]
    return lines


def paint_small(view: View, names: Sequence[str], lang: str) -> list[Line]:
    """Show the own hand first, jumps that were begun and the last promises: for a window of 24 lines."""
    lines: list[Line] = [[*_title(view, lang)], *_own_hand(view, lang)]
    if view.phase in ("jump", "pulled"):
        lines += [*_piles(view, {laid.jump for laid in view.plays if not laid.late}, names, lang)]
    elif view.phase != "plane" and view.jury.jumps:
        lines += [*_last_jury(view, names, lang)][1:]
    return [*lines, *[*_players(view, names, lang)][1:], *[*_promises(view, names, lang)][-FEW:]]


def _title(view: View, lang: str) -> Iterator[Span]:
    yield Span(CATALOGUE.say(lang, "table.title", jumprun=view.jumprun, jumpruns=BOX.jumpruns), "strong")
    yield Span("  " + CATALOGUE.say(lang, f"table.phase.{view.phase}"), "strong")
    limit = {"plane": view.plane_seconds, "jump": view.jump_seconds}.get(view.phase, 0)
    time = CATALOGUE.say(lang, "table.seconds", seconds=limit) if limit else ""
    yield Span("  " + (time if view.plane_seconds else CATALOGUE.say(lang, "table.untimed")), "dim")


def _plane(view: View, lang: str) -> Iterator[Line]:
    """Draw the plane, with those aboard who are not ready to jump."""
    aboard = [seat for seat in range(view.seats) if seat not in view.ready]
    yield [Span(WINGS[0], "dim")]
    yield [Span(WINGS[1], "dim")]
    seats = [Span(f" {seat + 1} ", f"seat{seat}") for seat in aboard]
    yield [Span(WINGS[2], "dim"), *seats, Span(" " + CATALOGUE.say(lang, "table.plane"), "dim")]


def _sky(view: View, names: Sequence[str], lang: str) -> Iterator[Line]:
    yield [Span(CATALOGUE.say(lang, "table.sky"), "strong")]
    yield from _piles(view, _shown(view), names, lang)
    yield [Span("  " + CATALOGUE.say(lang, "table.legend"), "dim")]


def _piles(view: View, jumps: Iterable[Jump], names: Sequence[str], lang: str) -> Iterator[Line]:
    chosen = set(jumps)
    in_order = [jump for jump in layout(view.seats).jumps if jump in chosen]
    piles = {jump: [laid for laid in view.plays if laid.jump == jump and not laid.late] for jump in in_order}
    labels = _labels(piles, names, lang)
    for jump, piled in piles.items():
        yield [Span(f"  {labels[jump]}  "), *_pile(view, jump, piled, lang)]


def _shown(view: View) -> list[Jump]:
    """List the jumps worth a line: formations, the own solo, and other solos that were begun."""
    begun = {laid.jump for laid in view.plays if not laid.late}
    return [jump for jump in layout(view.seats).jumps if jump in begun or jump.solo in (None, view.viewer)]


def _labels(jumps: Iterable[Jump], names: Sequence[str], lang: str) -> dict[Jump, str]:
    """Name some jumps, all in the same width."""
    labels = {jump: _label(jump, names, lang) for jump in jumps}
    width = max(map(len, labels.values()), default=0)
    return {jump: f"{label:<{width}}" for jump, label in labels.items()}


def _label(jump: Jump, names: Sequence[str], lang: str) -> str:
    if jump.solo is None:
        return CATALOGUE.say(lang, "table.formation", number=jump.number)
    short = [name[:LONGEST_NAME] for name in names]
    return CATALOGUE.say(lang, "table.solo", name=naming(short, lang)(jump.solo))


def _pile(view: View, jump: Jump, piled: list[Laid], lang: str) -> Iterator[Span]:
    """Show who laid how many cards, and what the viewer's own come to."""
    if not piled:
        yield Span(CATALOGUE.say(lang, "table.nobody"), "dim")
        return
    for seat in dict.fromkeys(laid.seat for laid in piled):
        characters = sum(laid.seat == seat and laid.character for laid in piled)
        jumpcards = sum(laid.seat == seat and not laid.character for laid in piled)
        shown = [CATALOGUE.say(lang, "table.character", count=characters)] * bool(characters)
        shown += [CATALOGUE.say(lang, "table.jumpcard", count=jumpcards)] * bool(jumpcards)
        yield Span(f" {seat + 1} ", f"seat{seat}")
        yield Span(f" {' '.join(shown)}  ")
    own = [laid.card for laid in piled if laid.seat == view.viewer and laid.card]
    if own:
        yield Span(CATALOGUE.say(lang, "table.own", cards=" ".join(say_card(card, lang) for card in own)))
        yield Span(_odds(jump, own, lang), "dim")


def _odds(jump: Jump, own: list[str], lang: str) -> str:
    dice, difficulty = weigh((NUMBER[card] for card in own), jump.solo is not None)
    if not dice:
        return ""
    odds = percent(dice, difficulty)
    return "  " + CATALOGUE.say(lang, "table.odds", count=dice, difficulty=difficulty, percent=odds)


def _last_jury(view: View, names: Sequence[str], lang: str) -> Iterator[Line]:
    yield [Span(CATALOGUE.say(lang, "table.jury"), "strong")]
    labels = _labels([jump.jump for jump in view.jury.jumps], names, lang)
    for jump in view.jury.jumps:
        cards = " ".join(f"{turned.seat + 1}{say_card(turned.card, lang)}" for turned in jump.characters)
        pile = " ".join(say_card(turned.card, lang) for turned in jump.jumpcards)
        yield [
            Span(f"  {labels[jump.jump]}  {cards}  {pile}  "),
            Span(_result(jump, names, lang), "good" if jump.points else "dim"),
        ]


def _result(jump: JumpSeen, names: Sequence[str], lang: str) -> str:
    bare = jump.jumpers and not jump.dice
    return CATALOGUE.say(
        lang,
        f"table.result.{'no figures' if bare else jump.verdict}",
        count=len(jump.jumpers),
        jumpers=", ".join(names[seat] for seat in jump.jumpers),
        points=jump.points,
        eyes=sum(jump.eyes),
        difficulty=jump.difficulty,
    )


def _players(view: View, names: Sequence[str], lang: str) -> Iterator[Line]:
    width = min(LONGEST_NAME, max(len(name) for name in names))
    legend = "   " + CATALOGUE.say(lang, "table.honesty.legend") if view.promising else ""
    yield [Span(CATALOGUE.say(lang, "table.players"), "strong"), Span(legend, "dim")]
    for seat, name in enumerate(names):
        hand, honesty = view.hands[seat], view.honesty[seat]
        total = sum(points[seat] for points in view.points)
        details = [
            f"{say_animal(seat, lang):<8}",
            f"{CATALOGUE.say(lang, 'table.points', count=total):>9}",
            f"{CATALOGUE.say(lang, 'table.hand', count=hand.jumpcards):>16}",
            CATALOGUE.say(lang, "table.honesty", kept=honesty.kept, broken=honesty.broken) if view.promising else "",
        ]
        yield [
            Span("★" if seat == view.jumpmaster else " ", "strong"),
            Span(("●" if seat in view.ready else " ") + " "),
            Span(f" {seat + 1} ", f"seat{seat}"),
            Span(f" {name[:width]:<{width}} ", "strong" if seat == view.viewer else ""),
            Span("  ".join(details)),
            Span("  " + CATALOGUE.say(lang, "table.late") if seat in view.late else "", "strong"),
        ]


def _promises(view: View, names: Sequence[str], lang: str) -> Iterator[Line]:
    name = naming(names, lang)
    if view.promises:
        yield [Span(CATALOGUE.say(lang, "table.promises"), "strong")]
    for made in view.promises:
        promise = say_promise(made.term, made.asked, name, lang)
        text = CATALOGUE.say(
            lang, "table.promise", seat=name(made.seat), to=say_to(made.to, name, lang), promise=promise
        )
        yield [Span(f"  {text}")]
    own = view.talk[view.viewer] if isinstance(view.viewer, int) else None
    if own and view.promising and view.phase == "plane":
        yield [Span(CATALOGUE.say(lang, "table.left", count=BOX.limits.promises - own.begun), "dim")]


def _own_hand(view: View, lang: str) -> Iterator[Line]:
    cards = view.hands[view.viewer].cards if isinstance(view.viewer, int) else None
    if cards is not None and view.phase != "over":
        context = " ".join(say_card(card, lang) for card in cards)
        yield [Span(CATALOGUE.say(lang, "table.own-hand", cards=context), "strong")]
