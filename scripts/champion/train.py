"""Train a champion by self-play on a GPU: `python3 scripts/champion/train.py GAME --tables FILE --out FOLDER`.

A small network reads what a seat observes of a row and says how likely it would choose each action and how the game
will end. It learns by proximal policy optimisation from games of two against itself and, in a quarter of them, against
one of its earlier selves; the games are played by the CUDA twins, on the same GPU. Needs torch, numba and numba-cuda;
the reference is not needed, since the set-up comes from a file (`python scripts/champion/set_ups.py`).
"""

import argparse
import json
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy
import torch
from torch import nn
from torch.nn import functional

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from tests.fast.gpu import without_reference  # noqa: E402

without_reference()

from jamboree.core.kernel.chance import CHANCE  # noqa: E402
from jamboree.fast import sources  # noqa: E402
from jamboree.fast.engines import Graphics  # noqa: E402

GPU = "cuda"
numpy.row_stack = numpy.vstack  # numba still asks for it
INSTINCT = 5.0  # at first it mostly does what the greedy bot would
BITS = 15  # that are read of a number with many values


class Settings(NamedTuple):
    games: int = 8192
    steps: int = 32  # of every game between two rounds of learning
    batch: int = 32768
    epochs: int = 2
    width: int = 256
    blocks: int = 2
    rate: float = 5e-4
    last_rate: float = 5e-5
    clip: float = 0.2
    entropy: float = 0.012
    last_entropy: float = 0.002
    trace: float = 0.95
    margin_part: float = 0.25  # of the result; the rest is winning or losing
    spread: float = 15.0  # points
    earlier: float = 0.25  # of the games: against an earlier self
    remember: float = 20.0  # seconds between two selves that are remembered
    one_hot: int = 40  # a number with so many values or fewer has an input for each; of a larger one the bits are read


OF_GAME = {
    "bpm": Settings(width=384, blocks=3, spread=8.0, one_hot=64)
}  # one for each of its sixty songs, and for none


class Rows:
    """Games of two on the GPU."""

    def __init__(self, game: str, table: list[int], actions: int, games: int, seed: int) -> None:
        layout = sources.layout(game)
        self.game, self.games, self.engine = game, games, Graphics(game)
        self.own_side = import_module(f"jamboree.games.{game}.fast.network").own_side
        zeros = self.engine.zeros
        self.table = self.engine.table(table)
        self.rows = (zeros([games, layout.MASKS], "i8"), zeros([games, layout.SMALLS], "i2"))
        self.chance = zeros([games, CHANCE], "i8")
        self.numba_actor, self.numba_legal = zeros([games], "i8"), zeros([games, actions], "?")
        self.numba_acting, self.numba_winners = zeros([games], "i8"), zeros([games, 2], "?")
        self.numba_scores, self.numba_ended = zeros([games, 2], "i8"), zeros([games], "?")
        self.seen = [zeros([games, layout.OBSERVED], "i2") for _ in range(2)]
        self.numba_greedy = zeros([games], "i8")
        self.actor, self.legal, self.greedy = map(_shared, (self.numba_actor, self.numba_legal, self.numba_greedy))
        self.scores, self.winners, self.ended = map(_shared, (self.numba_scores, self.numba_winners, self.numba_ended))
        self.engine.run("begin_rows", *self.rows, self.chance, self.table, seed, rows=games)
        self.look()

    def look(self) -> None:
        """Find who is asked, what is legal, and what greedy would do; whoever would rather wait is not asked."""
        self._look()
        waits = self.greedy < 0
        if bool(waits.any()):
            self.actor[waits] = 1 - self.actor[waits]
            torch.cuda.synchronize()
            self._look()

    def _look(self) -> None:
        found = self.numba_actor, self.numba_legal, self.numba_acting
        self.engine.run("look_rows", *self.rows, self.table, *found, rows=self.games)
        decided = self.chance, self.table, self.numba_actor, self.numba_greedy
        self.engine.run("decide_rows", *self.rows, *decided, rows=self.games)
        self._wait()

    def observed(self) -> torch.Tensor:
        """Give what those who are asked see, each from their own side."""
        for seat, seen in enumerate(self.seen):
            self.engine.run("observe_rows", *self.rows, self.table, seat, seen, rows=self.games)
        self._wait()
        second = self.actor.clamp(0, 1).to(torch.int16)
        first, other = (_shared(seen) for seen in self.seen)
        return self.own_side(torch.where(second[:, None] == 1, other, first), second)

    def step(self, ids: torch.Tensor) -> None:
        torch.cuda.synchronize()
        told = self.numba_scores, self.numba_ended, self.numba_winners
        what = self.chance, self.table, self.numba_actor, self.engine.put(ids)
        self.engine.run("step_rows", *self.rows, *what, *told, 1, rows=self.games)
        self.look()

    def won(self, seats: torch.Tensor) -> torch.Tensor:
        """Say of games that have just ended whether these seats won (1), lost (-1) or shared it (0)."""
        return _ahead(self.winners, seats)

    def margin(self, seats: torch.Tensor) -> torch.Tensor:
        """Say by how many points these seats are ahead."""
        return _ahead(self.scores, seats)

    def _wait(self) -> None:
        self.engine.cuda.synchronize()


def _ahead(by_seat: torch.Tensor, seats: torch.Tensor) -> torch.Tensor:
    numbers = by_seat.float()
    return numbers.gather(1, seats[:, None])[:, 0] - numbers.gather(1, 1 - seats[:, None])[:, 0]


def _shared(array: Any) -> torch.Tensor:
    return torch.as_tensor(array, device=GPU)


class Reading:
    """How observed numbers become inputs: decided by which values come up."""

    def __init__(self, low: torch.Tensor, high: torch.Tensor, one_hot: int) -> None:
        spans = (high - low + 1).tolist()
        self.low, self.high = low, high
        self.small = torch.tensor([at for at, span in enumerate(spans) if 1 < span <= one_hot], device=GPU)
        self.large = torch.tensor([at for at, span in enumerate(spans) if span > one_hot], device=GPU)
        sizes = torch.tensor([spans[at] for at in self.small.tolist()], device=GPU)
        self.offsets, self.one_hot = sizes.cumsum(0) - sizes, int(sizes.sum())
        self.bits = torch.arange(BITS, device=GPU)
        self.size = self.one_hot + len(self.large) * (len(self.bits) + 1)

    def __call__(self, seen: torch.Tensor) -> torch.Tensor:
        numbers = torch.minimum(torch.maximum(seen.long(), self.low), self.high) - self.low
        inputs = torch.zeros(len(seen), self.one_hot, device=GPU, dtype=torch.bfloat16)
        inputs.scatter_(1, numbers[:, self.small] + self.offsets, 1.0)
        large = seen[:, self.large].long()
        bits = (large[:, :, None] >> self.bits & 1).flatten(1)
        scaled = numbers[:, self.large] / (self.high - self.low)[self.large]
        return torch.cat([inputs, bits.to(torch.bfloat16), scaled.to(torch.bfloat16)], 1)


class Network(nn.Module):
    def __init__(self, inputs: int, actions: int, width: int, blocks: int) -> None:
        super().__init__()
        self.first = nn.Linear(inputs, width)
        self.blocks = nn.ModuleList([nn.Linear(width, width) for _ in range(blocks)])
        self.policy, self.value = nn.Linear(width, actions), nn.Linear(width, 1)
        self.instinct = nn.Parameter(torch.tensor(INSTINCT))  # what speaks for the greedy bot's choice
        nn.init.zeros_(self.policy.weight)
        nn.init.zeros_(self.value.weight)

    def forward(self, inputs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        hidden = functional.relu(self.first(inputs))
        for block in self.blocks:
            hidden = hidden + functional.relu(block(hidden))
        return self.policy(hidden), torch.tanh(self.value(hidden)[:, 0])


class Learner:
    def __init__(self, game: str, tables: dict[str, Any], settings: Settings) -> None:
        self.game, self.settings, self.actions = game, settings, tables[game]["actions"]
        self.table = tables[game]["table"]
        self.rows = Rows(game, self.table, self.actions, settings.games, seed=1)
        self.reading = self._reading()
        size = (self.reading.size, self.actions, settings.width, settings.blocks)
        self.network, self.former = Network(*size).to(GPU), Network(*size).to(GPU)
        self.optimiser = torch.optim.Adam(self.network.parameters(), lr=settings.rate, eps=1e-5)
        self.pool: list[dict[str, torch.Tensor]] = []
        self.moves = 0
        self.first_half = torch.arange(settings.games, device=GPU) % 2

    def _reading(self) -> Reading:
        """Play at random and greedily for a while, and note which values come up."""
        low, high = None, None
        for step in range(600):
            seen = self.rows.observed().long()
            low = seen.amin(0) if low is None else torch.minimum(low, seen.amin(0))
            high = seen.amax(0) if high is None else torch.maximum(high, seen.amax(0))
            at_random = torch.multinomial(self.rows.legal.float(), 1)[:, 0]
            is_greedy = torch.arange(self.rows.games, device=GPU) % 3 < step % 3
            self.rows.step(torch.where(is_greedy, self.rows.greedy, at_random))
        assert low is not None and high is not None
        return Reading(low, high, self.settings.one_hot)

    def think(
        self, network: Network, inputs: torch.Tensor, legal: torch.Tensor, greedy: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        with torch.autocast(GPU, torch.bfloat16):
            logits, value = network(inputs)
        speaks_for = network.instinct.expand(len(greedy), 1)
        logits = logits.float().scatter_add(1, greedy[:, None], speaks_for)
        return torch.log_softmax(logits.masked_fill(~legal, -1e9), 1), value.float()

    @torch.no_grad()
    def play(self) -> dict[str, torch.Tensor]:
        """Play some steps in every game, and say of each choice how much better it went than expected."""
        settings, rows, against = self.settings, self.rows, int(self.settings.games * self.settings.earlier)
        told: dict[str, list[torch.Tensor]] = {}
        for _ in range(settings.steps + 1):
            seen, legal, actor = rows.observed(), rows.legal.clone(), rows.actor.clone()
            inputs, greedy = self.reading(seen), rows.greedy.clone()
            logs, value = self.think(self.network, inputs, legal, greedy)
            learns = torch.ones_like(actor, dtype=torch.bool)
            if self.pool:
                learns[:against] = actor[:against] == self.first_half[:against]
                theirs, _ = self.think(self.former, inputs[:against], legal[:against], greedy[:against])
                logs_played = logs.clone()
                logs_played[:against] = torch.where(learns[:against, None], logs[:against], theirs)
            else:
                logs_played = logs
            chosen = torch.multinomial(logs_played.exp(), 1)
            rows.step(chosen[:, 0].contiguous())
            step = {"seen": seen, "legal": legal, "actor": actor, "value": value, "learns": learns, "chosen": chosen}
            step |= {
                "greedy": greedy,
                "log": logs.gather(1, chosen)[:, 0],
                "ended": rows.ended.clone(),
                "result": self._result(actor),
            }
            for name, tensor in step.items():
                told.setdefault(name, []).append(tensor)
        self.moves += settings.steps * settings.games
        return self._judged({name: torch.stack(tensors) for name, tensors in told.items()})

    def _result(self, actor: torch.Tensor) -> torch.Tensor:
        """Give how a game that has just ended went for whoever acted last."""
        settings = self.settings
        by_how_much = torch.tanh(self.rows.margin(actor) / settings.spread)
        return (1 - settings.margin_part) * self.rows.won(actor) + settings.margin_part * by_how_much

    def _judged(self, told: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        """Estimate advantages; what is good for the other side is bad for one's own."""
        steps, value = self.settings.steps, told["value"]
        ahead, advantages = torch.zeros_like(value[0]), torch.zeros_like(value[:steps])
        for at in reversed(range(steps)):
            same = torch.where(told["actor"][at] == told["actor"][at + 1], 1.0, -1.0)
            goes_on = 1.0 - told["ended"][at].float()
            expected = goes_on * same * value[at + 1] + told["ended"][at].float() * told["result"][at]
            ahead = expected - value[at] + self.settings.trace * goes_on * same * ahead
            advantages[at] = ahead
        flat = {name: tensor[:steps].flatten(0, 1) for name, tensor in told.items()}
        flat["advantage"] = advantages.flatten()
        flat["target"] = (advantages + value[:steps]).flatten().clamp(-1, 1)
        return {name: tensor[flat["learns"]] for name, tensor in flat.items()}

    def learn(self, told: dict[str, torch.Tensor], done: float) -> dict[str, float]:
        settings, count = self.settings, len(told["chosen"])
        for group in self.optimiser.param_groups:
            group["lr"] = settings.rate + (settings.last_rate - settings.rate) * done
        entropy_part = settings.entropy + (settings.last_entropy - settings.entropy) * done
        advantage = told["advantage"]
        told["advantage"] = (advantage - advantage.mean()) / (advantage.std() + 1e-6)
        seen_losses = []
        for _ in range(settings.epochs):
            for part in torch.randperm(count, device=GPU).split(settings.batch):
                inputs, legal, greedy = self.reading(told["seen"][part]), told["legal"][part], told["greedy"][part]
                logs, value = self.think(self.network, inputs, legal, greedy)
                ratio = (logs.gather(1, told["chosen"][part])[:, 0] - told["log"][part]).exp()
                gain = told["advantage"][part]
                bounded = ratio.clamp(1 - settings.clip, 1 + settings.clip)
                policy = -torch.minimum(ratio * gain, bounded * gain).mean()
                error = functional.mse_loss(value, told["target"][part])
                entropy = -(logs.exp() * logs.clamp(min=-50)).sum(1).mean()
                self.optimiser.zero_grad()
                (policy + error - entropy_part * entropy).backward()
                nn.utils.clip_grad_norm_(self.network.parameters(), 0.5)
                self.optimiser.step()
                seen_losses.append(torch.stack([policy, error, entropy]).detach())
        policy, error, entropy = torch.stack(seen_losses).mean(0).tolist()
        return {"policy": policy, "error": error, "entropy": entropy}

    def remember(self) -> None:
        self.pool.append({name: tensor.clone() for name, tensor in self.network.state_dict().items()})

    def face_an_earlier_self(self) -> None:
        if self.pool:
            self.former.load_state_dict(self.pool[int(torch.randint(len(self.pool), (1,)))])

    @torch.no_grad()
    def against_greedy(self, games: int = 4096) -> float:
        """Play whole games against greedy, half of them on each side, always with the likeliest action."""
        rows = Rows(self.game, self.table, self.actions, games, seed=int(self.moves) + 17)
        mine, open_games = torch.arange(games, device=GPU) % 2, torch.ones(games, dtype=torch.bool, device=GPU)
        won = torch.zeros(games, device=GPU)
        while bool(open_games.any()):
            greedy = rows.greedy.clone()
            logs, _ = self.think(self.network, self.reading(rows.observed()), rows.legal, greedy)
            rows.step(torch.where(rows.actor == mine, logs.argmax(1), greedy))
            now = rows.ended & open_games
            won[now] = 0.5 + 0.5 * rows.won(mine)[now]
            open_games &= ~rows.ended
        return float(won.mean())

    def save(self, folder: Path, curve: list[dict[str, float]]) -> None:
        reading = {"low": self.reading.low, "high": self.reading.high, "one_hot": torch.tensor(self.settings.one_hot)}
        reading |= {"bits": torch.tensor(BITS), "table": torch.tensor(self.table)}
        weights = {name: tensor.half() for name, tensor in self.network.state_dict().items()}
        arrays = {name: tensor.cpu().numpy() for name, tensor in {**reading, **weights}.items()}
        numpy.savez_compressed(folder / f"{self.game}.npz", **arrays)
        (folder / f"{self.game}.json").write_text(json.dumps({"settings": self.settings._asdict(), "curve": curve}))
        torch.save(
            {"network": self.network.state_dict(), "optimiser": self.optimiser.state_dict(), "moves": self.moves,
             "low": self.reading.low, "high": self.reading.high, "curve": curve},
            folder / f"{self.game}.pt",
        )  # fmt: skip

    def take_up(self, kept: Path) -> list[dict[str, float]]:
        state = torch.load(kept, map_location=GPU)
        self.reading = Reading(state["low"], state["high"], self.settings.one_hot)
        size = (self.reading.size, self.actions, self.settings.width, self.settings.blocks)
        self.network, self.former = Network(*size).to(GPU), Network(*size).to(GPU)
        self.optimiser = torch.optim.Adam(self.network.parameters(), lr=self.settings.rate, eps=1e-5)
        self.network.load_state_dict(state["network"])
        if "optimiser" in state:
            self.optimiser.load_state_dict(state["optimiser"])
        self.moves = state["moves"]
        self.remember()
        curve: list[dict[str, float]] = state["curve"]
        return curve


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--tables", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--from", dest="kept", type=Path, help="go on with what was saved there")
    parser.add_argument("--seconds", type=float, default=500.0)
    parser.add_argument("--span", type=float, nargs=2, default=(0.0, 1.0), help="which part of the training it is")
    parser.add_argument("--measure", type=float, default=60.0, help="seconds between two matches with greedy")
    taken = parser.parse_args()
    settings = OF_GAME.get(taken.game, Settings())
    learner = Learner(taken.game, json.loads(taken.tables.read_text()), settings)
    curve = learner.take_up(taken.kept) if taken.kept else []
    sizes = (learner.reading.size, sum(each.numel() for each in learner.network.parameters()))
    print(f"{sizes[0]} inputs, {sizes[1]} weights", flush=True)
    began = remembered = time.perf_counter()
    measured, rounds = 0.0, 0
    while (spent := time.perf_counter() - began) < taken.seconds:
        done = taken.span[0] + (taken.span[1] - taken.span[0]) * spent / taken.seconds
        learner.face_an_earlier_self()
        losses = learner.learn(learner.play(), done)
        rounds += 1
        if time.perf_counter() - remembered > settings.remember:
            remembered = time.perf_counter()
            learner.remember()
        if spent - measured > taken.measure or spent == 0.0:
            measured = spent
            point = {"moves": learner.moves, "against_greedy": learner.against_greedy(), **losses}
            curve.append(point)
            print(f"{spent:.0f} s, {rounds} rounds", json.dumps(point), flush=True)
            learner.save(taken.out, curve)
    curve.append({"moves": learner.moves, "against_greedy": learner.against_greedy(), **losses})
    print(f"{rounds} rounds", json.dumps(curve[-1]), flush=True)
    learner.save(taken.out, curve)


if __name__ == "__main__":
    main()
