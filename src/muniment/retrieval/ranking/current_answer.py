"""Conflict resolution in a recall: the newest statement of an attribute, across kinds.

A person's statement (an episode, a memo, a message, a profile item) replaces what the same person
stated of the same attribute before, whatever kind it is; a greater authority stands above the time.
A governed fact is replaced by nobody's word: what says otherwise since then contradicts it, and
both are shown. What is replaced is read with `at` and `valid_at`.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

import msgspec

from muniment.model import fact_keys
from muniment.model.errors import InputError
from muniment.model.kinds.conversation_item import Kind, is_item
from muniment.model.kinds.episode import Authority, Origin
from muniment.model.text.tokens import tokens
from muniment.rules.conversation import classify

FAVOURITES: Final = frozenset({"favorite", "preferred"})  # of each there is one at a time
WEIGHT: Final = {each: place for place, each in enumerate(Authority)}


class AnswerClaim(msgspec.Struct, frozen=True, kw_only=True):
    """What one record says of an attribute: its value, on whose authority, and since when."""

    id: str
    attribute: str
    value: str
    moment: str
    place: tuple[int, int] = (0, 0)  # of what was said at one moment
    authority: Authority = Authority.USER_ASSERTED
    governed: bool = False
    keyed: bool = True  # by a fixed phrase, a key or a superlative: one at a time
    whole: bool = True  # the record says nothing else


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """Which of several records stand."""

    replaced: Mapping[str, str] = {}  # by the id of what is replaced, the id of what stands
    contradicted: Mapping[
        str, AnswerClaim
    ] = {}  # by the id of a governed fact, the newest other word

    @property
    def contradicting(self) -> Mapping[str, str]:
        return {claim.id: fact for fact, claim in self.contradicted.items()}


class ClaimSource(msgspec.Struct, frozen=True, kw_only=True):
    """What a claim is read from: a record as any read has it at hand."""

    id: str
    text: str
    origin: str
    moment: str
    place: tuple[int, int] = (0, 0)  # of what was said at one moment
    speaker: str = ""
    governed: bool = False
    authority: str = ""


def claim(record: ClaimSource, aliases: Mapping[str, str]) -> AnswerClaim | None:
    """What a record states of the person who reads it; nothing, for nearly all."""
    if record.governed or _is_profile(record.id):
        key, _, value = record.text.partition(": ")
        authority = Authority.USER_ASSERTED
        if record.authority in set(Authority):
            authority = Authority(record.authority)
        return AnswerClaim(
            id=record.id,
            attribute=attribute(key, aliases),
            value=_value(value),
            moment=record.moment,
            place=record.place,
            authority=authority,
            governed=record.governed,
        )
    if record.origin != Origin.USER or record.speaker:
        return None
    stated = _stated(record.text)
    if stated is None:
        return None
    named, value, is_fixed, whole = stated
    spelled = attribute(named, aliases)
    return AnswerClaim(
        id=record.id,
        attribute=spelled,
        value=value,
        moment=record.moment,
        place=record.place,
        keyed=is_fixed or not FAVOURITES.isdisjoint(spelled.split("_")),
        whole=whole,
    )


@lru_cache(maxsize=1 << 11)  # every context asks it of nearly the same texts
def _stated(text: str) -> tuple[str, str, bool, bool] | None:
    """An attribute and its value, whether by a fixed phrase, and whether nothing else is said."""
    told = classify.only_stated(text)
    found = (told,) if told else classify.stated(text)
    if not found:
        return None
    fixed = {each.attribute for each in classify.profile_facts(text)}
    named = found[0].attribute
    return named, _value(found[0].value), named in fixed, told is not None


def settle(claims: Iterable[AnswerClaim]) -> Standing:
    """By attribute: what stands, what it replaces, and which governed fact is contradicted."""
    replaced: dict[str, str] = {}
    contradicted: dict[str, AnswerClaim] = {}
    groups: dict[str, list[AnswerClaim]] = {}
    for each in claims:
        groups.setdefault(each.attribute, []).append(each)
    for group in groups.values():
        fact = next((each for each in group if each.governed), None)
        keyed = fact is not None or any(_names_a_key(each) for each in group)
        said = [each for each in group if not each.governed and (each.keyed or keyed)]
        newest = max(said, key=_weight, default=None)
        if newest is None:
            continue
        stands = newest if fact is None or newest.moment > fact.moment else fact
        if fact and stands is newest and newest.value != fact.value:
            contradicted[fact.id] = newest
        replaced |= {
            each.id: stands.id
            for each in said
            if each is not stands and each.whole and each.value != stands.value
        }
    return Standing(replaced=replaced, contradicted=contradicted)


def standing(records: Sequence[ClaimSource], aliases: Mapping[str, str]) -> Standing:
    found = [its for its in (claim(each, aliases) for each in records) if its is not None]
    return settle(found) if len(found) > 1 else Standing()


def _weight(claim: AnswerClaim) -> tuple[int, str, tuple[int, int], str]:
    return WEIGHT[claim.authority], claim.moment, claim.place, claim.id


def _names_a_key(claim: AnswerClaim) -> bool:
    return _is_profile(claim.id)


def _is_profile(item_id: str) -> bool:
    return is_item(item_id) and item_id.split(":")[-2] == Kind.PROFILE


def attribute(named: str, aliases: Mapping[str, str]) -> str:
    """As governed keys spell it."""
    try:
        return fact_keys.profile_key("user_x", named, aliases).rpartition("/")[2]
    except InputError:
        return fact_keys.slug(named)


def _value(text: str) -> str:
    return " ".join(tokens(text))
