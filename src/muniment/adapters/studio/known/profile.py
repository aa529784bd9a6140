"""A person's profile: what is known of them, sorted into what a reader looks for first.

The topic of a sentence is told by fixed words. It only decides under which heading a line stands:
what has no topic stands under the last one, and nothing is left out. Talk that states nothing, a
question, an order or a courtesy, stands below what states something.
"""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final

import msgspec

from muniment.adapters.studio.known import topic_words
from muniment.adapters.studio.known.catalogue_items import Known, Sort, State
from muniment.adapters.studio.known.topic_words import (
    HEALTH,
    HOME,
    PEOPLE,
    PLANS,
    PREFERENCES,
    WHO,
    WORK,
)
from muniment.retrieval.entities import relation_rules
from muniment.retrieval.languages import state_phrases, statement_levels
from muniment.retrieval.languages.detect_language import detect_languages
from muniment.retrieval.languages.statement_levels import Level

Holds = Callable[[Known], bool]  # whether something counts
LAST: Final = "Also known"
OWN: Final = (HOME, WORK)  # headings of what the sentence says whose it is
ORDER: Final = (WHO, HOME, WORK, PEOPLE, HEALTH, PREFERENCES, PLANS, LAST)
STATED: Final = (Sort.APPROVED, Sort.PROFILE, Sort.FACT, Sort.TOLD)
RANKS: Final = {sort: place for place, sort in enumerate(STATED)}
_PREFIX: Final = re.compile(r"^(?:correction|remember)(?: that)?:?\s+|^(?:hello|hi)[!,.]\s+", re.I)
KEYED: Final = re.compile(r"\bmy ([a-z ]{2,30}?) (?:is|are)\b", re.IGNORECASE)


class ProfileSection(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    lines: list[Known]


@lru_cache(maxsize=100_000)
def topic(text: str) -> str:
    found = next((name for name, pattern in topic_words.PATTERNS if pattern.search(text)), LAST)
    return PEOPLE if found in OWN and _is_of_another(text) else found


def _is_of_another(text: str) -> bool:
    """Whether a home or work that is told is somebody else's: "Sven moved to Hannover"."""
    states = state_phrases.stated_terms(detect_languages(text))
    whose = {each.partition(" of ")[2] for each in states}
    whose |= {each.subject for each in relation_rules.relations(text)}
    return bool(whose) and whose.isdisjoint({state_phrases.ME, relation_rules.USER})


def sections(items: Iterable[Known]) -> list[ProfileSection]:
    """The lines of a profile by heading: one for each thing that is known, the best word of it."""
    found: dict[str, list[Known]] = {name: [] for name in ORDER}
    for each in distinct(items):
        found[topic(_words(each))].append(each)
    return [
        ProfileSection(
            name=name,
            lines=sorted(
                lines, key=lambda each: (not _is_talk(each), each.since, each.id), reverse=True
            ),
        )
        for name, lines in found.items()
        if lines
    ]


def is_current(each: Known) -> bool:
    return each.state is State.CURRENT


def distinct(items: Iterable[Known], holds: Holds = is_current) -> list[Known]:
    """What is known, each once: a fact that was approved stands for the sentence behind it."""
    best: dict[str, Known] = {}
    for each in items:
        if not holds(each) or not is_stated(each):
            continue
        name = _sameness(each)
        held = best.get(name)
        if held is None or is_better(each, held):
            best[name] = each
    return list(best.values())


def is_stated(each: Known) -> bool:
    """Whether it states something of a person; of what they only said, what has a topic."""
    if each.text.rstrip().endswith("?"):
        return False
    said = each.sort is Sort.MESSAGE and each.source == "user" and topic(each.text) != LAST
    return each.sort in STATED or said


def _is_talk(each: Known) -> bool:
    """Whether somebody said it and stated nothing by it."""
    said = each.sort in (Sort.TOLD, Sort.MESSAGE)
    return said and statement_levels.of_text(each.text) < Level.BESIDE


def _words(each: Known) -> str:
    return (
        f"{each.key.rpartition('/')[2].replace('_', ' ')}: {each.text}" if each.key else each.text
    )


def is_better(each: Known, held: Known) -> bool:
    """Whether one wording of a thing says it better: by how it is kept, then the latest."""
    one, other = RANKS.get(each.sort, len(RANKS)), RANKS.get(held.sort, len(RANKS))
    return one < other or (one == other and each.since > held.since)


def _sameness(each: Known) -> str:
    """What two wordings of one thing have in common: the key, or the words without their frame."""
    if each.key:
        return _attribute(each.key.rpartition("/")[2].replace("_", " "))
    plain = _PREFIX.sub("", each.text)
    keyed = KEYED.search(plain)
    return _attribute(keyed[1]) if keyed else plain.casefold().rstrip(".! ")


def _attribute(words: str) -> str:
    return words.casefold().replace("favourite", "favorite").replace("colour", "color").strip()
