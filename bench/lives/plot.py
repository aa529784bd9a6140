"""The plot of a life: every turn, night and question of some months, drawn from a seed.

Nothing here knows of a memory. The same seed gives the same life on every machine.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from bench.lives import phrasebook
from bench.lives.phrasebook import FactKind, Phrasebook

PEOPLE = ("tuff", "mira", "juno", "bela")
AGENTS = ("ada", "ada", "bob", "bob")
SUBJECTS_EACH = 2  # friends, sisters and deadlines that one person speaks of
CHANGED, CHANGED_TWICE, CORRECTED, CONTRADICTED, ENDED, FORGOTTEN = (
    45,
    15,
    15,
    15,
    30,
    10,
)  # percent
TOOL_TURNS, FAILED_TOOLS, EMBEDDED, ECHOED, PAUSES, LATE_FACTS = 20, 10, 35, 20, 12, 50  # percent
NIGHTS_BETWEEN_DREAMS = 7
TOOLS = ("web_search", "read_mail", "open_page", "run_query")
FILLER = (
    '{"rank":%d,"title":"Result %d","snippet":"Terms and opening hours may differ by region.",'
    '"score":0.%d}'
)


@dataclass(frozen=True)
class Plan:
    """What a life is drawn from."""

    seed: int = 1
    days: int = 60
    turns: int = 2_000
    questions: int = 300
    languages: tuple[str, ...] = ("en",)
    people: int = 2
    held_out: int = 0  # which set of phrases, see `phrasebook.SETS`


@dataclass(frozen=True)
class Person:
    name: str
    agent: str
    book: Phrasebook


@dataclass(frozen=True)
class ToolUse:
    name: str
    argument: str
    result: str
    failed: bool = False


@dataclass(frozen=True)
class Turn:
    number: int
    day: int
    minute: int
    person: Person
    said: str
    reply: str
    tool: ToolUse | None = None


@dataclass(frozen=True)
class Night:
    day: int
    dreams: bool


@dataclass(frozen=True)
class Forgetting:
    """Somebody has everything about one fact forgotten."""

    person: Person
    question: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Question:
    """What is asked, which answer is true by now, and which ones were true or claimed once."""

    person: Person
    text: str
    answer: str  # empty: it was forgotten, and nothing may answer
    stale: tuple[str, ...]
    foreign: tuple[str, ...]  # what only somebody else told
    kind: str
    how: str  # the last thing that happened to it: told, changed, corrected, …
    day: int
    age_days: int


Step = Turn | Night | Forgetting | Question


@dataclass
class Fact:
    """One thing known of somebody, as it stands at a point of the life."""

    person: Person
    kind: FactKind
    subject: str
    values: list[str] = field(default_factory=list)  # every one that was told, oldest first
    claimed: list[str] = field(default_factory=list)  # by a page, against the person's word
    answer: str = ""
    how: str = ""
    day: int = 0

    @property
    def is_known(self) -> bool:
        return bool(self.how)


@dataclass(frozen=True)
class Update:
    fact: Fact
    how: str


def steps(plan: Plan) -> Iterator[Step]:
    """A life in its order: turns by day, questions among them, a night after each day."""
    return _Drawn(plan).steps()


class _Drawn:
    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        words = ("", "held-out", "held-out again", "held-out a third time")[plan.held_out]
        told = "/".join([str(plan.seed), *plan.languages, words])
        self.random = random.Random(f"muniment/lives/{told}")  # noqa: S311 - a life, not a secret
        self.people = [self._person(n) for n in range(plan.people)]
        self.free: dict[tuple[str, str], list[str]] = {}  # values nobody has told yet
        self.facts = [fact for person in self.people for fact in self._facts(person)]
        self.random.shuffle(self.facts)

    def steps(self) -> Iterator[Step]:
        slots = self._slots()
        updates = self._placed(slots)
        asks = self._moments(len(slots))
        for n, (day, minute, person) in enumerate(slots):
            update = updates.get(n)
            if update and update.how == "forgotten":
                yield self._forgotten(update.fact, day)
            else:
                yield self._turn(n, day, minute, person, update)
            yield from (q for _ in range(asks.count(n)) for q in self._asked(day))
            if n + 1 == len(slots) or slots[n + 1][0] != day:
                yield Night(day=day, dreams=day // NIGHTS_BETWEEN_DREAMS > (day - 1) // 7)
        for fact in self.facts:
            if fact.is_known:
                yield self._question(fact, self.plan.days)

    # ── Who, what and when ──────────────────────────────────────────────────────────────────────

    def _person(self, n: int) -> Person:
        languages = self.plan.languages
        book = phrasebook.read(languages[n % len(languages)], held_out=self.plan.held_out)
        return Person(name=PEOPLE[n], agent=AGENTS[n], book=book)

    def _facts(self, person: Person) -> Iterator[Fact]:
        for kind in person.book.kinds:
            known = person.book.subjects(kind)
            for subject in self.random.sample(known, min(SUBJECTS_EACH, len(known))):
                yield Fact(person=person, kind=kind, subject=subject)

    def _slots(self) -> list[tuple[int, int, Person]]:
        """When each turn is: days with pauses between them, and who speaks."""
        days = [day for day in range(self.plan.days) if self.random.randrange(100) >= PAUSES]
        days = days or [0]
        times = sorted(
            (self.random.choice(days), self.random.randrange(8 * 60, 22 * 60))
            for _ in range(self.plan.turns)
        )
        return [(day, minute, self.random.choice(self.people)) for day, minute in times]

    def _placed(self, slots: list[tuple[int, int, Person]]) -> dict[int, Update]:
        """Which turn tells what: each fact's updates in their order, one to a turn."""
        places = {
            id(person): [n for n, slot in enumerate(slots) if slot[2] is person]
            for person in self.people
        }
        found: dict[int, Update] = {}
        for fact in self.facts:
            mine = places[id(fact.person)]
            updates = self._updates(fact)
            first = self.random.randrange(max(1, len(mine) * 6 // 10))
            later = sorted(
                self.random.sample(
                    range(first, len(mine)), min(len(updates) - 1, len(mine) - first)
                )
            )
            for at, how in zip([first, *later], updates, strict=False):
                free = next((n for n in mine[at:] if n not in found), None)
                if free is not None:
                    found[free] = Update(fact=fact, how=how)
        return _in_order(found)

    def _updates(self, fact: Fact) -> list[str]:
        """What happens to a fact over a life."""
        told, wanted = ["told"], fact.kind.phrases
        if self._is(CHANGED):
            told.append("changed")
            told += ["changed"] if self._is(CHANGED_TWICE) else []
        elif "corrected" in wanted and self._is(CORRECTED):
            told.append("corrected")
        if "page" in wanted and self._is(CONTRADICTED):
            told.append("contradicted")
        elif "ended" in wanted and self._is(ENDED):
            told.append("ended")
        elif self._is(FORGOTTEN):
            told.append("forgotten")
        return told

    def _moments(self, count: int) -> list[int]:
        """After which turns somebody asks; the facts of the end are asked besides."""
        wanted = max(0, self.plan.questions - len(self.facts))
        return sorted(self.random.randrange(count // 20, count) for _ in range(wanted))

    # ── What is said ────────────────────────────────────────────────────────────────────────────

    def _turn(self, n: int, day: int, minute: int, person: Person, update: Update | None) -> Turn:
        talk = person.book.talk
        reply = self.random.choice(talk["reply"])
        said, result = self._small(person), ""
        if update:
            sentence = self._told(update, day)
            if not sentence:
                pass
            elif update.fact.kind.by_tool or update.how == "contradicted":
                result = self._around(sentence)
            else:
                said = self._embedded(sentence, talk)
                if self._is(ECHOED):
                    reply = self.random.choice(talk["echo"]).replace("{s}", sentence)
        tool = self._tool(said, result) if result or self._is(TOOL_TURNS) else None
        return Turn(
            number=n, day=day, minute=minute, person=person, said=said, reply=reply, tool=tool
        )

    def _small(self, person: Person) -> str:
        talk = person.book.talk
        said = self.random.choice(talk["small"])
        for slot in ("noun", "adjective"):
            said = said.replace("{" + slot + "}", self.random.choice(talk[slot]))
        return said[:1].upper() + said[1:]

    def _embedded(self, sentence: str, talk: phrasebook.Phrases) -> str:
        if not self._is(EMBEDDED):
            return sentence
        return self.random.choice(talk["lead"]).replace("{s}", sentence)

    def _tool(self, said: str, result: str) -> ToolUse:
        name, failed = self.random.choice(TOOLS), not result and self._is(FAILED_TOOLS)
        if failed:
            told = "Error 503: the service did not answer in time"
        else:
            told = result or self._filler(self.random.randrange(1, 12))
        return ToolUse(name=name, argument=said[:60], result=told, failed=failed)

    def _around(self, sentence: str) -> str:
        """A tool's fact, often far behind the beginning of what it gave back."""
        lines = self.random.randrange(4, 12) if self._is(LATE_FACTS) else 0
        return "\n".join([self._filler(lines), sentence]) if lines else sentence

    def _filler(self, lines: int) -> str:
        draw = self.random.randrange
        return "\n".join(FILLER % (n + 1, draw(10_000), draw(10, 99)) for n in range(lines))

    # ── What becomes true ───────────────────────────────────────────────────────────────────────

    def _told(self, update: Update, day: int) -> str:
        """The sentence of an update, and the fact as it stands after it; empty: nothing new."""
        fact, how = update.fact, update.how
        old = fact.values[-1] if fact.values else ""
        if how == "ended":
            sentence = self._worded(fact, how, old, "")
            fact.answer, fact.how, fact.day = sentence, how, day
            return sentence
        new = self._new_value(fact)
        if not new:
            return ""
        if how == "contradicted":
            fact.claimed.append(new)
            fact.how = how
            return self._worded(fact, "page", old, new)
        # Where the first telling found no room, what was a change is the first one.
        told = how if old else "told"
        sentence = self._worded(fact, told, old, new)
        fact.values.append(new)
        fact.answer, fact.how, fact.day = new, told, day
        return sentence

    def _worded(self, fact: Fact, mark: str, old: str, new: str) -> str:
        phrase = self.random.choice(fact.kind.phrases[mark])
        for slot, word in (("{who}", fact.subject), ("{old}", old), ("{new}", new)):
            phrase = phrase.replace(slot, word)
        return phrase[:1].upper() + phrase[1:]

    def _new_value(self, fact: Fact) -> str:
        """One that nobody of the same tongue has told, so that an answer says whose it is."""
        named = (fact.person.book.language, fact.kind.name)
        if named not in self.free:
            self.free[named] = list(fact.kind.phrases["value"])
            self.random.shuffle(self.free[named])
        return self.free[named].pop() if self.free[named] else ""

    def _forgotten(self, fact: Fact, day: int) -> Forgetting:
        question = self._worded(fact, "asked", "", "")
        fact.answer, fact.how, fact.day = "", "forgotten", day
        return Forgetting(person=fact.person, question=question, values=tuple(fact.values))

    def _asked(self, day: int) -> Iterator[Question]:
        known = [fact for fact in self.facts if fact.is_known]
        if known:
            yield self._question(self.random.choice(known), day)

    def _question(self, fact: Fact, day: int) -> Question:
        others = [
            value
            for each in self.facts
            if each.kind is fact.kind and each.person is not fact.person
            for value in each.values
        ]
        stale = [each for each in (*fact.values, *fact.claimed) if each != fact.answer]
        return Question(
            person=fact.person,
            text=self._worded(fact, "asked", "", ""),
            answer=fact.answer,
            stale=tuple(stale),
            foreign=tuple(others),
            kind=fact.kind.name,
            how=fact.how,
            day=day,
            age_days=max(0, day - fact.day),
        )

    def _is(self, percent: int) -> bool:
        return self.random.randrange(100) < percent


def _in_order(found: dict[int, Update]) -> dict[int, Update]:
    """A fact is told before it changes, whichever turn was free for what."""
    of_fact: dict[int, list[int]] = {}
    for n in sorted(found):
        of_fact.setdefault(id(found[n].fact), []).append(n)
    rank = {"told": 0, "changed": 1, "corrected": 1, "contradicted": 2, "ended": 3, "forgotten": 4}
    ordered: dict[int, Update] = {}
    for places in of_fact.values():
        updates = sorted((found[n] for n in places), key=lambda each: rank[each.how])
        ordered |= dict(zip(places, updates, strict=True))
    return ordered
