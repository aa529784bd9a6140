"""Statement matching: whether a statement is the one that somebody names in other words of theirs.

Who tells a statement again leaves words out: "forget that I take Sertraline" means "I take
Sertraline every morning". All that the shorter one tells must stand in one clause of the longer
one, of the same people, with the same denial. What tells several things is not meant by one.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from muniment.model.languages.language_table import Language, flat
from muniment.model.languages.phrases import forget_words, others_words
from muniment.model.languages.relation_words import RelationWords
from muniment.model.languages.tables import LATIN, OTHERS
from muniment.model.lazy_pattern import lazy_pattern
from muniment.retrieval.languages import disclosure, state_phrases, value_mentions
from muniment.retrieval.languages.detect_language import detect_languages
from muniment.retrieval.text import tokenizer

SPACELESS: Final = frozenset({"Chinese", "Japanese"})
LETTERED: Final = frozenset({*SPACELESS, "Korean"})  # no word stands by itself in these
FORM_LETTERS_MIN, ENDING_MAX = 5, 2  # letters of a word, and of what its forms differ in
PIECES_MIN: Final = 2  # letters, or runs of them, that are more than one verb
_WORD = lazy_pattern(r"[\w\u0900-\u0963\u064b-\u0652]+")
_KANA = lazy_pattern(r"[\u3041-\u309f\W]+")  # endings and particles of Japanese
_KANA_VERB = lazy_pattern(
    r"(?<=[^\u3041-\u309f\W])[をがはにのともへ]([\u3041-\u309f])[\u3041-\u309f\W]*$"
)
_PARTICLES = lazy_pattern(r"(?<=\w)(?:에서|으로|은|는|이|가|을|를|에|의|도|로)$")
_CLAUSE = lazy_pattern(
    r"[,;:!?\n\u060c\u0964\u3001\u3002\uff01\uff0c\uff1a\uff1b\uff1f]|(?<=[^\W\d])\.(?!\w)"
    r"|\s[\u2013\u2014-]\s"
)


def words(language: str, text: str) -> Sequence[str]:
    """The words that a statement must share with another to be the same one."""
    denied = ["not"] if denies(language, text) else []
    if language == "Japanese":
        runs = _runs(text)
        verb = _KANA_VERB.search(text)  # by how it begins, since it ends in its own way
        kana = verb.groups() if verb else ()
        return sorted((*denied, *runs, *kana)) if runs else []  # a denial alone is of anything
    if language == "Chinese":
        return ["".join(re.findall(r"\w+", tokenizer.folded(text))).removeprefix("我")]
    if language == "Korean":
        return sorted((*denied, *_korean(text)))
    return sorted(map(tokenizer.stem, _own_words(text)))


def holds(language: str, says: str, told: str) -> bool:
    """Whether a longer statement says this and nothing else of its own."""
    clauses = [each.strip() for each in _CLAUSE.split(told) if each.strip()]
    meant = [each for each in clauses if _says(language, says, each)]
    beside = [each for each in clauses if each not in meant]
    return len(meant) == 1 and not any(begins_with_oneself(language, each) for each in beside)


def is_about(language: str, named: str, told: str) -> bool:
    """Whether a statement has all words of a thing; of "my" thing, if it is not somebody else's."""
    about = forget_words.unowned(language, named)
    if language in LETTERED:
        letters = {*re.findall(r"\w", tokenizer.folded(about))} - tokenizer.SMALL_LETTERS
        has_it = bool(letters - forget_words.UNNAMED) and tokenizer.folded(
            about
        ) in tokenizer.folded(told)
    else:
        told_of = value_mentions.stems(about) - _small(language, about)
        said = value_mentions.stems(told)
        has_it = bool(told_of) and all(any(_alike(a, b) for b in said) for a in told_of)
    return has_it and (not _is_mine(language, named) or _may_be_mine(language, about, told))


def answers(language: str, asked: str, told: str) -> bool:
    """Whether a statement answers what is asked for: where somebody lives, by any words for it."""
    wanted = state_phrases.asked_terms(detect_languages(asked))
    if {*wanted} & {*state_phrases.stated_terms(detect_languages(told))}:
        return True
    named = {*_stems(_telling(language, asked))}
    if language in LETTERED or not named or not _same_people(language, asked, told):
        return False
    return named <= {*_stems(_telling(language, told))}


def denies(language: str, text: str) -> bool:
    """Whether a text has a word for a denial, or an ending of one."""
    letters = forget_words.denials(language)
    if letters and letters.search(text):
        return True
    plain = _table(language).negations
    return not {*map(tokenizer.folded, plain.split())}.isdisjoint(_words(text))


def begins_with_oneself(language: str, clause: str) -> bool:
    """Whether a clause is a statement of its own about whoever speaks.

    Where nobody need be named, and words are not parted, any clause may be one.
    """
    if language in LETTERED:
        return True
    around = tokenizer.adverbs(of_ascii=False)
    own = flat(clause).split()
    while own and (own[0] in around or own[0] in _table(language).asides.split()):
        own = own[1:]
    begun = _table(language).first_person.search(" ".join(own))
    return begun is not None and begun.start() == 0


# ── Inside ──────────────────────────────────────────────────────────────────────────────────────


def _says(language: str, says: str, clause: str) -> bool:
    joins = forget_words.joins(language)
    if denies(language, says) != denies(language, clause):
        return False
    if joins.search(clause) and not joins.search(says):
        return False
    if not _same_people(language, says, clause):
        return False
    match language:
        case "Japanese":
            return _says_in_japanese(says, clause)
        case "Chinese":
            kernel = _chinese(says)
            return len(kernel) >= PIECES_MIN and kernel in _chinese(clause)
        case "Korean":
            (*nouns, verb), (*others, ends) = _korean(says) or [""], _korean(clause) or [""]
            return bool(nouns) and verb == ends and {*nouns} <= {*others}
        case _:
            return _says_in_words(language, says, clause)


def _says_in_words(language: str, says: str, clause: str) -> bool:
    """All that tells something must be there; of a single word also those around it."""
    wanted = _telling(language, says)
    if not wanted or value_mentions.common(_stems(wanted)).issuperset(_stems(wanted)):
        return False
    if len({*wanted}) == 1:
        return {*_own_words(says)} <= {*_words(clause)}
    if _names_oneself(language, says) and _names_oneself(language, clause):
        return {*_stems(wanted)} <= {*_stems(_words(clause))}
    return {*wanted} <= {*_words(clause)}  # the form of the verb says who it is


def _says_in_japanese(says: str, clause: str) -> bool:
    runs, others = _runs(says), _runs(clause)
    if len(runs) < PIECES_MIN or not all(any(run in it for it in others) for run in runs):
        return False
    mine, theirs = _KANA_VERB.search(says), _KANA_VERB.search(clause)
    return mine is None or (theirs is not None and mine[1] == theirs[1])


def _same_people(language: str, says: str, clause: str) -> bool:
    """Whether both are of whoever speaks, or both of somebody else."""
    table = _table(language)
    if _is_of_others(language, clause) and not _is_of_others(language, says):
        # Who gives the name of another means that one.
        named = language in forget_words.NAMES_ONESELF or says[:1].isupper()
        if table.first_person.search(flat(says)) or not named:
            return False
    if not table.first_person.search(flat(says)):
        return True
    if language in forget_words.NAMES_ONESELF and _names_oneself(language, says):
        return _names_oneself(language, clause)
    return language in LETTERED or table.first_person.search(flat(clause)) is not None


def _is_of_others(language: str, text: str) -> bool:
    """Where nobody need be named, verbs count as words of whoever speaks, and tell nothing here."""
    if language in LETTERED:
        return others_words.begins_with_another(_table(language), text) is not None
    return disclosure.is_of_others(text)


def _is_mine(language: str, named: str) -> bool:
    owned = forget_words.unowned(language, named) != named
    return owned or _table(language).first_person.search(flat(named)) is not None


def _may_be_mine(language: str, about: str, told: str) -> bool:
    """Whether nobody else is told of: "my harp" is not my sister's, and "my sister" is she."""
    if language in LETTERED:
        another = others_words.begins_with_another(_table(language), told)
        return another is None or about in another[0]
    if begun := disclosure.others_named(told):
        return not value_mentions.stems(about).isdisjoint(value_mentions.stems(begun))
    named = language in forget_words.NAMES_ONESELF
    return not named or _table(language).first_person.search(flat(told)) is not None


def _names_oneself(language: str, text: str) -> bool:
    if not forget_words.ONESELF.isdisjoint(_words(text)):
        return True
    own = _oneself(language)
    return own is not None and own.search(text) is not None


@cache
def _oneself(language: str) -> re.Pattern[str] | None:
    relations = _table(language).relations
    if not isinstance(relations, RelationWords) or not relations.i:
        return None
    return re.compile(rf"(?<!\w)(?:{relations.i})(?:(?<=['\u2019])|(?!\w))", re.IGNORECASE)


def _telling(language: str, text: str) -> list[str]:
    small = _table(language).small_words | tokenizer.STOP_WORDS
    return [each for each in _own_words(text) if each not in small]


def _own_words(text: str) -> list[str]:
    return [each for each in _words(text) if each not in forget_words.ONESELF]


def _words(text: str) -> list[str]:
    """The words of a language that parts them; a sign of a vowel parts none."""
    return _WORD.findall(tokenizer.folded(text))


def _stems(said: Sequence[str]) -> list[str]:
    return [tokenizer.stem(each) for each in said]


def _alike(one: str, other: str) -> bool:
    """Whether two words are forms of one: German and Dutch have more endings than a stem loses."""
    short, long = sorted((one, other), key=len)
    ending = len(long) - len(short)
    return one == other or (
        len(short) >= FORM_LETTERS_MIN and ending <= ENDING_MAX and long.startswith(short)
    )


def _runs(text: str) -> list[str]:
    return [each for each in _KANA.split(text) if each not in {"", *forget_words.ONESELF}]


def _korean(text: str) -> list[str]:
    """Nouns without particles, and how the last word begins: a verb ends in its own way."""
    own = _own_words(text)
    nouns = [_PARTICLES.sub("", each) for each in own[:-1]]
    letters = 1 if nouns else 2  # by its first one alone many words begin
    return [*nouns, *(each[:letters] for each in own[-1:])]


def _chinese(text: str) -> str:
    letters = "".join(re.findall(r"\w+", tokenizer.folded(text))).removeprefix("我")
    return "".join(each for each in letters if each not in tokenizer.SMALL_LETTERS)


def _small(language: str, text: str) -> frozenset[str]:
    """The stems of small words, in the language of a wish and in what its few words look like."""
    table = _table(language)
    small = {*table.small_words, *forget_words.OWNED.split()}
    small |= {word for each in detect_languages(text) for word in each.language.small_words}
    return frozenset(map(tokenizer.stem, small))


@cache
def _table(name: str) -> Language:
    return next(each for each in (*LATIN, *OTHERS) if each.name == name)
