"""Query analysis: distinctive words, query expansion, people and dates that a question names."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Final, TypeAlias

import msgspec

from muniment.model.languages.language_table import flat
from muniment.model.languages.phrases import before_words, others_words
from muniment.model.languages.tables.english import ENGLISH
from muniment.model.languages.topics import life_topics
from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.text.near_duplicates import QUESTION_MARKS, TextSignature
from muniment.model.unicode14 import known
from muniment.retrieval.dates import date_mentions
from muniment.retrieval.languages import (
    compounds,
    disclosure,
    holders,
    named_speakers,
    state_phrases,
)
from muniment.retrieval.languages.detect_language import (
    LanguageReading,
    detect_languages,
    possible_languages,
)
from muniment.retrieval.languages.holders import Holder
from muniment.retrieval.languages.query_expansion import state_synonyms
from muniment.retrieval.text import code_tokens, reference_codes, tokenizer
from muniment.retrieval.text.reference_codes import Code

# Signs that some write for the apostrophe of "Ann's".
_MINE = lazy_pattern("[`\u00b4\u02bc\u2018]s\\b")
# The last letter of a stem where a form of it may have another: "hoping", "cry", "sensibility". And
# "dying" is a form of "die".
_BENT: Final = ("e", "i", "l", "y")
# What somebody does "for a living" says nothing of where they live.
_FOR_A_LIVING = lazy_pattern(r"\b(for|as) a living\b", re.IGNORECASE)
CLOSENESS_PPM: Final = 700_000  # of a word for a change of a state: as near as "work" is to "job"
# What names something has a capital or a digit: "Bremen", "ORD-4711". Without any, nothing does.
_NAMING = lazy_pattern(r"[^a-z\s.,;:!?'\"-]")
_WORD = lazy_pattern(r"[^\W_]+")

# Other words for a word, each with its closeness in millionths; an embedder may know some.
Kin = Callable[[str], Sequence[tuple[str, int]]]

Named: TypeAlias = "tuple[date_mentions.NamedDate, ...]"
Spans: TypeAlias = "tuple[date_mentions.DayRange, ...]"


class Query(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One question, analysed once; everything a ranking needs to know about it."""

    text: str
    words: tuple[str, ...] = ()  # stems that tell something, each once, in order
    kin: tuple[tuple[str, int], ...] = ()  # stems that mean nearly the same, and how nearly
    told_by: tuple[str, ...] = ()  # of these, stems in which a change of a state is told
    states: tuple[str, ...] = ()  # and the words for a state of somebody
    codes: tuple[Code, ...] = ()  # that it names, in one piece
    who: tuple[str, ...] = ()  # the speakers of the collection that it names
    about: str = ""  # the one of them whose doing is asked for; empty if that is several
    of_self: bool = False  # whoever asks asks about themselves: "Where do I work?"
    of_all: bool = False  # and for all that is known of them
    meant: str = ""  # the question as its speaker would have said it: what to embed
    vector: bytes = b""  # int8 codes of `meant`
    space: str = ""  # the embedder that made it
    named: Named = ()
    spans: Spans = ()  # counted back from when it was asked
    wants_time: bool = False
    wants_amount: bool = False
    gathers: bool = False  # what has been so at any time, told in many places
    of_today: bool = False  # of how things stand by now, and of what is on today
    of_then: bool = False  # of what is over, not of how things stand
    of_advice: bool = False  # for what one might do
    of_plans: bool = False  # of what is to be
    bridges: tuple[tuple[str, str], ...] = ()  # names that relations lead to, ids of what says so
    reached: tuple[str, ...] = ()  # stems of the names at which a chain of kin ends
    of_reached_name: bool = False  # and whether only these names are asked for
    ended: tuple[tuple[str, str], ...] = ()  # ids of what said one, and of what says it is over
    called: tuple[str, ...] = ()  # stems of the names of those whom it asks about: "my brother"
    relatives: frozenset[str] = frozenset()  # and of the words that it says for them
    statement_words: int = ENGLISH.statement_words  # of a text that says one thing
    own_letters: bool = False  # others than Latin ones
    languages: frozenset[str] = frozenset({ENGLISH.name})  # that it is read in

    @cached_property
    def naming(self) -> tuple[str, ...]:
        """Those of its words that name what is asked about."""
        return tuple(word for word, names in zip(self.words, self.names, strict=False) if names)

    @cached_property
    def of_before(self) -> bool:
        """Whether it asks for what was so before it changed."""
        return self.of_then and _is_of_before(self.text)

    @cached_property
    def holder(self) -> Holder:
        """Of whom it asks, where it names kin or what is somebody's; nobody, where of oneself."""
        return holders.asked_of(self.text)

    @cached_property
    def of_others(self) -> bool:
        """Whether it names or means somebody who belongs to whoever asks."""
        read = detect_languages(self.text)
        return any(others_words.asks_for_others(each.language, self.text) for each in read)

    @cached_property
    def only_names(self) -> bool:
        """Whether it names something of whoever asks, and asks nothing: "my boat"."""
        return self.of_self and disclosure.only_names(self.text, self.words)

    @property
    def asks(self) -> bool:
        """Whether it asks, and tells nothing."""
        return self.of_self or self.text.rstrip().endswith(QUESTION_MARKS)

    @property
    def of_their_place(self) -> bool:
        """Whether it asks where others live or work: who has moved is "in Bergen now"."""
        return not self.of_self and any(
            each.startswith(state_phrases.PLACES) for each in self.states
        )

    @property
    def minds_case(self) -> bool:
        """Whether it begins with a capital: then what has none is no name."""
        return self.text.lstrip()[:1].isupper()

    @cached_property
    def names(self) -> tuple[bool, ...]:
        """Of each of its words, whether it names what is asked about, as capitals and digits do."""
        if not _NAMING.search(self.text):
            return (False,) * len(self.words)
        spelled = _WORD.findall(self.text)
        naming = [each for each in spelled if not (each.isalpha() and each.islower())]
        if "German" in self.languages:  # where every noun has a capital: most name nothing
            naming = [each for each in naming if flat(each) not in life_topics.known("German")]
        plain = map(tokenizer.stem, tokenizer.spelled(" ".join(naming)))
        named = {*plain, *code_tokens.spelled(self.text)}
        return tuple(word in named for word in self.words)

    @cached_property
    def beginnings(self) -> tuple[str, ...]:
        """How a word in ASCII begins that has one of its stems."""
        stems = [form for word in self.words for form in tokenizer.forms(word)]
        begun = [stem[:-1] if stem[-1:] in _BENT else stem for stem in stems]
        return (*begun, *[f"{stem[0]}y" for stem in stems if stem[1:] == "ie"])

    def matched(self, said: TextSignature) -> tuple[str, ...]:
        """The words of a text that the question names too, as the text spells them."""
        text = said.text
        # A plain text has the same words for the index, and they are split already.
        spelled: Iterable[str] = said.words if tokenizer.is_plain(text) else _spelled(text)
        if text.isascii():
            # Most words need not be looked up.
            begin = self.beginnings
            spelled = [word for word in spelled if word.startswith(begin)]
        return tuple(sorted({word for word in spelled if tokenizer.stem(word) in self.words}))

    def with_vector(self, vector: bytes, space: str = "") -> "Query":
        return msgspec.structs.replace(self, vector=vector, space=space)


@lru_cache(maxsize=1 << 11)  # of texts with accents, that every context looks at again
def _spelled(text: str) -> tuple[str, ...]:
    return tuple(tokenizer.spelled(text))


def nothing_alike(_word: str) -> Sequence[tuple[str, int]]:
    """For embedders that know no words."""
    return ()


def analyse(
    text: str, *, speakers: Sequence[str] = (), as_of: str = "", kin: Kin = nothing_alike
) -> Query:
    """A pure function of the question, of who speaks in the collection, and of when it is asked."""
    text = _FOR_A_LIVING.sub("by profession", _MINE.sub("'s", known(text)))
    who, read = named_speakers.named_in(text, speakers), detect_languages(text)
    named, spans = date_mentions.find_dates(read), date_mentions.counted_back(read, as_of)
    telling = _telling(text, who, _of_days(read, named), read)
    of_self = not who and _speaks_of_self(text, read)
    of_all = of_self and disclosure.asks_for_all(text, telling)
    telling, wholes = ([], ()) if of_all else (telling, _wholes(text, read))  # "… about me?"
    stems = tuple(dict.fromkeys([*map(tokenizer.stem, telling), *wholes]))
    of_states = state_phrases.asked_terms(read)
    told_by = (*of_states, *_of_topics(telling, compounds.parts_of(telling, read)))
    wants_time, persons = _asks(read, "asks_when"), named_speakers.persons_of(read)
    return Query(
        text=text,
        words=stems,
        kin=_alike(telling, (*told_by, *_joined(text, telling)), stems, kin),
        told_by=told_by,
        states=of_states,
        codes=reference_codes.find_codes(text),
        who=who,
        about=named_speakers.about(text, who, persons),
        of_self=of_self,
        of_all=of_all,
        meant=named_speakers.in_first_person(text, who, persons),
        named=named,
        spans=spans,
        wants_time=wants_time,
        wants_amount=_asks(read, "asks_amount"),
        gathers=_asks(read, "asks_for_all")
        and not (wants_time or named or spans or (not who and state_phrases.asks_whether(text))),
        of_today=not named and _is_today(spans, read),
        of_then=_is_of_then(named, spans, read, text),
        of_advice=_asks(read, "asks_advice"),
        of_plans=_asks(read, "asks_plans"),
        statement_words=max([each.language.statement_words for each in read]),
        own_letters=any(each.language.letters for each in read),
        languages=frozenset(each.language.name for each in read),
    )


def _of_topics(telling: Sequence[str], parts: Sequence[str]) -> tuple[str, ...]:
    near = (near for word in (*telling, *parts) for near in state_synonyms(word))
    return (*map(tokenizer.stem, parts), *near)


def _asks(read: Iterable[LanguageReading], *rows: str) -> bool:
    """Whether a question has what its language has in a row: for a time, of what is over."""
    return any(
        pattern.search(text)
        for language, text in read
        for row in rows
        for pattern in language.patterns(getattr(language, row))
    )


def _is_today(spans: Spans, read: Sequence[LanguageReading]) -> bool:
    """Whether today is all that is named: "What does Solveig do today?" is no day to look for."""
    only_today = bool(spans) and all(each.first == each.last == each.today for each in spans)
    return only_today and not _asks(read, "tells_past", "asks_of_then")


def _is_of_then(named: Named, spans: Spans, read: Sequence[LanguageReading], text: str) -> bool:
    """A day that is named is over, unless something is planned for it or it goes on.

    Who is on call this week is asked of now; what happened this week is not.
    """
    goes_on = all(each.first <= each.today <= each.last for each in spans)
    goes_on = goes_on and not _asks(read, "tells_past", "asks_of_then")
    dated = bool(named) or (bool(spans) and not goes_on)
    if any(before_words.looks_ahead(each.language.name, text) for each in read):
        return False  # what is due before Friday is asked of now
    of_then = (dated and not _asks(read, "asks_plans")) or _asks(read, "asks_of_then")
    return of_then or _is_of_before(text)


def _is_of_before(text: str) -> bool:
    """Capitals count: "vor Erfurt" is before a place, "vor drei Wochen" is a time."""
    read = detect_languages(text)
    return any(before_words.asks_before(each.language.name, text) for each in read)


def asks_of_then(text: str) -> bool:
    """Whether a question in so many words is for what was before."""
    return _asks(detect_languages(text), "asks_of_then")


def _speaks_of_self(text: str, read: Iterable[LanguageReading]) -> bool:
    """A few words may show no language: "¿Dónde trabajo?" is read as each that it may be of."""
    folded = flat(text)
    said = " ".join(_WORD.findall(text))
    return any(each.first_person.search(folded) for each in possible_languages(said, read))


def _alike(
    telling: Sequence[str], told_by: Sequence[str], stems: Sequence[str], kin: Kin
) -> tuple[tuple[str, int], ...]:
    """What else could have been said instead; a word of the question itself counts already."""
    closest: dict[str, int] = {}
    for word in dict.fromkeys(telling):
        for other, closeness in kin(word):
            near = tokenizer.stem(other)
            if near not in stems:
                closest[near] = max(closest.get(near, 0), closeness)
    for near in told_by:
        if near not in stems:
            closest[near] = max(closest.get(near, 0), CLOSENESS_PPM)
    return tuple(closest.items())


def _of_days(
    read: Sequence[LanguageReading], named: Sequence[date_mentions.NamedDate]
) -> list[str]:
    """Names of months that a question names a day of: "15 March" is as far from it as any day."""
    return list(date_mentions.months_of_days(read)) if any(date.day for date in named) else []


def _telling(
    text: str, who: Sequence[str], months: Sequence[str], read: Sequence[LanguageReading]
) -> list[str]:
    """Without function words, adverbs, speakers, measures and asides; if nothing is left, all."""
    untold = {part for name in (*who, *months) for part in tokenizer.spelled(name)}
    untold |= tokenizer.adverbs(of_ascii=text.isascii())
    said = text
    for language, _ in read:
        if language is not ENGLISH:
            untold |= language.small_words
        for pattern in language.patterns(language.unsaid):
            said = pattern.sub(" ", said)
    # Of what was and what is so, the words around it tell which is which: "我的老板", "我的新老板".
    of_then = _asks(read, "asks_of_then")
    looked_through = () if of_then else read
    seams = [p for language, _ in looked_through for p in language.patterns(language.seams)]
    telling = [
        each
        for each in tokenizer.spelled(said)
        if not (tokenizer.is_stop(each) or each in untold or any(s.fullmatch(each) for s in seams))
    ]
    return telling or tokenizer.spelled(text)


def _wholes(text: str, read: Sequence[LanguageReading]) -> list[str]:
    """What is written in one piece; in French a hyphen also joins "est-ce" and "suis-je"."""
    wholes = code_tokens.spelled(text)
    if not wholes or read[-1].language is ENGLISH:
        return wholes
    return [each for each in wholes if code_tokens.token_weight(each) > 1]


def _joined(text: str, telling: Sequence[str]) -> Iterator[str]:
    """Two words in one: what is asked for as "pick up" may be told as "pickup"."""
    for one, other in pairwise(tokenizer.spelled(text)):
        if one in telling and one.isascii() and other.isalpha():
            yield tokenizer.stem(one + other)
