"""Query expansion by relations: the names that a chain of relations in a question leads to.

"In which city is the office of my wife's employer?" has no word of "Marta works at Siemens". The
question names a kin word and a relation to go on by; the graph knows whom and what they mean.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

import msgspec

from muniment.model.languages.language_table import flat
from muniment.model.languages.relation_words import ASKS_WHO, HOP_NOUNS, TITLES, RelationWords
from muniment.model.languages.row_pattern import RowPattern
from muniment.model.languages.tables import LATIN, OTHERS
from muniment.model.lazy_pattern import lazy_pattern
from muniment.retrieval.entities.entity_names import untitled
from muniment.retrieval.entities.relation_rules import kin_words
from muniment.retrieval.index.collection import Collection
from muniment.retrieval.index.document_features import BY_PERSON
from muniment.retrieval.index.document_status import Register
from muniment.retrieval.ranking.query import Query
from muniment.retrieval.ranking.revision import Numbers
from muniment.retrieval.text import tokenizer

POSSESSIVE = lazy_pattern(r"(?<!\w)([^\W\d_a-z][\w-]*)(?:'s|\u2019s)(?!\w)")
_NAME = lazy_pattern(rf",?\s+(?:(?:{TITLES})\.?\s)*([^\W\d_a-z][\w-]*)")
_WORDS = lazy_pattern(r"\w+")
TWO: Final = 2
CLOSENESS_PPM: Final = 1_000_000  # a name that is meant counts like a word of the question


def is_related(question: str) -> bool:
    """Whether a question names somebody as kin, or by name with a relation to go on by."""
    return bool(kin_in(question) or (hops_in(question) and POSSESSIVE.search(question)))


def with_names(
    asked: Query, led: Sequence[tuple[str, str]], ended: tuple[tuple[str, str], ...] = ()
) -> Query:
    """A question that is answered by texts about these names too, and by what led to them."""
    if ended:
        asked = msgspec.structs.replace(asked, ended=ended)
    if not led:
        return asked
    spelled = [tokenizer.spelled(untitled(name)) for name, _ in led]
    stems = (tokenizer.stem(word) for words in spelled for word in words)
    known = {*asked.words, *(stem for stem, _ in asked.kin)}
    more = tuple((stem, CLOSENESS_PPM) for stem in dict.fromkeys(stems) if stem not in known)
    kin = kin_said(asked.text)
    names = [words for (_, said), words in zip(led, spelled, strict=True) if words and not said]
    meant = [words[0] for words in names]
    for_them = (*(tokenizer.spelled(each) for each in kin), *(words[1:] for words in names))
    ends = is_kin_chain(asked.text) and not hops_in(asked.text)
    return msgspec.structs.replace(
        asked,
        reached=tuple(dict.fromkeys(map(tokenizer.stem, meant))) if ends else (),
        of_reached_name=not ASKS_WHO.isdisjoint(_WORDS.findall(asked.text.lower())),
        kin=(*asked.kin, *more),
        bridges=tuple((name, evidence) for name, evidence in led if evidence),
        called=tuple(dict.fromkeys(map(tokenizer.stem, meant))),
        relatives=frozenset(tokenizer.stem(word) for words in for_them for word in words),
        states=(*asked.states, *(by_name := _by_name(asked.states, kin, meant))),
        told_by=(*asked.told_by, *by_name),
    )


def _by_name(states: Sequence[str], kin: Sequence[str], names: Sequence[str]) -> list[str]:
    """States that are asked for by kin, "work of brother", by the names that these have."""
    parted = [each.partition(" of ") for each in states]
    wanted = [state for state, _, whose in parted if whose in set(map(flat, kin))]
    return [f"{state} of {flat(name)}" for state in wanted for name in names]


def kin_said(question: str) -> list[str]:
    """The words for kin, as a question has them."""
    found = (row.search(question) for row in kin_words().values())
    return [each[0].casefold() for each in found if each]


def kin_in(question: str) -> list[str]:
    return [name for name, row in kin_words().items() if row.search(question)]


def is_kin_chain(question: str) -> bool:
    """Whether it names kin of the asker's kin: "my brother's wife"."""
    return len(own_kin_in(question)) < len(kin_in(question))


def own_kin_in(question: str) -> list[str]:
    """Those of them that are the asker's: of "my brother's wife" the brother."""
    found = kin_in(question)
    if len(found) < TWO:
        return found
    own = [name for name in found if any(map(_is_own, kin_words()[name].finditer(question)))]
    return own or found


def _is_own(kin: re.Match[str]) -> bool:
    """Whether "my" stands before it, with a word between them at most."""
    before = _WORDS.findall(kin.string[: kin.start()])[-2:]
    behind = _WORDS.findall(kin.string[kin.end() :])[:1]
    mine, mine_behind = _mine()
    return not (mine.isdisjoint(before) and mine_behind.isdisjoint(behind))


@cache
def _mine() -> tuple[frozenset[str], frozenset[str]]:
    """The words for "my", before a word for kin and behind it."""
    told = [each.relations for each in (*LATIN, *OTHERS)]
    words = [each for each in told if isinstance(each, RelationWords)]
    before = "|".join(each.my for each in words if each.my).replace("мо[её]й", "моей|моёй")
    behind = "|".join(each.my_behind for each in words if each.my_behind)
    return frozenset(before.split("|")), frozenset(behind.split("|"))


def called_in(question: str) -> set[str]:
    """The names that stand behind a word for kin: "my friend Noor"."""
    found = (
        _NAME.match(question, kin.end())
        for row in kin_words().values()
        for kin in row.finditer(question)
    )
    return {name[1].casefold() for name in found if name}


def hops_in(question: str) -> list[str]:
    return [name for name, row in _nouns().items() if row.search(question)]


@cache
def _nouns() -> dict[str, RowPattern]:
    return {name: RowPattern(row) for name, row in HOP_NOUNS.items()}


def relations_over(
    register: Register, collection: Collection, asked: Query, best: Numbers
) -> list[tuple[int, int]]:
    """What says that a relation is over that one of these says: a person, where a person did."""
    shown, person = {*best.tolist()}, collection.column("flags") & BY_PERSON
    pairs = ((register.find(over), register.find(said)) for said, over in asked.ended)
    return [
        (over, said)
        for over, said in pairs
        if over is not None and said is not None
        if said in shown and person[over] >= person[said]
    ]
