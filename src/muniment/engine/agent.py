"""The agent: remember, recall, context, confirm, forget; and jobs for those who run loops."""

from collections.abc import Iterable, Sequence

import msgspec

from muniment.engine import door
from muniment.engine.job import Job
from muniment.engine.motion import Ask
from muniment.engine.reads import Reads
from muniment.engine.writer import Told
from muniment.layers import sem
from muniment.model.commands import (
    Confirm,
    Forget,
    GiveConsent,
    OpenJob,
    PutFact,
    Remember,
    RequestPromotion,
    RevokeConsent,
)
from muniment.model.errors import InputError, RefusedError
from muniment.model.events import (
    ConfirmationAsked,
    ConsentGiven,
    EpisodeWritten,
    JobOpened,
    PiiRedacted,
)
from muniment.model.item import Evidence, Origin
from muniment.model.scope import council_stream

BULK_SENTENCES = 500  # a durable append for each so many


class Question(msgspec.Struct, frozen=True, kw_only=True):
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
    question: Question | None
    seq: int
    hash: str


class Agent(Reads):
    def remember(
        self,
        text: str,
        *,
        origin: str = "user",
        keep_raw: bool = False,
        key: str = "",
    ) -> Remembered:
        """Keep a sentence; private data is redacted first, secrets are refused.

        `key` makes a retry safe: the same key and words are stored once and answer alike.
        """
        command = self._sentence(text, origin, keep_raw=keep_raw)
        return _remembered(self._voice.tell(command, key=key))

    def remember_many(
        self, texts: Iterable[str], *, origin: str = "user", batch: int = BULK_SENTENCES
    ) -> int:
        """Keep many sentences, a durable append for each batch; returns how many were kept."""
        kept = 0
        waiting: list[Ask] = []
        for text in texts:
            waiting.append(self._voice.ask(door.admit(self._sentence(text, origin))))
            if len(waiting) >= batch:
                kept += self._append(waiting)
                waiting = []
        return kept + self._append(waiting)

    def forget(self, item_id: str, *, reason: str = "") -> int:
        """Take an item out of every reading from here on; the past keeps it. Returns the seq."""
        command = Forget(item_id=item_id, reason=reason, subject=self._voice.subject)
        return self._voice.insist(command).seq

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
        ask = voice.ask(door.admit(command), as_user=True)
        told = voice.house.tell(council_stream(voice.stream_id.tenant), [ask])[-1]
        if told.refusal:
            raise RefusedError(told.refusal.reason, told.refusal.detail)
        return told.lines[-1].seq

    def memory_promote_request(
        self,
        episodic_id: str,
        target_sem_key: str,
        justification: str = "",
        evidence: Sequence[Evidence] = (),
        *,
        value: object = None,
    ) -> str:
        """Ask the council to make a governed fact of an episode; returns the request's id."""
        return self._voice.request_of(
            self._voice.insist(
                RequestPromotion(
                    episodic_id=episodic_id,
                    target_sem_key=target_sem_key,
                    value=value,
                    justification=justification,
                    evidence=tuple(evidence),
                    subject=self._voice.subject,
                )
            )
        )

    def consent(self, text: str) -> str:
        """The user allows raw personal data to be kept until revoked; returns the consent's id."""
        command = GiveConsent(text=text, persistent=True, subject=self._voice.subject)
        events = _events(self._voice.insist(command, as_user=True))
        return next(event.consent_id for event in events if isinstance(event, ConsentGiven))

    def revoke_consent(self, consent_id: str) -> None:
        command = RevokeConsent(consent_id=consent_id, subject=self._voice.subject)
        self._voice.insist(command, as_user=True)

    def job(self, seed: str = "", *, session: str = "", trace_id: str = "", key: str = "") -> Job:
        """Open a unit of work; close it with `commit()` or by leaving its `with` block."""
        ref, seq = self._voice.council()
        command = OpenJob(
            job_seed=seed,
            session=session,
            trace_id=trace_id,
            sem_snapshot_id=f"{ref[:8]}@{seq}" if ref else "none@0",
            sem_snapshot_hash=sem.snapshot_hash(self._voice.facts(None)),
            subject=self._voice.subject,
        )
        events = _events(self._voice.insist(command, key=key))
        return Job(self._voice, next(each for each in events if isinstance(each, JobOpened)))

    def flush(self) -> None:
        """Log the receipts of reads that no write has taken along yet."""
        self._voice.flush()

    def _sentence(self, text: str, origin: str, *, keep_raw: bool = False) -> Remember:
        if origin not in set(Origin):
            raise InputError(f"the origin must be one of {', '.join(Origin)}")
        return Remember(
            text=text,
            origin=Origin(origin),
            keep_raw=keep_raw,
            subject=self._voice.subject,
        )

    def _append(self, asks: list[Ask]) -> int:
        if not asks:
            return 0
        told = self._voice.house.tell(self._voice.stream_id, asks)
        return sum(1 for each in told if each.refusal is None)


def _remembered(told: Told) -> Remembered:
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


def _question(events: list[object]) -> Question | None:
    asked = next((each for each in events if isinstance(each, ConfirmationAsked)), None)
    if asked is None:
        return None
    return Question(confirmation_id=asked.confirmation_id, key=asked.key, value=asked.value)


def _events(told: Told) -> list[object]:
    return [line.event for line in told.lines]
