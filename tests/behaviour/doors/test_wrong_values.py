"""A wrong value is answered with the name of what it was meant for, and another name is heard."""

from pathlib import Path

import msgspec
import pytest
from tests.terminal import Shell

from muniment.adapters.http import parse_request
from muniment.adapters.http.route import Route
from muniment.adapters.http.route_table import ROUTES
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


def test_how_many_are_wanted_may_be_said_at_the_terminal_as_it_is_in_python(tmp_path: Path) -> None:
    shell = Shell("--store", str(tmp_path / "memory"), "--user", "tuff")
    for number in range(3):
        shell("remember", f"Kite {number} is blue")

    asked = ["recall", "Which kite is blue?"]

    assert len(shell.listed("hits", *asked, "--limit", "2")) == 2
