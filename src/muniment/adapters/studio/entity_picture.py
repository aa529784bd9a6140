"""Entity map: who and what somebody is related to, in rings around a focus, as numbers."""

from collections.abc import Callable, Sequence
from math import cos, pi, sin
from typing import Final

import msgspec

from muniment.retrieval.entities.entity_relation import EntityRelation

SIZE: Final = 720
RINGS: Final = (0, 170, 300)  # the focus, what it is related to, and what that is related to
NODES_MAX: Final = 40
# Where the words of a line may stand, as parts of its way out: the first place that is free.
WORDS_SHARES: Final = (0.56, 0.5, 0.62, 0.44, 0.68, 0.74, 0.38)
LETTER: Final = 8  # about as wide as a letter of a name is
LINE: Final = 20  # as high as its line
RADII: Final = (30, 22, 22)  # of a node, by its ring
BELOW: Final = 16  # of a node: where its name stands
SPREAD: Final = 540  # as wide as the paper is at least
ROOM: Final = 90  # around the outermost node: half a long name


Sides = tuple[int, int, int, int]  # left, top, right, bottom


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


class MapBranch(msgspec.Struct, frozen=True, kw_only=True):
    """A relation as a line of an outline: what it leads to, and where that leads on."""

    words: str
    name: str
    kind: str
    told: EntityRelation
    inner: list["MapBranch"]


class EntityMap(msgspec.Struct, frozen=True, kw_only=True):
    nodes: list[MapNode]
    edges: list[MapEdge]
    branches: list[MapBranch]  # the same for a narrow screen, where a picture has no room
    hidden: int

    @property
    def box(self) -> str:
        """The part of the paper that is drawn on, with room for the names: as SVG says it."""
        across, down = [each.x for each in self.nodes], [each.y for each in self.nodes]
        wide, high = (max(each) - min(each) + 2 * ROOM for each in (across, down))
        room = max(SPREAD - wide, 0) // 2  # few nodes are not blown up to fill the paper
        left, top = min(across) - ROOM - room, min(down) - ROOM
        return f"{left} {top} {wide + 2 * room} {high}"


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
    drawn = [each for each in relations if _is_drawn(nodes, each)]
    return EntityMap(
        nodes=list(nodes.values()),
        edges=_edges(nodes, drawn),
        branches=_branches(drawn, kinds, focus),
        hidden=1 + len(first) + len(second) - len(shown),
    )


def _branches(
    drawn: Sequence[EntityRelation], kinds: dict[str, str], focus: str
) -> list[MapBranch]:
    """The relations of the focus, and below each the others of what it leads to, each once."""
    left = list(drawn)

    def of(name: str, *, deeper: bool) -> list[MapBranch]:
        own = [each for each in left if name in {each.subject, each.object}]
        for each in own:
            left.remove(each)
        return [_branch(each, name, kinds, of if deeper else None) for each in own]

    return of(focus, deeper=True)


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


def _branch(
    told: EntityRelation,
    name: str,
    kinds: dict[str, str],
    further: Callable[..., list[MapBranch]] | None,
) -> MapBranch:
    is_out = told.subject == name
    other, words = told.object if is_out else told.subject, told.relation.replace("_", " ")
    return MapBranch(
        words=words if is_out else f"← {words}",
        name=other,
        kind=kinds.get(other, "person"),
        told=told,
        inner=further(other, deeper=False) if further else [],
    )


def _edges(nodes: dict[str, MapNode], drawn: Sequence[EntityRelation]) -> list[MapEdge]:
    """Lines, each with its words where nothing else stands, as far as there is such a place."""
    taken = [box for each in nodes.values() for box in _boxes(each)]
    made = list[MapEdge]()
    for each in drawn:
        places = [_edge(nodes, each, share) for share in WORDS_SHARES]
        free = (edge for edge in places if not any(_meet(_words_box(edge), box) for box in taken))
        made.append(next(free, places[0]))
        taken.append(_words_box(made[-1]))
    return made


def _boxes(node: MapNode) -> list[Sides]:
    """What a node takes: its circle, and its name below it."""
    radius, half = RADII[node.hop], len(node.name) * LETTER // 2
    below = node.y + radius
    return [
        (node.x - radius, node.y - radius, node.x + radius, below),
        (node.x - half, below, node.x + half, below + LINE),
    ]


def _words_box(edge: MapEdge) -> Sides:
    half = len(edge.words) * LETTER // 2
    return (edge.words_x - half, edge.words_y - LINE, edge.words_x + half, edge.words_y + 4)


def _meet(one: Sides, two: Sides) -> bool:
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]


def _edge(nodes: dict[str, MapNode], each: EntityRelation, share: float) -> MapEdge:
    one, two = nodes[each.subject], nodes[each.object]
    inner, outer = sorted((one, two), key=lambda node: node.hop)
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
