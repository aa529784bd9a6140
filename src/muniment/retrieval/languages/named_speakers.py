"""Named speakers: which speakers a question names, and how they would ask it themselves.

"What did Ann give Bob?" is answered by Ann, who said "my brother" and never "Ann's brother".
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from muniment.model.languages.language_table import Persons
from muniment.model.languages.tables.english import ENGLISH
from muniment.retrieval.languages.detect_language import LanguageReading

NAME_LETTERS_MIN: Final = 2
assert ENGLISH.persons is not None
_ENGLISH: Final = ENGLISH.persons


def persons_of(read: Iterable[LanguageReading]) -> Persons:
    """A name is put in the first person as in English, where a language does not say how."""
    return next((each.language.persons for each in read if each.language.persons), _ENGLISH)


def named_in(text: str, speakers: Sequence[str]) -> tuple[str, ...]:
    loose = _loose(text)
    return tuple(name for name in speakers if _loose(name) in loose and _names(name, text))


def _loose(text: str) -> str:
    """Whatever names somebody, in any case of its letters, holds their name in this form too.

    A pattern for each of a thousand speakers takes longer than everything else.
    """
    return text.casefold().replace("\u0307", "").replace("\u0131", "i")


def _names(name: str, text: str) -> bool:
    return len(name) >= NAME_LETTERS_MIN and _pattern(name, "").search(text) is not None


def in_first_person(text: str, who: Sequence[str], persons: Persons) -> str:
    """Whoever told it said "my dog", never "Ann's dog": so that is what to look for."""
    if len(who) > 1:
        text = _plural(text, who, persons)
    for name in who:
        text = _pattern(name, persons.possessive).sub(persons.my, text)
        text = _pattern(name, "").sub(persons.me, text)
    # With two people named, nobody can tell whom a pronoun means.
    return _replaced(text, persons.singular) if len(who) == 1 else text


def _replaced(text: str, pronouns: Sequence[tuple[str, str]]) -> str:
    for asked, told in pronouns:
        text = re.sub(rf"\b(?:{asked})\b", told, text, flags=re.IGNORECASE)
    return text


def _plural(text: str, who: Sequence[str], persons: Persons) -> str:
    """What "Ann and Bob" did "we" did, and what is theirs is "our" own."""
    name, of = rf"(?:{'|'.join(map(re.escape, who))})", persons.possessive
    several = (
        rf"(?<!\w)(?:{persons.both} )?{name}(?:, {name})*(?:{of})?,? "
        rf"{persons.and_} {name}({of})?(?!\w)"
    )

    def ours(found: re.Match[str]) -> str:
        return persons.our if found[1] else persons.we

    told = re.sub(several, ours, text, flags=re.IGNORECASE)
    return _replaced(told, persons.plural) if told != text else told


def about(text: str, who: Sequence[str], persons: Persons) -> str:
    """Of "What did Ann give Bob?" Ann; of "What do Ann and Bob like?" nobody more than another."""
    if not who or (len(who) > 1 and _are_together(who, text, persons)):
        return ""
    return min(who, key=lambda name: _comes_first(name, text, persons))


def _are_together(who: Sequence[str], text: str, persons: Persons) -> bool:
    anyone = "|".join(map(re.escape, who))
    joined = rf"(?:{persons.possessive})? (?:{persons.and_}|{persons.or_})"
    together = rf"\b{persons.both}\b|(?<!\w)(?:{anyone}){joined} (?:{anyone})(?!\w)"
    return re.search(together, text, re.IGNORECASE) is not None


def _comes_first(name: str, text: str, persons: Persons) -> tuple[bool, int]:
    """Whether it does not stand behind the verb that asks, then where it stands."""
    verbs = persons.asking_verbs
    doing = re.compile(rf"\b(?:{verbs}) {re.escape(name)}(?!['\u2019\w])", re.IGNORECASE)
    named = _pattern(name, "").search(text)
    return doing.search(text) is None, named.start() if named else len(text)


def _pattern(name: str, ending: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name)}{ending}(?!\w)", re.IGNORECASE)
