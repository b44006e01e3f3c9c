"""Worked examples of rules pages. They are stateless: every request has all moves from the initial position."""

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
from ..protocol.rules import ExampleCard, Examples, TrialMode, TrialResult, TryExample


def list_examples(game: AnyGame, lang: Language) -> Examples:
    """Return every example of a game in its initial position."""
    trials = [Trial(game, example) for example in pictures_of(game).examples]
    cards = [_card(trial, lang) for trial in trials]
    return Examples(trials[0].seat, trials[0].names, cards) if trials else Examples(0, [], [])


def try_moves(game: AnyGame, example: Example, body: TryExample, lang: Language) -> TrialResult:
    """Apply the reader's moves, and play, preview or check the last one; refusals are in the reader's language."""
    trial, moves = Trial(game, example), [_decoded(game, move) for move in body.moves]
    if not moves:
        return _initial(trial, lang)
    follows = True
    for move in moves[:-1]:
        follows = follows and move == trial.next()
        _act(trial, move)
    return _try_last(trial, moves[-1], body.ask, follows, lang)


def _try_last(trial: Trial, move: Any, ask: TrialMode, follows: bool, lang: Language) -> TrialResult:
    view = trial.game.view(trial.state, trial.seat)
    refusal = _why_not(trial, view, move)
    if refusal:
        reason = trial.game.words.reason(refusal, lang)
        return TrialResult([], [], [], False, None, None, refused=reason, rule=refusal.rule)
    if ask == TrialMode.WHY_NOT:
        return TrialResult([], [], [], False, None, None)
    if ask == TrialMode.PREVIEW:
        ahead = trial.game.preview(view, move)
        return TrialResult(
            ahead.events, _sentences(trial, ahead.events, lang), ahead.points, ahead.chance_follows, None, None
        )
    follows = follows and move == trial.next()
    before = trial.game.standing(view)
    events = _act(trial, move)
    after = trial.game.standing(trial.game.view(trial.state, trial.seat))
    points = [now - then for then, now in zip(before, after, strict=True)]
    return TrialResult(
        events, _sentences(trial, events, lang), points, False, _position(trial, lang), _next(trial, follows)
    )


def _initial(trial: Trial, lang: Language) -> TrialResult:
    return TrialResult([], [], [0] * len(trial.names), False, _position(trial, lang), _next(trial, True))


def _card(trial: Trial, lang: Language) -> ExampleCard:
    example, texts = trial.example, trial.example.texts(lang)
    groups, begins = _action_index(trial).groups, _initial(trial, lang)
    return ExampleCard(example.name, example.rule, texts.alt, texts.text, texts.explanation, groups, begins)


def _position(trial: Trial, lang: Language) -> Position:
    game, state = trial.game, trial.state
    view, offers = game.view(state, trial.seat), trial.offers()
    legal = _action_index(trial).legal(offers, lambda caution: game.words.warning(caution, lang))
    question = game.words.question(view, lang) if offers else ""
    actors = sorted(game.to_act(state), key=str) if offers else []
    return Position(view, actors, legal, game.outcome(state), question)


def _action_index(trial: Trial) -> ActionIndex:
    return action_index(trial.game.actions(trial.state))


def _next(trial: Trial, follows: bool) -> dict[str, Any] | None:
    move = trial.next() if follows else None
    return None if move is None else cast("dict[str, Any]", msgspec.to_builtins(move))


def _sentences(trial: Trial, events: Sequence[Any], lang: Language) -> list[str]:
    return [trial.game.words.sentence(event, trial.names, lang, trial.seat) for event in events]


def _decoded(game: AnyGame, move: dict[str, Any]) -> Any:
    try:
        return read_action(game, move)
    except msgspec.ValidationError as error:
        raise Refused("malformed", f"This is not an action of the game: {error}.") from None


def _why_not(trial: Trial, view: Any, move: Any) -> Illegal | None:
    try:
        return trial.game.why_not(view, move)
    except Exception:  # rules may assume that an action names things that exist
        raise Refused("malformed", "This action names something that is not in the game.") from None


def _act(trial: Trial, move: Any) -> list[Any]:
    if move not in [offer.action for offer in trial.offers()]:
        raise Refused("illegal", "This can't be done now.")
    return trial.act(move)
