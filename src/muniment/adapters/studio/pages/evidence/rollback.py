"""Rollback: what came from one source and all that rests on it, looked at and taken back."""

from typing import Final, get_args

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


def page(studio: Studio, asked: PageRequest) -> RenderedPage:
    """What would go, and its impact; or the choice of a source."""
    shown: RolledBack | None = None
    if asked.get("name"):
        by, name = asked.get("by", "source"), asked.get("name")
        shown = _agent(studio, asked.query).roll_back(by, name, preview=True)
    return RenderedPage(
        template="rollback.html",
        values={
            "ways": WAYS,
            "agents": _agents(studio),
            "people": studio.people(),
            "given": {name: asked.get(name) for name in ("agent", "user", "by", "name")},
            "shown": shown,
            "first": asked.number("first", least=1),
            "taken": asked.number("taken"),
        },
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
        raise InputError("first: the entry that a rollback begins with")
    _agent(studio, asked.form).undo_rollback(int(first))
    return Redirect(where="/rollback")


def _agents(studio: Studio) -> list[str]:
    streams = studio.streams(StreamKind.AGENT)
    return sorted({each.owner for each in streams if each.persona is Persona.ACTOR})


def _agent(studio: Studio, given: dict[str, str]) -> Agent:
    """The agent that it was told to, speaking for whom it is about."""
    return studio.memory.agent(given.get("agent", ""), user=given.get("user", ""))
