"""Rollback: what came from one source and all that rests on it, looked at and taken back."""

from typing import Final, get_args

import msgspec

from muniment.adapters.studio.known import wording
from muniment.adapters.studio.known.catalogue import MemoryCatalogue
from muniment.adapters.studio.known.catalogue_items import BOOKKEEPING, Known, newest
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.page_request import (
    PageRequest,
    Redirect,
    RenderedPage,
    insist_on_writing,
    link,
)
from muniment.engine.api.agent import Agent
from muniment.engine.evidence.derivations import By
from muniment.engine.evidence.rollback import RolledBack
from muniment.model.errors import InputError
from muniment.model.scope import Persona, StreamKind

WAYS: Final[tuple[str, ...]] = get_args(By)
LOOKED_AT_MAX: Final = 20_000  # of what is known, for the list of sources
SOURCES_MAX: Final = 40
# What a source is named by, as a question that a person would ask.
WAY_WORDS: Final = {
    "source": "a page or file",
    "session": "a conversation",
    "item": "one memory",
    "extraction": "one reading of a model",
    "model": "a model",
    "import": "an import",
    "entry": "one entry",
}


class RollbackSource(msgspec.Struct, frozen=True, kw_only=True):
    """Something that memories came from: a page, a file or a conversation."""

    title: str
    about: str
    words: str  # of the newest that came from it
    count: int
    where: str


def page(studio: Studio, asked: PageRequest) -> RenderedPage:
    """What would go, and its impact; or the choice of a source."""
    shown: RolledBack | None = None
    if asked.get("name"):
        by, name = asked.get("by", "source"), asked.get("name")
        shown = _agent(studio, asked.query).roll_back(by, name, preview=True)
    return RenderedPage(
        template="rollback.html",
        values={
            "ways": [(each, WAY_WORDS[each]) for each in WAYS],
            "sources": [] if shown else _sources(studio, asked.get("user")),
            "agents": _agents(studio),
            "people": studio.people(),
            "given": {name: asked.get(name) for name in ("agent", "user", "by", "name")},
            "shown": shown,
            "title": _title(studio, asked),
            "first": asked.number("first", least=1),
            "taken": asked.number("taken"),
        },
    )


def _sources(studio: Studio, user: str) -> list[RollbackSource]:
    """What could be taken back whole: named pages first, then conversations, each the newest."""
    known, _ = studio.counting.catalogue()
    if not user:
        return known.once("rollback", lambda: _of(known, known.newest()))
    return _of(known, newest(known.by_person.get(user, [])))


def _of(known: MemoryCatalogue, own: list[Known]) -> list[RollbackSource]:
    found: dict[tuple[str, str, str, str], list[Known]] = {}
    for each in own[:LOOKED_AT_MAX]:
        by = "session" if each.session else "source" if each.source not in wording.SOURCES else ""
        if by and each.is_alive and each.sort not in BOOKKEEPING and each.agent:
            name = each.session or each.source
            found.setdefault((by, name, each.agent, each.person), []).append(each)
    rows = sorted(found.items(), key=lambda each: each[0][0] != "source")
    return [_source(known, key, items) for key, items in rows[:SOURCES_MAX]]


def _title(studio: Studio, asked: PageRequest) -> str:
    """The source that is looked at, in words."""
    by, name, user = asked.get("by", "source"), asked.get("name"), asked.get("user")
    if by == "session":
        return f"the conversation “{wording.topic_of_session(name, user)}”"
    if by == "item" and (item := studio.counting.catalogue()[0].find(name)):
        return f"“{wording.told(item)}”"
    return f"{WAY_WORDS.get(by, by)}: {name}"


def _source(
    known: MemoryCatalogue, key: tuple[str, str, str, str], items: list[Known]
) -> RollbackSource:
    by, name, agent, person = key
    return RollbackSource(
        title=wording.topic_of_session(name, person) if by == "session" else name,
        about=f"{WAY_WORDS[by]}, {known.title(person)}" if person else WAY_WORDS[by],
        words=wording.told(items[0]),
        count=len(items),
        where=link("/rollback", agent=agent, user=person, by=by, name=name),
    )


def take_back(studio: Studio, asked: PageRequest) -> Redirect:
    """Take a source back, as one change."""
    insist_on_writing(studio)
    form = asked.form
    done = _agent(studio, form).roll_back(
        form.get("by", ""), form.get("name", ""), reason=form.get("reason", "")
    )
    fields = {name: form.get(name, "") for name in ("agent", "user")}
    return Redirect(where=link("/rollback", first=done.first, taken=len(done.records), **fields))


def undo(studio: Studio, asked: PageRequest) -> Redirect:
    """Give back all that a rollback took."""
    insist_on_writing(studio)
    first = asked.form.get("first", "")
    if not (first.isascii() and first.isdigit()):
        raise InputError("first: the first entry of a rollback is needed")
    _agent(studio, asked.form).undo_rollback(int(first))
    return Redirect(where="/rollback")


def _agents(studio: Studio) -> list[str]:
    streams = studio.streams(StreamKind.AGENT)
    return sorted({each.owner for each in streams if each.persona is Persona.ACTOR})


def _agent(studio: Studio, given: dict[str, str]) -> Agent:
    """The agent that it was told to, speaking for whom it is about."""
    return studio.memory.agent(given.get("agent", ""), user=given.get("user", ""))
