"""Page requests and responses as plain values, so that no browser is needed to test them."""

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from functools import lru_cache
from typing import Final, Generic, TypeVar
from urllib.parse import quote_plus

import msgspec

from muniment.adapters.studio.known.catalogue_items import DAY
from muniment.adapters.studio.known.wording import written_day
from muniment.adapters.studio.page_context import Studio, Visitor, number
from muniment.model.canonical_json import admit_text
from muniment.model.errors import InputError, RefusedError
from muniment.model.scope import StreamId

READ_ONLY: Final = "studio_is_read_only"
PART: Final = 100  # rows of a long list on one page
GIST_CHARACTERS_MAX: Final = 400  # of a text in a row; its own page has the whole
FIRST_DAY: Final = "0001-01-01"
Row = TypeVar("Row")


class PageRequest(Visitor, frozen=True, kw_only=True):
    """One question of a browser, already signed in."""

    path: str = "/"
    query: dict[str, str] = msgspec.field(default_factory=dict)
    form: dict[str, str] = msgspec.field(default_factory=dict)
    form_token: str = ""
    is_fragment: bool = False  # asked by a page that is already there

    def get(self, name: str, default: str = "") -> str:
        return admit_text(self.query.get(name, default))

    def number(self, name: str, *, least: int = 0) -> int | None:
        return number(self.get(name), name, least=least)

    def day(self, name: str) -> str:
        """A day out of an address, however somebody wrote it; empty where nobody did."""
        text = written_day(self.get(name))
        try:
            date.fromisoformat(text[:DAY] or FIRST_DAY)
        except ValueError:
            raise InputError(f"{name}: a day is written as 4 Mar 2026, or as 2026-03-04") from None
        return text

    @property
    def at(self) -> int | None:
        """The past entry that the whole page stands at."""
        return self.number("at", least=1)


class RenderedPage(msgspec.Struct, frozen=True, kw_only=True):
    """A template and what it is filled with."""

    template: str
    values: dict[str, object]
    status: int = 200


class Redirect(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a form: where to look now."""

    where: str


class Handed(msgspec.Struct, frozen=True, kw_only=True):
    """A file to be saved, and to be given to somebody."""

    name: str
    data: Iterable[bytes]


Page = Callable[[Studio, PageRequest], RenderedPage | Redirect | Handed]


def link(path: str, **query: object) -> str:
    """An address of the studio; what is empty is left out."""
    kept = [
        f"{name}={_quoted(str(value))}" for name, value in query.items() if value not in {None, ""}
    ]
    return f"{path}?{'&'.join(kept)}" if kept else path


@lru_cache(maxsize=4096)
def _quoted(text: str) -> str:
    """A page has hundreds of links, most of them into one log."""
    return quote_plus(text)


def stream_link(path: str, stream: StreamId, **query: object) -> str:
    return link(path, stream=stream.text, **query)


class PagePart(msgspec.Struct, Generic[Row], frozen=True, kw_only=True):
    """So many rows of a long list, and where the next ones are."""

    rows: Sequence[Row]
    count: int  # of the whole list
    more: str


def part(asked: PageRequest, rows: Sequence[Row], size: int = 0) -> PagePart[Row]:
    skip = asked.number("skip") or 0
    ends = skip + (size or PART)
    more = link(asked.path, **{**asked.query, "skip": ends}) if ends < len(rows) else ""
    return PagePart(rows=rows[skip:ends], count=len(rows), more=more)


def shortened(text: str) -> str:
    """A text for a row among many."""
    return text if len(text) <= GIST_CHARACTERS_MAX else f"{text[:GIST_CHARACTERS_MAX]}…"


def insist_on_writing(studio: Studio) -> None:
    if not studio.may_write:
        raise RefusedError(READ_ONLY, "start it with `muniment studio --write` to make changes")
