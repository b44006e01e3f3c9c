"""A server's knowledge of its peers."""

from typing import Any

from jamboree.server.nodes.lease import Peer
from jamboree.server.nodes.node import Node


class FakeLease:
    """A lease with scripted peers."""

    def __init__(self) -> None:
        self.clock, self.asked, self.run, self.there = 0.0, 0, "ours", list[Peer]()

    def now(self) -> float:
        return self.clock

    async def owner(self, code: str) -> str:
        return "theirs"

    async def renew(self) -> list[Peer]:
        self.asked += 1
        self.clock += 0.001
        return self.there


async def test_a_new_server_is_known_immediately() -> None:
    """Otherwise its tables could be mistaken for those of a dead server."""
    lease: Any = FakeLease()
    node, peer = Node(lease), Peer("b", "theirs", "address")
    assert await node.owner("table") is None
    lease.there = [peer]
    assert await node.owner("table") == peer
    assert lease.asked == 2
    assert await node.owner("table") == peer
    assert lease.asked == 2, "who is known is not asked for"
