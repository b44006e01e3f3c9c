"""Set-up: the central play area, then the players."""

import pytest

from jamboree.core.chance import Recorded, Scripted, Seeded
from jamboree.core.errors import BadOptions
from jamboree.core.game import Eye
from jamboree.games.bebop.box.board import Board, load
from jamboree.games.bebop.box.components import COLOURS, FACES, SPECIALS
from jamboree.games.bebop.rules.setup import Options, set_up_on
from jamboree.games.bebop.rules.state import State
from jamboree.games.bebop.visibility.views import View

from ..boards import board_text
from ..table import BEBOP, BILLIE, LOUIS

every_count = pytest.mark.parametrize("players", [2, 3, 4])
every_festival = pytest.mark.parametrize("festival", ["vanillaville", "cramped-valley", "longchain", "point-city"])


def new_game(players: int, festival: str = "vanillaville", seed: int = 1, **options: bool) -> State:
    return BEBOP.setup(players, Options(board=load(festival).source, **options), Seeded(seed))


def shown(state: State) -> View:
    return BEBOP.view(state, Eye.ALL)


def features(view: View, spaces: int) -> list[list[str]]:
    """List the features on the stages of one size, each in order."""
    return [[token.feature for token in stage.tokens] for stage in view.stages if len(stage.spaces) == spaces]


@pytest.mark.parametrize(
    ("players", "dice", "queue", "tokens"),
    [(2, 9, 4, 7), (3, 12, 5, 10), (4, 15, 6, 12)],
)
def test_dice_queue_and_tokens_for_each_number_of_players(players: int, dice: int, queue: int, tokens: int) -> None:
    state = new_game(players)
    counted = BEBOP.census(state)
    assert [counted[f"{colour} dice"] for colour in COLOURS] == [dice] * 5
    assert [counted[f"{feature} tokens"] for feature in FACES] == [tokens] * 3
    assert len(state.queue) == queue
    assert state.bag.total == 5 * dice - queue - 3 * players


@every_count
def test_a_player_has_sixteen_seats_and_three_dice_and_no_points(players: int) -> None:
    view = shown(new_game(players))
    for seat in range(players):
        assert (view.supplies[seat].basic, view.supplies[seat].specials) == (11, list(SPECIALS))
        assert view.hands[seat].count == 3
        assert view.tokens[seat] == [0, 0, 0, 0]
    assert BEBOP.scores(new_game(players)) == (0,) * players


@every_festival
@every_count
def test_a_triple_has_one_of_each_feature(festival: str, players: int) -> None:
    triples = features(shown(new_game(players, festival)), spaces=3)
    assert triples
    assert all(sorted(triple) == ["brass", "keys", "percussion"] for triple in triples)


@every_count
def test_the_centre_of_longchain_has_two_of_each_feature(players: int) -> None:
    (centre,) = features(shown(new_game(players, "longchain")), spaces=6)
    assert sorted(centre) == ["brass", "brass", "keys", "keys", "percussion", "percussion"]


@every_festival
@every_count
@pytest.mark.parametrize("star", [False, True])
def test_every_space_has_a_token_and_no_small_stage_a_feature_twice(festival: str, players: int, star: bool) -> None:
    for seed in range(10):
        for stage in shown(new_game(players, festival, seed, star=star)).stages:
            assert len(stage.tokens) == len(stage.spaces)
            if len(stage.spaces) < 6:
                assert len({token.feature for token in stage.tokens}) == len(stage.spaces)


@pytest.mark.parametrize(("players", "stars"), [(2, 1), (3, 2), (4, 2)])
def test_stars_replace_normal_tokens(players: int, stars: int) -> None:
    view = shown(new_game(players, star=True))
    laid = [token for stage in view.stages for token in stage.tokens]
    for at, feature in enumerate(FACES):
        in_play = sum(token.star and token.feature == feature for token in laid) + view.box[at + 3]
        assert in_play == stars
        assert view.box[at] >= stars  # the normal tokens they replace


def test_without_the_module_there_are_no_stars() -> None:
    view = shown(new_game(4))
    assert view.box[3:] == [0, 0, 0]
    assert not any(token.star for stage in view.stages for token in stage.tokens)


@pytest.mark.parametrize("festival", ["vanillaville", "longchain"])
@every_count
def test_no_star_lies_on_a_triple_or_on_the_centre(festival: str, players: int) -> None:
    starred = set()
    for seed in range(20):
        for stage in shown(new_game(players, festival, seed, star=True)).stages:
            starred |= {len(stage.spaces)} if any(token.star for token in stage.tokens) else set()
    assert starred == {1, 2}


def test_outside_the_region_nothing_is_in_play() -> None:
    spaces = [name for stage in shown(new_game(2)).stages for name in stage.spaces]
    regions = {spot.name: spot.region for spot in load("vanillaville").hexes}
    assert {regions[name] for name in spaces} == {2}
    assert "A" in {stage.stage for stage in shown(new_game(2)).stages}
    assert "C" not in {stage.stage for stage in shown(new_game(2)).stages}  # a stage of the four-player region


@pytest.mark.parametrize(("players", "hidden"), [(2, True), (3, False), (4, False)])
def test_dice_are_hidden_with_two_players_only(players: int, hidden: bool) -> None:
    view = BEBOP.view(new_game(players), 0)
    assert (view.hands[1].dice is None) == hidden
    assert view.hands[0].dice is not None


@pytest.mark.parametrize(("hidden", "stream"), [(True, "hidden"), (False, "open")])
def test_dice_behind_screens_come_from_the_hidden_stream(hidden: bool, stream: str) -> None:
    """What chance says is written down for all, or only for who may see it."""
    chance = Recorded(Seeded(1))
    BEBOP.setup(3, Options(hidden_hands=hidden), chance)
    assert [pick.stream for pick in chance.picks[-18:]] == [stream] * 18  # three dice each, drawn and rolled
    assert {pick.stream for pick in chance.picks[:-18]} == {"open"}


@pytest.mark.parametrize("players", [3, 4])
def test_experts_hide_their_dice_at_any_count(players: int) -> None:
    view = BEBOP.view(new_game(players, hidden_hands=True), 0)
    assert [hand.dice is None for hand in view.hands] == [False] + [True] * (players - 1)


@pytest.mark.parametrize(
    ("festival", "ratings"),
    [
        ("vanillaville", [7, 10, 12]),
        ("cramped-valley", [7, 10, 12]),
        ("longchain", [7, 10, 12]),
        ("point-city", [10, 13, 15]),
    ],
)
def test_the_rating_markers_start_by_the_number_of_players(festival: str, ratings: list[int]) -> None:
    for players, rating in zip([2, 3, 4], ratings, strict=True):
        assert new_game(players, festival).rating == [rating] * 3


def test_a_roll_shows_each_of_three_faces_equally_often() -> None:
    rolled = [die % 3 for seed in range(300) for die in new_game(4, seed=seed).queue]
    for face in range(3):
        assert 0.28 < rolled.count(face) / len(rolled) < 0.39


SINGLES_AND_DOUBLES = "A . B . C . D . E . F . G . H . I . J . K . L . M . N N . O O"
DEALT = ["red", "keys"] * 4 + ["green", "brass"] * 3 + ["aqua", "percussion"] * 3


def laid_out(*tokens: str, star: bool = False, first: str = "seat 0") -> State:
    """Set up thirteen single and two double stages, chance saying which tokens come."""
    ground = Board.parse(board_text(SINGLES_AND_DOUBLES)).ground(2)
    script = Scripted(first, *tokens, *DEALT)
    state = set_up_on(ground, star, False, script)
    assert script.values == []
    return state


def test_ruling_fill_space_by_space() -> None:
    singles = ["keys"] * 7 + ["percussion"] * 6
    dead_end = [*singles, "brass", "percussion", "brass"]  # only brass is left for the other space of O
    fresh = ["keys", "brass", "percussion"] * 4 + ["keys", "keys", "brass", "percussion", "keys"]
    stages = shown(laid_out(*dead_end, *fresh)).stages
    assert [token.feature for stage in stages for token in stage.tokens] == fresh


@pytest.mark.parametrize("star", [False, True])
def test_every_token_in_the_bag_is_as_likely_as_any_other(star: bool) -> None:
    """Two players have seven tokens of each feature: the more of a kind are left, the likelier it is to come."""
    chance = Recorded(Seeded(1))
    set_up_on(Board.parse(board_text(SINGLES_AND_DOUBLES)).ground(2), star, False, chance)
    first, *tokens = [pick.n for pick in chance.take_picks()][:15]
    assert (first, tokens) == (2, [21 - taken for taken in range(14)]), "one of those still in the bag each time"


def test_ruling_star_is_its_feature() -> None:
    singles = ["brass", "percussion"] * 5 + ["keys"] * 3
    for second in ("star keys", "keys"):
        with pytest.raises(AssertionError, match=f"the script says {second}; possible"):
            laid_out(*singles, "keys" if second == "star keys" else "star keys", second, star=True)
    stages = shown(laid_out(*singles, "star keys", "star brass", "keys", "star percussion", star=True)).stages
    assert [(token.feature, token.star) for token in stages[-2].tokens] == [("keys", True), ("brass", True)]


def test_ruling_cut_triple() -> None:
    """Vanillaville's stage D is a triple that two players see two spaces of."""
    pairs, starred = set(), False
    for seed in range(40):
        (cut,) = [stage for stage in shown(new_game(2, seed=seed, star=True)).stages if stage.stage == "D"]
        pairs.add(frozenset(token.feature for token in cut.tokens))
        starred = starred or any(token.star for token in cut.tokens)
    assert pairs == {frozenset(pair) for pair in (["keys", "brass"], ["keys", "percussion"], ["brass", "percussion"])}
    assert starred


def test_ruling_first_player_random() -> None:
    assert {new_game(4, seed=seed).turn for seed in range(60)} == {0, 1, 2, 3}


def test_dice_are_dealt_from_the_first_player_on() -> None:
    fill = ["keys", "brass", "percussion"] * 4 + ["keys", "keys", "brass", "percussion", "keys"]
    state = laid_out(*fill, first="seat 1")
    assert state.turn == LOUIS
    hands = shown(state).hands
    assert {(die.colour, die.face) for die in hands[LOUIS].dice or ()} == {("green", "brass")}
    assert {(die.colour, die.face) for die in hands[BILLIE].dice or ()} == {("aqua", "percussion")}


@every_count
def test_ruling_printed_dice_are_extra(players: int) -> None:
    """Point City's preprinted dice are none of those in the bag."""
    state = new_game(players, "point-city")
    assert state.bag.total + len(state.queue) + 3 * players == {2: 45, 3: 60, 4: 75}[players]
    assert state.ground.printed.bit_count() == {2: 5, 3: 8, 4: 10}[players]


@pytest.mark.parametrize(
    ("players", "board", "wrong"),
    [
        (5, "", "Bebop is for 2 to 4 players, not 5"),
        (1, "", "Bebop is for 2 to 4 players, not 1"),
        (2, "not a board\n", "the board can't be read: "),
        (2, board_text(". A ."), "the board can't be played on: "),
    ],
)
def test_a_game_that_cannot_be_set_up(players: int, board: str, wrong: str) -> None:
    with pytest.raises(BadOptions, match=wrong):
        BEBOP.setup(players, Options(board=board) if board else Options(), Seeded(1))
