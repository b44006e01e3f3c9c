"""Compares the server's responses with the OpenAPI document."""

import json
import re
from functools import cache
from http.client import HTTPResponse
from typing import Any

import jsonschema
from litestar import Litestar
from litestar.di import Provide

from jamboree.server.http.admin_routes import admin
from jamboree.server.http.api import api
from jamboree.server.http.app import OPENAPI

Operation = dict[str, Any]


@cache
def document() -> dict[str, Any]:
    nobody = Provide(lambda: None, sync_to_thread=False)
    return Litestar([api, admin], dependencies={"registry": nobody}, openapi_config=OPENAPI).openapi_schema.to_schema()


@cache
def operations() -> list[tuple[str, re.Pattern[str], Operation]]:
    return [
        (method.upper(), re.compile(re.sub(r"\\{\w+\\}", "[^/?]+", re.escape(path))), operation)
        for path, methods in document()["paths"].items()
        for method, operation in methods.items()
    ]


def broken_promises(method: str, path: str, answer: HTTPResponse, content: bytes) -> list[str]:
    """List the differences between a response and the OpenAPI document; none for undocumented responses."""
    described = [found for verb, at, found in operations() if verb == method and at.fullmatch(path.partition("?")[0])]
    return _broken(described[0], answer, content) if described else []


def _broken(operation: Operation, answer: HTTPResponse, content: bytes) -> list[str]:
    promised = operation["responses"].get(str(answer.status))
    if promised is None:
        return [f"{operation['operationId']} answered {answer.status}: {content[:200]!r}"]
    if "content" not in promised:
        return [f"there was to be nothing, not {content[:200]!r}"] if content else []
    ((kind, described),) = promised["content"].items()
    if answer.headers.get_content_type() != kind:
        return [f"it was to be {kind}, not {answer.headers.get_content_type()}"]
    if kind != "application/json":
        return []
    body, schema = json.loads(content), {**described["schema"], "components": document()["components"]}
    unlike = [error.message for error in jsonschema.Draft202012Validator(schema).iter_errors(body)]
    undeclared = answer.status >= 400 and f"`{body.get('code')}`" not in promised["description"]
    return [*unlike, *([f"nothing is said of {body}"] if undeclared else [])]
