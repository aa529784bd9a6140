"""Which texts say the same: alike in their words, and equal in every value that they name.

Texts that differ in a number, a name, a quote or a "not" are never put together, however alike
the rest is. Candidates are found by their rarest words (two sets alike enough must share one of
them), and each text meets a bounded number of others, so the cost grows with what is read.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from muniment.model import prose
from muniment.model.fixed import MILLION
from muniment.model.text import tokens

MEETINGS_MAX: Final = 32  # leaders that one text is compared with under each of its words
# Words that turn a sentence round, in the languages that we have met them in.
_NEGATIONS = """
not no never none nor neither without cannot can't don't doesn't didn't isn't aren't wasn't won't
wouldn't shouldn't nothing nobody
nicht kein keine keinen keiner nie niemals ohne nichts niet geen nooit zonder ikke inte aldrig
ne pas jamais sans aucun aucune rien nunca jamás sin nada ningún ninguna não nem sem nenhum
non mai senza niente nessuno
не нет никогда без ни نه لا ليس لم نہیں नहीं
"""
NEGATIONS: Final = frozenset(re.findall(r"\S+", _NEGATIONS))
UNSPACED_NEGATIONS: Final = ("不", "没", "沒", "無", "无", "未", "ない", "ません", "ไม่")

Signature = tuple[tuple[str, ...], ...]


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """One text that may have been told before."""

    id: str
    text: str
    kind: str = ""  # only texts of one kind are put together


class _Read(msgspec.Struct, frozen=True, kw_only=True):
    told: Told
    words: frozenset[str]
    signature: Signature
    exact: bool


def clusters(texts: Iterable[Told], alike_ppm: int) -> tuple[tuple[str, ...], ...]:
    """Groups of two or more ids that say the same, in the order in which each began."""
    read = [_read(each) for each in texts]
    known = Counter(word for each in read for word in each.words)
    leaders: dict[tuple[Signature, str], list[_Read]] = {}
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


def signature(text: str) -> Signature:
    """Every value that a text names; only texts with equal ones may say the same."""
    words = [*tokens(text), *text.lower().replace("’", "'").split()]
    turned = {word.strip('.,;:!?"()') for word in words} & NEGATIONS
    unspaced = {each for each in UNSPACED_NEGATIONS if each in text}
    kinds = (prose.numbers(text), prose.names(text), prose.quotes(text), turned | unspaced)
    return tuple(tuple(sorted(set(kind))) for kind in kinds)


def alike(one: str, other: str, alike_ppm: int) -> bool:
    """Whether two texts say the same."""
    return len(clusters([Told(id="1", text=one), Told(id="2", text=other)], alike_ppm)) == 1


def _read(told: Told) -> _Read:
    words = frozenset(tokens(told.text))
    # Where there are no capitals a name cannot be told from a word: then nothing may differ.
    exact = any(letter.isalpha() and letter.lower() == letter.upper() for letter in told.text)
    named = (*signature(told.text), (told.kind,), tuple(sorted(words)) if exact else ())
    return _Read(told=told, words=words, signature=named, exact=exact)


def _keys(each: _Read, known: Mapping[str, int], alike_ppm: int) -> Sequence[tuple[Signature, str]]:
    if each.exact or not each.words:
        return [(each.signature, "")]
    rarest = sorted(each.words, key=lambda word: (known[word], word))
    # Of two sets alike to this degree, the first so many words of each have one in common.
    shared_min = -(-len(rarest) * alike_ppm // MILLION)
    return [(each.signature, word) for word in rarest[: len(rarest) - shared_min + 1]]


def _leader(
    each: _Read,
    keys: Sequence[tuple[Signature, str]],
    leaders: Mapping[tuple[Signature, str], list[_Read]],
    alike_ppm: int,
) -> _Read | None:
    met = (other for key in keys for other in leaders.get(key, ())[-MEETINGS_MAX:])
    return next((other for other in met if _share_ppm(each, other) >= alike_ppm), None)


def _share_ppm(one: _Read, other: _Read) -> int:
    both = len(one.words & other.words)
    either = len(one.words | other.words)
    return both * MILLION // either if either else MILLION
