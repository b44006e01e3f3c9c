"""Train a champion by proximal policy optimisation (PPO) with self-play on a GPU:
`python3 scripts/champion/train.py GAME --tables FILE --out FOLDER`.

A small network maps the observation of a seat to a policy and a value. It learns from two-player games against itself
and, in a quarter of them, against an earlier snapshot; the CUDA twins play the games on the same GPU. Needs torch,
numba and numba-cuda, but not the reference rules, since the set-up comes from a file (`python
scripts/champion/set_ups.py`).
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

from jamboree.core.twin.chance import CHANCE  # noqa: E402
from jamboree.fast import sources  # noqa: E402
from jamboree.fast.engines import GpuEngine  # noqa: E402

GPU = "cuda"
numpy.row_stack = numpy.vstack  # numba still uses it
INSTINCT = 5.0  # initial logit bonus of the greedy bot's choice
BITS = 15  # inputs for a number with many values


class Settings(NamedTuple):
    games: int = 8192
    steps: int = 32  # of every game between two updates
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
    earlier: float = 0.25  # part of the games against an earlier snapshot
    remember: float = 20.0  # seconds between two snapshots
    one_hot: int = 40  # numbers with at most so many values are one-hot encoded, larger ones by their bits


OF_GAME = {
    "bpm": Settings(width=384, blocks=3, spread=8.0, one_hot=64)
}  # one for each of its sixty songs, and for none


class Games:
    """Two-player games on the GPU."""

    def __init__(self, game: str, table: list[int], actions: int, games: int, seed: int) -> None:
        layout = sources.layout(game)
        self.game, self.games, self.engine = game, games, GpuEngine(game)
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
        self.update_choices()

    def update_choices(self) -> None:
        """Compute actors, legal actions and greedy choices; an actor who would wait is replaced by the other."""
        self._compute_choices()
        waits = self.greedy < 0
        if bool(waits.any()):
            self.actor[waits] = 1 - self.actor[waits]
            torch.cuda.synchronize()
            self._compute_choices()

    def _compute_choices(self) -> None:
        outputs = self.numba_actor, self.numba_legal, self.numba_acting
        self.engine.run("legal_rows", *self.rows, self.table, *outputs, rows=self.games)
        arguments = self.chance, self.table, self.numba_actor, self.numba_greedy
        self.engine.run("decide_rows", *self.rows, *arguments, rows=self.games)
        self._synchronize()

    def observed(self) -> torch.Tensor:
        """Return the observations of the actors, each from their own side."""
        for seat, seen in enumerate(self.seen):
            self.engine.run("observe_rows", *self.rows, self.table, seat, seen, rows=self.games)
        self._synchronize()
        second = self.actor.clamp(0, 1).to(torch.int16)
        first, other = (_shared(seen) for seen in self.seen)
        return self.own_side(torch.where(second[:, None] == 1, other, first), second)

    def step(self, ids: torch.Tensor) -> None:
        torch.cuda.synchronize()
        outputs = self.numba_scores, self.numba_ended, self.numba_winners
        inputs = self.chance, self.table, self.numba_actor, self.engine.put(ids)
        self.engine.run("step_rows", *self.rows, *inputs, *outputs, 1, rows=self.games)
        self.update_choices()

    def won(self, seats: torch.Tensor) -> torch.Tensor:
        """Return 1 for a win, -1 for a loss and 0 for a tie of these seats, in games that have just ended."""
        return _difference(self.winners, seats)

    def margin(self, seats: torch.Tensor) -> torch.Tensor:
        """Return by how many points these seats are ahead."""
        return _difference(self.scores, seats)

    def _synchronize(self) -> None:
        self.engine.cuda.synchronize()


def _difference(by_seat: torch.Tensor, seats: torch.Tensor) -> torch.Tensor:
    numbers = by_seat.float()
    return numbers.gather(1, seats[:, None])[:, 0] - numbers.gather(1, 1 - seats[:, None])[:, 0]


def _shared(array: Any) -> torch.Tensor:
    return torch.as_tensor(array, device=GPU)


class InputEncoder:
    """Encodes observed numbers as inputs, depending on their ranges."""

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
        self.instinct = nn.Parameter(torch.tensor(INSTINCT))  # logit bonus of the greedy bot's choice
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
        self.games = Games(game, self.table, self.actions, settings.games, seed=1)
        self.encoder = self._fit_encoder()
        size = (self.encoder.size, self.actions, settings.width, settings.blocks)
        self.network, self.opponent = Network(*size).to(GPU), Network(*size).to(GPU)
        self.optimiser = torch.optim.Adam(self.network.parameters(), lr=settings.rate, eps=1e-5)
        self.snapshots: list[dict[str, torch.Tensor]] = []
        self.moves = 0
        self.first_half = torch.arange(settings.games, device=GPU) % 2

    def _fit_encoder(self) -> InputEncoder:
        """Play random and greedy games, and fit the encoder to the range of each number."""
        low, high = None, None
        for step in range(600):
            seen = self.games.observed().long()
            low = seen.amin(0) if low is None else torch.minimum(low, seen.amin(0))
            high = seen.amax(0) if high is None else torch.maximum(high, seen.amax(0))
            at_random = torch.multinomial(self.games.legal.float(), 1)[:, 0]
            is_greedy = torch.arange(self.games.games, device=GPU) % 3 < step % 3
            self.games.step(torch.where(is_greedy, self.games.greedy, at_random))
        assert low is not None and high is not None
        return InputEncoder(low, high, self.settings.one_hot)

    def evaluate(
        self, network: Network, inputs: torch.Tensor, legal: torch.Tensor, greedy: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        with torch.autocast(GPU, torch.bfloat16):
            logits, value = network(inputs)
        bonus = network.instinct.expand(len(greedy), 1)
        logits = logits.float().scatter_add(1, greedy[:, None], bonus)
        return torch.log_softmax(logits.masked_fill(~legal, -1e9), 1), value.float()

    @torch.no_grad()
    def collect(self) -> dict[str, torch.Tensor]:
        """Play some steps in every game, and return them with the advantage of each choice."""
        settings, rows, against = self.settings, self.games, int(self.settings.games * self.settings.earlier)
        rollout: dict[str, list[torch.Tensor]] = {}
        for _ in range(settings.steps + 1):
            seen, legal, actor = rows.observed(), rows.legal.clone(), rows.actor.clone()
            inputs, greedy = self.encoder(seen), rows.greedy.clone()
            logs, value = self.evaluate(self.network, inputs, legal, greedy)
            learns = torch.ones_like(actor, dtype=torch.bool)
            if self.snapshots:
                learns[:against] = actor[:against] == self.first_half[:against]
                opponent_logs, _ = self.evaluate(self.opponent, inputs[:against], legal[:against], greedy[:against])
                logs_played = logs.clone()
                logs_played[:against] = torch.where(learns[:against, None], logs[:against], opponent_logs)
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
                rollout.setdefault(name, []).append(tensor)
        self.moves += settings.steps * settings.games
        return self._with_advantages({name: torch.stack(tensors) for name, tensors in rollout.items()})

    def _result(self, actor: torch.Tensor) -> torch.Tensor:
        """Return the result of games that have just ended for the seat that acted last."""
        settings = self.settings
        margin = torch.tanh(self.games.margin(actor) / settings.spread)
        return (1 - settings.margin_part) * self.games.won(actor) + settings.margin_part * margin

    def _with_advantages(self, rollout: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        """Generalized advantage estimation in a zero-sum game: the sign of a value changes with the actor."""
        steps, value = self.settings.steps, rollout["value"]
        advantage, advantages = torch.zeros_like(value[0]), torch.zeros_like(value[:steps])
        for at in reversed(range(steps)):
            same = torch.where(rollout["actor"][at] == rollout["actor"][at + 1], 1.0, -1.0)
            continues = 1.0 - rollout["ended"][at].float()
            expected = continues * same * value[at + 1] + rollout["ended"][at].float() * rollout["result"][at]
            advantage = expected - value[at] + self.settings.trace * continues * same * advantage
            advantages[at] = advantage
        flat = {name: tensor[:steps].flatten(0, 1) for name, tensor in rollout.items()}
        flat["advantage"] = advantages.flatten()
        flat["target"] = (advantages + value[:steps]).flatten().clamp(-1, 1)
        return {name: tensor[flat["learns"]] for name, tensor in flat.items()}

    def update(self, rollout: dict[str, torch.Tensor], done: float) -> dict[str, float]:
        settings, count = self.settings, len(rollout["chosen"])
        for group in self.optimiser.param_groups:
            group["lr"] = settings.rate + (settings.last_rate - settings.rate) * done
        entropy_part = settings.entropy + (settings.last_entropy - settings.entropy) * done
        advantage = rollout["advantage"]
        rollout["advantage"] = (advantage - advantage.mean()) / (advantage.std() + 1e-6)
        seen_losses = []
        for _ in range(settings.epochs):
            for part in torch.randperm(count, device=GPU).split(settings.batch):
                inputs, legal, greedy = (
                    self.encoder(rollout["seen"][part]),
                    rollout["legal"][part],
                    rollout["greedy"][part],
                )
                logs, value = self.evaluate(self.network, inputs, legal, greedy)
                ratio = (logs.gather(1, rollout["chosen"][part])[:, 0] - rollout["log"][part]).exp()
                gain = rollout["advantage"][part]
                bounded = ratio.clamp(1 - settings.clip, 1 + settings.clip)
                policy = -torch.minimum(ratio * gain, bounded * gain).mean()
                error = functional.mse_loss(value, rollout["target"][part])
                entropy = -(logs.exp() * logs.clamp(min=-50)).sum(1).mean()
                self.optimiser.zero_grad()
                (policy + error - entropy_part * entropy).backward()
                nn.utils.clip_grad_norm_(self.network.parameters(), 0.5)
                self.optimiser.step()
                seen_losses.append(torch.stack([policy, error, entropy]).detach())
        policy, error, entropy = torch.stack(seen_losses).mean(0).tolist()
        return {"policy": policy, "error": error, "entropy": entropy}

    def save_snapshot(self) -> None:
        self.snapshots.append({name: tensor.clone() for name, tensor in self.network.state_dict().items()})

    def load_random_snapshot(self) -> None:
        if self.snapshots:
            self.opponent.load_state_dict(self.snapshots[int(torch.randint(len(self.snapshots), (1,)))])

    @torch.no_grad()
    def against_greedy(self, games: int = 4096) -> float:
        """Play whole games against the greedy bot, half of them on each side, and return the share of wins."""
        rows = Games(self.game, self.table, self.actions, games, seed=int(self.moves) + 17)
        own, open_games = torch.arange(games, device=GPU) % 2, torch.ones(games, dtype=torch.bool, device=GPU)
        won = torch.zeros(games, device=GPU)
        while bool(open_games.any()):
            greedy = rows.greedy.clone()
            logs, _ = self.evaluate(self.network, self.encoder(rows.observed()), rows.legal, greedy)
            rows.step(torch.where(rows.actor == own, logs.argmax(1), greedy))
            now = rows.ended & open_games
            won[now] = 0.5 + 0.5 * rows.won(own)[now]
            open_games &= ~rows.ended
        return float(won.mean())

    def save(self, folder: Path, curve: list[dict[str, float]]) -> None:
        settings = {"low": self.encoder.low, "high": self.encoder.high, "one_hot": torch.tensor(self.settings.one_hot)}
        settings |= {"bits": torch.tensor(BITS), "table": torch.tensor(self.table)}
        weights = {name: tensor.half() for name, tensor in self.network.state_dict().items()}
        arrays = {name: tensor.cpu().numpy() for name, tensor in {**settings, **weights}.items()}
        numpy.savez_compressed(folder / f"{self.game}.npz", **arrays)
        (folder / f"{self.game}.json").write_text(json.dumps({"settings": self.settings._asdict(), "curve": curve}))
        torch.save(
            {
                "network": self.network.state_dict(),
                "optimiser": self.optimiser.state_dict(),
                "moves": self.moves,
                "low": self.encoder.low,
                "high": self.encoder.high,
                "curve": curve,
            },
            folder / f"{self.game}.pt",
        )

    def resume(self, checkpoint: Path) -> list[dict[str, float]]:
        state = torch.load(checkpoint, map_location=GPU)
        self.encoder = InputEncoder(state["low"], state["high"], self.settings.one_hot)
        size = (self.encoder.size, self.actions, self.settings.width, self.settings.blocks)
        self.network, self.opponent = Network(*size).to(GPU), Network(*size).to(GPU)
        self.optimiser = torch.optim.Adam(self.network.parameters(), lr=self.settings.rate, eps=1e-5)
        self.network.load_state_dict(state["network"])
        if "optimiser" in state:
            self.optimiser.load_state_dict(state["optimiser"])
        self.moves = state["moves"]
        self.save_snapshot()
        curve: list[dict[str, float]] = state["curve"]
        return curve


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--tables", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--from", dest="checkpoint", type=Path, help="a saved checkpoint to resume")
    parser.add_argument("--seconds", type=float, default=500.0)
    parser.add_argument(
        "--span", type=float, nargs=2, default=(0.0, 1.0), help="which part of the whole training this run is"
    )
    parser.add_argument("--measure", type=float, default=60.0, help="seconds between two evaluations against greedy")
    arguments = parser.parse_args()
    settings = OF_GAME.get(arguments.game, Settings())
    learner = Learner(arguments.game, json.loads(arguments.tables.read_text()), settings)
    curve = learner.resume(arguments.checkpoint) if arguments.checkpoint else []
    sizes = (learner.encoder.size, sum(parameter.numel() for parameter in learner.network.parameters()))
    print(f"{sizes[0]} inputs, {sizes[1]} weights", flush=True)
    started = last_snapshot = time.perf_counter()
    measured, rounds = 0.0, 0
    while (spent := time.perf_counter() - started) < arguments.seconds:
        done = arguments.span[0] + (arguments.span[1] - arguments.span[0]) * spent / arguments.seconds
        learner.load_random_snapshot()
        losses = learner.update(learner.collect(), done)
        rounds += 1
        if time.perf_counter() - last_snapshot > settings.remember:
            last_snapshot = time.perf_counter()
            learner.save_snapshot()
        if spent - measured > arguments.measure or spent == 0.0:
            measured = spent
            point = {"moves": learner.moves, "against_greedy": learner.against_greedy(), **losses}
            curve.append(point)
            print(f"{spent:.0f} s, {rounds} rounds", json.dumps(point), flush=True)
            learner.save(arguments.out, curve)
    curve.append({"moves": learner.moves, "against_greedy": learner.against_greedy(), **losses})
    print(f"{rounds} rounds", json.dumps(curve[-1]), flush=True)
    learner.save(arguments.out, curve)


if __name__ == "__main__":
    main()
