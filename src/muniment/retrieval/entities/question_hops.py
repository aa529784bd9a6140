"""Query expansion by relations: the names that a chain of relations in a question leads to.

"In which city is the office of my wife's employer?" has no word of "Marta works at Siemens". The
question names a kin word and a relation to go on by; the graph knows whom and what they mean.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

import msgspec

from muniment.model.languages.relation_words import HOP_NOUNS
from muniment.retrieval.entities.entity_graph import EntityGraph
from muniment.retrieval.entities.relation_rules import USER, kin_words
from muniment.retrieval.ranking.query import Query
from muniment.retrieval.text import tokenizer

HOPS_MAX: Final = 3
NAMES_MAX: Final = 6
_POSSESSIVE = re.compile(r"(?<!\w)([^\W\d_a-z][\w-]*)(?:'s|\u2019s)(?!\w)")
_NAME = re.compile(r",?\s+([^\W\d_a-z][\w-]*)")
CLOSENESS_PPM: Final = 1_000_000  # a name that is meant counts like a word of the question


def is_chained(question: str) -> bool:
    """Whether a question names somebody, by name or as kin, and a relation to go on by."""
    return bool(_hops(question)) and bool(_kin(question) or _POSSESSIVE.search(question))


def bridges(question: str, graph: EntityGraph) -> tuple[tuple[str, str], ...]:
    """The names that a question leads to, from the user or whoever it names, and what says so."""
    kin, hops = _kin(question), _hops(question)
    called = _called(question)
    steps = graph.followed(USER, kin) if kin else []
    if called:  # "my friend Noor" is none of the other friends
        steps = [each for each in steps if called & set(each.object.casefold().split())]
    names = dict.fromkeys([*_POSSESSIVE.findall(question), *sorted(called)])
    named = (graph.about(name) for name in names)
    reached = [*(each.object for each in steps), *(each.name for each in named if each)]
    for _ in range(HOPS_MAX):
        found = [each for name in reached for each in graph.followed(name, (*kin, *hops))]
        found = [each for each in found if each not in steps]
        steps += found
        reached = [each.object for each in found]
    return tuple(dict.fromkeys((step.object, step.evidence) for step in steps[:NAMES_MAX]))


def with_names(asked: Query, led: Sequence[tuple[str, str]]) -> Query:
    """A question that is answered by texts about these names too, and by what led to them."""
    if not led:
        return asked
    stems = (tokenizer.stem(word) for name, _ in led for word in tokenizer.spelled(name))
    known = {*asked.words, *(stem for stem, _ in asked.kin)}
    more = tuple((stem, CLOSENESS_PPM) for stem in dict.fromkeys(stems) if stem not in known)
    bridges = tuple(evidence for _, evidence in led)
    return msgspec.structs.replace(asked, kin=(*asked.kin, *more), bridges=bridges)


def _kin(question: str) -> list[str]:
    return [name for name, row in kin_words().items() if row.search(question)]


def _called(question: str) -> set[str]:
    """The names that stand behind a word for kin: "my friend Noor"."""
    found = (
        _NAME.match(question, kin.end())
        for row in kin_words().values()
        for kin in row.finditer(question)
    )
    return {name[1].casefold() for name in found if name}


def _hops(question: str) -> list[str]:
    return [name for name, row in _nouns().items() if row.search(question)]


@cache
def _nouns() -> dict[str, re.Pattern[str]]:
    return {
        name: re.compile(rf"(?<!\w)(?:{row})(?!\w)", re.IGNORECASE)
        for name, row in HOP_NOUNS.items()
    }
