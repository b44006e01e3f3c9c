"""One JSON Schema document of the whole protocol, from which other languages generate types."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args, get_origin

import msgspec
from litestar import Litestar, Response
from litestar.di import Provide
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.routes import HTTPRoute

from jamboree.core.game import AnyGame

from ..live.session import ClientMessage
from ..protocol import delta, frames, parts
from ..protocol.actions import ActionGroup
from ..protocol.bodies import Problem
from .admin_routes import admin
from .api import api

Schema = dict[str, Any]
DIALECT = "https://json-schema.org/draft/2020-12/schema"
TEMPLATE = "#/$defs/{name}"
PARTS = ("view", "action", "event", "options")


class DuplicateName(Exception):
    """Two different types have the same name."""


class Definitions:
    """Types by name."""

    def __init__(self) -> None:
        self.defs: dict[str, Schema] = {}

    def add(self, kinds: Sequence[Any], prefix: str = "") -> list[Schema]:
        """Define types and their parts; return references to the types."""
        template = TEMPLATE.replace("{name}", f"{prefix}{{name}}")
        found, parts = msgspec.json.schema_components(kinds, ref_template=template)
        for name, part in parts.items():
            self.define(f"{prefix}{name}", part)
        return list(found)

    def define(self, name: str, schema: Schema) -> Schema:
        named = _tidy({**schema, "title": name})
        if self.defs.setdefault(name, named) != named:
            raise DuplicateName(name)
        return _ref(name)

    def reachable(self, schema: Any) -> set[str]:
        """The names of all types that a schema refers to, transitively."""
        found, waiting = set[str](), [schema]
        while waiting:
            for name in set(_refs(waiting.pop())) - found:
                found.add(name)
                waiting.append(self.defs[name])
        return found


def document(games: Mapping[str, AnyGame]) -> Schema:
    """Describe the messages, the HTTP API and every game."""
    types = Definitions()
    position, _ = types.add([parts.Position, ActionGroup])
    for name, schema in delta.SCHEMAS.items():
        types.define(name, schema)
    for name, union in (("ClientMessage", ClientMessage), ("ServerMessage", frames.ServerMessage)):
        (message,) = types.add([union])
        types.define(name, message)
    played = {key: _game(types, game) for key, game in games.items()}
    for part in ("view", "action", "event"):
        types.define(f"Any{part.capitalize()}", {"anyOf": [game["properties"][part] for game in played.values()]})
    operations = dict(sorted(_operations(types)))
    properties = {
        "clientMessage": _ref("ClientMessage"),
        "serverMessage": _ref("ServerMessage"),
        "position": position,
        "problem": types.add([Problem])[0],
        "http": _object(operations),
        "games": _object(played),
    }
    _require_what_is_always_sent(types, operations, played)
    return {"$schema": DIALECT, "title": "Jamboree", **_object(properties), "$defs": dict(sorted(types.defs.items()))}


def _game(types: Definitions, game: AnyGame) -> Schema:
    prefix = game.info.key.title().replace("-", "")
    view, action, event, options = types.add([getattr(game.info, part) for part in PARTS], prefix)
    named = {"action": types.define(f"{prefix}Action", action), "event": types.define(f"{prefix}Event", event)}
    return _object({"view": view, **named, "options": options})


def api_app(openapi_config: OpenAPIConfig | None = None) -> Litestar:
    """An application with all API routes, to read their types from; it has no registry and serves nothing."""
    no_registry = Provide(lambda: None, sync_to_thread=False)
    return Litestar([api, admin], dependencies={"registry": no_registry}, openapi_config=openapi_config)


def _operations(types: Definitions) -> Iterator[tuple[str, Schema]]:
    """The schemas of each route's body and response."""
    for route in api_app().routes:
        for handler in route.route_handlers if isinstance(route, HTTPRoute) else ():
            for method in handler.http_methods - {"OPTIONS"}:
                yield f"{method} {route.path.replace(':str', '')}", _operation(types, handler)


def _operation(types: Definitions, handler: HTTPRouteHandler) -> Schema:
    body, answer = handler.parsed_data_field, handler.parsed_return_field.annotation
    if get_origin(answer) is Response:
        (answer,) = get_args(answer)
    parts = {} if body is None else {"body": types.add([body.annotation])[0]}
    if answer not in (None, type(None), bytes):
        parts["answer"] = types.add([answer])[0]
    return _object(parts)


def _require_what_is_always_sent(types: Definitions, operations: Mapping[str, Schema], played: Schema) -> None:
    """Mark fields with defaults as required, except in types that clients send."""
    asked = [operation["properties"].get("body") for operation in operations.values()]
    game_inputs = [game["properties"][part] for game in played.values() for part in ("action", "options")]
    from_clients = types.reachable([_ref("ClientMessage"), asked, game_inputs])
    for name, schema in types.defs.items():
        if name not in from_clients and "properties" in schema:
            known = schema.get("required", ())
            schema["required"] = [
                field for field, part in schema["properties"].items() if field in known or "default" in part
            ]


def _object(properties: Mapping[str, Schema]) -> Schema:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _ref(name: str) -> Schema:
    return {"$ref": TEMPLATE.format(name=name)}


def _refs(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        if "$ref" in schema:
            yield schema["$ref"].rpartition("/")[2]
        yield from (name for part in schema.values() for name in _refs(part))
    elif isinstance(schema, list):
        yield from (name for part in schema for name in _refs(part))


def _tidy(schema: Any) -> Any:
    """Write one-value enums as constants, and remove OpenAPI's discriminators."""
    if isinstance(schema, list):
        return [_tidy(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return {"$ref": schema["$ref"]}
    tidied = {key: _tidy(part) for key, part in schema.items() if key != "discriminator"}
    if isinstance(schema.get("enum"), list) and len(schema["enum"]) == 1:
        tidied["const"] = tidied.pop("enum")[0]
    return tidied
