"""A wrong value is answered with the name of what it was meant for, and another name is heard."""

from pathlib import Path

import msgspec
import pytest
from tests.terminal import Shell

from muniment.adapters.http import parse_request
from muniment.adapters.http.route import Route
from muniment.adapters.http.route_table import ROUTES
from muniment.model.commands.command import TEXT_LENGTH_MAX
from muniment.model.errors import InputError

HEADERS = {b"content-type": b"application/json"}


def bare(kind: msgspec.inspect.Type) -> msgspec.inspect.Type:
    """A type without its description."""
    return kind.type if isinstance(kind, msgspec.inspect.Metadata) else kind


def numbers(route: Route) -> list[str]:
    """The whole numbers that stand in the address of a route."""
    fields = msgspec.structs.fields(route.takes)
    kinds = {each.encode_name: bare(msgspec.inspect.type_info(each.type)) for each in fields}
    return [
        name
        for name, kind in kinds.items()
        if isinstance(kind, msgspec.inspect.IntType) and f"{{{name}}}" in route.path
    ]


PLACES = [
    pytest.param(route, name, id=f"{route.method} {route.path}")
    for route in ROUTES
    for name in numbers(route)
]


@pytest.mark.parametrize(("route", "name"), PLACES)
def test_a_number_in_an_address_that_is_none_is_named(route: Route, name: str) -> None:
    body = b"{}" if route.has_body else b""

    with pytest.raises(InputError) as told:
        parse_request.asked(route, {name: "hunter2"}, b"", HEADERS, body)

    assert f"`$.{name}`" in told.value.detail
    assert "hunter2" not in told.value.detail


def test_there_are_such_addresses() -> None:
    assert len(PLACES) > 10


def choices(route: Route) -> dict[str, list[str]]:
    """What each field of a route may say that takes one of a few words."""
    schemas = {
        each.encode_name: msgspec.inspect.type_info(each.type)
        for each in msgspec.structs.fields(route.takes)
    }
    told = {
        name: (kind.extra_json_schema or {}).get("enum")
        for name, kind in schemas.items()
        if isinstance(kind, msgspec.inspect.Metadata)
    }
    return {name: list(words) for name, words in told.items() if words}


CHOICES = [
    pytest.param(route, name, words, id=f"{route.method} {route.path} {name}")
    for route in ROUTES
    for name, words in choices(route).items()
]


@pytest.mark.parametrize(("route", "name", "words"), CHOICES)
def test_a_word_that_is_none_of_a_few_is_answered_with_the_few(
    route: Route, name: str, words: list[str]
) -> None:
    """A pattern is no answer to whoever misspelled a word."""
    given = {name: "hunter2"}
    is_in_body = route.has_body and f"{{{name}}}" not in route.path
    body = msgspec.json.encode(given if is_in_body else {}) if route.has_body else b""

    with pytest.raises(InputError) as told:
        parse_request.asked(route, {} if is_in_body else given, b"", HEADERS, body)

    detail = told.value.detail
    assert all(f"`{word}`" in detail for word in words if word), detail
    assert f"`$.{name}`" in detail
    assert "regex" not in detail
    assert "hunter2" not in detail


def test_there_are_such_choices() -> None:
    assert len(CHOICES) > 20


@pytest.mark.parametrize(
    ("path", "given", "said"),
    [
        ("/v1/records", {"after": "bogus"}, "Expected the `next` of a page - at `$.after`"),
        (
            "/v1/conversation/phases/diff",
            {"from_phase": "bogus"},
            "Expected text of the form `^phase-",
        ),
    ],
)
def test_text_of_the_wrong_form_is_answered_with_the_form(
    path: str, given: dict[str, str], said: str
) -> None:
    (route,) = [each for each in ROUTES if each.path == path]

    with pytest.raises(InputError) as told:
        parse_request.asked(route, {}, b"", HEADERS, msgspec.json.encode(given))

    assert said in told.value.detail
    assert "regex" not in told.value.detail


SAID = [
    ("/v1/remember", {"text": "{}"}),
    ("/v1/remember/many", {"texts": ["{}"]}),
    ("/v1/correct", {"item_id": "ep:1", "text": "{}"}),
    ("/v1/forget", {"item_id": "ep:1", "reason": "{}"}),
    ("/v1/consents", {"text": "{}"}),
    ("/v1/erasure", {"reason": "{}"}),
    ("/v1/conversation/record", {"user": "{}"}),
    ("/v1/conversation/correct", {"item_id": "mem:1", "text": "{}"}),
]


@pytest.mark.parametrize(("path", "said"), SAID)
def test_the_door_says_how_long_a_text_may_be_as_the_memory_does(
    path: str, said: dict[str, object]
) -> None:
    """Otherwise its description promises what is refused inside."""
    (route,) = [each for each in ROUTES if each.path == path]

    def asked(length: int) -> object:
        body = msgspec.json.encode(said).replace(b"{}", b"x" * length)
        return parse_request.asked(route, {}, b"", HEADERS, body)

    assert asked(TEXT_LENGTH_MAX)
    with pytest.raises(InputError, match=f"length <= {TEXT_LENGTH_MAX}"):
        asked(TEXT_LENGTH_MAX + 1)


def test_how_many_are_wanted_may_be_said_at_the_terminal_as_it_is_in_python(tmp_path: Path) -> None:
    shell = Shell("--store", str(tmp_path / "memory"), "--user", "tuff")
    for number in range(3):
        shell("remember", f"Kite {number} is blue")

    asked = ["recall", "Which kite is blue?"]

    assert len(shell.listed("hits", *asked, "--limit", "2")) == 2
