"""Why an action is good, for those who ask for a hint."""

from jamboree.core.geometry import bits
from jamboree.core.kit.reasons import Reasoned, Reasons, always
from jamboree.core.words import join_words

from ..box.board import Board
from ..box.components import FACES
from ..box.dice import Die
from ..box.texts import CATALOGUE
from ..rules import events as e
from ..rules.actions import BookSeat, ClaimSeat, DrawFromBag, KeepDice, PerformStage, RerollDie, TakeFromQueue
from ..visibility.views import StageSeen, View
from .phrases import say_die


def family(about: Reasoned) -> str | None:
    """Say how large the family is that a die joins."""
    for scored in about.events(e.FamilyScored):
        die: Die = scored.die
        colour, face = (CATALOGUE.say(about.lang, key) for key in (f"coloured.{die.colour}", f"feature.{die.face}"))
        return CATALOGUE.say(about.lang, "coach.family", count=scored.points, colour=colour, face=face)
    return None


def stages_played(about: Reasoned) -> str | None:
    """Say which stage plays, and who gets what for it."""
    scored = [event for event in about.events(e.FeatureScored) if event.winners]
    if not scored:
        return None
    lines = [_feature(event, about) for event in scored]
    return CATALOGUE.say(about.lang, "coach.performs", stage=scored[0].stage, paid=join_words(lines, about.lang))


def _feature(event: e.FeatureScored, about: Reasoned) -> str:
    key = "coach.pays.you" if about.seat in event.winners else "coach.pays"
    names = join_words([about.names[seat] for seat in event.winners if seat != about.seat], about.lang)
    key += "" if len(event.winners) == 1 else ".tie"
    feature = CATALOGUE.say(about.lang, f"feature.{event.token.feature}")
    return CATALOGUE.say(about.lang, key, feature=feature, count=event.points, names=names)


def stage_waits(about: Reasoned) -> str | None:
    """Say which stage a hex belongs to, the one first that waits for fewest others."""
    view: View = about.view
    near = [stage for stage in view.stages if about.action.hex in stage.missing]
    if not near:
        return None
    first = min(near, key=lambda stage: len(stage.missing))
    key = "coach.last-hex" if len(first.missing) == 1 else "coach.beside"
    worth = _worth(first, view)
    return CATALOGUE.say(
        about.lang, key, stage=first.stage, hex=about.action.hex, count=len(first.missing), worth=worth
    )


def _worth(stage: StageSeen, view: View) -> int:
    """Count what the tokens of a stage pay by their ratings now."""
    return sum(view.rating[FACES.index(token.feature)] for token in stage.tokens)


def stage_leader(about: Reasoned) -> str | None:
    """Say who would get most of the stage beside a hex, if it played now."""
    view: View = about.view
    leads = [lead for stage in view.stages if about.action.hex in stage.missing for lead in stage.leads if lead.points]
    if not leads:
        return None
    best = max(leads, key=lambda lead: lead.points)
    feature = CATALOGUE.say(about.lang, f"feature.{best.feature}")
    if about.seat in best.leaders:
        return CATALOGUE.say(about.lang, "coach.you-lead", feature=feature, count=best.points)
    names = join_words([about.names[seat] for seat in best.leaders], about.lang)
    return CATALOGUE.say(about.lang, "coach.leads", names=names, feature=feature, count=best.points)


def dice_that_fit(about: Reasoned) -> str | None:
    """Say which die in hand would join the largest family from a hex."""
    view: View = about.view
    fits = [(size, die) for die in view.hands[about.seat].dice or [] if (size := _joins(about.action.hex, die, view))]
    if not fits:
        return None
    size, die = max(fits, key=lambda fit: fit[0])
    return CATALOGUE.say(about.lang, "coach.fits", die=say_die(die, about.lang), count=size + 1)


def new_die_fits(about: Reasoned) -> str | None:
    """Say where the die that is taken would pay."""
    view: View = about.view
    die = view.queue[about.action.place]
    open_seats = [tile.hex for tile in view.tiles if tile.seat == about.seat and tile.die is None]
    fits = [(_joins(place, die, view), place) for place in open_seats] if die else []
    size, place = max(fits, default=(0, ""))
    return CATALOGUE.say(about.lang, "coach.new-die", hex=place, count=size + 1) if size else None


def _joins(place: str, die: Die, view: View) -> int:
    """Count the matching dice in the families of its colour that a die would join on a hex."""
    ground = Board.parse(view.board).ground(view.seats)
    near = {ground.names[at] for at in bits(ground.near[ground.index[place]])}
    joined = {at for each in view.families if each.colour == die.colour and near & {*each.hexes} for at in each.hexes}
    laid = [(tile.hex, tile.die.face) for tile in view.tiles if tile.die]
    laid += [(ground.names[at], face) for at, _, face in ground.printed_dice]
    return sum(at in joined and face == die.face for at, face in laid)


def power(about: Reasoned) -> str | None:
    """Say what a special seat lets its player do."""
    if about.action.tile == "basic" or about.action.face_down:
        return None
    return CATALOGUE.say(about.lang, f"web.power.{about.action.tile}")


def boots(about: Reasoned) -> str | None:
    for booted in about.events(e.SeatBooted):
        tile = CATALOGUE.say(about.lang, f"a-tile.{booted.tile}")
        return CATALOGUE.say(about.lang, "coach.boots", name=about.names[booted.owner], tile=tile)
    return None


def banner(about: Reasoned) -> str | None:
    for moved in about.events(e.BannerMoved):
        return CATALOGUE.say(about.lang, "coach.banner", colour=CATALOGUE.say(about.lang, f"coloured.{moved.colour}"))
    return None


REASONS: Reasons = {
    ClaimSeat: (power, boots, stage_waits, stage_leader, dice_that_fit),
    BookSeat: (family, stages_played, stage_waits, banner),
    PerformStage: (stages_played,),
    TakeFromQueue: (new_die_fits,),
    DrawFromBag: (always(CATALOGUE, "coach.draw"),),
    RerollDie: (always(CATALOGUE, "coach.reroll"),),
    KeepDice: (always(CATALOGUE, "coach.keep"),),
}
