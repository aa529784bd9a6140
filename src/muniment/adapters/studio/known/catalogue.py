"""Memory catalogue: everything the logs of a tenant hold, by person, folded entry by entry.

It is what the pages list: each thing that is known with its person, source, time and state, what
replaced what, what was refused or redacted, which questions are open, and which answers used it.
"""

from collections.abc import Callable, Iterable
from typing import Final, TypeVar

import msgspec

from muniment.adapters.studio.known import wording
from muniment.adapters.studio.known.catalogue_items import (
    Disagreement,
    GivenContext,
    Known,
    Naming,
    Note,
    Place,
    Question,
    State,
    newest,
)
from muniment.adapters.studio.known.catalogue_words import born, person_of
from muniment.engine.audit import log_statistics
from muniment.layers import loop_events
from muniment.log.entry import Line
from muniment.model import canonical_json
from muniment.model.events import (
    ConfirmationAnswered,
    ConfirmationAsked,
    EpisodeWritten,
    FactRetired,
    ItemForgotten,
    PiiRedacted,
    Recalled,
    Received,
    Shredded,
    WriteDenied,
)
from muniment.model.events.conversation import (
    ItemDeleted,
    ItemDenied,
    ItemsConflicted,
    ItemsRecalled,
)
from muniment.model.events.documents import DocumentsDropped
from muniment.model.events.reads import ContextAssembled
from muniment.model.events.recalls import ItemReleased
from muniment.model.events.rollback import RecordsRevived
from muniment.model.scope import StreamId

Made = TypeVar("Made")
NAME: Final = "name"  # the key of what somebody is called
USES_KEPT: Final = 20  # of one thing; the log has all of them
ORDINARY: Final = "write_policy"  # refusals that only say that chatter is not kept for good
DENIED: Final = "not kept"
REDACTED: Final = "redacted"
WRITTEN: Final = frozenset(
    {"episodes_written", "item_written", "document_put", "goal_set", "idetic_event"}
)
ENDING: Final = frozenset(
    {"memory_forget", "item_deleted", "sem_delete", "documents_dropped", "memory_released"}
    | {"records_revived"}
)
READING: Final = frozenset({"context_assembled", "items_recalled", "memory_recall"})


class MemoryCatalogue:
    """Follows every log; what was folded once is never folded again."""

    def __init__(self, outside: frozenset[str]) -> None:
        self.items: list[Known] = []
        self.by_person: dict[str, list[Known]] = {}
        self.upto: dict[StreamId, int] = {}
        self.notes: list[Note] = []
        self.questions: dict[str, Question] = {}
        self.disagreements: list[Disagreement] = []
        self.contexts: list[GivenContext] = []
        self.uses: dict[str, list[GivenContext]] = {}
        self.people: dict[str, str] = {}  # when each was last heard of
        self.entries = 0
        self._newest: list[Known] = []
        self._made: dict[str, tuple[int, object]] = {}  # by name: as of which entry, and what
        self._outside = outside  # origins whose word waits for a person's
        self._latest: dict[str, Known] = {}  # by id: the version that counts
        self._came: dict[StreamId, tuple[int, str]] = {}  # the newest batch of a log, and when
        self._names: dict[str, str] = {}  # people by the reference in a header
        self._called: dict[str, list[Known]] = {}  # what people said their name is

    def newest(self) -> list[Known]:
        """Everything, the newest first; put in order again only after something was added."""
        if len(self._newest) != len(self.items):
            self._newest = newest(self.items)
        return self._newest

    def title(self, name: str) -> str:
        """What somebody is called: by their own word, else by the name they come under."""
        told = [each for each in self._called.get(name, ()) if each.state is State.CURRENT]
        return newest(told)[0].text if told else wording.named(name)

    def roster(self) -> list[tuple[str, str]]:
        """Everybody by name and by what they are called, in the order of the alphabet."""
        return self.once("roster", self._named_people)

    def _named_people(self) -> list[tuple[str, str]]:
        found = [(name, self.title(name)) for name in self.people]
        return sorted(found, key=lambda each: (each[1].casefold(), each[0]))

    def once(self, name: str, make: Callable[[], Made]) -> Made:
        """What is made of everything that is known: again only after another entry was read."""
        entries, held = self._made.get(name, (-1, None))
        if entries != self.entries:
            entries, held = self.entries, make()
            self._made[name] = entries, held
        return held  # type: ignore[return-value]  # what this name was made with

    def sessions(self) -> list[tuple[str, str]]:
        """Every conversation by its name, and with whom it was, the newest first."""
        return list({each.session: each.person for each in self.newest() if each.session}.items())

    def find(self, item_id: str) -> Known | None:
        return self._latest.get(item_id)

    def versions(self, item_id: str) -> list[Known]:
        """Everything that stood under an id or was replaced by what stands there, oldest first."""
        found = [each for each in self.items if each.id == item_id]
        seen = {item_id}
        while found and found[0].corrects and found[0].corrects not in seen:
            seen.add(found[0].corrects)
            before = [each for each in self.items if each.id == found[0].corrects]
            found = before + found
        return found

    def follow(self, stream: StreamId, lines: Iterable[Line], named: Naming) -> None:
        """Take in the next entries of a log."""
        asker = ""
        for entry in lines:
            line = self._as_observed(stream, entry)
            self.upto[stream] = line.seq
            self.entries += 1
            person = self._person(line, named)
            if isinstance(line.event, Received):
                asker = person
            if person:
                self.people[person] = max(self.people.get(person, ""), line.header.ts)
            self._take(stream, line, person or asker)

    def _as_observed(self, stream: StreamId, line: Line) -> Line:
        """With the moment at which its batch came in: a job's entries are dated from its seed."""
        match line.event:
            case Received(at=at) | Shredded(public={"at": str(at)}):
                self._came[stream] = line.header.cause, at
            case _:
                pass
        cause, at = self._came.get(stream, (0, ""))
        if not at or cause != line.header.cause:
            return line
        return msgspec.structs.replace(line, header=msgspec.structs.replace(line.header, ts=at))

    def _take(self, stream: StreamId, line: Line, person: str) -> None:
        if line.header.type in log_statistics.BORN or line.header.type in WRITTEN:
            for each in born(stream, line, person, self._outside):
                self._add(each)
            if isinstance(line.event, EpisodeWritten) and line.event.corrects:
                self._correct(line.event)
        elif line.header.type in ENDING:
            self._end(line)
        elif line.header.type in READING:
            self._use(stream, line, person)
        else:
            self._note(stream, line, person)

    def _add(self, new: Known) -> None:
        old = self._latest.get(new.id)
        if old and old.state is State.CURRENT:
            old.end(State.REPLACED, new.since, new.seq, by=new.id)
            new.corrects = new.corrects or old.id
        self.items.append(new)
        self.by_person.setdefault(new.person, []).append(new)
        self._latest[new.id] = new
        if new.key == NAME:
            self._called.setdefault(new.person, []).append(new)

    def _correct(self, written: EpisodeWritten) -> None:
        """Other words took the place of something: the evidence names what they put right."""
        new = self._latest[written.episodic_id]
        for each in written.evidence:
            old = self._latest.get(each.episodic_id)
            if old:
                old.end(State.REPLACED, new.since, new.seq, by=new.id)
                new.corrects = old.id

    def _end(self, line: Line) -> None:
        when, seq = line.header.ts, line.seq
        match line.event:
            case ItemForgotten(item_id=item_id, reason=reason):
                self._ended(item_id, State.FORGOTTEN, when, seq, why=reason)
            case ItemDeleted() as deleted:
                self._deleted(deleted, when, seq)
            case FactRetired(key=key):
                self._ended(key, State.FORGOTTEN, when, seq, why="the council agreed")
            case DocumentsDropped():
                for each in log_statistics.touched(line):
                    self._ended(each.item_id, State.FORGOTTEN, when, seq, why=each.why)
            case ItemReleased(item_id=item_id):
                self._restored(item_id)
            case RecordsRevived() as told:
                self._revived(told, when, seq)
            case _:
                pass  # what was erased ends with what it spoke of

    def _deleted(self, deleted: ItemDeleted, when: str, seq: int) -> None:
        by = deleted.replaced_by
        state = State.REPLACED if by else State.FORGOTTEN
        self._ended(deleted.item_id, state, when, seq, by=by, why=deleted.reason)
        winner = self._latest.get(by)
        if winner and not winner.corrects:
            winner.corrects = deleted.item_id

    def _revived(self, told: RecordsRevived, when: str, seq: int) -> None:
        for name in loop_events.lives_no_more(told):
            self._ended(name, State.FORGOTTEN, when, seq, why="undone")
        for name in loop_events.lives_again(told):
            self._restored(name)

    def _restored(self, item_id: str) -> None:
        """What was forgotten or quarantined is known from here on."""
        item = self._latest.get(item_id)
        if item and item.state is not State.CURRENT:
            item.end(State.CURRENT, "", 0)

    def _ended(
        self, item_id: str, state: State, when: str, seq: int, *, by: str = "", why: str = ""
    ) -> None:
        item = self._latest.get(item_id)
        if item and item.is_alive:
            item.end(state, when, seq, by=by, why=why)

    def _use(self, stream: StreamId, line: Line, person: str) -> None:
        match line.event:
            case ContextAssembled() as told:
                ids, budget, tokens = told.ids, told.budget_tokens, told.tokens
                made = GivenContext(
                    stream=stream.text,
                    seq=line.seq,
                    at=told.at,
                    person=person,
                    query=told.query,
                    when=line.header.ts,
                    ids=ids,
                    scores=told.scores_ppm,
                    tokens=tokens,
                    budget=budget,
                    dropped=told.dropped,
                    receipt=told.receipt_id,
                )
                self.contexts.append(made)
            case ItemsRecalled(query=query, recalled=recalled):
                ids = tuple(each.id for each in recalled)
                made = _read(stream, line, person, query, ids)
                self.contexts.append(made)
            case Recalled(query=query, ids=ids):
                made = _read(stream, line, person, query, ids)
            case _:
                return
        for item_id in made.ids:
            used = self.uses.setdefault(item_id, [])
            if not used or used[-1].query != made.query:  # a context is a recall that was packed
                used.append(made)
            del used[:-USES_KEPT]

    def _note(self, stream: StreamId, line: Line, person: str) -> None:
        place: Place = {
            "person": person,
            "when": line.header.ts,
            "stream": stream.text,
            "seq": line.seq,
        }
        match line.event:
            case ItemDenied(item=item, reason=reason):
                self._denied(place, item.told, reason)
            case WriteDenied(reason=reason, asked=asked) if not asked.startswith("record_"):
                self._denied(place, "", reason)
            case PiiRedacted(redactions=redactions):
                for each in redactions:
                    self.notes.append(Note(what=REDACTED, text=each.kind, reason="", **place))
            case ItemsConflicted(winner_id=winner, loser_id=loser, rule=rule):
                told = Disagreement(winner=winner, loser=loser, rule=rule, **place)
                self.disagreements.append(told)
            case ConfirmationAsked() as asked:
                self.questions[asked.confirmation_id] = Question(
                    id=asked.confirmation_id,
                    agent=stream.owner,
                    key=asked.key,
                    value=canonical_json.text_of(asked.value),
                    **place,
                )
            case ConfirmationAnswered(confirmation_id=answered):
                self.questions.pop(answered, None)
            case _:
                pass

    def _denied(self, place: Place, text: str, reason: str) -> None:
        ordinary = reason.startswith(ORDINARY)
        self.notes.append(
            Note(what=DENIED, text=text, reason=reason, is_ordinary=ordinary, **place)
        )

    def _person(self, line: Line, named: Naming) -> str:
        for part in line.header.parts:
            if part.subject not in self._names:
                self._names[part.subject] = person_of(named(part.subject))
            if self._names[part.subject]:
                return self._names[part.subject]
        return ""


def _read(
    stream: StreamId, line: Line, person: str, query: str, ids: tuple[str, ...]
) -> GivenContext:
    return GivenContext(
        stream=stream.text,
        seq=line.seq,
        at=line.seq,
        person=person,
        query=query,
        when=line.header.ts,
        ids=ids,
    )
