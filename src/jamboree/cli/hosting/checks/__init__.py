"""What `jamboree doctor` looks at, and what it says of it."""

from .database import database
from .machine import bots, clock, disk, ports, versions
from .proxy import proxy

CHECKS = (versions, bots, database, disk, clock, ports, proxy)
__all__ = ["CHECKS"]
