"""Grounding: whether what a statement quotes, counts and names stands in the text it cites."""

from typing import Final

from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.unicode14 import known

# What a statement may call the person whose memory it is.
FOR_THE_USER: Final = frozenset(
    [
        *("the", "user", "user's", "users", "speaker", "nutzer", "nutzers", "nutzerin"),
        *("benutzer", "usuario", "usuaria", "usuário", "usuária", "utilizador", "utilizadora"),
        *("utilisateur", "utilisatrice", "utente", "gebruiker", "χρήστης", "пользователь"),
        *("用户", "ユーザー", "사용자"),
    ]
)
QUOTE_CHARACTERS_MIN: Final = 3  # shorter ones stand everywhere

_NUMBER = lazy_pattern(r"\d+(?:[.,:]\d+)*")
# A time, or a date as day, month and year: their parts are numbers by themselves.
_IN_PARTS = lazy_pattern(
    r"\d+(?::\d+)+|\d{1,2}\.\d{1,2}\.(?:\d{2}){1,2}|\d{1,2}\.(?:0[1-9]|1[0-2])"
)
_DIGITS = lazy_pattern(r"\d+")
_WORD = lazy_pattern("[^\\W\\d_]+(?:['\u2019][^\\W\\d_]+)*")
_SPACES = lazy_pattern(r"\s+")


def plain(text: str) -> str:
    """A text with its letters composed and its spaces single."""
    return _SPACES.sub(" ", known(text)).strip()


def is_quoted(quote: str, text: str) -> bool:
    """Whether words stand in a text, letter for letter."""
    wanted = plain(quote)
    return len(wanted) >= QUOTE_CHARACTERS_MIN and wanted in plain(text)


def is_grounded(statement: str, text: str, *, first_word: bool) -> bool:
    """Whether every number and name of a statement stands in a text.

    A first word has a capital whatever it says; as a name it counts where that is asked.
    """
    there = plain(text).casefold()
    said = plain(statement)
    if not {each.lstrip("0") for each in _NUMBER.findall(said)} <= _numbers(there):
        return False
    words = {*map(_stem, _WORD.findall(there)), *FOR_THE_USER}
    names = (word for word in _WORD.findall(said)[not first_word :] if word[0].isupper())
    return all(_stem(name.casefold()) in words for name in names)


def is_user(subject: str) -> bool:
    """Whether somebody is called by no name, or as whoever the memory is of."""
    return not subject.strip() or all(word in FOR_THE_USER for word in subject.casefold().split())


def _numbers(text: str) -> set[str]:
    """What a text counts, without zeros in front; "50" is no part of "500"."""
    found = _NUMBER.findall(text)
    parts = [part for each in found if _IN_PARTS.fullmatch(each) for part in _DIGITS.findall(each)]
    return {each.lstrip("0") for each in [*found, *parts]}


def _stem(name: str) -> str:
    return name.removesuffix("'s").removesuffix("\u2019s")
