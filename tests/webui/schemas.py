"""A small reader of webui/openapi.json, and a check of values against its schemas (the JSON Schema words it uses)."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import webui

DOCUMENT: Final[dict[str, Any]] = json.loads((Path(webui.__file__).parent / "openapi.json").read_text())

Said = Any
"""What a word of a schema says: anything that JSON can hold."""

TYPES: Final[dict[str, tuple[type, ...]]] = {
    "object": (dict,), "array": (list,), "string": (str,), "integer": (int,), "number": (int, float),
    "boolean": (bool,), "null": (type(None),),
}  # fmt: skip

SAID_ELSEWHERE: Final = {"description", "format"}
"""Words of a schema that say nothing to check."""


def resolved(part: dict[str, Any]) -> dict[str, Any]:
    """Follow a reference within the document."""
    while "$ref" in part:
        here: Any = DOCUMENT
        for step in part["$ref"].removeprefix("#/").split("/"):
            here = here[step]
        part = here
    return part


def operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every path of the document, method in capitals, and what is written of it."""
    for path, methods in DOCUMENT["paths"].items():
        for method, operation in methods.items():
            yield path, method.upper(), operation


def faults(value: object, schema: dict[str, Any], at: str = "it") -> list[str]:
    """What is wrong with a value by a schema; [] if nothing is. Raises KeyError for a word that it does not know."""
    schema = resolved(schema)
    found: list[str] = []
    for word, said in schema.items():
        if word not in SAID_ELSEWHERE:
            found += CHECKS[word](value, said, schema, at)
    return found


def _type(value: object, said: Said, _schema: Said, at: str) -> list[str]:
    names = [said] if isinstance(said, str) else said
    fits = any(isinstance(value, TYPES[name]) and (name == "boolean" or not isinstance(value, bool)) for name in names)
    return [] if fits else [f"{at} is {value!r:.60}, not of type {said}"]


def _required(value: object, said: Said, _schema: Said, at: str) -> list[str]:
    return [f"{at} has no {key}" for key in said if isinstance(value, dict) and key not in value]


def _properties(value: object, said: Said, _schema: Said, at: str) -> list[str]:
    if not isinstance(value, dict):
        return []
    return [fault for key in said.keys() & value.keys() for fault in faults(value[key], said[key], f"{at}.{key}")]


def _additional(value: object, said: Said, schema: Said, at: str) -> list[str]:
    if not isinstance(value, dict):
        return []
    more = value.keys() - schema.get("properties", {}).keys()
    if said is False:
        return [f"{at} has {key!r:.40}, which is not described" for key in more]
    return [fault for key in more for fault in faults(value[key], said, f"{at}.{key}")]


def _names(value: object, said: Said, _schema: Said, at: str) -> list[str]:
    return [fault for key in value for fault in faults(key, said, f"a key of {at}")] if isinstance(value, dict) else []


def _items(value: object, said: Said, _schema: Said, at: str) -> list[str]:
    if not isinstance(value, list):
        return []
    return [fault for place, item in enumerate(value) for fault in faults(item, said, f"{at}[{place}]")]


def _one_of(value: object, said: Said, _schema: Said, at: str) -> list[str]:
    fitting = [schema for schema in said if not faults(value, schema, at)]
    return [] if len(fitting) == 1 else [f"{at} fits {len(fitting)} of the descriptions instead of one"]


def _bound(value: object, *, fits: bool, said: object, at: str) -> list[str]:
    return [] if fits else [f"{at} is {value!r:.60}, which is against {said!r}"]


CHECKS: Final[dict[str, Any]] = {
    "type": _type,
    "required": _required,
    "properties": _properties,
    "additionalProperties": _additional,
    "propertyNames": _names,
    "items": _items,
    "oneOf": _one_of,
    "enum": lambda value, said, _, at: _bound(value, fits=value in said, said=said, at=at),
    "const": lambda value, said, _, at: _bound(value, fits=value == said, said=said, at=at),
    "minimum": lambda value, said, _, at: _bound(value, fits=_below(said, value), said=said, at=at),
    "maximum": lambda value, said, _, at: _bound(value, fits=_below(value, said), said=said, at=at),
    "minLength": lambda value, said, _, at: _bound(
        value, fits=not isinstance(value, str) or len(value) >= said, said=said, at=at
    ),
    "maxLength": lambda value, said, _, at: _bound(
        value, fits=not isinstance(value, str) or len(value) <= said, said=said, at=at
    ),
    "minItems": lambda value, said, _, at: _bound(
        value, fits=not isinstance(value, list) or len(value) >= said, said=said, at=at
    ),
    "maxItems": lambda value, said, _, at: _bound(
        value, fits=not isinstance(value, list) or len(value) <= said, said=said, at=at
    ),
    "pattern": lambda value, said, _, at: _bound(
        value, fits=not isinstance(value, str) or bool(re.search(said, value)), said=said, at=at
    ),
}


def _below(low: object, high: object) -> bool:
    return not isinstance(low, int | float) or not isinstance(high, int | float) or low <= high


def response_faults(operation: dict[str, Any], status: int, kind: str | None, body: bytes) -> list[str]:
    """What is wrong with an answer by what is written of its operation."""
    described = operation["responses"].get(str(status))
    if described is None:
        return [f"status {status} is not described"]
    content = resolved(described).get("content", {})
    if kind not in content:
        return [f"status {status} comes as {kind}, described are {sorted(content)}"]
    if kind != "application/json":
        return []
    return faults(json.loads(body), content[kind]["schema"])
