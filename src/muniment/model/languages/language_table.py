"""Language table: the words and phrases of one language, and the patterns that they make.

A table is data: forms of a word are parted by "|", and a phrase is a regular expression in small
letters with places for the words of other rows: `<n> <unit> ago`. The rules that read what is
found are the same for all languages. A row is written as people write it, and folded as texts are.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Final

import msgspec

from muniment.model.languages.letter_folding import unaccented
from muniment.model.languages.relation_words import RelationPhrases, RelationWords
from muniment.model.languages.word_pattern import WordPattern
from muniment.model.lazy_pattern import lazy_pattern

Patterns = tuple[WordPattern, ...]
Phrases = str | tuple[str, ...]
Near = tuple[WordPattern, Mapping[str, int]]  # and how far each of its groups is from today

WORD_EDGES: Final = (r"(?<![\w\u0900-\u0963])", r"(?![\w\u0900-\u0963])")  # vowel signs are letters
DIGIT_EDGES: Final = (r"(?<!\d)", r"(?!\d)")  # where words are not parted
WEEKEND: Final = "weekend"
YEAR: Final = r"(?P<year>(?:19|20)\d\d)"
ISO: Final = rf"{YEAR}[-/](?P<number>[01]?\d)[-/](?P<day>[0-3]?\d)"

# What the eye takes for the same: signs that stand for an apostrophe part words, as spaces do.
_GAPS = lazy_pattern("[\\s'\u2019\u2018\u02bc\u00b4`]+")
_PLACE = lazy_pattern(r"<\w+>")


def flat(text: str) -> str:
    """A known text as the tables are written: no case, no accents, plain digits, single spaces."""
    if text.isascii():  # nearly always done by then
        plain = text.lower().replace("'", " ").replace("`", " ")
        return plain if plain.isprintable() and "  " not in plain else _GAPS.sub(" ", plain)
    return _GAPS.sub(" ", unaccented(text)).translate(_DIGITS)


class _Digits(dict[int, int]):
    """The digits of every script as those that are counted with."""

    def __missing__(self, code: int) -> int:
        letter = chr(code)
        self[code] = ord("0") + int(letter) if letter.isdecimal() else code
        return self[code]


_DIGITS = _Digits({0x131: ord("i")})  # which a pattern that ignores case takes for an i


def take_matches(pattern: WordPattern, text: str) -> tuple[list[re.Match[str]], str]:
    """All that a pattern finds, and the text without it: each piece of a text is read once."""
    found = list(pattern.finditer(text))
    return found, pattern.sub("#", text) if found else text


def each(row: str) -> tuple[str, ...]:
    """The cells of a row whose words have no spaces."""
    return tuple(row.split())


class Period(msgspec.Struct, frozen=True):
    """A word for a whole week, month or year, so many of them from this one on."""

    unit: str
    shift: int
    phrase: str


class Persons(msgspec.Struct, frozen=True, kw_only=True):
    """How whoever is asked about says the same: "my dog", where a question says "Ann's dog"."""

    me: str
    my: str
    we: str
    our: str
    possessive: str  # behind a name
    both: str
    and_: str
    or_: str
    singular: tuple[tuple[str, str], ...]  # pronouns of a question, and of whoever answers
    plural: tuple[tuple[str, str], ...]
    asking_verbs: str  # before whoever does what is asked for: "did Ann give"


class Language(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """The rows of one language; one that has no word for something has no such row."""

    name: str
    # ── How it is known ──
    letters: str = ""  # its script, as a class of letters; without one it is known by words
    not_letters: str = ""  # what only a neighbour with the same script writes
    shown_by: str = ""  # small words that it cannot do without
    small: str = ""  # the same where its letters show it already
    accents: str = ""  # letters that it writes beside a to z
    small_letters: str = ""  # that carry no meaning, where each is looked for by itself
    unsaid: str = ""  # what a question says around what it asks for
    seams: str = ""  # two letters of two words, where each pair is looked for
    edges: tuple[str, str] = WORD_EDGES
    reads_case: bool = False  # a capital tells a month from a verb: its texts stay as they are
    # Of more words than these, as an index counts them, a text says several things.
    statement_words: int = 20
    negations: str = ""  # words that turn a sentence round
    persons: Persons | None = None
    relations: RelationWords | RelationPhrases | None = None  # who is kin, works and lives where
    speaker: str = ""  # how people speak of themselves and of what is theirs
    names_speaker: bool = False  # no clause about the speaker goes without such a word
    untold: str = ""  # what is asked for, supposed or only thought, though somebody says "I"
    courtesies: str = ""  # greetings, thanks and nods: who says nothing else, tells nothing
    asides: str = ""  # words that lead over to what is said: nobody's name, though a colon follows
    # ── Words ──
    months: tuple[str, ...]
    months_short: tuple[str, ...] = ()
    weekdays: tuple[str, ...]  # Monday first
    units: Mapping[str, str]  # as they are counted: two weeks
    spans: Mapping[str, str]  # as there is one of them: last week
    numbers: Mapping[int, str]
    ones: str = ""  # articles that count for one
    half: str = ""
    wholes: Mapping[str, tuple[int, str]] = {}  # one word for so many of a unit
    gap: str = " "  # between a number and what it counts
    monthdays: Mapping[int, str] = {}  # days of a month that have a name: the first
    ordinal: str = ""  # what stands behind the number of a day
    # ── Days and periods, counted from the day of the text ──
    days: Mapping[int, str]
    told_days: Mapping[int, str] = {}  # what nobody asks for, as it lies ahead
    periods: tuple[Period, ...] = ()
    # ── Phrases ──
    ago: tuple[str, ...] = ()
    from_now: tuple[str, ...] = ()
    within: tuple[str, ...] = ()  # "in two days" lies ahead, unless it tells how long it took
    lately: tuple[str, ...] = ()  # up to today
    last: tuple[str, ...] = ()
    this: tuple[str, ...] = ()
    next: tuple[str, ...] = ()
    weekday_last: tuple[str, ...] = ()  # of the week before this one
    weekday_next: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()  # the fullest reading first
    left_alone: str = ""  # until when it goes on says not since when it is so
    # ── Signs ──
    tells_past: str = ""
    looks_ahead: str = ""
    plans: str = ""  # that something is wanted or intended
    asks_plans: str = ""  # a question for what is to be
    announces: str = ""  # what is to be on a date, which stands as "#"
    begins: str = ""  # that something is so from a day on, and not before
    asks_when: str = ""  # a question whose answer is a time
    asks_amount: str = ""  # a question whose answer is a number
    asks_for_all: str = ""  # a question for what has been so at any time
    asks_of_then: str = ""  # a question for what is over, not for how things stand
    asks_advice: str = ""  # a question for what one might do, not for how things stand
    tells_change: str = ""  # that something is so by now, or no more
    ends: str = ""  # what stands before something that is over: "instead of", "quit"
    is_over: str = ""  # and what stands behind it: "died", "was cancelled"
    words_before: int = 1  # that are over then: more where the verb stands last
    joins: str = ""  # words for "and", behind which something else is said
    # How a state is told and asked for, "home", "work", "death"; where nobody is named, it is of
    # whoever speaks.
    states_have: str = ""  # a piece of each, for a short text may not show its language
    states: Mapping[str, tuple[str, ...]] = {}
    # How a state is asked for, and in which words a change of it is told.
    state_synonyms: tuple[tuple[str, str], ...] = ()
    # Words for one thing of a life: what is asked for by one of them is told by any other.
    subjects: tuple[str, ...] = ()
    long_ago: str = ""  # that a sentence tells of a state that was another's time
    asks_states: Mapping[str, tuple[str, ...]] = {}
    other_times: str = ""  # further words that tell a time
    # What every date, and every way of counting, has in it: most texts are done with a quick look.
    dates_have: str = ""
    counting_has: str = ""

    # ── What they make, once they are needed ──
    @cached_property
    def marks(self) -> frozenset[str]:
        """The words that show it: its small ones, and those that it counts with."""
        return frozenset(map(flat, self._known_by))

    @cached_property
    def small_words(self) -> frozenset[str]:
        """What a question has to say anyway, as the words of a text are spelled."""
        return frozenset(flat(f"{self.shown_by} {self.small}").split())

    @cached_property
    def signs(self) -> frozenset[str]:
        """What speaks for it where another is shown too: the same, with accents, and its names."""
        names = {form for row in (*self.months, *self.weekdays) for form in self._forms(row)}
        return frozenset([*self.marks, *self._known_by, *names])

    @cached_property
    def _known_by(self) -> frozenset[str]:
        counting = (self.numbers, self.units, self.spans, self.days, self.told_days)
        forms = {form for rows in counting for row in rows.values() for form in row.split("|")}
        return frozenset([*self.shown_by.split(), *(form for form in forms if form.isalpha())])

    @cached_property
    def month_of(self) -> dict[str, int]:
        short = self.months_short or ("",) * len(self.months)
        return self._numbered(zip(self.months, short, strict=True), 1)

    @cached_property
    def weekday_of(self) -> dict[str, int]:
        return self._numbered(((forms,) for forms in self.weekdays), 0)

    @cached_property
    def unit_of(self) -> dict[str, str]:
        return {
            form: unit
            for table in (self.units, self.spans)
            for unit, forms in table.items()
            for form in self._forms(forms)
        }

    @cached_property
    def number_of(self) -> dict[str, int]:
        numbers = {form: n for n, forms in self.numbers.items() for form in self._forms(forms)}
        return numbers | dict.fromkeys(self._forms(self.ones), 1)

    @cached_property
    def halves(self) -> frozenset[str]:
        return frozenset(self._forms(self.half))

    @cached_property
    def whole_of(self) -> dict[str, tuple[int, str]]:
        return {self._folded(form): amount for form, amount in self.wholes.items()}

    @cached_property
    def monthday_of(self) -> dict[str, int]:
        return {form: n for n, forms in self.monthdays.items() for form in self._forms(forms)}

    def patterns(self, phrases: Phrases) -> Patterns:
        """Each phrase with the words of this language in its places."""
        phrases = (phrases,) if isinstance(phrases, str) else phrases
        if phrases not in self._made:
            self._made[phrases] = tuple(self._pattern(each) for each in phrases if each)
        return self._made[phrases]

    def word(self, text: str) -> str:
        """A word of a text as it stands in the tables."""
        return flat(text) if self.reads_case else text

    @cached_property
    def dated(self) -> WordPattern:
        """Found where there may be a date; everywhere, if the table does not say."""
        return self._hint(self.dates_have)

    @cached_property
    def counted(self) -> WordPattern:
        """The same where it may count to a day."""
        return self._hint(self.counting_has)

    @cached_property
    def state_pieces(self) -> tuple[str, ...]:
        """One is in every text in small letters that may tell or ask for a state, folded or not."""
        return tuple(sorted({*f"{self.states_have}|{flat(self.states_have)}".split("|")}))

    @cached_property
    def first_person(self) -> WordPattern:
        """Where people speak of themselves, in a folded text."""
        return self._word(self._folded(self.speaker))

    @cached_property
    def states_nothing(self) -> WordPattern:
        return self._word(self._folded(self.untold))

    def _hint(self, row: str) -> WordPattern:
        return self._pattern(row) if row else WordPattern("")

    @cached_property
    def all_dates(self) -> Patterns:
        """The fullest reading first; all of them write a year, and a date by its numbers."""
        left, right = self._edges_of_words
        whole, year = (WordPattern(f"{left}{each}{right}") for each in (ISO, YEAR))
        return (whole, *self.patterns(self.dates), year)

    @cached_property
    def time_words(self) -> tuple[str, ...]:
        """Every word that tells a time, a name of a day or month among them."""
        days = (*self.days.values(), *self.told_days.values(), *(p.phrase for p in self.periods))
        # Where words are not parted, a day is one letter of many words: it counts with its number.
        units = self.units.values() if self.gap == " " else ()
        rows = (*self.months, *self.weekdays, *units, *self.spans.values(), *days, self.other_times)
        return tuple(map(self._folded, rows))

    @cached_property
    def times(self) -> WordPattern:
        """The same, a year, and so long."""
        left, right = self._edges_of_words
        rows = "|".join(filter(None, self.time_words))
        long = "" if self.reads_case else f"|{self._places['<long>']}"
        return WordPattern(f"{left}(?:{YEAR}|{rows}{long}){right}")

    @cached_property
    def _edges_of_words(self) -> tuple[str, str]:
        return self.edges if any(self.edges) else (r"\b", r"\b")

    @cached_property
    def near(self) -> Near:
        """The words for the days near by."""
        return self._near(self.days.items())

    @cached_property
    def told_near(self) -> Near:
        """The same in what was told, where today is no news."""
        told = (*self.days.items(), *self.told_days.items())
        return self._near((shift, forms) for shift, forms in told if shift)

    @cached_property
    def whole_periods(self) -> tuple[tuple[WordPattern, Period], ...]:
        return tuple((self._word(self._folded(period.phrase)), period) for period in self.periods)

    def _near(self, rows: Iterable[tuple[int, str]]) -> Near:
        """A group for each row; the farthest first, for its words may hold those of another."""
        farthest = sorted(rows, key=lambda row: (-abs(row[0]), row[0]))
        groups = [f"(?P<row{n}>{self._folded(forms)})" for n, (_, forms) in enumerate(farthest)]
        shifts = {f"row{n}": shift for n, (shift, _) in enumerate(farthest)}
        return self._word("|".join(groups)), shifts

    def _word(self, forms: str) -> WordPattern:
        left, right = self._edges_of_words
        return WordPattern(f"{left}(?:{forms}){right}")

    @cached_property
    def _made(self) -> dict[tuple[str, ...], Patterns]:
        return {}

    def _pattern(self, phrase: str) -> WordPattern:
        left, right = self.edges
        text = _PLACE.sub(lambda place: self._places[place.group()], self._folded(phrase))
        return WordPattern(f"{left}(?:{text}){right}")

    @cached_property
    def _places(self) -> dict[str, str]:
        several = rf"\d{{1,3}}|{_any(self._forms('|'.join(self.numbers.values())))}"
        ones = _any([*self._forms(self.half), *self._forms(self.ones)])
        amount = "|".join(filter(None, (several, ones)))
        units = [form for forms in self.units.values() for form in self._forms(forms)]
        unit = _any(units)
        spans = [form for forms in self.spans.values() for form in self._forms(forms)]
        months = self._forms("|".join(self.months))
        named_day = f"{_any(self.monthday_of)}|" if self.monthday_of else ""
        named = r"(?-i:[A-Z]\w+)" if self.reads_case else r"\w+"
        named = named if self.gap == " " else r"\w{1,6}?"  # up to what follows, in no more letters
        return {
            "<long>": self._long(amount, unit),
            "<n>": f"(?P<amount>{amount})",
            "<several>": f"(?P<amount>{several})",
            "<some>": f"(?:{several})",
            "<unit>": f"(?P<unit>{unit})",
            "<span>": f"(?P<unit>{_any([*spans, *self.weekday_of])})",
            "<stretch>": f"(?P<unit>{_any(f for f in spans if self.unit_of[f] != WEEKEND)})",
            "<weekday>": f"(?P<unit>{_any(self.weekday_of)})",
            "<month>": f"(?P<month>{_any(months)})",
            "<mon>": f"(?P<month>{_any(self.month_of)})",
            "<Month>": f"(?P<month>{_any(month.title() for month in months)})",
            "<number>": r"(?P<number>[01]?\d)",
            "<day>": rf"(?P<day>{named_day}[0-3]?\d){self._folded(self.ordinal)}",
            "<year>": YEAR,
            "<kin>": r"(?P<kin>\w+)",
            "<name>": f"(?P<name>{named})",
            "<who>": f"(?P<who>{named})",
        }

    def _long(self, amount: str, unit: str) -> str:
        counted = f"(?P<amount>{amount}){self.gap}(?P<unit>{unit})"
        return f"(?:{counted}|(?P<whole>{_any(self.whole_of)}))" if self.wholes else counted

    def _numbered(self, rows: Iterable[Iterable[str]], first: int) -> dict[str, int]:
        return {
            form: n
            for n, row in enumerate(rows, first)
            for forms in row
            for form in self._forms(forms)
        }

    def _forms(self, row: str) -> list[str]:
        return [form for form in self._folded(row).split("|") if form]

    def _folded(self, row: str) -> str:
        return row if self.reads_case else flat(row)


def _any(forms: Iterable[str]) -> str:
    """One of these words, the longest that fits; what they begin with is looked at once."""
    return _endings(sorted(set(forms)))


def _endings(words: list[str]) -> str:
    """In order; an empty one means that a word may end here."""
    firsts = {word[:1]: None for word in words if word}
    parts = [
        re.escape(first) + _endings([word[1:] for word in words if word[:1] == first])
        for first in firsts
    ]
    whole = "".join(parts) if len(parts) <= 1 else f"(?:{'|'.join(parts)})"
    return f"(?:{whole})?" if whole and "" in words else whole
