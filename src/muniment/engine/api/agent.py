"""The agent: remember, recall, context, confirm, forget; and jobs for those who run loops."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice

import msgspec

from muniment.engine.api.documents import Documents
from muniment.engine.api.job import Job
from muniment.engine.api.keeping import Keeping
from muniment.engine.api.loop import Loop
from muniment.engine.conversation.conversation import Conversation
from muniment.engine.memos import turn_trace
from muniment.engine.memos.turn_trace import TurnStep
from muniment.engine.session import retry_lookup
from muniment.engine.streams import admission, argument_checks
from muniment.engine.streams.append_result import AppendResult
from muniment.engine.streams.command_pipeline import Ask
from muniment.layers.jobs import jobs
from muniment.layers.shelves import JOBS
from muniment.model import canonical_json
from muniment.model.commands import (
    Confirm,
    Correct,
    Forget,
    GiveConsent,
    OpenJob,
    PutFact,
    ReleaseItem,
    Remember,
    RememberMany,
    RevokeConsent,
)
from muniment.model.errors import InputError, MunimentError, NotFoundError, RefusedError
from muniment.model.events import (
    ConfirmationAsked,
    ConsentGiven,
    EpisodesWritten,
    EpisodeWritten,
    JobOpened,
    PiiRedacted,
)
from muniment.model.kinds.loop import EventKind
from muniment.model.scope import council_stream

BULK_SENTENCES = 2_000  # a durable append for each so many
PART_SENTENCES = 200  # one entry holds what was asked for so many of them
PART_CHARACTERS = 40_000  # well below the size of an entry, whatever the script


class ConfirmationQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A lasting fact that the user is asked to confirm before anything governed happens."""

    confirmation_id: str
    key: str
    value: object


class Remembered(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a sentence: stored, redacted, asked back or refused, and where it stands."""

    stored: bool
    episodic_id: str
    text: str
    reason: str
    redacted: tuple[str, ...]
    question: ConfirmationQuestion | None
    seq: int
    hash: str


class Sentence(msgspec.Struct, frozen=True, kw_only=True):
    """One sentence of a caller who waits beside others."""

    text: str
    origin: str = "user"
    source: str = ""
    speaker: str = ""
    session: str = ""
    keep_raw: bool = False
    key: str = ""
    at: str = ""  # when it was said, as fixed-width UTC text, where that is not now


class Agent(Keeping):
    def remember(
        self,
        text: str,
        *,
        origin: str = "user",
        source: str = "",
        speaker: str = "",
        session: str = "",
        keep_raw: bool = False,
        key: str = "",
    ) -> Remembered:
        """Keep a sentence; private data is redacted first, secrets are refused.

        What is pasted or fetched has the origin `external`, and `source` names its source.
        Where several talk, `speaker` says who, and `session` which talk it is: recall then knows
        whose words they are, and what was said just before.
        `key` makes a retry safe: the same key and words are stored once and answer alike.
        """
        command = Remember(
            text=text,
            origin=admission.origin(origin),
            source=source,
            speaker=speaker,
            session=session,
            keep_raw=keep_raw,
            subject=self._voice.subject,
        )
        return _remembered(self._voice.tell(command, key=key))

    def remember_many(
        self,
        texts: Iterable[str],
        *,
        origin: str = "user",
        source: str = "",
        speakers: Iterable[str] = (),
        session: str = "",
        batch: int = BULK_SENTENCES,
    ) -> int:
        """Keep many sentences, one durable append for each batch; returns how many were kept.

        The turns of a talk come with their `speakers`, one for each, and with its `session`.
        Nothing is asked back here: a wish to have a fact kept for good is a sentence of its own.
        """
        if not isinstance(texts, Iterable):
            raise InputError("several sentences are wanted")
        if isinstance(texts, str) or isinstance(batch, bool) or not isinstance(batch, int):
            raise InputError("several sentences are wanted, and a whole number for each batch")
        if batch < 1:
            raise InputError("a batch holds at least one sentence")
        kept = 0
        like = RememberMany(
            texts=(),
            origin=admission.origin(origin),
            source=source,
            session=session,
            subject=self._voice.subject,
        )
        for sentences in _chunks(_said(texts, speakers), batch):
            asks = [self._ask_many(part, like) for part in _parts(sentences)]
            told = self._voice.house.tell(self._voice.stream_id, asks)
            lines = (line for each in told for line in each.lines)
            kept += sum(
                len(line.event.numbers) for line in lines if isinstance(line.event, EpisodesWritten)
            )
        return kept

    def remember_each(self, sentences: Sequence[Sentence]) -> list[Remembered | MunimentError]:
        """Keep sentences of callers who wait at once, in one durable append; an answer for each."""
        if not all(isinstance(each, Sentence) for each in sentences):
            raise InputError("what is remembered together is a list of sentences")
        return [
            _remembered(told) if isinstance(told, AppendResult) else told
            for told in self._voice.tell_each([partial(self._said, each) for each in sentences])
        ]

    def _said(self, sentence: Sentence) -> Ask:
        command = Remember(
            text=sentence.text,
            origin=admission.origin(sentence.origin),
            source=sentence.source,
            speaker=sentence.speaker,
            session=sentence.session,
            keep_raw=sentence.keep_raw,
            subject=self._voice.subject,
        )
        ask = self._voice.ask(admission.admit(command), key=sentence.key)
        said_at = admission.moment(sentence.at)
        return msgspec.structs.replace(ask, at=said_at) if said_at else ask

    def forget(self, item_id: str, *, reason: str = "") -> int:
        """Take an item out of every reading from here on; the past keeps it. Returns the seq."""
        command = Forget(item_id=item_id, reason=reason, subject=self._voice.subject)
        return self._voice.insist(command).seq

    def correct(self, item_id: str, text: str, *, origin: str = "user") -> Remembered:
        """Put an episode right: other words take its place in one step; the past keeps both.

        Refused words change nothing, not even the old ones.
        """
        command = Correct(
            item_id=item_id, text=text, origin=admission.origin(origin), subject=self._voice.subject
        )
        told = self._voice.tell(command)
        if told.refusal and told.refusal.reason == "item_unknown":
            raise RefusedError(told.refusal.reason, told.refusal.detail)
        return _remembered(told)

    def vouch(self, item_id: str, *, reason: str = "") -> int:
        """The user vouches for something that was told from outside; returns the seq."""
        command = ReleaseItem(item_id=item_id, reason=reason, subject=self._voice.subject)
        # Without a person it is the agent who asks, and an agent's word is not enough.
        return self._voice.insist(command, as_user=bool(self._voice.user)).seq

    def confirm(self, confirmation_id: str, *, yes: bool = True, direct: bool = False) -> str:
        """The user's answer. Yes raises a request, or writes directly where policy lets a user.

        Returns the request's id; empty when there is none to wait for.
        """
        command = Confirm(
            confirmation_id=confirmation_id, yes=yes, direct=direct, subject=self._voice.subject
        )
        return self._voice.request_of(self._voice.insist(command, as_user=True))

    def sem_put(self, canonical_key: str, value: object, *, source: str = "user") -> int:
        """The user's own word about themselves, written directly where policy lets a user."""
        voice = self._voice
        command = PutFact(key=canonical_key, value=value, source=source, subject=voice.subject)
        asked = voice.ask(admission.admit(command), as_user=True, key=voice.calls.next_key())
        ask = msgspec.structs.replace(asked, consent=voice.standing_consent())
        docket = council_stream(voice.stream_id.tenant, voice.stream_id.persona)
        return voice.house.tell(docket, [ask])[-1].insisted().lines[-1].seq

    def consent(self, text: str) -> str:
        """The user allows raw personal data to be kept until revoked; returns the consent's id."""
        command = GiveConsent(text=text, persistent=True, subject=self._voice.subject)
        events = _events(self._voice.insist(command, as_user=True))
        return next(event.consent_id for event in events if isinstance(event, ConsentGiven))

    def revoke_consent(self, consent_id: str) -> None:
        command = RevokeConsent(consent_id=consent_id, subject=self._voice.subject)
        self._voice.insist(command, as_user=True)

    def job(
        self,
        seed: str = "",
        *,
        session: str = "",
        trace_id: str = "",
        key: str = "",
        budget: int = 0,
        channel: str = "",
    ) -> Job:
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
        job = Job(self._voice, self._opened(command, key))
        job.hear_neighbours()
        return job

    def resume(self, number: int) -> Job:
        """An open job of this speaker; one that has ended, was never or is another's: none.

        Under a key an ended one is there for what that key did in it, which is answered alike.
        """
        known = self._voice.writer.desk.jobs.open.get(number)
        if known is None and any(
            each.header.job == number for each in retry_lookup.first(self._voice)
        ):
            return Job(self._voice, jobs.reopened(jobs.unknown(number)))
        if known is None or known.subject != self._voice.subject:
            raise NotFoundError
        return Job(self._voice, jobs.reopened(known))

    def turn_trace(self, number: int) -> list[TurnStep]:
        """Every memory operation of one of this speaker's jobs, open or ended, in their order."""
        argument_checks.check_count(number, "number")
        self._voice.flush()
        shelves = self._voice.shelves(None)
        opened = next(shelves.under(JOBS, str(number), 1), None)
        if opened is None or not shelves.is_about_us(opened):
            raise NotFoundError
        lines = self._voice.writer.lines(after=opened.header.cause - 1)
        mine = (line for line in turn_trace.of_job(lines, number) if shelves.is_about_us(line))
        return turn_trace.steps(mine)

    def do(self, task: str, *, session: str = "", trace_id: str = "") -> Loop:
        """Open a loop for one task, which is its first event; a `with` block ends it."""
        canonical_json.admit_text(task)  # what has no meaning opens nothing
        command = OpenJob(job_seed="", session=session, trace_id=trace_id)
        loop = Loop(self._voice, self._opened(command))
        try:
            loop.observe_event(EventKind.USER_INPUT, task)
        except RefusedError:
            loop.commit()
            raise
        return loop

    def conversation(
        self, *, session: str = "", project: str = "", ai_profile: str = ""
    ) -> Conversation:
        """A session of this agent: recall before each AI call, record after it."""
        return Conversation(self._voice, session=session, project=project, ai_profile=ai_profile)

    def documents(self, *, governed: bool = False) -> Documents:
        """Namespaces of JSON values by key; `governed` lets each change wait for a yes."""
        return Documents(self._voice, governed=governed)

    def flush(self) -> None:
        """Log the receipts of reads that no write has taken along yet."""
        self._voice.flush()

    def _opened(self, command: OpenJob, key: str = "") -> JobOpened:
        ref, seq = self._voice.council()
        told = msgspec.structs.replace(
            command,
            sem_snapshot_id=f"{ref[:8]}@{seq}" if ref else "none@0",
            sem_snapshot_hash=self._voice.standing().stamp,
            subject=self._voice.subject,
        )
        events = _events(self._voice.insist(told, key=key))
        return next(each for each in events if isinstance(each, JobOpened))

    def _ask_many(self, part: "list[_Said]", like: RememberMany) -> Ask:
        texts, speakers = zip(*part, strict=True)
        told = msgspec.structs.replace(
            like, texts=texts, speakers=speakers if any(speakers) else ()
        )
        return self._voice.ask(admission.admit(told), key=self._voice.calls.next_key())


_Said = tuple[str, str]  # the words, and who says them


def _said(texts: Iterable[str], speakers: Iterable[str]) -> Iterable[_Said]:
    if isinstance(speakers, str) or not isinstance(speakers, Iterable):
        raise InputError("several speakers are wanted, one for each sentence")
    names = list(speakers)
    if not names:
        return ((text, "") for text in texts)
    sentences = list(texts)
    if len(sentences) != len(names):
        raise InputError("there is a speaker for each sentence, or for none")
    return zip(sentences, names, strict=True)


def _chunks(said: Iterable[_Said], size: int) -> Iterator[list[_Said]]:
    pending = iter(said)
    while chunk := list(islice(pending, size)):
        yield chunk


def _parts(said: list[_Said]) -> Iterator[list[_Said]]:
    """What fits into one entry: so many sentences, and so many characters of them."""
    part: list[_Said] = []
    characters = 0
    for text, speaker in said:
        characters += len(canonical_json.admit_text(text))
        if part and (len(part) >= PART_SENTENCES or characters > PART_CHARACTERS):
            yield part
            part, characters = [], len(text)
        part.append((text, speaker))
    if part:
        yield part


def _remembered(told: AppendResult) -> Remembered:
    events = _events(told)
    written = next((e for e in events if isinstance(e, EpisodeWritten)), None)
    redacted = next((e for e in events if isinstance(e, PiiRedacted)), None)
    return Remembered(
        stored=written is not None,
        episodic_id=written.episodic_id if written else "",
        text=written.summary if written else "",
        reason=told.refusal.reason if told.refusal else "",
        redacted=tuple(each.kind for each in redacted.redactions) if redacted else (),
        question=_question(events),
        seq=told.lines[-1].seq,
        hash=told.lines[-1].hash.hex(),
    )


def _question(events: list[object]) -> ConfirmationQuestion | None:
    asked = next((each for each in events if isinstance(each, ConfirmationAsked)), None)
    if asked is None:
        return None
    return ConfirmationQuestion(
        confirmation_id=asked.confirmation_id, key=asked.key, value=asked.value
    )


def _events(told: AppendResult) -> list[object]:
    return [line.event for line in told.lines]
