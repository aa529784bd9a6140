"""Map: the people, places and organisations in somebody's life, each edge with its sentence."""

from typing import Final

from muniment.adapters.studio import entity_picture
from muniment.adapters.studio.known import wording
from muniment.adapters.studio.known.catalogue import MemoryCatalogue
from muniment.adapters.studio.known.catalogue_items import DAY
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.page_progress import PageProgress
from muniment.adapters.studio.page_request import PageRequest, RenderedPage, link
from muniment.model.errors import NotFoundError
from muniment.model.scope import Persona, StreamId, StreamKind
from muniment.retrieval.entities.entity_graph import EntityRelation
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
    told = list[EntityRelation]()
    if user and far.is_whole:
        far = _reading(studio, known, user) if not asked.get("read") else far
        told = _relations(studio, known, user) if far.is_whole else []
    since, until = asked.day("since")[:DAY], asked.day("until")[:DAY]
    shown = [
        each
        for each in told
        if (not kind or each.kind == kind) and _is_between(each.since[:DAY], since, until)
    ]
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
            "kinds": sorted({each.kind for each in told}),
            "picture": entity_picture.draw(shown, focus) if shown else None,
            "rows": [(each, wording.day(each.since)) for each in shown[:SENTENCES_MAX]],
            "places": {each.evidence: _where(known, each) for each in shown},
            "radii": entity_picture.RADII,
            "below": entity_picture.BELOW,
            "far": far,
        },
    )


def _is_between(day: str, since: str, until: str) -> bool:
    return (not since or day >= since) and (not until or day <= until)


def _reading(studio: Studio, known: MemoryCatalogue, user: str) -> PageProgress:
    """Progress of reading the logs for the map; long logs are read after the page is shown."""
    if studio.relations.is_known(user, _sign(known, user), studio.auditor.erasures):
        return PageProgress(0, 0)
    whole = sum(studio.memory.head(each) for each in _logs(studio, known, user))
    return PageProgress(0, whole if whole > LONG else 0)


def _relations(studio: Studio, known: MemoryCatalogue, user: str) -> list[EntityRelation]:
    """What every agent of this person was told of whom they know, each relation once."""
    sign = _sign(known, user)
    if studio.relations.is_known(user, sign, studio.auditor.erasures):
        return studio.relations.of(user)
    found: dict[tuple[str, str, str], EntityRelation] = {}
    with studio.asking:
        for stream in _logs(studio, known, user):
            for entity in studio.memory.agent(stream.owner, user=user).entities():
                for each in entity.relations:
                    found.setdefault((each.subject, each.relation, each.object), each)
    told = sorted(found.values(), key=lambda each: (each.since, each.object), reverse=True)
    studio.relations.keep(user, sign, told)
    return told


def _logs(studio: Studio, known: MemoryCatalogue, user: str) -> list[StreamId]:
    """The logs of the agents that somebody has told anything."""
    agents = {each.agent for each in known.by_person.get(user, ())}
    found = studio.streams(StreamKind.AGENT)
    return [each for each in found if each.persona is Persona.ACTOR and each.owner in agents]


def _sign(known: MemoryCatalogue, user: str) -> tuple[int, int]:
    """What changes whenever something of theirs is learned, ends or lives again."""
    own = known.by_person.get(user, [])
    return len(own), sum(each.ended_seq for each in own)


def _where(known: MemoryCatalogue, told: EntityRelation) -> str:
    """The page of the sentence behind a relation."""
    item = known.find(told.evidence)
    return link("/item", stream=item.stream, id=item.id) if item else ""
