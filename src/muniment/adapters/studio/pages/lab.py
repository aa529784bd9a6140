"""The recall lab: a question, what it finds, why, what was packed, and what was left out where."""

import msgspec

from muniment.adapters.studio.asking import Asked, Shown, stream_link
from muniment.adapters.studio.pages.timeline import chosen
from muniment.adapters.studio.studio import Studio
from muniment.engine.agent import Agent
from muniment.model.errors import InputError
from muniment.model.scope import Persona, StreamId, StreamKind

RESULTS = 12
BUDGET_TOKENS = 500


class Found(msgspec.Struct, frozen=True, kw_only=True):
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


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """What one moment answers."""

    title: str
    at: int | None
    found: tuple[Found, ...]
    considered: int
    text: str
    tokens: int
    budget: int
    left_out: int
    head: int


def page(studio: Studio, asked: Asked) -> Shown:
    stream = chosen(studio, asked, StreamKind.AGENT)
    if stream is None:
        return Shown(template="empty.html", values={})
    budget = asked.number("budget") or BUDGET_TOKENS
    query, other = asked.get("q"), asked.number("other", least=1)
    sides: list[Side] = []
    if query:
        sides.append(_side(studio, stream, asked, title="This moment", at=asked.at, budget=budget))
        if other:
            sides.append(
                _side(studio, stream, asked, title=f"Entry {other}", at=other, budget=budget)
            )
    agents = [each for each in studio.streams(StreamKind.AGENT) if each.persona is Persona.ACTOR]
    return Shown(
        template="lab.html",
        values={
            "stream": stream,
            "streams": agents,
            "query": query,
            "user": asked.get("user"),
            "budget": budget,
            "other": other or "",
            "at": asked.at or "",
            "head": studio.memory.head(stream),
            "sides": sides,
            "most": max((each.score_ppm for side in sides for each in side.found), default=1) or 1,
        },
    )


def why_not(studio: Studio, asked: Asked) -> Shown:
    raise InputError("not yet")


def _side(
    studio: Studio, stream: StreamId, asked: Asked, *, title: str, at: int | None, budget: int
) -> Side:
    agent: Agent = studio.memory.agent(stream.owner, user=asked.get("user"))
    told = agent.recall(asked.get("q"), max_results=RESULTS, at=at)
    context = agent.context(asked.get("q"), budget=budget, at=at)
    packed = {piece.id for piece in context.pieces}
    return Side(
        title=title,
        at=at,
        found=tuple(
            Found(
                place=place,
                id=hit.id,
                layer=hit.layer,
                text=hit.text,
                score_ppm=hit.score_ppm,
                matched=hit.matched,
                seq=hit.seq,
                where=stream_link("/item", stream, id=hit.id, at=at),
                is_packed=hit.id in packed,
            )
            for place, hit in enumerate(told.hits, start=1)
        ),
        considered=told.considered,
        text=context.text,
        tokens=context.tokens,
        budget=budget,
        left_out=context.left_out,
        head=studio.memory.head(stream),
    )
