"""The agent: remember, recall, context, correct, forget; conversations, documents and jobs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import msgspec

from muniment.engine import lazy_modules as later
from muniment.engine import lazy_views as views
from muniment.engine.api.delegate import delegated
from muniment.engine.api.operations import MemoryOperations
from muniment.engine.session import retry_lookup
from muniment.engine.streams import admission, argument_checks
from muniment.layers import memo_reads
from muniment.layers.governance import consents
from muniment.layers.jobs import jobs
from muniment.layers.shelves import JOBS
from muniment.model import canonical_json
from muniment.model.commands import (
    Confirm,
    GiveConsent,
    OpenJob,
    PutFact,
    RevokeConsent,
)
from muniment.model.commands.threads import SetTimeout, Strategy
from muniment.model.errors import InputError, NotFoundError, RefusedError
from muniment.model.events import ConsentGiven, FactSettled, JobOpened
from muniment.model.kinds.loop import EventKind
from muniment.model.kinds.memo import Memo
from muniment.model.kinds.thread import Thread
from muniment.model.scope import council_stream
from muniment.rules.memos import chunks


class Agent(MemoryOperations):
    """The memory of one agent, speaking for one user where one is named.

    What most programs need:

    remember(text)            keep a sentence; private data is redacted, secrets are refused
    recall(query)             what is known about a question, best first, with a receipt
    context(prompt, budget=)  text for a prompt that fits a token budget
    records(where=)           everything known, of every kind, newest first, page by page
    correct(id, text)         other words take the place of an episode; the past keeps both
    forget(id)                take an item out of every later reading
    why_not(id, query)        which stage kept an item out of an answer
    conversation(session=)    recall before each AI call, record after it, blame, undo
    documents()               JSON values by namespace and key, with their history
    job(seed)                 a unit of work with a working memory of its own
    get_range(start, end)     the entries of the log, as they were written

    `at=` reads as of an earlier entry, `valid_at=` what was so on a day.
    """

    @cached_property
    def _sentences(self) -> views.Sentences:
        return views.Sentences(self._session)

    @cached_property
    def _changes(self) -> views.RecordChanges:
        return views.RecordChanges(self._session)

    @cached_property
    def _extractor(self) -> views.Extractor:
        return views.Extractor(self._session)

    @cached_property
    def _entities(self) -> views.EntityView:
        return views.EntityView(self._session)

    @cached_property
    def _schemas(self) -> views.SchemaReader:
        return views.SchemaReader(self._session, self._entities)

    @cached_property
    def _summaries(self) -> views.Summaries:
        return views.Summaries(self._session)

    @cached_property
    def _bulk(self) -> views.BulkForget:
        return views.BulkForget(self._session)

    @cached_property
    def _rollback(self) -> views.Rollback:
        return views.Rollback(self._session)

    # ── What is remembered ──────────────────────────────────────────────────────────────────────

    remember = delegated("_sentences", lambda: views.Sentences.remember)
    remember_many = delegated("_sentences", lambda: views.Sentences.remember_many)
    remember_each = delegated("_sentences", lambda: views.Sentences.remember_each)

    def correct(self, item_id: str, text: str, *, origin: str = "user") -> views.Remembered:
        """Put something right, by any id that a read gave out: other words take its place in one
        step, and the past keeps both. Refused words change nothing, not even the old ones.
        A governed fact stands until a yes: its change is asked for (`request_id`).
        """
        return self._changes.correct(item_id, text, admission.origin(origin))

    def forget(self, item_id: str, *, reason: str = "") -> int:
        """Take something out of every reading from here on, by any id that a read gave out.

        The past keeps it. Returns the seq.
        """
        return self._changes.forget(item_id, reason)

    def forget_where(
        self, where: Mapping[str, object] | str, *, reason: str = "", preview: bool = False
    ) -> views.ForgottenRecords:
        """Forget all that a filter names, as one change: by session, source, tag, time, kind.

        A `preview` says what would go and changes nothing; `restore` takes the change back.
        """
        return self._bulk.forget(where, reason=reason, preview=preview)

    def restore(self, item_id: str = "", *, first: int = 0, last: int = 0) -> int:
        """Bring back what was forgotten, by its id, or all between two entries, both included.

        Says how many records are back.
        """
        if bool(item_id) == bool(first or last):
            raise InputError("expected an id, or the first and the last entry")
        return self._changes.restore(item_id) if item_id else self._bulk.restore(first, last)

    roll_back = delegated("_rollback", lambda: views.Rollback.roll_back)
    undo_rollback = delegated("_rollback", lambda: views.Rollback.undo_rollback)

    def vouch(self, item_id: str, *, reason: str = "") -> int:
        """The user vouches for something that was told from outside; returns the seq."""
        return self._changes.vouch(item_id, reason)

    # ── Conversations, documents, jobs ──────────────────────────────────────────────────────────

    def conversation(
        self, *, session: str = "", project: str = "", ai_profile: str = ""
    ) -> views.Conversation:
        """A session of this agent: recall before each AI call, record after it."""
        return views.Conversation(
            self._session, session=session, project=project, ai_profile=ai_profile
        )

    def documents(self, *, governed: bool = False) -> views.Documents:
        """Namespaces of JSON values by key; `governed` lets each change wait for a yes."""
        return views.Documents(self._session, governed=governed)

    def job(
        self,
        seed: str = "",
        *,
        session: str = "",
        trace_id: str = "",
        key: str = "",
        budget: int = 0,
        channel: str = "",
    ) -> views.Job:
        """Open a unit of work; close it with `commit()` or by leaving its `with` block.

        `budget` is for the contexts of this job, in tokens; without one the policy's counts.
        `channel` is where its conversation is held: its contexts go on with the thread there.
        """
        command = OpenJob(
            job_seed=seed,
            session=session,
            trace_id=trace_id,
            budget_tokens=budget,
            channel=channel,
        )
        job = views.Job(self._session, self._opened(command, key))
        job.hear_neighbours()
        return job

    def do(self, task: str, *, session: str = "", trace_id: str = "") -> views.Loop:
        """Open a loop for one task, which is its first event; a `with` block ends it."""
        canonical_json.admit_text(task)  # what has no meaning opens nothing
        command = OpenJob(job_seed="", session=session, trace_id=trace_id)
        loop = views.Loop(self._session, self._opened(command))
        try:
            loop.observe_event(EventKind.USER_INPUT, task)
        except RefusedError:
            loop.commit()
            raise
        return loop

    def resume(self, number: int) -> views.Job:
        """An open job of this speaker; one that has ended, was never or is another's: none.

        Under a key an ended one is there for what that key did in it, which is answered alike.
        """
        known = self._session.writer.desk.jobs.open.get(number)
        if known is None and any(
            each.header.job == number for each in retry_lookup.first(self._session)
        ):
            return views.Job(self._session, jobs.reopened(jobs.unknown(number)))
        if known is None or known.subject != self._session.subject:
            raise NotFoundError
        return views.Job(self._session, jobs.reopened(known))

    def turn_trace(self, number: int) -> list[views.TurnStep]:
        """Every memory operation of one of this speaker's jobs, open or ended, in their order."""
        argument_checks.check_count(number, "number")
        self._session.flush()
        shelves = self._session.shelves(None)
        opened = next(shelves.under(JOBS, str(number), 1), None)
        if opened is None or not shelves.is_about_us(opened):
            raise NotFoundError
        lines = self._session.writer.lines(after=opened.header.cause - 1)
        told = later.turn_trace.of_job(lines, number)
        mine = (line for line in told if shelves.is_about_us(line))
        return later.turn_trace.steps(mine)

    # ── Threads ─────────────────────────────────────────────────────────────────────────────────

    def thread(
        self, channel: str = "default", *, explicit: bool = False, timeout_minutes: int = 0
    ) -> views.ThreadChannel:
        """A channel: what is said on it finds its thread; an explicit one has a thread of its own.

        Silence opens a new thread on an implicit channel only. The nearest word about its length
        counts: this call's, the thread's, the user's, the channel's, the policy's.
        """
        return views.ThreadChannel(
            self._session, channel, explicit=explicit, timeout_minutes=timeout_minutes
        )

    def threads(self, *, at: int | None = None, valid_at: str = "") -> list[Thread]:
        """The threads of this user, open and ended, the latest first: as they stood then."""
        return views.every_thread(self._session, at, argument_checks.check_day(valid_at))

    def set_thread_timeout(self, minutes: int) -> None:
        """How long every implicit thread of this user waits in silence."""
        self._session.append_or_raise(SetTimeout(minutes=minutes, subject=self._session.subject))

    # ── Governed facts and consent ──────────────────────────────────────────────────────────────

    def confirm(self, confirmation_id: str, *, yes: bool = True, direct: bool = False) -> str:
        """The user's answer. Yes raises a request, or writes directly where policy lets a user.

        Returns the request's id; empty when there is none to wait for.
        """
        command = Confirm(
            confirmation_id=confirmation_id, yes=yes, direct=direct, subject=self._session.subject
        )
        return self._session.request_of(self._session.append_or_raise(command, as_user=True))

    def sem_put(self, canonical_key: str, value: object, *, source: str = "user") -> str:
        """The user's own word about themselves, written directly where policy lets a user.

        Returns the key under which it stands. Its place in the council's log would count others.
        """
        mine = self._session
        command = PutFact(key=canonical_key, value=value, source=source, subject=mine.subject)
        asked = mine.prepare(admission.admit(command), as_user=True, key=mine.calls.next_key())
        given = consents.of(mine.writer.desk.consents, mine.subject, 0)  # one that outlives jobs
        ask = msgspec.structs.replace(asked, consent=given.consent_id if given else "")
        docket = council_stream(mine.stream_id.tenant, mine.stream_id.persona)
        told = views.events_of(mine.hub.append(docket, [ask])[-1].or_raise())
        return next(each.key for each in told if isinstance(each, FactSettled))

    def consent(self, text: str) -> str:
        """The user allows raw personal data to be kept until revoked; returns the consent's id."""
        command = GiveConsent(text=text, persistent=True, subject=self._session.subject)
        events = views.events_of(self._session.append_or_raise(command, as_user=True))
        return next(event.consent_id for event in events if isinstance(event, ConsentGiven))

    def revoke_consent(self, consent_id: str) -> None:
        command = RevokeConsent(consent_id=consent_id, subject=self._session.subject)
        self._session.append_or_raise(command, as_user=True)

    # ── Learning with a model ───────────────────────────────────────────────────────────────────

    extract_facts = delegated("_extractor", lambda: views.Extractor.run)
    undo_extraction = delegated("_extractor", lambda: views.Extractor.undo)
    extracted_facts = delegated("_extractor", lambda: views.Extractor.facts)
    extraction_waiting = delegated("_extractor", lambda: views.Extractor.waiting)
    structured = delegated("_schemas", lambda: views.SchemaReader.structured)
    summary = delegated("_summaries", lambda: views.Summaries.summary)
    write_summary = delegated("_summaries", lambda: views.Summaries.write)
    undo_summary = delegated("_summaries", lambda: views.Summaries.undo)

    # ── Entities and relations ──────────────────────────────────────────────────────────────────

    entities = delegated("_entities", lambda: views.EntityView.entities)
    about = delegated("_entities", lambda: views.EntityView.about)
    path_between = delegated("_entities", lambda: views.EntityView.path_between)
    merge_entities = delegated("_entities", lambda: views.EntityView.merge_entities)
    split_entity = delegated("_entities", lambda: views.EntityView.split_entity)
    restore_entity = delegated("_entities", lambda: views.EntityView.restore_entity)

    # ── Watching ────────────────────────────────────────────────────────────────────────────────

    def watch(
        self,
        *,
        key: str = "",
        entity: str = "",
        question: str = "",
        limit: int = 1,
        after: str = "",
    ) -> views.Watch:
        """Be told when what is known changes: under a key, of an entity, to a question.

        A `for` loop waits for the next change, `look()` does not; `after` is the cursor of the
        last change that was heard. What is forgotten, erased or no longer readable is an end.
        """
        watched = views.Watched(key=key, entity=entity, question=question, limit=limit)
        return views.Watch(self._session, watched, after)

    # ── Maintenance ─────────────────────────────────────────────────────────────────────────────

    def compact(
        self, *, due_only: bool = False, progress: views.Shown = lambda _: None
    ) -> list[views.Compacted]:
        """Summarise episodes and scratchpads, route skills, merge what says the same.

        The log keeps everything, and `sources` finds it behind each summary.
        """
        return views.Upkeep(self._session).run(due_only=due_only, shown=progress)

    def thin(
        self, *, tokens_max: int | None = None, items_max: int | None = None, sample: bool = False
    ) -> views.Compacted:
        """Bring episodic memory down to a budget: what is worth least for its size leaves first.

        As a `sample`, all but a seeded draw of so many items leave, which favours what matters.
        """
        if (tokens_max is None and items_max is None) or (sample and items_max is None):
            raise InputError("a budget is a number of tokens or items; a sample, of items")
        strategy: Strategy = "reservoir" if sample else "density"
        return views.Upkeep(self._session).thin(
            strategy, tokens_max=tokens_max, items_max=items_max
        )

    def sources(self, memo_id: str) -> list[Memo]:
        """The memos that a summary stands for, in their order; nothing was dropped."""
        return views.Upkeep(self._session).sources(canonical_json.admit_text(memo_id))

    def whole(self, parent_id: str) -> str:
        """A text that was kept in chunks, as it was told."""
        found = memo_reads.parts(self._session.shelves(None), canonical_json.admit_text(parent_id))
        if not found:
            raise NotFoundError
        return chunks.joined([memo.text for memo in found])

    def flush(self) -> None:
        """Log the receipts of reads that no write has taken along yet."""
        self._session.flush()

    def _opened(self, command: OpenJob, key: str = "") -> JobOpened:
        ref, seq = self._session.council()
        told = msgspec.structs.replace(
            command,
            sem_snapshot_id=f"{ref[:8]}@{seq}" if ref else "none@0",
            sem_snapshot_hash=self._session.snapshot().stamp,
            subject=self._session.subject,
        )
        events = views.events_of(self._session.append_or_raise(told, key=key))
        return next(each for each in events if isinstance(each, JobOpened))
