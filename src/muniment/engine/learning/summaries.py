"""Cited summaries: a profile, reflection, conversation, loop or title, written by a model.

Reading asks nobody. What a model worded is judged once, in the log; a sentence whose text was
forgotten since is left out when it is read. What no model has worded yet is quoted as it was said.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from muniment.engine import lazy_modules as later
from muniment.engine.audit.stage_progress import Stages, unwatched
from muniment.engine.decide.memos.extraction import label
from muniment.engine.learning.recorded_answers import (
    BATCHES_MAX,
    MODEL_FAILED,
    ask_once,
    decide_once,
    limited,
    model_of,
    texts_between,
    token,
)
from muniment.engine.learning.text_validity import holds
from muniment.engine.session.agent_session import AgentSession
from muniment.engine.streams.argument_checks import check_day, checks_arguments
from muniment.engine.streams.ports import Model
from muniment.layers import model_outputs
from muniment.layers.memos import summaries as rows
from muniment.layers.shelves import Shelves
from muniment.model.commands.learning import UndoSummary, WordSummary
from muniment.model.errors import InputError
from muniment.model.events.learning import SummaryWorded
from muniment.model.kinds.cited_summary import CitedSentence, SummaryKind
from muniment.model.text import grounding
from muniment.retrieval.index.index_feed import Offered

SUMMARY: Final = "summary"  # the purpose of a recorded answer


class CitedSummary(msgspec.Struct, frozen=True, kw_only=True):
    """Sentences, each with the entries behind it; `undo_summary` takes its id."""

    kind: str
    of: str  # the session or the loop; the days of a reflection
    text: str
    sentences: tuple[CitedSentence, ...]
    summary_id: str = ""  # empty where no model has worded it
    model: str = ""
    dropped: dict[str, int] = {}  # sentences of the model that did not stand, by reason
    waiting: int = 0  # texts that no model has worded yet
    reason: str = ""  # why a model that was asked changed nothing


class _Topic(msgspec.Struct, frozen=True):
    kind: SummaryKind
    scope: str


class _SummaryBatch(msgspec.Struct, frozen=True, kw_only=True):
    request: str
    after: int
    upto: int
    texts: tuple[Offered, ...]
    left: int  # texts that wait for the next batches


@checks_arguments
class Summaries:
    """The summaries that one session may see."""

    def __init__(self, session: AgentSession, model: Model | None = None) -> None:
        self._session, self._model = session, model

    # ── Reads ───────────────────────────────────────────────────────────────────────────────────

    def summary(
        self,
        kind: str = "profile",
        *,
        session: str = "",
        since: str = "",
        until: str = "",
        at: int | None = None,
        valid_at: str = "",
    ) -> CitedSummary:
        """A `profile` of the user, a `reflection` on some days, a `conversation`, a `title`, a
        `loop`: sentence by sentence, each with the entries behind it. Asks no model.

        `session` names a conversation or a loop, `since` and `until` the days of a reflection.
        """
        topic, day = self._topic(kind, session, since, until), check_day(valid_at)
        shelves = self._session.shelves(at)
        told = self._worded(shelves, topic)
        worded = self._standing(shelves, told, day)
        after = told.upto if told and worded else 0
        waiting = self._waiting(shelves, topic, after, day) if _goes_on(topic, worded) else []
        quoted = later.quoted_summaries.quoted(topic.kind, waiting)
        if topic.kind is SummaryKind.PROFILE:
            own = self._session.snapshot(at, day).own
            quoted = [*later.quoted_summaries.of_facts(own), *quoted]
        elif topic.kind is SummaryKind.REFLECTION and at is None and not day:
            quoted += later.quoted_summaries.of_questions(self._questions())
        sentences = (*worded, *quoted)
        return CitedSummary(
            kind=topic.kind,
            of=topic.scope,
            text="\n".join(each.text for each in sentences),
            sentences=sentences,
            summary_id=told.request if told and worded else "",
            model=told.model if told and worded else "",
            dropped=told.dropped if told else {},
            waiting=len(waiting),
            reason=told.reason if told else "",
        )

    def waiting(self) -> dict[str, int]:
        """How many texts of each kind of summary that a model has worded came since."""
        counts: dict[str, int] = {}
        for topic, told in self._begun().items():
            shelves = self._session.shelves(None)
            if _goes_on(topic, told.sentences):
                count = len(self._waiting(shelves, topic, told.upto, ""))
                counts[topic.kind] = counts.get(topic.kind, 0) + count
        return {kind: count for kind, count in counts.items() if count}

    # ── A model is asked ────────────────────────────────────────────────────────────────────────

    def write(
        self,
        kind: str = "profile",
        *,
        session: str = "",
        since: str = "",
        until: str = "",
        batches_max: int = BATCHES_MAX,
        progress: Stages = unwatched,
    ) -> CitedSummary:
        """Ask the model to word what no model has worded yet, batch by batch, and read the summary.

        A sentence whose citation does not stand is dropped and counted.
        """
        model, topic = (
            model_of(self._session, self._model),
            self._topic(kind, session, since, until),
        )
        done, count = 0, 0
        while done < batches_max and (batch := self._next(topic)) is not None:
            if not self._word(model, topic, batch):
                told = self.summary(kind, session=session, since=since, until=until)
                return msgspec.structs.replace(told, reason=MODEL_FAILED)
            done, count = done + 1, count + len(batch.texts)
            progress("", count, count + batch.left)
        return self.summary(kind, session=session, since=since, until=until)

    def write_due(self, texts_min: int) -> int:
        """Word again what a model has worded and so many texts came to; how many were asked for.

        Where the model does not answer, the rest waits.
        """
        model, asked = model_of(self._session, self._model), 0
        for topic, told in self._begun().items():
            count = len(self._waiting(self._session.shelves(None), topic, told.upto, ""))
            due = count >= texts_min and _goes_on(topic, told.sentences)
            while due and (batch := self._next(topic)) is not None:
                if not self._word(model, topic, batch):
                    return asked
                asked += 1
        return asked

    def undo(self, summary_id: str) -> int:
        """Take back one wording; the one before it is read again. Returns the seq."""
        command = UndoSummary(request=summary_id, subject=self._session.subject)
        return self._session.append_or_raise(command).seq

    # ── What is read ────────────────────────────────────────────────────────────────────────────

    def _topic(self, kind: str, session: str, since: str, until: str) -> _Topic:
        if kind not in set(SummaryKind):
            raise InputError(f"a summary is one of: {', '.join(SummaryKind)}")
        wanted = SummaryKind(kind)
        if wanted is SummaryKind.REFLECTION:
            if not since:
                raise InputError("a reflection needs its first day")
            return _Topic(wanted, f"{check_day(since)}/{check_day(until)}")
        if wanted is SummaryKind.LOOP and not session:
            raise InputError("name a loop")
        if wanted is SummaryKind.PROFILE:
            return _Topic(wanted, "")
        return _Topic(wanted, session or self._session.subject.removeprefix("user_"))

    def _worded(self, shelves: Shelves, topic: _Topic) -> SummaryWorded | None:
        return later.summaries.worded(shelves, topic.kind, topic.scope, self._session.subject)

    def _begun(self) -> dict[_Topic, SummaryWorded]:
        """What a model has worded about this user, each with its newest wording."""
        found: dict[_Topic, SummaryWorded] = {}
        for line in self._session.shelves(None).newest(rows.SHELF):
            told = line.event
            if isinstance(told, SummaryWorded) and told.subject == self._session.subject:
                found.setdefault(_Topic(SummaryKind(told.kind), told.scope), told)
        return found

    def _standing(
        self, shelves: Shelves, told: SummaryWorded | None, day: str
    ) -> list[CitedSentence]:
        """The sentences of a wording whose texts stand, or were so on a day."""
        if not day:
            return later.summaries.standing(shelves, told)
        return [
            each
            for each in (told.sentences if told else ())
            if all(self._held(shelves, it.label, day) for it in each.citations)
        ]

    def _held(self, shelves: Shelves, name: str, day: str) -> bool:
        seq = int(name.partition(".")[0])
        return any(label(each) == name for each in self._living(shelves, seq - 1, seq, day))

    def _waiting(self, shelves: Shelves, topic: _Topic, after: int, day: str) -> list[Offered]:
        """The texts of a summary behind an entry, each said once."""
        policy = self._session.policy
        found: dict[str, Offered] = {}
        for each in self._living(shelves, after, shelves.at, day):
            if later.summaries.covers(topic.kind, topic.scope, each, policy):
                found.setdefault(grounding.plain(each.text), each)
        return list(found.values())

    def _living(self, shelves: Shelves, after: int, upto: int, day: str) -> Iterator[Offered]:
        found = texts_between(self._session, shelves, after, upto, ever=bool(day))
        return (each for each in found if not day or holds(shelves, each, day))

    def _questions(self) -> list[tuple[str, str]]:
        """What the user was asked and has not answered."""
        waiting = self._session.writer.desk.confirmations.open.values()
        mine = [each for each in waiting if each.subject == self._session.subject]
        return [(each.episodic_id, each.key) for each in mine]

    def _next(self, topic: _Topic) -> _SummaryBatch | None:
        """The next texts that wait; or those already answered about."""
        shelves = self._session.shelves(None)
        told = self._worded(shelves, topic)
        after = told.upto if told else 0
        if not _goes_on(topic, told.sentences if told else ()):
            return None
        beginning = self._beginning(topic, after)
        waiting = self._waiting(shelves, topic, after, "")
        newest = next(iter(model_outputs.answers(shelves, beginning)), f"{beginning}-0:0")
        upto, _, number = newest.removeprefix(f"{beginning}-").partition(":")
        if int(number) and not shelves.has(rows.DECIDED, newest):
            texts = tuple(each for each in waiting if each.seq <= int(upto))
            left = len(waiting) - len(texts)
            return _SummaryBatch(
                request=newest, after=after, upto=int(upto), texts=texts, left=left
            )
        texts = tuple(limited(iter(waiting), self._session.policy.learning))
        if not texts:
            return None
        # Up to the next text that waits: what only repeats one of these is read with them.
        last = waiting[len(texts)].seq - 1 if len(texts) < len(waiting) else shelves.at
        request = f"{beginning}-{last}:{int(number) + 1}"
        left = len(waiting) - len(texts)
        return _SummaryBatch(request=request, after=after, upto=last, texts=texts, left=left)

    def _beginning(self, topic: _Topic, after: int) -> str:
        named = f"summary\x00{topic.kind}\x00{topic.scope}\x00{self._session.subject}"
        return f"{SUMMARY}:{token(self._session, named)}:{after}"

    def _word(self, model: Model, topic: _Topic, batch: _SummaryBatch) -> bool:
        """Have one batch worded; whether the model answered."""
        if not ask_once(
            self._session, model, batch.request, SUMMARY, lambda: self._asked(model, topic, batch)
        ):
            return False
        command = WordSummary(
            request=batch.request,
            kind=topic.kind,
            scope=topic.scope,
            after=batch.after,
            upto=batch.upto,
            sources=tuple(label(each) for each in batch.texts),
            subject=self._session.subject,
        )
        decide_once(self._session, command, "wording_exists")
        return True

    def _asked(self, model: Model, topic: _Topic, batch: _SummaryBatch) -> str:
        shelves = self._session.shelves(None)
        so_far = later.summaries.standing(shelves, self._worded(shelves, topic))
        shown = later.summary_prompt.shown([(label(each), each) for each in batch.texts], so_far)
        return model.extract(
            shown, later.summary_prompt.wanted(topic.kind, self._session.policy.learning)
        )


def _goes_on(topic: _Topic, worded: Sequence[CitedSentence]) -> bool:
    """A title is given once, whatever is said later."""
    return topic.kind is not SummaryKind.TITLE or not worded
