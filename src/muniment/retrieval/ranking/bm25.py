"""BM25 over a window of turns: a word counts in its own text, and less in the neighbours.

An answer rarely repeats the question's words; the turn before it does. The five fields (own text,
one and two before, one and two after) need no postings of their own: they are the own ones, moved.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias, TypeVar

from muniment.model.fixed_point import MILLION, log2_ppm
from muniment.retrieval import arrays as np
from muniment.retrieval.index.collection import Collection
from muniment.retrieval.index.columns import NONE, Integers
from muniment.retrieval.text import code_tokens, tokenizer
from muniment.retrieval.text.reference_codes import Code

Numbers: TypeAlias = "np.NDArray[np.int64]"
Mask: TypeAlias = "np.NDArray[np.bool_]"

# Tenths: what a word counts in the text itself, in the one before (next), in the two before (next).
OWN: Final = 20
BEFORE: Final = (10, 5)
AFTER: Final = (6, 3)
# BM25's k1 and b: how soon repeating stops to help, how much a long text has to make up for.
K1_TENTHS: Final = 12
B_PERCENT: Final = 75
UNIT: Final = 10
FINE: Final = 1000
HELD_MAX: Final = 1 << 16  # documents of a collection whose last sums are held: a megabyte of them
CELLS_MAX: Final = 1 << 23  # held at a time: one for each word in each document
# A float64 holds every whole number up to here. A quotient that is no whole number lies at least
# 1 / divisor away from the next one, which is more than its rounding as long as what is divided
# stays below: rounding down then gives what dividing whole numbers gives, several times faster.
EXACT_BELOW: Final = 1 << 53

Each = TypeVar("Each")


class Statistics:
    """What BM25 needs to know of a collection, whatever is asked."""

    def __init__(self, collection: Collection) -> None:
        lengths = collection.column("lengths").astype(np.int64)
        sessions = collection.column("sessions")
        self.sessions = int(sessions.max(initial=0))
        self.near = _near(collection) if self.sessions else []
        self.narrow = self.wide = _penalty(lengths)
        if self.near:
            window = lengths.copy()
            for _, moved in self.near:
                window += np.where(moved == NONE, 0, lengths[moved])
            self.wide = _penalty(window)
        by_session = np.zeros(1, np.int64)
        if self.sessions:
            by_session = np.bincount(sessions, lengths, self.sessions + 1).astype(np.int64)
        self.session = _penalty(by_session[1:])


def _near(collection: Collection) -> list[tuple[int, Integers]]:
    """Where what a document says counts too: it helps the one after it, and the one before."""
    before, after = collection.column("before"), collection.after
    near = (
        (BEFORE[0], after),
        (BEFORE[1], _twice(after)),
        (AFTER[0], before),
        (AFTER[1], _twice(before)),
    )
    return [(weight, moved) for weight, moved in near if (moved != NONE).any()]


class WordPostings(NamedTuple):
    """The postings of several words together: which word, where, and how often."""

    which: Numbers
    documents: Numbers
    times: Numbers
    often: list[int]  # of each word, how many documents hold it


class Sums(NamedTuple):
    """The sums over the words: of each document with its neighbours and by itself, by session.

    Few documents of a large collection have any: whoever looks for the best looks at these.
    """

    window: Numbers
    own: Numbers
    sessions: Numbers
    touched: Numbers  # the documents that have any, in no order; some more than once
    most: int  # what a text would have that says all these words, for ever
    said: list[WordPostings]  # by words, the documents that hold them, and how often


KinSums = tuple[Numbers, Numbers]  # of each document with its neighbours; and which have any


def scores(collection: Collection, stems: Sequence[str], heard: Mask | None = None) -> Sums:
    """What is not `heard` says nothing, neither for itself nor for what stands around it.

    How rare a word is follows from the whole collection all the same.
    """
    known, count = collection.once(Statistics), collection.count
    own = np.zeros(count, np.int64)
    # Without neighbours a document stands in its window alone.
    window = np.zeros(count, np.int64) if known.near else own
    by_session = np.zeros(known.sessions + 1, np.int64)
    touched: list[Numbers] = []
    said: list[WordPostings] = []
    most = 0
    for some in _portions(stems, count):
        held = _held(collection, some, heard)
        said.append(held)
        rarities = [
            _rarity(often, count) * code_tokens.token_weight(stem)
            for stem, often in zip(some, held.often, strict=True)
        ]
        weights = _weights(rarities)
        most += int(weights.sum())
        if not len(held.documents):
            continue
        each = _said(held, known.narrow, weights)
        np.add.at(own, held.documents, each)
        touched.append(_add_windows(window, held, known, weights) if known.near else held.documents)
        if known.sessions:
            _add_sessions(by_session, held, collection.column("sessions"), known)
    return Sums(window, own, by_session, _joined(touched), most // FINE, said)


def kin_scores(
    collection: Collection, kin: Sequence[tuple[str, int]], heard: Mask | None = None
) -> KinSums:
    """The same for words that only mean nearly what was asked, each as far as it does."""
    if not kin:
        return np.empty(0, np.int64), np.empty(0, np.int64)  # for most questions
    known, count = collection.once(Statistics), collection.count
    window = np.zeros(count, np.int64)
    touched: list[Numbers] = []
    for some in _portions(kin, count):
        held = _held(collection, [stem for stem, _ in some], heard)
        if len(held.documents):
            rarities = [
                _rarity(often, count) * closeness // MILLION
                for (_, closeness), often in zip(some, held.often, strict=True)
            ]
            touched.append(_add_windows(window, held, known, _weights(rarities)))
    return window, _joined(touched)


class LastSums:
    """The sums of the question that a collection was asked last.

    The memory types of a context ask the same one in turn, each among other documents. One is held
    at a time, of a collection that is not large; it goes with the collection, which never changes,
    so that it cannot grow old. Threads may share it: what one of them replaces is made again.
    """

    def __init__(self, collection: Collection) -> None:
        self._is_held = collection.count <= HELD_MAX
        self._last: tuple[object, tuple[Sums, KinSums]] | None = None

    def of(
        self,
        collection: Collection,
        stems: Sequence[str],
        kin: Sequence[tuple[str, int]],
        heard: Mask | None,
    ) -> tuple[Sums, KinSums]:
        if not self._is_held:
            return scores(collection, stems, heard), kin_scores(collection, kin, heard)
        asked = (tuple(stems), tuple(kin), None if heard is None else heard.tobytes())
        last = self._last
        if last is None or last[0] != asked:
            by_words, by_kin = scores(collection, stems, heard), kin_scores(collection, kin, heard)
            for held in (by_words.window, by_words.own, by_words.sessions, by_kin[0]):
                held.setflags(write=False)
            last = self._last = asked, (by_words, by_kin)
        return last[1]


def without(sums: Numbers, touched: Numbers, among: Mask) -> Numbers:
    """The same but for what may not be shown; of what others may ask for again, in a copy."""
    left = sums if sums.flags.writeable else sums.copy()
    left[touched[~among[touched]]] = 0
    return left


def _joined(several: Sequence[Numbers]) -> Numbers:
    if len(several) == 1:
        return several[0]  # nearly always
    return np.concatenate([np.empty(0, np.int64), *several])


def distinct(numbers: Numbers, count: int) -> Numbers:
    """Each of these documents once, of so many."""
    last = np.empty(count, np.int32)  # read only where it has been written
    places = np.arange(len(numbers), dtype=np.int32)
    last[numbers] = places
    once: Numbers = numbers[last[numbers] == places]
    return once


def _portions(words_asked: Sequence[Each], count: int) -> Iterator[Sequence[Each]]:
    """As many words at a time as there is room for a cell of each word in each document."""
    at_once = max(1, CELLS_MAX // max(count, 1))
    for start in range(0, len(words_asked), at_once):
        yield words_asked[start : start + at_once]


def _held(collection: Collection, stems: Sequence[str], heard: Mask | None) -> WordPostings:
    found = collection.postings.find([tokenizer.key(stem) for stem in stems], collection.count)
    for place, stem in enumerate(stems):
        if not len(found[place][0]) and not stem.isascii():
            other = tokenizer.key(tokenizer.other_kana(stem))
            found[place] = collection.postings.find([other], collection.count)[0]
    often = [len(documents) for documents, _ in found]
    which = np.arange(len(stems)).repeat(often)
    documents = np.concatenate([documents for documents, _ in found], dtype=np.int64)
    times = np.concatenate([times for _, times in found], dtype=np.int64)
    if heard is None:
        return WordPostings(which, documents, times, often)
    said = heard[documents]
    return WordPostings(which[said], documents[said], times[said], often)


def _add_windows(
    window: Numbers, held: WordPostings, known: Statistics, weights: Numbers
) -> Numbers:
    """How much of each word a document holds, counting what stands around it; returns which."""
    if not known.near:
        each = _said(held, known.wide, weights)
        np.add.at(window, held.documents, each)
        return held.documents
    count = len(window)
    cells = np.zeros(len(held.often) * count, np.int32)  # a row of documents for each word
    cells[held.which * count + held.documents] = OWN * held.times
    whiches, targets = [held.which], [held.documents]
    for weight, moved in known.near:
        beside = moved[held.documents]
        there = np.flatnonzero(beside != NONE)
        which, target = held.which[there], beside[there].astype(np.int64)
        cells[which * count + target] += (held.times[there] * weight).astype(np.int32)
        whiches.append(which)
        targets.append(target)
    which, target = np.concatenate(whiches), np.concatenate(targets)
    amounts, once = _once(cells, which * count + target)
    which, target = which[once], target[once]
    each = _saturated(amounts[once].astype(np.int64), known.wide[target], weights[which])
    np.add.at(window, target, each)
    return target


def _add_sessions(
    total: Numbers, held: WordPostings, sessions: Integers, known: Statistics
) -> None:
    """The same over whole sessions; the session that is none has 0."""
    session = sessions[held.documents].astype(np.int64)
    inside = np.flatnonzero(session)
    if not len(inside):
        return
    which, session = held.which[inside], session[inside]
    places = which * len(total) + session
    cells = np.zeros(len(held.often) * len(total), np.int64)
    np.add.at(cells, places, held.times[inside])
    amounts, once = _once(cells, places)
    which, session = which[once], session[once]
    often = np.bincount(which, minlength=len(held.often)).tolist()
    weights = _weights([_rarity(each, known.sessions) for each in often])
    each = _saturated(
        amounts[once].astype(np.int64) * UNIT, known.session[session - 1], weights[which]
    )
    np.add.at(total, session, each)


def _once(cells: np.NDArray[np.signedinteger], places: Numbers) -> tuple[Integers, Numbers]:
    """What stands at these places, and a choice of them that names each one once.

    The cells are written over: each keeps one of the places that name it, whichever it is.
    """
    amounts = cells[places]
    cells[places] = np.arange(len(places))
    return amounts, np.flatnonzero(cells[places] == np.arange(len(places)))


def _twice(moved: Integers) -> Integers:
    """A neighbour's neighbour."""
    return np.where(moved == NONE, NONE, moved[moved]).astype(np.int32)


def _penalty(lengths: Numbers) -> np.NDArray[np.int32]:
    """What is added below the fraction: BM25's k1 * (1 - b + b * length / mean length)."""
    total, count = max(int(lengths.sum()), 1), len(lengths)

    def of(some: Numbers) -> np.NDArray[np.int32]:
        share = B_PERCENT * some * count * FINE // total
        whole = K1_TENTHS * ((100 - B_PERCENT) * FINE + share) // 100
        return np.minimum(whole, 1 << 30).astype(np.int32)

    longest = int(lengths.max(initial=0))
    # Many documents have few lengths: each is worked out once.
    return of(np.arange(longest + 1)).take(lengths) if longest < count else of(lengths)


def _rarity(often: int, count: int) -> int:
    """How much a word tells that so many hold; one that none holds, as much as if one did."""
    return log2_ppm(2 * count + 2, 2 * max(often, 1) + 1) if count else 0


def _weights(rarities: Sequence[int]) -> Numbers:
    return np.array([rarity * (UNIT + K1_TENTHS) * FINE // UNIT for rarity in rarities], np.int64)


def _said(held: WordPostings, penalty: Integers, weights: Numbers) -> Numbers:
    """What each word counts in the documents that hold it."""
    amounts = OWN * held.times
    # At most 255 times 20 times a rarity of some 2^36: far below what floats divide exactly.
    return divided_small(
        weights.take(held.which) * amounts, FINE * amounts + penalty.take(held.documents)
    )


def _saturated(held: Numbers, penalty: Integers, weights: Numbers) -> Numbers:
    return divided(weights * held, FINE * held + penalty)


def shares(values: Numbers, best: int) -> Numbers:
    """Scores as millionths of the best one."""
    if best >= EXACT_BELOW // MILLION:
        return values * MILLION // best
    return (values * MILLION / max(best, 1)).astype(np.int64)


def divided(values: np.NDArray[np.int64], by: np.NDArray[np.integer] | int) -> np.NDArray[np.int64]:
    """Each value divided and rounded down; divisors are positive."""
    if len(values) and max(int(values.max()), -int(values.min())) >= EXACT_BELOW:
        return values // by
    return divided_small(values, by)


def divided_small(
    values: np.NDArray[np.int64], by: np.NDArray[np.integer] | int
) -> np.NDArray[np.int64]:
    """The same for values that are known to lie below."""
    quotients = values / by
    return np.floor(quotients, out=quotients).astype(np.int64)


def name_shares(collection: Collection, names: Sequence[str], numbers: Numbers) -> Numbers:
    """How many of these names each document has, of those that anything has."""
    keys = list(map(tokenizer.key, names))
    found = collection.postings.find(keys, collection.count)
    known = [documents for documents, _ in found if len(documents)]
    told = np.zeros(collection.count, np.int64)
    for documents in known:
        told[documents] += 1
    shares: Numbers = told[numbers] * MILLION // max(len(known), 1)
    return shares


def of_other_codes(collection: Collection, asked: tuple[Code, ...]) -> Mask:
    """Which documents name other codes of the kinds asked for, where nobody has said these."""
    others = np.zeros(collection.count, bool)
    said = [tokenizer.key(each) for code in asked for each in code.spelled]
    if any(len(held) for held, _ in collection.postings.find(said, collection.count)):
        return others
    kinds = [tokenizer.key(code.kind) for code in asked]
    for documents, _ in collection.postings.find(kinds, collection.count):
        others[documents] = True
    return others


def times_of(held: WordPostings, places: np.NDArray[np.uint8], count: int) -> Numbers:
    """How often those that have a place say each of some words."""
    at = places.take(held.documents)
    there = at.nonzero()[0]
    times = np.zeros((len(held.often), count), np.int64)
    times[held.which.take(there), at.take(there) - 1] = held.times.take(there)
    return times
