"""Clustering of duplicates: texts with similar words and equal values.

Texts that differ in a number, a name, a quote or a "not" are never put together, however alike
the rest is. Candidates are found by their rarest words (two sets alike enough must share one of
them), and each text meets a bounded number of others, so the cost grows with what is read.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from muniment.model.fixed_point import MILLION
from muniment.model.text.near_duplicates import TextSignature, same, saying

MEETINGS_MAX: Final = 32  # leaders that one text is compared with under each of its words
Values = tuple[str, ...]


class ClusterText(msgspec.Struct, frozen=True, kw_only=True):
    """One text that may have been told before."""

    id: str
    text: str
    kind: str = ""  # only texts of one kind are put together


class _Read(msgspec.Struct, frozen=True, kw_only=True):
    told: ClusterText
    saying: TextSignature


def clusters(texts: Iterable[ClusterText], alike_ppm: int) -> tuple[tuple[str, ...], ...]:
    """Groups of two or more ids that say the same, in the order in which each began."""
    read = [_Read(told=each, saying=saying(each.text)) for each in texts]
    known = Counter(word for each in read for word in each.saying.words)
    leaders: dict[tuple[Values, str], list[_Read]] = {}
    groups: dict[str, list[str]] = {}
    for each in read:
        keys = _keys(each, known, alike_ppm)
        leader = _leader(each, keys, leaders, alike_ppm)
        if leader is not None:
            groups[leader.told.id].append(each.told.id)
            continue
        groups[each.told.id] = [each.told.id]
        for key in keys:
            leaders.setdefault(key, []).append(each)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)


def _keys(each: _Read, known: Mapping[str, int], alike_ppm: int) -> Sequence[tuple[Values, str]]:
    """Under which a text is found: its values and kind, with each of its rarest words."""
    values = (*each.saying.values, each.told.kind)
    rarest = sorted(each.saying.words, key=lambda word: (known[word], word))
    if not rarest:
        return [(values, "")]
    # Of two sets alike to this degree, the first so many words of each have one in common.
    shared_min = -(-len(rarest) * alike_ppm // MILLION)
    return [(values, word) for word in rarest[: len(rarest) - shared_min + 1]]


def _leader(
    each: _Read,
    keys: Sequence[tuple[Values, str]],
    leaders: Mapping[tuple[Values, str], list[_Read]],
    alike_ppm: int,
) -> _Read | None:
    met = (other for key in keys for other in leaders.get(key, ())[-MEETINGS_MAX:])
    return next((other for other in met if same(each.saying, other.saying, alike_ppm)), None)
