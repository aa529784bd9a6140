"""Entity map: who and what somebody is related to, in rings around a focus, as numbers."""

from collections.abc import Sequence
from math import cos, pi, sin
from typing import Final

import msgspec

from muniment.retrieval.entities.entity_graph import EntityRelation

SIZE: Final = 720
RINGS: Final = (0, 170, 300)  # the focus, what it is related to, and what that is related to
NODES_MAX: Final = 40
WORDS_SHARE: Final = 0.56  # of the way out: the name of what is in the middle stands below it
ROOM: Final = 90  # around the outermost node: half a long name


class MapNode(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    kind: str
    x: int
    y: int
    hop: int


class MapEdge(msgspec.Struct, frozen=True, kw_only=True):
    x1: int
    y1: int
    x2: int
    y2: int
    words: str
    words_x: int
    words_y: int
    told: EntityRelation


class EntityMap(msgspec.Struct, frozen=True, kw_only=True):
    nodes: list[MapNode]
    edges: list[MapEdge]
    hidden: int

    @property
    def box(self) -> str:
        """The part of the paper that is drawn on, with room for the names: as SVG says it."""
        across, down = [each.x for each in self.nodes], [each.y for each in self.nodes]
        left, top = min(across) - ROOM, min(down) - ROOM
        return f"{left} {top} {max(across) + ROOM - left} {max(down) + ROOM - top}"


def draw(relations: Sequence[EntityRelation], focus: str) -> EntityMap:
    """Two hops around a focus: the same relations, the same picture."""
    kinds = {each.object: each.kind for each in relations}
    first = _beside(relations, {focus}, {focus})
    second = _beside(relations, set(first), {focus, *first})
    shown = [focus, *first, *second][:NODES_MAX]
    nodes = {
        each.name: each
        for hop, names in enumerate(([focus], first, second))
        for each in _ring([name for name in names if name in shown], hop, kinds)
    }
    edges = [_edge(nodes, each) for each in relations if _is_drawn(nodes, each)]
    return EntityMap(
        nodes=list(nodes.values()), edges=edges, hidden=1 + len(first) + len(second) - len(shown)
    )


def _beside(relations: Sequence[EntityRelation], around: set[str], known: set[str]) -> list[str]:
    """What is related to some names and is not known yet, in the order it was told."""
    pairs = [(each.subject, each.object) for each in relations]
    found = [
        other
        for one, two in pairs
        for name, other in ((one, two), (two, one))
        if name in around and other not in known
    ]
    return list(dict.fromkeys(found))


def _ring(names: Sequence[str], hop: int, kinds: dict[str, str]) -> list[MapNode]:
    middle, radius = SIZE // 2, RINGS[hop]
    step = 2 * pi / max(len(names), 1)
    return [
        MapNode(
            name=name,
            kind=kinds.get(name, "person"),
            x=middle + round(radius * cos(place * step - pi / 2 + hop / 3)),
            y=middle + round(radius * sin(place * step - pi / 2 + hop / 3)),
            hop=hop,
        )
        for place, name in enumerate(names)
    ]


def _is_drawn(nodes: dict[str, MapNode], each: EntityRelation) -> bool:
    return each.subject in nodes and each.object in nodes


def _edge(nodes: dict[str, MapNode], each: EntityRelation) -> MapEdge:
    one, two = nodes[each.subject], nodes[each.object]
    inner, outer = sorted((one, two), key=lambda node: node.hop)
    share = WORDS_SHARE if inner.hop < outer.hop else 0.5
    return MapEdge(
        x1=one.x,
        y1=one.y,
        x2=two.x,
        y2=two.y,
        words=each.relation.replace("_", " "),
        words_x=round(inner.x + (outer.x - inner.x) * share),
        words_y=round(inner.y + (outer.y - inner.y) * share),
        told=each,
    )
