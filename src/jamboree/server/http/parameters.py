"""Types of route parameters."""

from typing import Any, TypeAlias

from litestar import Request
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.params import FromPath

from ..live.registry import Registry

ApiRequest: TypeAlias = Request[Any, Any, State]
RegistryDep = NamedDependency[Registry]
TableCode = FromPath[str]
GameKey = FromPath[str]
