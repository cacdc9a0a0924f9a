"""Requests of every kind, made from webui/openapi.json: good ones, spoilt ones, and nonsense."""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final
from urllib.parse import quote

from hypothesis import strategies as st

from tests.webui.clients import JPEG, PNG
from tests.webui.schemas import DOCUMENT, resolved
from tests.webui.sending import FILLED, Sent, filled, good
from webui.guard import CSRF_HEADER

Schema = dict[str, Any]

METHODS: Final = (
    "GET",
    "HEAD",
    "POST",
    "PUT",
    "DELETE",
    "PATCH",
    "OPTIONS",
    "TRACE",
    "CONNECT",
    "PROPFIND",
    "BREW",
    "X",
)
KINDS: Final = (
    "", "application/json", "image/jpeg", "image/png", "text/plain", "application/x-www-form-urlencoded",
    "multipart/form-data", "multipart/form-data; boundary=", "application/json; charset=utf-16", "application/json;",
    "application/xml", "*/*", "nonsense", "application/json, text/plain", "APPLICATION/JSON", ";", "\xff",
)  # fmt: skip
ODD_HEADERS: Final = (
    "Origin", "Sec-Fetch-Site", "Host", "Cookie", "Accept", "Range", "If-None-Match", "If-Modified-Since",
    "Last-Event-ID",
    "X-Forwarded-For", "X-Forwarded-Host", "X-HTTP-Method-Override", "Content-Encoding", "Transfer-Encoding",
    "Content-Length",
    "Expect", "Authorization", "Referer", "Accept-Encoding", "Accept-Language", "Connection", "Upgrade", CSRF_HEADER,
)  # fmt: skip
ODD_VALUES: Final = (
    "", "0", "-1", "null", "*", "bytes=0-", "bytes=9-1,,", "chunked", "gzip", "9" * 400, "\xff\xfe", "racko=",
    "racko=a.b.c",
    "100-continue", "evil.example", "http://[", "localhost", "[::1]:80", "a, b", "Basic AAAA", "Bearer x", "W/\"",
    "é" * 99, "=; =;;", "Thu, 99 Foo 0000 99:99:99 GMT", "racko=\"\\", "%00",
)  # fmt: skip
ODD_TEXTS: Final = (
    "",
    "\x00",
    "..",
    "../../etc/passwd",
    "\ud800",
    "é\u202e\U0001f0a1",
    "'\"><script>",
    "%s%n{0}",
    "x" * 5000,
)

KEYS: Final = (
    "type", "seat", "slot", "card", "t", "edition", "variants", "players", "options", "drawn", "pin", "on", "accepted",
    "call", "name", "source", "discarded", "at", "dealer", "powers", "first_dealer", "1", "2", "05", "__class__",
)  # fmt: skip

json_values: Final[st.SearchStrategy[Any]] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-100, 100)
    | st.integers()
    | st.floats()
    | st.text(st.characters(), max_size=20)
    | st.sampled_from([*ODD_TEXTS, 10**30, -(10**30), 1e308, 5, 25, "1", "retro", "undo"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6) | st.sampled_from(KEYS), inner, max_size=4)
    ),
    max_leaves=12,
)


def values(schema: Schema) -> st.SearchStrategy[Any]:
    """Values that a schema describes."""
    schema = resolved(schema)
    if "oneOf" in schema:
        return st.one_of([values(one) for one in schema["oneOf"]])
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return st.one_of([_of_kind(kind, schema) for kind in kinds])


def _of_kind(kind: str, schema: Schema) -> st.SearchStrategy[Any]:
    match kind:
        case "object":
            return _objects(schema)
        case "array":
            least, most = schema.get("minItems", 0), schema.get("maxItems", 4)
            return st.lists(values(schema["items"]), min_size=least, max_size=most)
        case "integer":
            return st.integers(schema.get("minimum"), schema.get("maximum"))
        case "number":
            return st.floats(schema.get("minimum"), schema.get("maximum"), allow_nan=False, allow_infinity=False)
        case "boolean":
            return st.booleans()
        case "null":
            return st.none()
    return st.text(min_size=schema.get("minLength", 0), max_size=20) | st.sampled_from(WORDS)


WORDS: Final = (
    "retro",
    "parker-1992",
    "hasbro-2006",
    "bonus",
    "quick",
    "partners",
    "classic",
    "run-of-three",
    "000000",
    "Ada",
)


def _objects(schema: Schema) -> st.SearchStrategy[Any]:
    properties, required = schema.get("properties", {}), schema.get("required", [])
    named = st.fixed_dictionaries(
        {key: values(properties[key]) for key in required},
        optional={key: values(inner) for key, inner in properties.items() if key not in required},
    )
    more = schema.get("additionalProperties")
    if not isinstance(more, dict):
        return named
    keys = schema.get("propertyNames", {}).get("enum", ["1", "2"])
    return st.dictionaries(st.sampled_from(keys), values(more), max_size=4)


@st.composite
def spoilt(draw: st.DrawFn, said: Any) -> Any:  # noqa: ANN401 - any JSON
    """A JSON value with something changed in it."""
    if isinstance(said, dict) and said and draw(st.booleans()):
        key = draw(st.sampled_from(sorted(said)))
        if draw(st.booleans()):
            return {**said, key: draw(spoilt(said[key]))}
        return {other: value for other, value in said.items() if other != key}
    if isinstance(said, list) and said and draw(st.booleans()):
        at = draw(st.integers(0, len(said) - 1))
        return [*said[:at], draw(spoilt(said[at])), *said[at + 1 :]]
    if isinstance(said, dict) and draw(st.booleans()):
        return {**said, draw(st.text(max_size=6) | st.sampled_from(KEYS)): draw(json_values)}
    return draw(json_values)


def json_bytes(said: object) -> bytes:
    return json.dumps(said).encode()


RAW: Final = (
    b"", b" ", b"{", b"[" * 5000, b'{"a":' * 2000, b"\xff\xfe\x00", b"\x00" * 100, b" " * 16_384, b" " * 17_000, JPEG,
    PNG, b"\xff\xd8\xff", b"NaN", b"-Infinity", b"1" * 6000, b'{"type":"undo","type":"redo"}', b"\xef\xbb\xbf{}",
    b'"\\ud800"', b'{"seat":1e400}', b'{"seat":-0}', "{}".encode("utf-16"), b"a=b&c=d",
    b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n',
)  # fmt: skip


@lru_cache
def bodies(path: str) -> st.SearchStrategy[bytes]:
    """What may be sent to a path, from what it asks for to nonsense."""
    operation = DOCUMENT["paths"][path].get("post", {})
    raw = st.sampled_from(RAW) | st.binary(max_size=60) | json_values.map(json_bytes)
    content = resolved(operation.get("requestBody", {})).get("content", {})
    if "application/json" in content:
        asked = values(content["application/json"]["schema"])
        return asked.map(json_bytes) | asked.flatmap(spoilt).map(json_bytes) | raw
    return st.sampled_from([JPEG, PNG]) | raw if content else raw


@lru_cache
def header_texts() -> st.SearchStrategy[str]:
    """Texts that can stand in a header at all."""
    letters = st.characters(min_codepoint=32, max_codepoint=255, exclude_characters="\x7f")
    return st.sampled_from(ODD_VALUES) | st.text(letters, max_size=30)


@lru_cache
def placed() -> st.SearchStrategy[str]:
    """What may stand in a path in place of a name, as it is written there."""
    numbers = st.integers().map(str) | st.sampled_from(["0", "5", "9" * 4500, "01", "1.0", "٢", "-1", "1e3"])
    odd = st.sampled_from([*ODD_TEXTS, "%", "%zz", "a/b", "//", "a?b#c", ";"]) | st.text(max_size=10)
    return (numbers | odd).map(lambda text: quote(text.encode("utf-8", "surrogatepass"), safe="%"))


@st.composite
def requests(draw: st.DrawFn, path: str, method: str, csrf: Mapping[str, str]) -> tuple[Sent, bool]:
    """A request for an operation, mostly near what it asks for; and whether its path is filled as it should be."""
    operation = DOCUMENT["paths"][path][method.lower()]
    sent = good(path, method, operation["operationId"], csrf)

    def seldom(chance: int = 4) -> bool:
        return draw(st.integers(1, chance)) == 1

    usual = True
    if method == "POST" or seldom():
        sent = replace(sent, body=draw(bodies(path)))
    if "{" in path and seldom():
        usual = False
        sent = replace(
            sent, path=filled(path, {name: draw(placed() | st.just(value)) for name, value in FILLED.items()})
        )
    if seldom(6):
        sent = replace(sent, method=draw(st.sampled_from(METHODS)))
    if seldom(6):
        sent = replace(sent, kind=draw(st.sampled_from(KINDS)))
    if seldom(8):
        sent = replace(sent, path=f"{sent.path}?{quote(draw(st.text(max_size=20)), safe='=&%')}")
    if seldom():
        odd = draw(st.dictionaries(st.sampled_from(ODD_HEADERS), header_texts(), max_size=3))
        sent = replace(sent, headers={**sent.headers, **odd})
    if seldom(8):
        sent = replace(sent, session=False)
    return sent, usual
