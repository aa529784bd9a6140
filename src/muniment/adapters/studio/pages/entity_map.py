"""Map: the people, places and organisations in somebody's life, each edge with its sentence."""

from collections.abc import Iterable
from typing import Final

from muniment.adapters.studio import entity_picture
from muniment.adapters.studio.count_cache import RelationsThen
from muniment.adapters.studio.known import wording
from muniment.adapters.studio.known.catalogue import MemoryCatalogue
from muniment.adapters.studio.known.catalogue_items import DAY
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.page_progress import PageProgress
from muniment.adapters.studio.page_request import PageRequest, RenderedPage, link
from muniment.model.errors import NotFoundError
from muniment.model.scope import Persona, StreamId, StreamKind
from muniment.retrieval.entities.entity_relation import EntityRelation
from muniment.retrieval.entities.relation_rules import USER

SENTENCES_MAX: Final = 100
LONG: Final = 20_000  # entries: read after the page is there


def page(studio: Studio, asked: PageRequest) -> RenderedPage:
    known, far = studio.counting.catalogue()
    order = sorted(known.people, key=lambda name: (known.people[name], name), reverse=True)
    user = asked.get("user") or next(iter(order), "")
    if user and user not in known.people and far.is_whole:
        raise NotFoundError
    kind, focus = asked.get("kind"), asked.get("focus") or USER
    told, valid_at = RelationsThen([], []), asked.day("valid_at")
    if user and far.is_whole:
        far = _reading(studio, known, user, valid_at) if not asked.get("read") else far
        told = _relations(studio, known, user, valid_at) if far.is_whole else told
    since, until = asked.day("since")[:DAY], asked.day("until")[:DAY]
    shown, ended = (_picked(some, kind, since, until) for some in told)
    title = known.title(user)
    return RenderedPage(
        template="map.html",
        values={
            "user": user,
            "title": title,
            "focus": focus,
            "me": USER,
            "people": known.roster(),
            "kind": kind,
            "since": since,
            "until": until,
            "valid_at": valid_at,
            "kinds": sorted({each.kind for some in told for each in some}),
            "picture": entity_picture.draw(shown, focus) if shown else None,
            "rows": [(each, wording.day(each.since)) for each in shown[:SENTENCES_MAX]],
            "ended": [(each, *map(wording.day, (each.since, each.until))) for each in ended],
            "places": _places(known, [*shown, *ended]),
            "radii": entity_picture.RADII,
            "below": entity_picture.BELOW,
            "far": far,
        },
    )


def _picked(
    told: Iterable[EntityRelation], kind: str, since: str, until: str
) -> list[EntityRelation]:
    of_kind = (each for each in told if not kind or each.kind == kind)
    return [each for each in of_kind if _is_between(each.since[:DAY], since, until)]


def _is_between(day: str, since: str, until: str) -> bool:
    return (not since or day >= since) and (not until or day <= until)


def _reading(studio: Studio, known: MemoryCatalogue, user: str, valid_at: str) -> PageProgress:
    """Progress of reading the logs for the map; long logs are read after the page is shown."""
    sign = _sign(known, user, valid_at)
    if studio.relations.is_known(user, sign, studio.auditor.erasures):
        return PageProgress(0, 0)
    whole = sum(studio.memory.head(each) for each in _logs(studio, known, user))
    return PageProgress(0, whole if whole > LONG else 0)


def _relations(studio: Studio, known: MemoryCatalogue, user: str, valid_at: str) -> RelationsThen:
    """What every agent of this person was told of whom they know, each relation once."""
    sign = _sign(known, user, valid_at)
    if studio.relations.is_known(user, sign, studio.auditor.erasures):
        return studio.relations.of(user)
    held: dict[tuple[str, ...], EntityRelation] = {}
    ended: dict[tuple[str, ...], EntityRelation] = {}
    with studio.asking:
        for stream in _logs(studio, known, user):
            agent = studio.memory.agent(stream.owner, user=user)
            for entity in agent.entities(valid_at=valid_at):
                for each in entity.relations:
                    held.setdefault((each.subject, each.relation, each.object), each)
                for each in entity.ended:
                    spans = (each.subject, each.relation, each.object, each.since)
                    ended.setdefault(spans, each)
    told = RelationsThen(_newest_first(held.values()), _newest_first(ended.values()))
    studio.relations.keep(user, sign, told)
    return told


def _newest_first(told: Iterable[EntityRelation]) -> list[EntityRelation]:
    return sorted(told, key=lambda each: (each.since, each.object), reverse=True)


def _logs(studio: Studio, known: MemoryCatalogue, user: str) -> list[StreamId]:
    """The logs of the agents that somebody has told anything."""
    agents = {each.agent for each in known.by_person.get(user, ())}
    found = studio.streams(StreamKind.AGENT)
    return [each for each in found if each.persona is Persona.ACTOR and each.owner in agents]


def _sign(known: MemoryCatalogue, user: str, valid_at: str) -> tuple[int, int, str]:
    """What changes whenever something of theirs is learned, ends or lives again."""
    own = known.by_person.get(user, [])
    return len(own), sum(each.ended_seq for each in own), valid_at


def _places(known: MemoryCatalogue, told: Iterable[EntityRelation]) -> dict[str, str]:
    """The pages of the sentences behind relations and their ends."""
    named = {name for each in told for name in (each.evidence, each.ended_by) if name}
    found = {name: known.find(name) for name in sorted(named)}
    return {
        name: link("/item", stream=item.stream, id=item.id) if item else ""
        for name, item in found.items()
    }
