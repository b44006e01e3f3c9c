"""Write the tables of HTTP routes in docs/protocol.md from the OpenAPI document: `make docs`.

The text of a row is the docstring of its route handler, or of the command that a route carries out.
"""

from pathlib import Path
from typing import Any

from jamboree.server.http.app import OPENAPI
from jamboree.server.http.schema import api_app

PAGE = Path(__file__).parents[1] / "docs" / "protocol.md"
BEGIN, END = "<!-- routes: written by `make docs` -->\n", "<!-- /routes -->\n"
TITLES = {
    "games": "Games",
    "tables": "Tables",
    "people": "People and devices",
    "parties": "Parties",
    "afterwards": "After the game",
    "admin": "The operator",
}
JSON = "application/json"
Schema = dict[str, Any]


def main() -> None:
    PAGE.write_text(with_routes(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def with_routes(page: str) -> str:
    """The page with up-to-date tables of routes."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}{tables(openapi())}\n{END}{after}"


def openapi() -> Schema:
    return api_app(OPENAPI).openapi_schema.to_schema()


def tables(document: Schema) -> str:
    """One table per tag."""
    rows: dict[str, list[str]] = {tag: [] for tag in TITLES}
    for path, item in sorted(document["paths"].items()):
        for method, operation in item.items():
            (tag,) = operation["tags"]
            rows[tag].append(_row(f"{method.upper()} {path}", operation, document["components"]["schemas"]))
    return "\n".join(_table(title, rows[tag]) for tag, title in TITLES.items())


def _table(title: str, rows: list[str]) -> str:
    return "\n".join((f"**{title}**\n", "| request | |", "|---|---|", *rows, ""))


def _row(request: str, operation: Schema, schemas: Schema) -> str:
    query = "&".join(each["name"] for each in operation.get("parameters", ()) if each["in"] == "query")
    parts = [" ".join(operation["description"].split())]
    if body := _fields(operation.get("requestBody", {}), schemas):
        parts.append(f"**Body:** {body}.")
    success = next(answer for status, answer in operation["responses"].items() if status.startswith("2"))
    if answer := _fields(success, schemas, sent=True):
        parts.append(f"**Answer:** {answer}.")
    return f"| `{request}{f'?{query}' if query else ''}` | {' '.join(parts)} |"


def _fields(holder: Schema, schemas: Schema, *, sent: bool = False) -> str:
    """The fields of a JSON body, with `?` after those that a client may leave out; empty for other bodies."""
    schema = holder.get("content", {}).get(JSON, {}).get("schema", {})
    is_list = schema.get("type") == "array"
    struct = _resolved(schema["items"] if is_list else schema, schemas)
    required = struct.get("properties", {}) if sent else struct.get("required", ())
    names = ", ".join(f"`{name}`" if name in required else f"`{name}?`" for name in struct.get("properties", {}))
    return f"a list of {names}" if names and is_list else names


def _resolved(schema: Schema, schemas: Schema) -> Schema:
    return schemas[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema


if __name__ == "__main__":
    main()
