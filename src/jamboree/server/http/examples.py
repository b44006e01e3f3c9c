"""Worked examples as a reader is shown them. They are at no table: what was done before comes with every question."""

from collections.abc import Sequence
from typing import Any, cast

import msgspec

from jamboree.core.errors import Illegal
from jamboree.core.game import AnyGame, read_action
from jamboree.core.learning import Example, Trial, pictures_of
from jamboree.core.words import Language

from ..errors import Refused
from ..protocol.actions import ActionIndex, action_index
from ..protocol.parts import Position
from ..protocol.rules import Asking, ExampleCard, Examples, Tried, TryExample


def shown_examples(game: AnyGame, lang: Language) -> Examples:
    """Show every example of a game as it begins."""
    trials = [Trial(game, example) for example in pictures_of(game).examples]
    cards = [_card(trial, lang) for trial in trials]
    return Examples(trials[0].seat, trials[0].names, cards) if trials else Examples(0, [], [])


def tried(game: AnyGame, example: Example, body: TryExample, lang: Language) -> Tried:
    """Do what a reader wants to try; whatever is against it is said in their language."""
    trial, moves = Trial(game, example), [_typed(game, move) for move in body.moves]
    if not moves:
        return _begun(trial, lang)
    follows = True
    for move in moves[:-1]:
        follows = follows and move == trial.next()
        _act(trial, move)
    return _last(trial, moves[-1], body.ask, follows, lang)


def _last(trial: Trial, move: Any, ask: Asking, follows: bool, lang: Language) -> Tried:
    seen = trial.game.view(trial.state, trial.seat)
    refusal = _why_not(trial, seen, move)
    if refusal:
        reason = trial.game.words.reason(refusal, lang)
        return Tried([], [], [], False, None, None, refused=reason, rule=refusal.rule)
    if ask == Asking.WHY_NOT:
        return Tried([], [], [], False, None, None)
    if ask == Asking.PREVIEW:
        ahead = trial.game.preview(seen, move)
        return Tried(ahead.events, _said(trial, ahead.events, lang), ahead.points, ahead.chance_follows, None, None)
    follows = follows and move == trial.next()
    before = trial.game.standing(seen)
    events = _act(trial, move)
    after = trial.game.standing(trial.game.view(trial.state, trial.seat))
    points = [now - then for then, now in zip(before, after, strict=True)]
    return Tried(events, _said(trial, events, lang), points, False, _position(trial, lang), _next(trial, follows))


def _begun(trial: Trial, lang: Language) -> Tried:
    return Tried([], [], [0] * len(trial.names), False, _position(trial, lang), _next(trial, True))


def _card(trial: Trial, lang: Language) -> ExampleCard:
    example, said = trial.example, trial.example.texts(lang)
    groups = _repertoire(trial).groups
    return ExampleCard(example.name, example.rule, said.seen, said.text, said.told, groups, _begun(trial, lang))


def _position(trial: Trial, lang: Language) -> Position:
    game, state = trial.game, trial.state
    view, offers = game.view(state, trial.seat), trial.offers()
    legal = _repertoire(trial).legal(offers, lambda caution: game.words.warning(caution, lang))
    question = game.words.question(view, lang) if offers else ""
    actors = sorted(game.to_act(state), key=str) if offers else []
    return Position(view, actors, legal, game.outcome(state), question)


def _repertoire(trial: Trial) -> ActionIndex:
    return action_index(trial.game.actions(trial.state))


def _next(trial: Trial, follows: bool) -> dict[str, Any] | None:
    move = trial.next() if follows else None
    return None if move is None else cast("dict[str, Any]", msgspec.to_builtins(move))


def _said(trial: Trial, events: Sequence[Any], lang: Language) -> list[str]:
    return [trial.game.words.sentence(event, trial.names, lang, trial.seat) for event in events]


def _typed(game: AnyGame, move: dict[str, Any]) -> Any:
    try:
        return read_action(game, move)
    except msgspec.ValidationError as error:
        raise Refused("malformed", f"This is not an action of the game: {error}.") from None


def _why_not(trial: Trial, seen: Any, move: Any) -> Illegal | None:
    try:
        return trial.game.why_not(seen, move)
    except Exception:  # rules may take it that an action names things that exist
        raise Refused("malformed", "This action names something that is not in the game.") from None


def _act(trial: Trial, move: Any) -> list[Any]:
    if move not in [offer.action for offer in trial.offers()]:
        raise Refused("illegal", "This can't be done now.")
    return trial.act(move)
