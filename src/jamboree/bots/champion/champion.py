"""Policy- and value-guided search: a network chooses the candidates and has a share in their values."""

from collections.abc import Sequence
from math import exp, log

from jamboree.fast.playouts import WAITING

from ..search import Findings, NativeSearch, Run, SearchBot, SearchRequest, Thinking
from .network import Network, load_network

MIN_LOG_PROBABILITY = -6.0  # lower ones count as this
WORLDS = 16  # of a value estimate, which hardly differs between worlds


class Champion(SearchBot):
    """A bot that uses a network where it fits the set-up, and is an ordinary search bot elsewhere."""

    def search(self, request: SearchRequest) -> Thinking[Findings]:
        network, native = load_network(self.key), NativeSearch(request)
        if request.first == WAITING or request.seats != 2 or not network.fits(native.table):
            return (yield from super().search(request))
        candidates, bonuses = self.candidates(network, native)
        findings: Findings = yield Run(request, candidates, request.playouts, native.seconds_left, bonuses=bonuses)
        return findings

    def candidates(self, network: Network, native: NativeSearch) -> tuple[list[int], list[float]]:
        """Return the greedy choice and the most probable actions, with their bonuses."""
        request = native.request
        logits = network.logits(native.observe(), request.viewer)[native.legal_ids()].tolist()
        logits[request.first] += network.greedy_logit
        highest = max(logits)
        total = highest + log(sum(exp(each - highest) for each in logits))
        order = sorted(range(len(logits)), key=lambda index: -logits[index])
        order.remove(request.first)
        candidates = [request.first, *order][: request.max_candidates]
        policy, value = self.settings.policy_weight, self.settings.value_weight
        log_probabilities = [max(MIN_LOG_PROBABILITY, logits[index] - total) for index in candidates]
        estimates = value_estimates(network, native, candidates) if value else [0.0] * len(candidates)
        both = zip(log_probabilities, estimates, strict=True)
        playouts = 1 - value  # their share in a value; bonuses are relative to it
        return candidates, [
            (policy * log_probability + value * estimate) / playouts for log_probability, estimate in both
        ]


def value_estimates(network: Network, native: NativeSearch, candidates: Sequence[int]) -> list[float]:
    """Return each candidate's mean value at the viewer's next decision, as a network sees it: from 0 to 1."""
    observations, values = native.look_ahead(candidates, WORLDS)
    rows = observations.reshape(-1, observations.shape[2])
    estimated = network.values(rows, native.request.viewer).reshape(values.shape)
    goes_on = values < 0
    values[goes_on] = estimated[goes_on]
    return list(values.mean(axis=0).tolist())
