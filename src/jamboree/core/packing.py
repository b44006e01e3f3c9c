"""A state that nobody looks at for now, in little room: what is its own as packed text, what tables share as it is."""

import json
import zlib
from typing import Any, NamedTuple

from .game import dump, is_component, read_part


class Packed(NamedTuple):
    kind: Any  # the type of the state
    components: tuple[tuple[str, Any], ...]
    own: bytes


def pack(state: Any) -> Packed:
    """Write down what is a state's own; nothing is left of its hundred small objects."""
    parts = json.loads(dump(state))
    components = tuple((name, part) for name in parts if is_component(part := getattr(state, name)))
    own = {name: part for name, part in parts.items() if name not in dict(components)}
    return Packed(type(state), components, zlib.compress(json.dumps(own, separators=(",", ":")).encode()))


def unpack(packed: Packed) -> Any:
    """Make the same state again, with the very same components."""
    own = json.loads(zlib.decompress(packed.own))
    parts = {name: read_part(packed.kind, name, part) for name, part in own.items()}
    return packed.kind(**dict(packed.components), **parts)
