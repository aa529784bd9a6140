"""A person: a profile read in ten seconds, what changed, what waits, what an agent is told."""

from typing import Final

import msgspec

from muniment.adapters.studio.item_line import ItemLine, ItemLines
from muniment.adapters.studio.known import context_words, profile, wording
from muniment.adapters.studio.known.catalogue import MemoryCatalogue
from muniment.adapters.studio.known.catalogue_items import Known, Note, Sort, State, newest
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.page_progress import PageProgress
from muniment.adapters.studio.page_request import PageRequest, RenderedPage, link
from muniment.adapters.studio.pages import people
from muniment.engine.context.assemble import Context as Told
from muniment.engine.evidence.holds import PlacedHold
from muniment.model.errors import InputError, NotFoundError
from muniment.model.scope import Persona, StreamKind

CHANGES: Final = 8
NOTES: Final = 12
QUESTION: Final = "What should I know about myself?"
BUDGET_TOKENS: Final = 200
BUDGET_MAX: Final = 4_000


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """What changed: the old words and the new ones, or nothing new where it was forgotten."""

    before: ItemLine
    after: ItemLine | None
    when: str
    why: str


class PersonSection(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    lines: list[ItemLine]


def page(studio: Studio, asked: PageRequest) -> RenderedPage:
    name = _named(asked)
    made = ItemLines(studio, asked)
    known, far = made.known, made.far
    if name not in known.people and far.is_whole:
        raise NotFoundError
    own = people.of_person(known, name)
    agents = sorted({each.agent for each in own if each.agent}) or _agents(studio)
    return RenderedPage(
        template="person.html",
        values={
            "name": name,
            "holds": _holds(studio, name),
            "title": known.title(name),
            "hue": people.hue(name),
            "far": far,
            "sections": [
                PersonSection(name=each.name, lines=made.lines(each.lines))
                for each in profile.sections(own)
            ],
            "skills": _of_sort(made, own, Sort.SKILL),
            "apart": made.lines([each for each in own if each.state is State.QUARANTINED]),
            "changes": _changes(made, own)[:CHANGES],
            "notes": _notes(known, name)[:NOTES],
            "ordinary": sum(1 for each in known.notes if each.person == name and each.is_ordinary),
            "disagreements": _disagreements(made, name),
            "questions": [each for each in known.questions.values() if each.person == name],
            "requests": [
                (each, wording.attribute(each.key), link("/request", id=each.request_id))
                for each in studio.memory.council().requests()
                if people.is_about(each, name)
            ],
            "agents": agents,
            "question": QUESTION,
            "budget": BUDGET_TOKENS,
            "count": sum(each.is_memory for each in own),
            "talks": len({each.session for each in own if each.session}),
            "seen": wording.day(known.people.get(name, "")),
        },
    )


def _holds(studio: Studio, name: str) -> list[PlacedHold]:
    """Legal holds that cover somebody, or days and spaces in which they may have said something."""
    held = studio.memory.admin().holds()
    return [each for each in held if each.in_force and each.user in {"", name}]


def told(studio: Studio, asked: PageRequest) -> RenderedPage:
    """What an agent would be told for this person, in so many tokens; nothing of it is logged."""
    name, query = _named(asked), asked.get("q") or QUESTION
    budget = min(asked.number("budget") or BUDGET_TOKENS, BUDGET_MAX)
    agent = asked.get("agent") or next(iter(_agents(studio)), "")
    if agent not in _agents(studio):
        raise NotFoundError
    answer: Told | None = None
    with studio.asking:
        far = PageProgress(*studio.memory.indexing().approach(agent, name))
        if far.is_whole:
            answer = studio.memory.onlooker(agent, user=name).context(query, budget=budget)
    values: dict[str, object] = {"answer": answer, "far": far, "budget": budget, "query": query}
    values["lines"] = context_words.lines(answer.pieces) if answer else []
    return RenderedPage(template="told.html", values=values)


def _named(asked: PageRequest) -> str:
    name = asked.get("user")
    if not name:
        raise InputError("name a person: user")
    return name


def _agents(studio: Studio) -> list[str]:
    found = studio.streams(StreamKind.AGENT)
    return sorted({each.owner for each in found if each.persona is Persona.ACTOR})


def _of_sort(made: ItemLines, own: list[Known], sort: Sort) -> list[ItemLine]:
    found = [each for each in own if each.sort is sort and each.state is State.CURRENT]
    return made.lines(newest(found))


def _changes(made: ItemLines, own: list[Known]) -> list[Change]:
    """What was replaced or forgotten, newest first: of each thing the best wording only."""
    gone = [each for each in own if not each.is_alive and profile.is_stated(each)]
    found: dict[tuple[str, str], Change] = {}
    for each in sorted(gone, key=lambda one: (one.until, one.sort, one.id), reverse=True):
        after = made.known.find(each.replaced_by) if each.replaced_by else None
        name = (each.until[:19], each.key or each.low)
        if each.sort is Sort.SKILL or (each.key == "" and any(n[0] == name[0] for n in found)):
            continue  # the same moment told it by its key already
        found[name] = Change(
            before=made.line(each),
            after=made.line(after) if after else None,
            when=wording.day(each.until),
            why=each.why,
        )
    return list(found.values())


def _notes(known: MemoryCatalogue, name: str) -> list[tuple[Note, str, str]]:
    """What was refused or redacted, newest first, each with what it means and when."""
    own = [each for each in known.notes if each.person == name and not each.is_ordinary]
    return [
        (
            each,
            wording.note(each),
            wording.day(each.when),
        )
        for each in reversed(own)
    ]


def _disagreements(made: ItemLines, name: str) -> list[tuple[ItemLine, ItemLine | None, str]]:
    """What could not both stand, each pair once."""
    found: dict[str, tuple[ItemLine, ItemLine | None, str]] = {}
    for each in made.known.disagreements:
        winner, loser = made.known.find(each.winner), made.known.find(each.loser)
        if each.person != name or winner is None or not winner.key:
            continue
        other = made.line(loser) if loser else None
        rule = wording.RULES.get(each.rule, each.rule)
        found[winner.key] = (made.line(winner), other, rule)
    return list(found.values())
