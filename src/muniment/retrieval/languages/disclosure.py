"""Self-disclosure: whether a message states something about its speaker, in any language.

"I live in Porto", "meine Schwester heißt Anna": what is somebody's, or is so of them, in the first
person. By grammar and not by subject, so whatever people tell of themselves counts.
What is asked, asked for, supposed, or only thought states nothing.
"""

from collections.abc import Iterable
from functools import cache
from typing import Final

from muniment.model.languages.language_table import Language, flat
from muniment.model.languages.phrases import others_words
from muniment.model.languages.tables import LATIN
from muniment.model.languages.word_pattern import WordPattern, possible
from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.text.sentences import sentences
from muniment.model.text.tokens import tokens
from muniment.retrieval.languages.detect_language import detect_languages, possible_languages
from muniment.retrieval.text import tokenizer

WORDS_MIN: Final = 2  # "Vivo solo": who speaks is in the verb
LETTERS_MIN: Final = 4  # where words are not parted
_ASKED = lazy_pattern(r"[?\uff1f\u061f\u037e][\"'\u201d\u2019\u00bb)\]\u300d]*\s*$")
_CLAUSE = lazy_pattern(r"[,;:\uff0c\u3001\uff1b\uff1a\u060c]|\s[\u2013\u2014-]\s")
_QUOTED = lazy_pattern(r"[\"\u201c\u201e\u00ab][^\"\u201c\u201d\u00bb]*[\"\u201d\u201c\u00bb]")


# What is said around "about me" by whoever asks for all that is known of them.
_ALL: Final = (
    "tell know knows known knew remember say show list give learn learned stored saved stores",
    "everything all anything things facts profile summary summarise summarize describe sum",
    "weißt weiß kennst erzähl erzähle sag zeig alles gemerkt gespeichert beschreib fasse",
    "sabes sabe saben conoces cuéntame cuenta dime todo recuerdas describe",
    "sais savez connais raconte dis tout décris sai sapete conosci raccontami dimmi tutto",
    "sabem conheces conta diz tudo lembras weet weten ken vertel zeg alles",
    "знаешь знаете расскажи скажи всё все помнишь ξέρεις ξέρετε πες όλα",
)
_ALL_LETTERS = lazy_pattern(
    r"关于我|了解我|认识我|知道我|私について|私のこと|僕について|저에 대해|나에 대해"
)


def asks_for_all(text: str, telling: Iterable[str]) -> bool:
    """Whether one's question asks for all that is known of oneself, and for nothing else."""
    return _ALL_LETTERS.search(text) is not None or _all().issuperset(map(flat, telling))


@cache
def _all() -> frozenset[str]:
    return frozenset(flat(word) for row in _ALL for word in row.split())


def only_names(text: str, telling: Iterable[str]) -> bool:
    """Whether somebody names a thing of theirs and asks nothing: "my boat"."""
    if _ASKED.search(text):
        return False
    folded, words = flat(text), [*telling]
    for each in possible_languages(text, detect_languages(text)):
        if theirs := each.first_person.search(folded):
            others = tokens(f"{folded[: theirs.start()]} {folded[theirs.end() :]}")
            if [*map(tokenizer.stem, others)] == words:
                return True
    return False


def is_disclosed(text: str) -> bool:
    """Whether one of its sentences tells how something is with its speaker."""
    if text.isascii() and not possible(_first_persons(), text):
        return False  # whatever language it is in, nobody speaks of themselves
    return any(_tells(sentence) for sentence in sentences(text))


@cache
def _first_persons() -> tuple[WordPattern, ...]:
    return tuple(each.first_person for each in LATIN)


def _tells(sentence: str) -> bool:
    if _ASKED.search(sentence):
        return False
    said = _QUOTED.sub(" ", sentence).strip()  # what is quoted is somebody's word, not a statement
    if len(said) < LETTERS_MIN and len(tokens(said)) < WORDS_MIN:
        return False
    first, *others = possible_languages(said, detect_languages(said))
    if said.isascii() and not possible([each.first_person for each in (first, *others)], said):
        return False
    folded = flat(said).strip()
    told = _before_untold(first, folded)
    return any(each.first_person.search(_before_untold(each, told)) for each in (first, *others))


def is_of_others(text: str) -> bool:
    """Whether what somebody tells is of somebody else, and has no other word of themselves.

    "My wife and I are in Bergen" is of both, and so is "My wife sold our car".
    """
    return bool(others_named(text))


def others_named(text: str) -> str:
    """The words with which a text begins that is of somebody else; empty if it is not."""
    for language in possible_languages(text, detect_languages(text)):
        begun = others_words.begins_with_another(language, text)
        if begun:
            own = language.first_person.search(flat(text.strip()[begun.end() :]))
            return "" if own else begun[0]
    return ""


def _before_untold(language: Language, folded: str) -> str:
    """The clauses before one that asks for something, supposes or only thinks.

    "I'm on nights this month, so please wait until noon" states the first half.
    """
    untold = language.states_nothing.search(folded)
    if untold is None:
        return folded
    *_, begins = (0, *(clause.end() for clause in _CLAUSE.finditer(folded, 0, untold.start())))
    return folded[:begins]
