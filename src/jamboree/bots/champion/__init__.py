"""The champion: a search guided by a policy and value network that was trained by self-play."""

from .champion import Champion
from .network import has_network

__all__ = ["Champion", "has_network"]
