"""Excerpts: the sentences of a long text that answer a question, where the whole does not fit.

A message of a thousand letters says where the key is in one of them. What a context has no room
for whole is packed as the sentences that have most of the question, word for word and in their
order, with a sign where others are left out.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from muniment.model.fixed_point import MILLION
from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.text import telling_lines
from muniment.model.text.sentences import sentences
from muniment.retrieval.ranking import query
from muniment.retrieval.ranking.query import Query
from muniment.retrieval.text import tokenizer

MARK: Final = "excerpt"  # in the frame of the line
LEFT_OUT: Final = "…"
SENTENCES_MAX: Final = 6  # that answer: whoever needs more needs the whole
KIN_MAX: Final = 2  # words that only lead to an answer, of one sentence
_CLAUSE = lazy_pattern(r"(?<=[,;:\uff0c\u3001\uff1b\uff1a\u060c])\s*(?=\S)")


def options(text: str, asked: str, speaker: str = "") -> tuple[str, ...]:
    """Excerpts of a text for a question, the longest first; none where no sentence answers.

    They depend on the text and the question alone, so that a receipt names one by its number.
    """
    head = f"{speaker}: " if speaker and text.startswith(f"{speaker}: ") else ""
    body = text[len(head) :]
    if telling_lines.is_value(body):
        return ()
    found = dict.fromkeys(_options(body, _asked(asked)))
    return tuple(head + each for each in found if len(each) < len(body))


def _options(body: str, asked: Query) -> Iterator[str]:
    parts = [each for each in sentences(body) if each.strip()]
    worth = _worth(parts, asked)
    best = max(worth, default=0)
    if not best:
        return
    answering = [n for n, each in enumerate(worth) if 2 * each >= best]
    answering = sorted(answering, key=lambda n: (-worth[n], n))[:SENTENCES_MAX]
    beside = min(answering[0] + 1, len(parts) - 1)  # what follows says more of it
    yield _joined(parts, {*answering, beside})
    for count in range(len(answering), 0, -1):
        yield _joined(parts, answering[:count])
    yield from _clauses(parts, answering[0], asked)


def _clauses(parts: Sequence[str], best: int, asked: Query) -> Iterator[str]:
    """Of the best sentence the clauses that answer, with what follows them as long as it fits."""
    clauses = _CLAUSE.split(parts[best].strip())
    worth = _worth(clauses, asked)
    first = worth.index(max(worth))
    for last in range(len(clauses), first, -1):
        before = LEFT_OUT + " " if best or first else ""
        after = " " + LEFT_OUT if last < len(clauses) or best + 1 < len(parts) else ""
        yield before + " ".join(clauses[first:last]) + after


def _worth(parts: Sequence[str], asked: Query) -> list[int]:
    """How much of the question each part has: a word of it that few others have weighs most."""
    stems = [frozenset(tokenizer.stems(each)) for each in parts]
    having = Counter(stem for each in stems for stem in each)
    near = dict(asked.kin)
    return [
        sum(MILLION // having[word] for word in each.intersection(asked.words))
        + sum(sorted((near[word] // 2 for word in each.intersection(near)), reverse=True)[:KIN_MAX])
        for each in stems
    ]


def _joined(parts: Sequence[str], chosen: Iterable[int]) -> str:
    pieces: list[str] = []
    before = -1
    for place in sorted(chosen):
        if place > before + 1:
            pieces.append(LEFT_OUT)
        pieces.append(parts[place].strip())
        before = place
    return " ".join([*pieces, *([LEFT_OUT] if before + 1 < len(parts) else ())])


@lru_cache(maxsize=16)  # the long texts of one context are read for one question
def _asked(text: str) -> Query:
    return query.analyse(text)
