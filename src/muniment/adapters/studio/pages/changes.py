"""Changes: put right, forget, vouch, discard and bring back, each with a look before and after."""

from typing import Final

import msgspec

from muniment.adapters.studio.item_line import ItemLine, ItemLines
from muniment.adapters.studio.known.catalogue import MemoryCatalogue
from muniment.adapters.studio.known.catalogue_items import Known, Sort, State
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.page_request import (
    PageRequest,
    Redirect,
    RenderedPage,
    insist_on_writing,
    link,
)
from muniment.engine.api.agent import Agent
from muniment.model.errors import (
    InputError,
    MunimentError,
    NotFoundError,
    PermissionDeniedError,
    RefusedError,
)
from muniment.model.kinds.conversation_item import is_item

PICK: Final = "pick"  # the fields of a form that each name one thing
PICKED_MAX: Final = 100
ASKED_MAX: Final = 20  # things that are asked for again by their own words
HITS: Final = 20


class ForgottenThing(msgspec.Struct, frozen=True, kw_only=True):
    """One thing after it was forgotten: whether the agent still finds it by its own words."""

    line: ItemLine
    is_found: bool
    is_asked: bool  # an index that is not read to its end was not asked


def preview(studio: Studio, asked: PageRequest) -> RenderedPage:
    """What would be forgotten, and what says the same in other places."""
    made = ItemLines(studio, asked)
    known = made.known
    picked = _picked(known, asked.query)
    beside = [each for each in _siblings(known, picked) if each not in picked]
    return RenderedPage(
        template="forget.html",
        values={
            "picked": made.lines(picked),
            "beside": made.lines(beside),
            "uses": sum(len(known.uses.get(each.id, ())) for each in picked),
            "needs_council": any(each.sort is Sort.APPROVED for each in picked),
        },
    )


def forget(studio: Studio, asked: PageRequest) -> Redirect:
    """Take things out of every reading from here on; an approved fact takes a request."""
    insist_on_writing(studio)
    made = ItemLines(studio, asked)
    known = made.known
    reason = asked.form.get("reason", "") or f"forgotten in the studio by {asked.who}"
    picked = _picked(known, asked.form)
    for each in picked:
        if each.sort is Sort.APPROVED:
            name = studio.memory.admin(asked.who).request_deletion(each.key, reason=reason)
            return Redirect(where=link("/request", id=name))
        studio.counting.catalogue()  # what was forgotten before it may have taken this along
        if each.is_alive:
            _agent(studio, each).forget(each.id, reason=reason)
    return Redirect(where=link("/forgotten", **_fields(picked)))


def forgotten(studio: Studio, asked: PageRequest) -> RenderedPage:
    """What is gone: the agent is asked for each thing by its own words, and does not find it."""
    made = ItemLines(studio, asked)
    known = made.known
    picked = _picked(known, asked.query)
    gone = [_gone(made, each, is_asked=place < ASKED_MAX) for place, each in enumerate(picked)]
    values: dict[str, object] = {"gone": gone, "fields": _fields(picked)}
    return RenderedPage(template="forgotten.html", values=values)


def restore(studio: Studio, asked: PageRequest) -> Redirect:
    """Bring back what was forgotten, as it was."""
    insist_on_writing(studio)
    made = ItemLines(studio, asked)
    known = made.known
    picked = _picked(known, asked.form)
    for each in picked:
        studio.counting.catalogue()  # what came back before it may have brought this along
        if each.state is State.FORGOTTEN:
            _agent(studio, each).restore(each.id)
    person = picked[0].person
    return Redirect(where=link("/memories", user=person))


def correct(studio: Studio, asked: PageRequest) -> Redirect:
    """Other words take the place of something; the past keeps both."""
    insist_on_writing(studio)
    made = ItemLines(studio, asked)
    known = made.known
    item, text = _one(known, asked.form.get("id", "")), asked.form.get("text", "").strip()
    if not text:
        raise InputError("give the new text")
    told = _agent(studio, item).correct(item.id, text)
    if not told.stored:
        raise RefusedError(told.reason)
    found, _ = studio.counting.catalogue()
    now = found.find(told.episodic_id) or item
    return Redirect(where=link("/item", stream=now.stream, id=now.id))


def vouch(studio: Studio, asked: PageRequest) -> Redirect:
    """A person vouches in their own name: whoever signed in speaks for nobody else."""
    insist_on_writing(studio)
    made = ItemLines(studio, asked)
    known = made.known
    item = _one(known, asked.form.get("id", ""))
    if item.person != asked.who:
        raise PermissionDeniedError("only the person it was told to can vouch for it")
    agent = studio.memory.agent(item.agent, user=asked.who)
    agent.vouch(item.id, reason=asked.form.get("reason", ""))
    return Redirect(where=link("/item", stream=item.stream, id=item.id))


def answer(studio: Studio, asked: PageRequest) -> Redirect:
    """A person answers a question that an agent asked them, in their own name."""
    insist_on_writing(studio)
    made = ItemLines(studio, asked)
    known = made.known
    question = known.questions.get(asked.form.get("id", ""))
    if question is None:
        raise NotFoundError
    if question.person != asked.who:
        raise PermissionDeniedError("only the person who was asked can answer")
    agent = studio.memory.agent(question.agent, user=asked.who)
    agent.confirm(question.id, yes=asked.form.get("yes") == "yes")
    return Redirect(where=link("/person", user=question.person))


def _picked(known: MemoryCatalogue, given: dict[str, str]) -> list[Known]:
    ids = [value for name, value in given.items() if name.startswith(PICK) or name == "id"]
    if not ids:
        raise InputError("select at least one item")
    if len(ids) > PICKED_MAX:
        raise InputError(f"at most {PICKED_MAX} items at once")
    return [_one(known, each) for each in dict.fromkeys(ids)]


def _one(known: MemoryCatalogue, item_id: str) -> Known:
    found = known.find(item_id)
    if found is None:
        raise NotFoundError
    return found


def _siblings(known: MemoryCatalogue, picked: list[Known]) -> list[Known]:
    """What else holds the same: the same words, or what the same sentence was kept as."""
    words = {(each.person, each.low) for each in picked}
    batches = {(each.stream, each.cause) for each in picked if is_item(each.id)}
    return [
        each
        for person in dict.fromkeys(each.person for each in picked)
        for each in known.by_person.get(person, ())
        if each.is_alive
        and each.sort not in {Sort.APPROVED, Sort.MACHINE}
        and (
            (each.person, each.low) in words
            or ((each.stream, each.cause) in batches and each.source == "user")
        )
    ]


def _fields(picked: list[Known]) -> dict[str, str]:
    return {f"{PICK}{place}": each.id for place, each in enumerate(picked)}


def _agent(studio: Studio, item: Known) -> Agent:
    """The agent that it was told to, speaking for whom it is about."""
    if not item.agent:
        raise NotFoundError
    return studio.memory.agent(item.agent, user=item.person)


def _gone(made: ItemLines, item: Known, *, is_asked: bool) -> ForgottenThing:
    found: set[str] = set()
    if is_asked and item.agent:
        try:
            with made.studio.asking:
                agent = made.studio.memory.onlooker(item.agent, user=item.person)
                found = {hit.id for hit in agent.recall(item.text, limit=HITS).hits}
        except MunimentError:
            is_asked = False  # a sentence that cannot be asked for is not recalled either
    return ForgottenThing(line=made.line(item), is_found=item.id in found, is_asked=is_asked)
