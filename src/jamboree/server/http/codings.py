"""In which forms a client takes an answer: packed, or as it is."""


def codings(accept_encoding: str) -> frozenset[str]:
    """Name the codings that a client takes; what it gives no weight it does not want."""
    offered = (each.partition(";q=") for each in accept_encoding.lower().replace(" ", "").split(","))
    return frozenset(name for name, _, weight in offered if name and (not weight or weight.strip("0.")))
