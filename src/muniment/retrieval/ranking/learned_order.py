"""Learned reranking: decision trees put the best answers of a person's memory in order.

A sum of terms knows no two texts at once, and rules know the words that they were written for. The
trees were trained on worlds of invented people (`bench/recall/learn_order.py`) to tell what answers
a question about a life from what only resembles it, and what was told since from what it replaces.
They see numbers alone: the terms of the score, the flags of a text, and how like it is to what was
told before and after it. They change the order of the best and nothing else.

Every feature, threshold and value is a whole number, so the order is the same on every machine.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pkgutil import get_data
from typing import Final, TypeAlias

import msgspec

from muniment.model.fixed_point import MILLION
from muniment.model.languages.tables.english import ENGLISH
from muniment.retrieval import arrays as np
from muniment.retrieval.index import document_features as flags_of
from muniment.retrieval.index import int8_vectors
from muniment.retrieval.index.collection import Collection
from muniment.retrieval.ranking.corrections import CORRECTS
from muniment.retrieval.ranking.query import Query
from muniment.retrieval.ranking.revision import tell_of_it
from muniment.retrieval.ranking.sentence_sense import SENSES, senses_of
from muniment.retrieval.ranking.statement_pair import of_another

Numbers: TypeAlias = "np.NDArray[np.int64]"
Mask: TypeAlias = "np.NDArray[np.bool_]"

FILE: Final = "learned_order.bin"
FORMAT: Final = 1
BEST: Final = 32  # are put in order
NOTHING: Final = -2 * MILLION  # of what has no newer or no older text beside it
TERMS: Final = (
    "words",
    "own_words",
    "kin",
    "like",
    "like_sentence",
    "person",
    "named",
    "session_words",
    "time",
)
# What each rule has added, that looks at several texts.
RULES: Final = ("anew", "revises", "own_word", "planned", "state", "relations", "echo")
GAPS: Final = ("words", "kin", "like_sentence", "like")  # also as what is lacking of the best
FLAGS: Final = {
    "asks": flags_of.ASKS,
    "by_person": flags_of.BY_PERSON,
    "tells_change": flags_of.TELLS_CHANGE,
    "discloses": flags_of.DISCLOSES,
    "plans": flags_of.PLANS,
    "counts": flags_of.COUNTS,
    "tells_time": flags_of.TELLS_TIME,
}
NEAREST: Final = (3, 8)  # how many of so many best are newer
# What stands first stays there unless another is better by so much, in the unit of the trees, and
# by so much more where a rule put it there: for what it says of a state, or for telling it anew.
STAYS: Final = 320_000
FAR: Final = 20  # times the score stands before what has so little, and no word of the question
FROM_AFAR: Final = 2_000_000  # is lacking to that
OF_OTHERS: Final = 300_000  # is lacking to what is no statement of a person about themselves
RULED: Final = 1_400_000
BY_RULES: Final = ("revises", "own_word", "state", "anew")
CORRECTED: Final = 10 * MILLION  # trees know no text that says nothing by itself

_LEAVES: Final = 8  # of a tree, at most: one bit each


class Best(msgspec.Struct, frozen=True, kw_only=True):
    """The best of a ranking, best first, as far as the trees look at them."""

    numbers: Numbers
    scores: Numbers
    sums: Numbers  # before rules changed them
    terms: Mapping[str, Numbers]
    rules: Mapping[str, Numbers]
    recency: Numbers  # how many of the candidates were told before each, of a million
    replaced: Mask  # something newer was told in their place
    of_long_ago: Mask  # "I moved to Rome ten years ago" is no news, however late it is told


def measured(collection: Collection, asked: Query, best: Best) -> dict[str, Numbers]:
    """Of each of the best what the trees look at, by name."""
    count = len(best.numbers)
    found = {name: best.terms.get(name, np.zeros(count, np.int64)) for name in TERMS}
    found |= {f"{name}_gap": found[name] - found[name].max() for name in GAPS}
    flags = collection.column("flags")[best.numbers].astype(np.int64)
    found |= {name: (flags & flag > 0).astype(np.int64) for name, flag in FLAGS.items()}
    of_question = {
        "wants_time": asked.wants_time,
        "wants_amount": asked.wants_amount,
        "of_self": asked.of_self,
        "question_words": len(asked.words),
        "foreign": ENGLISH.name not in asked.languages,
        "own_letters": asked.own_letters,
    }
    found |= {name: np.full(count, int(value), np.int64) for name, value in of_question.items()}
    found |= {
        "length": collection.column("lengths")[best.numbers].astype(np.int64),
        "recency": np.where(best.of_long_ago, 0, best.recency),
        "score": best.scores,
        "score_gap": best.scores - best.scores.max(),
        "lift": best.scores - best.sums,
        **{f"by_{name}": best.rules[name] for name in RULES},
        "rank": np.arange(count),
        "replaced": best.replaced.astype(np.int64),
    }
    senses = senses_of(collection, best.numbers, asked.space)
    found |= {f"sense_{name}": sense for name, sense in senses.items()}
    return found | _beside(collection, best, flags, found)


def _beside(
    collection: Collection, best: Best, flags: Numbers, found: Mapping[str, Numbers]
) -> dict[str, Numbers]:
    """How each stands to what was stated after it and before it."""
    stated = flags_of.are_stated(flags)
    alike = _likeness(collection, best.numbers)
    ago, told_later = best.of_long_ago, collection.are_later(best.numbers, best.numbers[:, None])
    newer = np.where(ago[:, None] == ago, told_later, ago[:, None])
    beside = {
        f"newer_in_{count}": (newer[:, :count] & stated[:count]).sum(axis=1) for count in NEAREST
    }
    others = max(len(best.numbers) - 1, 1)
    beside["like_all"] = np.where(alike > -MILLION, alike, 0).sum(axis=1) // others
    share = np.clip(best.scores * 1_000 // max(int(best.scores.max()), 1), 0, 1_000)
    for name, which in (("newer", newer), ("older", ~newer)):
        whose = which & stated
        near = np.where(whose, alike, -MILLION)
        nearest, there = near.argmax(axis=1), near.max(axis=1) > -MILLION
        beside[f"like_{name}"] = near.max(axis=1)
        beside[f"score_{name}"] = _more(best.scores, nearest, there)
        changes = flags[nearest] & flags_of.TELLS_CHANGE > 0
        beside[f"change_{name}"] = (changes & there).astype(np.int64)
        strong = np.where(whose, np.maximum(alike, 0) * share // 1_000, 0)
        strongest, there = strong.argmax(axis=1), strong.max(axis=1) > 0
        beside[f"strong_{name}"] = strong.max(axis=1)
        beside[f"said_{name}"] = _more(found["like_sentence"], strongest, there)
        beside[f"words_{name}"] = _more(found["words"], strongest, there)
        for sense in SENSES:
            its = np.where(there, found[f"sense_{sense}"][strongest], NOTHING)
            beside[f"{sense}_{name}"] = its
    return beside


def _more(values: Numbers, other: Numbers, there: Mask) -> Numbers:
    """How much more another one has, where there is another."""
    more: Numbers = np.where(there, values[other] - values, NOTHING)
    return more


def _likeness(collection: Collection, numbers: Numbers) -> Numbers:
    """Of each two of them, in millionths; none is like itself."""
    codes = collection.codes.take(numbers, axis=0).astype(np.float32)
    norms = np.maximum(collection.column("norms")[numbers], 1).astype(np.float64)
    # Whole numbers below 2^53, and one quotient of such: the same on every machine.
    products = np.matmul(codes, codes.T.copy()).astype(np.float64)
    products *= int8_vectors.NORM_UNIT * int8_vectors.NORM_UNIT * MILLION
    alike: Numbers = np.floor(products / (norms[:, None] * norms)).astype(np.int64)
    np.fill_diagonal(alike, -MILLION)
    return alike


class Trees:
    """Trees of few splits. A split that does not hold rules out the leaves on its left.

    What is left of a tree's leaves after all its splits begins with the one that counts, so all
    splits of all trees are looked at together.
    """

    def __init__(self, data: bytes) -> None:
        size = int.from_bytes(data[:4], "little")
        header = json.loads(data[4 : 4 + size])
        assert header["format"] == FORMAT
        self.name: str = header["name"]
        self.features: tuple[str, ...] = tuple(header["features"])
        trees, splits = header["trees"], header["splits"]
        place = 4 + size

        def column(kind: str, *shape: int) -> np.NDArray[np.integer]:
            nonlocal place
            count = int(np.prod(shape))
            found = np.frombuffer(data, kind, count, place).reshape(shape)
            place += found.nbytes
            return found

        self._feature = column("u1", trees, splits)
        self._bound = column("<i4", trees, splits).astype(np.int64)
        self._left = column("u1", trees, splits)  # the leaves that remain where a split fails
        self._values = column("<i4", trees, _LEAVES).astype(np.int64)
        lowest = [(each & -each).bit_length() - 1 for each in range(1, 1 << _LEAVES)]
        self._lowest = np.array([0, *lowest], np.int64)

    def values(self, found: Mapping[str, Numbers]) -> Numbers:
        """What all trees together give each, in millionths."""
        rows = np.stack([found[name] for name in self.features], axis=1)
        fails = rows[:, self._feature] > self._bound
        alive = np.bitwise_and.reduce(np.where(fails, self._left, 0xFF), axis=2)
        leaves = self._lowest[alive]
        given: Numbers = self._values[np.arange(leaves.shape[1]), leaves].sum(axis=1)
        return given


@cache
def trees() -> Trees:
    data = get_data(__package__, FILE)
    assert data is not None
    return Trees(data)


def _are_far(found: Mapping[str, Numbers]) -> Mask:
    """Which have no word of the question and hardly resemble it, where likeness is known at all."""
    unsaid = (found["own_words"] <= 0) & (found["kin"] <= 0) & bool(found["like"].any())
    far: Mask = unsaid & (found["score"] * FAR < found["score"].max())
    return far


def _as_ruled(best: Best, found: Mapping[str, Numbers], given: Numbers) -> Numbers:
    """What rules know of two texts holds, whatever the trees give each of them."""
    named = np.stack([best.rules[name] > 0 for name in (*BY_RULES, CORRECTS)])
    by_rule = np.asarray(named.any(axis=0))
    given[0] += STAYS + RULED * by_rule[0] + CORRECTED * (best.rules[CORRECTS][0] > 0)
    if best.rules["revises"][0] > 0:  # what it replaces stands right behind it
        its = best.replaced & (best.scores >= best.scores[0] - 1)
        given = np.where(its, given[0], np.where(best.replaced, np.minimum(given, given[0]), given))
    if found["own_words"][0] > 0 and found["discloses"][0]:
        # "I left the Pixel on the train" has nothing of "Which phone do I have?".
        silent = (found["own_words"] <= 0) & (found["kin"] <= 0) & ~by_rule
        given = np.where(silent, np.minimum(given, given[0]), given)
    return given


def in_order(collection: Collection, asked: Query, best: Best) -> Numbers:
    """The places of the best as the trees put them; of equals the better one before."""
    if best.rules["relations"].any():  # what names lead to stands where they put it
        return np.arange(len(best.numbers))
    found = measured(collection, asked, best)
    telling = tell_of_it(collection, asked, best.numbers, found["kin"])
    # What only repeats itself or the question stays where that put it.
    behind = _are_far(found) | (~telling & telling.any()) | (best.rules["echo"] < 0)
    given = trees().values(found) - np.where(behind, FROM_AFAR, 0)
    given = _as_ruled(best, found, given)
    if found["by_person"][0] and found["discloses"][0]:  # no machine takes a person's word back
        given = np.where(found["by_person"] > 0, given, np.minimum(given, given[0]))
        if asked.of_self:  # "the user lives in Rome" is said of somebody else
            given[1:] -= np.where(found["discloses"][1:] > 0, 0, OF_OTHERS)
        others = collection.column("flags")[best.numbers] & flags_of.ABOUT_OTHERS > 0
        if not (asked.of_others or others[0]):  # nor does "my son is four" tell how old I am
            given = np.where(others, np.minimum(given, given[0]), given)
    others = of_another(collection, asked, best.numbers)
    if not others[0]:  # nor does "my ex-wife is Petra" tell who my wife is
        others &= found["own_words"] <= 2 * found["own_words"][0]
        given = np.where(others, np.minimum(given, given[0]), given)
    if asked.wants_amount or asked.gathers:  # what is counted together is told in many places
        given = np.where(given == given.max(), 1, 0)
    places: Numbers = np.argsort(-given, kind="stable")
    return places
