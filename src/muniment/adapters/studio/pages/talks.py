"""Conversations: the talk as a talk, with what the agent was given to know beside each answer."""

from typing import Final

import msgspec

from muniment.adapters.studio.item_line import ItemLine, ItemLines
from muniment.adapters.studio.known import context_words, wording
from muniment.adapters.studio.known.catalogue import MemoryCatalogue
from muniment.adapters.studio.known.catalogue_items import GivenContext, Known, Note, Sort
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.page_progress import PageProgress
from muniment.adapters.studio.page_request import PageRequest, RenderedPage, link, part
from muniment.adapters.studio.pages import people
from muniment.engine.context.assemble import Context
from muniment.model.errors import InputError, NotFoundError
from muniment.model.scope import StreamKind
from muniment.model.text.tokens import tokens_by_length

TALKS: Final = 40
TURNS: Final = 40
LEARNED: Final = frozenset({Sort.FACT, Sort.PROFILE})


class TalkRow(msgspec.Struct, frozen=True, kw_only=True):
    person: str
    title: str
    hue: int
    topic: str
    session: str
    turns: int
    first: str
    last: str
    words: str
    where: str


class GivenLine(msgspec.Struct, frozen=True, kw_only=True):
    """One line of what was given: its words, its weight against the best, and what it cost."""

    text: str
    where: str
    source: str
    percent: int
    tokens: int


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """What was said and answered together, what was given for it, and what it taught."""

    when: str
    said: list[Known]
    given: GivenContext | None
    lines: list[GivenLine]
    left_out: list[tuple[str, str, int]]
    exact: str  # where the context stands to the letter; empty where there is none
    lab: str
    learned: list[ItemLine]
    notes: list[tuple[Note, str]]


def page(studio: Studio, asked: PageRequest) -> RenderedPage:
    made = ItemLines(studio, asked)
    known, far = made.known, made.far
    user = asked.get("user")
    order = _order(known, user) if user else known.once("talks", lambda: _order(known, ""))
    shown = part(asked, order, TALKS)
    values: dict[str, object] = {
        "part": shown,
        "rows": [_row(known, name, session, said) for (name, session), said in shown.rows],
        "far": far,
        "user": user,
        "people": known.roster(),
    }
    return RenderedPage(template="talks.html", values=values)


def talk(studio: Studio, asked: PageRequest) -> RenderedPage:
    made = ItemLines(studio, asked)
    known, far = made.known, made.far
    person, session = asked.get("user"), asked.get("session")
    own = [each for each in known.by_person.get(person, ()) if each.session == session]
    said = [each for each in own if each.sort is Sort.MESSAGE]
    if not said and far.is_whole:
        raise NotFoundError
    causes = sorted({(each.stream, each.cause) for each in said})
    shown = part(asked, causes, TURNS)
    return RenderedPage(
        template="talk.html",
        values={
            "person": person,
            "title": known.title(person),
            "hue": people.hue(person),
            "topic": wording.topic_of_session(session, person),
            "turns": [_turn(made, own, each) for each in shown.rows],
            "part": shown,
            "far": far,
            "summaries": [each for each in own if each.sort is Sort.SUMMARY and each.is_alive],
        },
    )


def given(studio: Studio, asked: PageRequest) -> RenderedPage:
    """The context that an answer was given, made again from its receipt: equal to the letter."""
    stream, receipt = studio.stream(asked.get("stream"), StreamKind.AGENT), asked.get("receipt")
    if not receipt:
        raise InputError("name a context: receipt")
    answer: Context | None = None
    with studio.asking:
        far = PageProgress(*studio.memory.indexing().approach(stream.owner, asked.get("user")))
        if far.is_whole:
            agent = studio.memory.agent(stream.owner, user=asked.get("user"))
            answer = agent.regenerate(receipt)  # it leaves no receipt of its own
    lines = context_words.lines(answer.pieces) if answer else []
    values: dict[str, object] = {"answer": answer, "lines": lines, "far": far}
    return RenderedPage(template="given.html", values=values)


Talk = tuple[tuple[str, str], list[Known]]  # with whom under which name, and what was said


def _order(known: MemoryCatalogue, user: str) -> list[Talk]:
    """Every talk, the one that went on last first."""
    found: dict[tuple[str, str], list[Known]] = {}
    for name in [user] if user else list(known.people):
        for each in known.by_person.get(name, ()):
            if each.session and each.sort is Sort.MESSAGE:
                found.setdefault((name, each.session), []).append(each)
    return sorted(found.items(), key=lambda each: (each[1][-1].since, each[0]), reverse=True)


def _row(known: MemoryCatalogue, name: str, session: str, said: list[Known]) -> TalkRow:
    return TalkRow(
        person=name,
        title=known.title(name),
        hue=people.hue(name),
        topic=wording.topic_of_session(session, name),
        session=session,
        turns=len({each.cause for each in said}),
        first=wording.day(said[0].since),
        last=wording.day(said[-1].since),
        words=said[-1].text,
        where=link("/talk", user=name, session=session),
    )


def _turn(made: ItemLines, own: list[Known], place: tuple[str, int]) -> Turn:
    stream, cause = place
    together = [each for each in own if (each.stream, each.cause) == place]
    said = [each for each in together if each.sort is Sort.MESSAGE]
    given = _given(made.known, said)
    last = max(each.seq for each in together)
    return Turn(
        when=wording.minute(said[0].since),
        said=said,
        given=given,
        lines=_lines(made.known, given) if given else [],
        left_out=context_words.left_out(given.dropped) if given else [],
        exact=_exact(given) if given and given.receipt else "",
        lab=_lab(given) if given else "",
        learned=[made.line(each) for each in together if each.sort in LEARNED],
        notes=[
            (each, wording.note(each))
            for each in made.known.notes
            if each.stream == stream and cause < each.seq <= last and not each.is_ordinary
        ],
    )


def _given(known: MemoryCatalogue, said: list[Known]) -> GivenContext | None:
    """The context that was read for these words: the last one before them that asked with them."""
    first = said[0]
    fitting = [
        each
        for each in known.contexts
        if each.person == first.person
        and each.stream == first.stream
        and each.seq < first.cause
        and each.query == first.text
    ]
    return fitting[-1] if fitting else None


def _lines(known: MemoryCatalogue, given: GivenContext) -> list[GivenLine]:
    best = max((*given.scores, 1))
    scores = given.scores or (0,) * len(given.ids)
    return [
        _line(known.find(name), name, score * 100 // best)
        for name, score in zip(given.ids, scores, strict=True)
    ]


def _line(item: Known | None, name: str, percent: int) -> GivenLine:
    if item is None:
        return GivenLine(text=name, where="", source="", percent=percent, tokens=0)
    return GivenLine(
        text=wording.told(item),
        where=link("/item", stream=item.stream, id=item.id),
        source=wording.source(item),
        percent=max(percent, 0),
        tokens=tokens_by_length(item.text),
    )


def _exact(given: GivenContext) -> str:
    return link("/given", stream=given.stream, user=given.person, receipt=given.receipt)


def _lab(given: GivenContext) -> str:
    return link(
        "/lab",
        stream=given.stream,
        user=given.person,
        q=given.query,
        budget=given.budget,
        at=given.at,
    )
