"""The checks of `jamboree doctor`: each yields its results for a configuration."""

from .database import database
from .machine import bots, clock, disk, ports, versions
from .proxy import proxy

CHECKS = (versions, bots, database, disk, clock, ports, proxy)
__all__ = ["CHECKS"]
