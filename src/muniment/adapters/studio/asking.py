"""What a page is asked and what it answers, as plain values: no browser is needed to test it."""

from collections.abc import Callable
from typing import Final
from urllib.parse import urlencode

import msgspec

from muniment.adapters.studio.studio import Studio, Visitor, number
from muniment.model.errors import RefusedError
from muniment.model.scope import StreamId

READ_ONLY: Final = "studio_is_read_only"


class Asked(Visitor, frozen=True, kw_only=True):
    """One question of a browser, already signed in."""

    path: str = "/"
    query: dict[str, str] = msgspec.field(default_factory=dict)
    form: dict[str, str] = msgspec.field(default_factory=dict)
    form_token: str = ""
    is_fragment: bool = False  # asked by a page that is already there

    def get(self, name: str, default: str = "") -> str:
        return self.query.get(name, default)

    def number(self, name: str, *, least: int = 0) -> int | None:
        return number(self.get(name), name, least=least)

    @property
    def at(self) -> int | None:
        """The past entry that the whole page stands at."""
        return self.number("at", least=1)


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """A template and what it is filled with."""

    template: str
    values: dict[str, object]
    status: int = 200


class Moved(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a form: where to look now."""

    where: str


Page = Callable[[Studio, Asked], Shown | Moved]


def link(path: str, **query: object) -> str:
    """An address of the studio; what is empty is left out."""
    kept = {name: str(value) for name, value in query.items() if value not in {None, ""}}
    return f"{path}?{urlencode(kept)}" if kept else path


def stream_link(path: str, stream: StreamId, **query: object) -> str:
    return link(path, stream=stream.text, **query)


def insist_on_writing(studio: Studio) -> None:
    if not studio.may_write:
        raise RefusedError(READ_ONLY, "start it with `muniment studio --write` to decide here")
