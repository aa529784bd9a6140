"""Map: the people, places and organisations in somebody's life, each edge with its sentence."""

from typing import Final

from muniment.adapters.studio import entity_picture
from muniment.adapters.studio.known import wording
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.page_request import PageRequest, RenderedPage, link
from muniment.model.errors import NotFoundError
from muniment.model.scope import Persona, StreamKind
from muniment.retrieval.entities.entity_graph import EntityRelation
from muniment.retrieval.entities.relation_rules import USER

SENTENCES_MAX: Final = 100


def page(studio: Studio, asked: PageRequest) -> RenderedPage:
    known, far = studio.counting.catalogue()
    order = sorted(known.people, key=lambda name: (known.people[name], name), reverse=True)
    user = asked.get("user") or next(iter(order), "")
    if user and user not in known.people and far.is_whole:
        raise NotFoundError
    kind, focus = asked.get("kind"), asked.get("focus") or USER
    told = _relations(studio, user) if user else []
    shown = [each for each in told if not kind or each.kind == kind]
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
            "kinds": sorted({each.kind for each in told}),
            "picture": entity_picture.draw(shown, focus) if shown else None,
            "rows": [
                (each, wording.day(each.since), _where(studio, each))
                for each in shown[:SENTENCES_MAX]
            ],
            "far": far,
        },
    )


def _relations(studio: Studio, user: str) -> list[EntityRelation]:
    """What every agent of this person was told of whom they know, each relation once."""
    agents = [each for each in studio.streams(StreamKind.AGENT) if each.persona is Persona.ACTOR]
    found: dict[tuple[str, str, str], EntityRelation] = {}
    with studio.asking:
        for stream in agents:
            for entity in studio.memory.agent(stream.owner, user=user).entities():
                for each in entity.relations:
                    found.setdefault((each.subject, each.relation, each.object), each)
    return sorted(found.values(), key=lambda each: (each.since, each.object), reverse=True)


def _where(studio: Studio, told: EntityRelation) -> str:
    """The page of the sentence behind a relation."""
    known, _ = studio.counting.catalogue()
    item = known.find(told.evidence)
    return link("/item", stream=item.stream, id=item.id) if item else ""
