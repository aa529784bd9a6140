"""The recall lab: a question, what it finds, why, what was packed, and what was left out where."""

from collections.abc import Iterator
from functools import partial

import msgspec

from muniment.adapters.studio import diagram
from muniment.adapters.studio.known import context_words, wording
from muniment.adapters.studio.known.catalogue_items import BOOKKEEPING, Known, State, newest
from muniment.adapters.studio.known.context_words import PromptLine
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.page_progress import PageProgress
from muniment.adapters.studio.page_request import PageRequest, RenderedPage, shortened, stream_link
from muniment.adapters.studio.pages.audit.timeline import chosen
from muniment.engine.search.explain import WhyNot
from muniment.model.errors import InputError
from muniment.model.kinds.receipts import Basis
from muniment.model.policy.context import Coefficients
from muniment.model.scope import Persona, StreamId, StreamKind

RESULTS = 12
BUDGET_TOKENS = 500
MILLION = 1_000_000
PERCENT = 10_000  # millionths
# What a term of a score speaks of: the question's words, its meaning, or all the rest.
FAMILIES = {
    "words": "words",
    "session_words": "words",
    "kin": "words",
    "overlap": "words",
    "like": "meaning",
    "like_sentence": "meaning",
    "like_session": "meaning",
    "like_before": "meaning",
    "like_after": "meaning",
}
LOOKED_AT_MAX = 2_000  # of what is known, for a list to choose from
CHOICES_MAX = 300
CHOICE_CHARACTERS = 100
WEIGHTS = ("similarity", "recency", "importance", "duplication")


class LabHit(msgspec.Struct, frozen=True, kw_only=True):
    """One hit as the lab shows it."""

    place: int
    id: str
    layer: str
    text: str
    score_ppm: int
    matched: tuple[str, ...]
    seq: int
    where: str
    is_packed: bool
    origin: str
    terms: tuple[tuple[str, int], ...]  # what each kind of evidence added
    created: str


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """What one moment answers."""

    title: str
    at: int | None
    found: tuple[LabHit, ...]
    considered: int
    dropped: list[tuple[str, str, int]]  # why, in words and as a code, and how many
    stood_on: tuple[tuple[str, str], ...]
    text: str
    lines: list[PromptLine]
    tokens: int
    budget: int
    left_out: int
    head: int


def page(studio: Studio, asked: PageRequest) -> RenderedPage:
    stream = chosen(studio, asked, StreamKind.AGENT)
    if stream is None:
        return RenderedPage(template="empty.html", values={})
    budget = asked.number("budget") or BUDGET_TOKENS
    query, other = asked.get("q"), asked.number("other", least=1)
    sides, far = list[Side](), PageProgress(0, 0)
    if query:
        weights = _weights(asked)
        with studio.asking:
            far = _far(studio, stream, asked)
            if far.is_whole:
                sides = list(_sides(studio, stream, asked, weights, budget))
    agents = [each for each in studio.streams(StreamKind.AGENT) if each.persona is Persona.ACTOR]
    return RenderedPage(
        template="lab.html",
        values={
            "stream": stream,
            "streams": agents,
            "query": query,
            "user": asked.get("user"),
            "people": studio.people(),
            "budget": budget,
            "other": other or "",
            "at": asked.at or "",
            "valid_at": asked.day("valid_at"),
            "head": studio.memory.head(stream),
            "sides": sides,
            "others": _others(studio, stream, asked, sides),
            "far": far,
            "weights": [(name, asked.get(name)) for name in WEIGHTS],
            "share": partial(_share, best=_best(sides)),
            "term": context_words.term,
            "source": lambda origin: wording.SOURCES.get(origin, origin),
            "sliced": partial(diagram.sliced, families=FAMILIES, most=_most(sides)),
            "bar_width": diagram.BAR_WIDTH,
        },
    )


def _others(
    studio: Studio, stream: StreamId, asked: PageRequest, sides: list[Side]
) -> list[tuple[str, str]]:
    """What was not found, to be asked after: what has ended says so, newest first."""
    if not sides:
        return []
    known, _ = studio.counting.catalogue()
    user, last = asked.get("user"), asked.at or studio.memory.head(stream)
    own = newest(known.by_person.get(user, [])) if user else known.newest()
    found = {hit.id for side in sides for hit in side.found}
    its = [
        each
        for each in own[:LOOKED_AT_MAX]
        if each.stream == stream.text
        and each.seq <= last
        and each.sort not in BOOKKEEPING
        and each.id not in found
    ]
    return [
        (each.id, f"{shortened(wording.told(each))[:CHOICE_CHARACTERS]}{_ended(each)}")
        for each in its[:CHOICES_MAX]
    ]


def _ended(each: Known) -> str:
    return "" if each.state is State.CURRENT else f" ({wording.STATES[each.state]})"


def _best(sides: list[Side]) -> int:
    return max((hit.score_ppm for side in sides for hit in side.found), default=0)


def _share(points: int, *, best: int) -> int:
    """Percent of the best score on the page."""
    return round(points * 100 / best) if best > 0 else 0


def _most(sides: list[Side]) -> int:
    """The longest bar on the page: the best score, or more where something was taken away again."""
    added = [
        max(hit.score_ppm, sum(points for _, points in hit.terms if points > 0))
        for side in sides
        for hit in side.found
    ]
    return max(added, default=1)


def why_not(studio: Studio, asked: PageRequest) -> RenderedPage:
    """For one item: the stage that kept it out of the answer, and the threshold there."""
    stream = studio.stream(asked.get("stream"), StreamKind.AGENT)
    item_id, query = asked.get("id"), asked.get("q")
    if not item_id or not query:
        raise InputError("name an item and a question: id, q")
    agent = studio.memory.onlooker(stream.owner, user=asked.get("user"))
    budget = asked.number("budget") or BUDGET_TOKENS
    day = asked.day("valid_at")
    told: WhyNot | None = None
    with studio.asking:
        far = _far(studio, stream, asked)
        if far.is_whole:
            told = agent.why_not(
                item_id, query, limit=RESULTS, budget=budget, at=asked.at, valid_at=day
            )
    parts = sorted(told.terms.items()) if told else []
    item = studio.counting.catalogue()[0].find(item_id)
    values: dict[str, object] = {
        "told": told,
        "words": wording.told(item) if item else item_id,
        "terms": [(context_words.term(name), points) for name, points in parts],
        "stage": context_words.stage,
        "far": far,
    }
    return RenderedPage(template="why_not.html", values=values)


def _far(studio: Studio, stream: StreamId, asked: PageRequest) -> PageProgress:
    """An index that was never asked has everything to take in: so much of it for one page."""
    return PageProgress(*studio.memory.indexing().approach(stream.owner, asked.get("user")))


def _sides(
    studio: Studio, stream: StreamId, asked: PageRequest, weights: Coefficients | None, budget: int
) -> Iterator[Side]:
    """What is asked for: this moment, another one, the same under other weights."""
    yield _side(studio, stream, asked, title="This moment", at=asked.at, budget=budget)
    other = asked.number("other", least=1)
    if other:
        yield _side(studio, stream, asked, title=f"Entry {other}", at=other, budget=budget)
    if weights:
        yield _weighed(studio, stream, asked, weights, budget)


def _side(
    studio: Studio, stream: StreamId, asked: PageRequest, *, title: str, at: int | None, budget: int
) -> Side:
    agent = studio.memory.onlooker(stream.owner, user=asked.get("user"))
    query, day = asked.get("q"), asked.day("valid_at")
    told = agent.recall(query, limit=RESULTS, at=at, valid_at=day, explain=True)
    basis = told.receipt.basis
    context = agent.context(query, budget=budget, at=at, valid_at=day)
    packed = {piece.id for piece in context.pieces}
    return Side(
        title=title,
        at=at,
        found=tuple(
            LabHit(
                place=place,
                id=hit.id,
                layer=hit.layer,
                text=hit.told,
                score_ppm=hit.score_ppm,
                matched=hit.matched,
                seq=hit.seq,
                where=stream_link("/item", stream, id=hit.id, at=at),
                is_packed=hit.id in packed,
                origin=hit.origin,
                terms=tuple(sorted(hit.terms.items(), key=lambda each: (-each[1], each[0]))),
                created=hit.created,
            )
            for place, hit in enumerate(told.hits, start=1)
        ),
        considered=told.considered,
        dropped=context_words.left_out(basis.dropped) if basis else [],
        stood_on=_stood_on(basis),
        text=context.text,
        lines=context_words.lines(context.pieces),
        tokens=context.tokens,
        budget=budget,
        left_out=context.left_out,
        head=studio.memory.head(stream),
    )


def _weights(asked: PageRequest) -> Coefficients | None:
    """Other weights for the context, in percent; none of them given, no other side."""
    given = [(name, asked.number(name)) for name in WEIGHTS]
    changed = {f"{name}_ppm": many * PERCENT for name, many in given if many is not None}
    if any(number > MILLION for number in changed.values()):
        raise InputError("a weight is a whole number of percent from 0 to 100")
    return Coefficients(**changed) if changed else None


def _weighed(
    studio: Studio, stream: StreamId, asked: PageRequest, weights: Coefficients, budget: int
) -> Side:
    """What a prompt would get under other weights: only the context changes, not what is found."""
    agent = studio.memory.onlooker(stream.owner, user=asked.get("user"))
    query, day = asked.get("q"), asked.day("valid_at")
    told = agent.preview(query, weights, budget=budget, at=asked.at, valid_at=day)
    words = ", ".join(f"{name} {getattr(weights, name + '_ppm') // PERCENT} %" for name in WEIGHTS)
    return Side(
        title=f"Under other weights: {words}",
        at=asked.at,
        found=tuple(
            LabHit(
                place=place,
                id=each.id,
                layer=each.type,
                text=each.text,
                score_ppm=each.score_ppm,
                matched=(),
                seq=0,
                where=stream_link("/item", stream, id=each.id, at=asked.at),
                is_packed=True,
                origin="",
                terms=(),
                created="",
            )
            for place, each in enumerate(told.items, start=1)
        ),
        considered=len(told.items),
        dropped=context_words.left_out(told.dropped),
        stood_on=(("weights", words),),
        text=told.text,
        lines=context_words.lines(told.items),
        tokens=told.tokens,
        budget=budget,
        left_out=0,
        head=studio.memory.head(stream),
    )


def _stood_on(basis: Basis | None) -> tuple[tuple[str, str], ...]:
    if basis is None:
        return (("profile", "stage1"),)
    told = (
        ("index", basis.index),
        ("embedder", basis.embedder),
        ("words", basis.words),
        ("recipe", basis.recipe),
    )
    return tuple((name, version) for name, version in told if version)
