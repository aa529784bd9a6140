"""Extractive summarization: sentences chosen by coverage, in their original order.

A sentence counts for the values that it alone still adds (numbers, names, quotes), for its
distinctive words, for how central it is and where it stands. All of it is counted in whole
numbers over at most so many sentences, so the same text gives the same summary everywhere and
the cost grows with the text. What is chosen is quoted word for word; a value of a machine's is
one sentence, taken whole or told in words, so that no summary holds a piece of JSON.
"""

import heapq
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Final

import msgspec

from muniment.model.fixed_point import MILLION
from muniment.model.languages.tables import LATIN
from muniment.model.policy.maintenance import Limit
from muniment.model.text import sentences, telling_lines
from muniment.model.text.sentences import SHORT_WORD
from muniment.model.text.tokens import CHARACTERS_PER_TOKEN, tokens, tokens_by_length

SENTENCES_READ_MAX: Final = 1_024
VALUE_WEIGHT: Final = 8  # a value lost is a question that nobody can answer any more
EDGE_WEIGHT: Final = 2  # of the first and the last sentence: what it is about, how it ended
PATTERNS_MAX: Final = 10
PATTERN_TIMES_MIN: Final = 3


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    text: str
    tokens: int
    quality_ppm: int  # how much of what is distinctive the summary still says
    sources: tuple[int, ...] = ()  # which of the texts it quotes


class _Sentence(msgspec.Struct, frozen=True, kw_only=True):
    place: int
    source: int
    text: str
    after: str  # the white space that follows it
    values: frozenset[str]
    terms: frozenset[str]
    edge: bool
    level: int
    short: frozenset[str] = frozenset()  # words that are no terms, of what somebody states


# The level of a sentence, with the place of its text: the higher is taken before the lower.
Weigh = Callable[[int, str], int]


def summarise(texts: Sequence[str], limit: Limit, weigh: Weigh | None = None) -> Summary:
    """The sentences of these texts that together say most, within the limit."""
    read = _read(texts, weigh)
    weights = _weights(read)
    return _summary(_chosen(read, weights, limit), read, weights, limit, texts)


def quoted(texts: Sequence[str], limit: Limit, weigh: Weigh | None = None) -> list[tuple[int, str]]:
    """The same sentences one by one, each with the place of the text that it stands in."""
    read = _read(texts, weigh)
    return [(each.source, each.text) for each in _chosen(read, _weights(read), limit)]


def patterns(texts: Sequence[str], limit: Limit, weigh: Weigh | None = None) -> Summary:
    """What keeps coming up, in a sentence that says it; then whatever else fits."""
    read = _read(texts, weigh)
    weights = _weights(read)
    times = Counter(term for terms in _terms_of_texts(read).values() for term in terms)
    repeated = sorted(
        (term for term, count in times.items() if count >= PATTERN_TIMES_MIN and term in weights),
        key=lambda term: (-times[term], term),
    )
    chosen: list[_Sentence] = []
    for term in repeated:
        says = [each for each in read if term in each.terms]
        if len(chosen) < PATTERNS_MAX and not any(term in each.terms for each in chosen):
            chosen.append(
                max(says, key=lambda each: (each.level, _worth(each, weights), -each.place))
            )
    whole = _chosen(read, weights, limit, first=chosen)
    return _summary(whole, read, weights, limit, texts)


def quality_ppm(texts: Sequence[str], summary: str) -> int:
    """How much of what is distinctive in the texts a summary says: values count most."""
    read = _read(texts)
    told = _read([summary])
    return _coverage(read, _weights(read), told)


def keeps_values(text: str, summary: str) -> bool:
    """Whether a summary names every value that a text names."""
    known = set(sentences.values(summary)) | set(sentences.names(summary))
    return all(value in known or value in summary for value in _all_values(text))


def keeps_words_ppm(text: str, summary: str) -> int:
    """How many of a text's own words a summary has."""
    words = set(sentences.terms(text))
    kept = words & set(sentences.terms(summary))
    return len(kept) * MILLION // len(words) if words else MILLION


def _all_values(text: str) -> Iterable[str]:
    return (value for each in sentences.sentences(text) for value in sentences.values(each))


def _read(texts: Sequence[str], weigh: Weigh | None = None) -> list[_Sentence]:
    found: list[_Sentence] = []
    for source, text in enumerate(texts):
        spoken = _spoken(text.strip())
        found += [
            _Sentence(
                place=len(found) + n,
                source=source,
                text=each.strip(),
                after=each[len(each.rstrip()) :],
                values=frozenset(sentences.values(each)),
                terms=frozenset(sentences.terms(each) or (tokens(each) if weigh else ())),
                edge=n in (0, len(spoken) - 1),
                level=(level := weigh(source, each) if weigh else 0),
                short=_short(each) if level else frozenset(),
            )
            for n, each in enumerate(spoken)
        ]
    if len(found) <= SENTENCES_READ_MAX:
        return found
    ranked = sorted(
        found, key=lambda each: (-each.level, -len(each.values), -len(each.terms), each.place)
    )
    return sorted(ranked[:SENTENCES_READ_MAX], key=lambda each: each.place)


def _short(sentence: str) -> frozenset[str]:
    """Its short words that mean something: "My son's favourite colour is red"."""
    words = frozenset(tokens(sentence))
    joining = max(_small_words(), key=lambda some: len(some & words))
    return frozenset(each for each in words - joining if each.isascii() and len(each) <= SHORT_WORD)


@cache
def _small_words() -> tuple[frozenset[str], ...]:
    """Words that only join others, language by language: an English "son" is French for "his"."""
    return tuple(frozenset(table.shown_by.split()) for table in LATIN)


def _spoken(text: str) -> list[str]:
    if telling_lines.is_value(text):
        return [text]
    return [each for each in sentences.sentences(text) if each.strip()]


def _weights(read: Sequence[_Sentence]) -> dict[str, int]:
    """What each value and each distinctive word is worth: the rarer, the more."""
    seen = Counter(term for each in read for term in each.terms)
    common = max(len(read) // 2, 2)
    telling = {term for each in read if each.values for term in each.terms}
    weights = {
        # A word that stands beside no value anywhere is rarely what somebody will ask for.
        term: (len(read) // count + 1).bit_length() if term in telling else 1
        for term, count in seen.items()
        if count <= common
    }
    values = {value for each in read for value in each.values}
    return weights | dict.fromkeys(values, VALUE_WEIGHT)


def _worth(each: _Sentence, weights: Mapping[str, int]) -> int:
    return sum(weights.get(name, 0) for name in each.values | each.terms)


def _chosen(
    read: Sequence[_Sentence],
    weights: Mapping[str, int],
    limit: Limit,
    first: Sequence[_Sentence] = (),
) -> list[_Sentence]:
    """Greedily the sentence that adds most for its length; what it adds can only become less.

    The higher levels are served first: what somebody states is not left out for what many say.
    """
    room = limit.tokens_max * CHARACTERS_PER_TOKEN
    central = _centrality(read)
    chosen: list[_Sentence] = []
    covered: set[str] = set()
    for each in first:
        if len(chosen) < limit.sentences_max and len(each.text) < room:
            chosen.append(each)
            covered |= each.values | each.terms | each.short
            room -= len(each.text) + 1
    taken = {each.place for each in chosen}
    queue = [
        (-each.level, -_gain(each, covered, weights, central), each.place, each)
        for each in read
        if each.place not in taken
    ]
    heapq.heapify(queue)
    while queue and len(chosen) < limit.sentences_max:
        level, told, place, each = heapq.heappop(queue)
        if len(each.text) > room:
            continue
        gain = -_gain(each, covered, weights, central)
        if gain > told:
            heapq.heappush(queue, (level, gain, place, each))
        elif gain < 0:
            chosen.append(each)
            covered |= each.values | each.terms | each.short
            room -= len(each.text) + 1
    return sorted(chosen, key=lambda each: each.place)


def _gain(
    each: _Sentence, covered: set[str], weights: Mapping[str, int], central: Mapping[int, int]
) -> int:
    fresh = (each.values | each.terms) - covered
    new = sum(weights.get(name, 0) for name in fresh)
    if not new:  # it says nothing that is not said already, or in short words alone
        return 0 if each.short <= covered else 1
    stands = EDGE_WEIGHT if each.edge and fresh & each.values else 0
    return ((new + stands) * MILLION + central[each.place]) // (len(each.text) + 1)


def _centrality(read: Sequence[_Sentence]) -> dict[int, int]:
    """How much of a sentence the others speak of too, in millionths."""
    seen = Counter(term for each in read for term in each.terms)
    others = max(len(read) - 1, 1)
    return {
        each.place: sum(seen[term] - 1 for term in each.terms)
        * MILLION
        // (max(len(each.terms), 1) * others)
        for each in read
    }


def _summary(
    chosen: Sequence[_Sentence],
    read: Sequence[_Sentence],
    weights: Mapping[str, int],
    limit: Limit,
    texts: Sequence[str],
) -> Summary:
    room = limit.tokens_max * CHARACTERS_PER_TOKEN
    text = _joined(chosen)
    if len(text) > room:  # between neighbours lies more than the one character that was counted
        text = _joined([_closed_up(each) for each in chosen])
    if not chosen and read:
        # Not one whole sentence fits: the beginning of the most telling one has to do.
        best = max(read, key=lambda each: (each.level, _worth(each, weights), -each.place))
        text, chosen = telling_lines.told(best.text, room), [best]
    tokens = tokens_by_length(text)
    assert tokens <= limit.tokens_max, "a summary fits its limit"
    assert len(text) <= len("\n".join(texts)), "and is never longer than its source"
    return Summary(
        text=text,
        tokens=tokens,
        quality_ppm=_coverage(read, weights, _read([text])),
        sources=tuple(sorted({each.source for each in chosen})),
    )


def _joined(chosen: Sequence[_Sentence]) -> str:
    """Neighbours stay neighbours; where something was left out, a line ends."""
    parts: list[str] = []
    for each, then in pairwise([*chosen, None]):
        assert each is not None
        together = then and then.source == each.source and then.place == each.place + 1
        parts.append(each.text + (each.after if together else "\n"))
    return "".join(parts).strip()


def _closed_up(each: _Sentence) -> _Sentence:
    after = "\n" if "\n" in each.after else each.after[:1]
    return msgspec.structs.replace(each, after=after)


def _coverage(
    read: Sequence[_Sentence], weights: Mapping[str, int], told: Sequence[_Sentence]
) -> int:
    wanted = {name for each in read for name in each.values | each.terms}
    known = {name for each in told for name in each.values | each.terms}
    total = sum(weights.get(name, 0) for name in wanted)
    kept = sum(weights.get(name, 0) for name in wanted & known)
    return kept * MILLION // total if total else MILLION


def _terms_of_texts(read: Sequence[_Sentence]) -> dict[int, frozenset[str]]:
    found: dict[int, set[str]] = {}
    for each in read:
        found.setdefault(each.source, set()).update(each.terms)
    return {source: frozenset(terms) for source, terms in found.items()}
