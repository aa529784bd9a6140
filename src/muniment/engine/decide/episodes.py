"""Episode decisions: what is stored, what is confirmed first, what goes to the council."""

import msgspec

from muniment.engine import lazy_modules as later
from muniment.engine.decide import records, sayings
from muniment.engine.decide.decision_context import ECHO, DecisionContext
from muniment.layers import episodes
from muniment.layers.governance.confirmations import Confirmation
from muniment.layers.governance.consents import of as consent_of
from muniment.model import fact_keys, ids
from muniment.model.commands import (
    Confirm,
    Correct,
    RecordRecall,
    ReleaseItem,
    Remember,
    RememberMany,
    RequestPromotion,
    WriteEpisode,
)
from muniment.model.errors import ABOUT_NOBODY, InputError
from muniment.model.events import (
    AnyEvent,
    ConfirmationAnswered,
    EpisodesWritten,
    EpisodeWritten,
    Recalled,
    RequestForwarded,
    WriteDenied,
)
from muniment.model.events.recalls import ItemReleased
from muniment.model.kinds.episode import EpisodicSource, Evidence, Origin, Value
from muniment.model.languages.phrases import forget_words
from muniment.model.policy import Privacy
from muniment.model.struct_copy import copied
from muniment.rules import write_gate
from muniment.rules.privacy import screen


def episode(
    now: DecisionContext,
    n: int,
    summary: str,
    payload: Value,
    evidence: tuple[Evidence, ...],
    *,
    form: str = "summary",
    source: EpisodicSource = EpisodicSource.BRAINSTATE,
) -> EpisodeWritten:
    job, entry_id = now.job, now.entry_id
    return EpisodeWritten(
        n=n,
        form=form,
        episodic_id=ids.episodic_id(now.stream.ref, now.stamp.seed, n),
        job_seed=now.stamp.seed,
        source=source,
        summary=summary,
        payload=payload,
        evidence=evidence,
        created_seeded_ts=now.moment(n),
        trace_id=job.trace_id if job else entry_id,
        reflective_log_id=entry_id,
    )


def write(now: DecisionContext, command: WriteEpisode) -> list[AnyEvent]:
    job = now.job
    if job is None:
        return now.deny("needs_an_open_job")
    if not command.summary.strip():
        return now.deny_nothing("summary_empty")
    written = episode(
        now,
        job.episodic_count + 1,
        command.summary,
        command.payload,
        command.evidence,
        form="entry",
        source=command.source,
    )
    return [_with_raw(now, written, command.raw)]


def remember(now: DecisionContext, command: Remember) -> list[AnyEvent]:
    """A sentence is kept as an episode; one that asks to forget another ends that."""
    job = now.job
    if not command.text.strip():
        return now.deny_nothing("text_empty")
    n = (job.episodic_count if job else 0) + 1
    written = episode(now, n, command.text, None, (), form="entry", source=EpisodicSource.AGENT)
    said, like = sayings.before(now, command.text)
    kept = _with_raw(
        now,
        msgspec.structs.replace(
            written,
            said=said,
            like=like,
            origin=command.origin,
            handles=records.given_handles(now, command),
            speaker=command.speaker,
            session=command.session,
        ),
        command.raw,
    )
    if _only_wishes(command):
        kept = msgspec.structs.replace(kept, form=episodes.WISH)
    return [kept]


def _only_wishes(command: Remember) -> bool:
    """Whether it only asks to forget something: it is kept, and no answer, whatever came of it."""
    if command.origin != Origin.USER or not forget_words.possible(command.text):
        return False
    return later.asked_to_forget.is_nothing_else(command.text)


def remember_many(now: DecisionContext, command: RememberMany) -> list[AnyEvent]:
    """The sentences that may be kept become one entry; each of the others is refused by itself."""
    kept: list[tuple[int, str]] = []
    refused: list[AnyEvent] = []
    echoed = {where for where, heard in now.echoes if heard.is_echo}
    for n, text in enumerate(command.texts, start=1):
        reason = ECHO if str(n) in echoed else _unkept(text, now.desk.policy.privacy)
        if reason:
            refused.append(WriteDenied(reason=reason, asked=now.received.asked, detail=str(n)))
        else:
            kept.append((n, text))
    return [*([_told_together(now, kept, command)] if kept else []), *refused]


def correct(now: DecisionContext, command: Correct) -> list[AnyEvent]:
    """The new words cite the old ones and take their place; the past keeps both."""
    if not command.text.strip():
        return now.deny("text_empty")
    old = records.find(now, command.item_id)
    if old is None:
        return now.deny("item_unknown", command.item_id)
    if now.is_shared(old.line):
        return now.deny(ABOUT_NOBODY, command.item_id)
    n = (now.job.episodic_count if now.job else 0) + 1
    evidence = (Evidence(episodic_id=command.item_id, note="corrects"),)
    kind = EpisodicSource.AGENT
    written = episode(now, n, command.text, None, evidence, form="entry", source=kind)
    told = old.line.event if isinstance(old.line.event, EpisodeWritten) else None
    kept = msgspec.structs.replace(
        written,
        origin=command.origin,
        speaker=told.speaker if told else "",
        session=told.session if told else "",
        handles=records.handles(old),
        corrects=old.line.seq if told else 0,
    )
    reason = f"corrected by {kept.episodic_id}"
    return [kept, *records.ending(now, command.item_id, old, reason, said=False)]


def _unkept(text: str, privacy: Privacy) -> str:
    if text == screen.REFUSED_TEXT:
        return screen.SENSITIVE
    if privacy.denies(text):
        return write_gate.DENY_PATTERN
    return "" if text.strip() else "text_empty"


def _told_together(
    now: DecisionContext, kept: list[tuple[int, str]], command: RememberMany
) -> EpisodesWritten:
    return EpisodesWritten(
        place=now.stream.ref,
        numbers=tuple(n for n, _ in kept),
        job_seed=now.stamp.seed,
        summaries=tuple(text for _, text in kept),
        created_seeded_ts=now.moment(),
        trace_id=now.entry_id,
        reflective_log_id=now.entry_id,
        origin=command.origin,
        handles=records.given_handles(now, command),
        speakers=tuple(command.speakers[n - 1] for n, _ in kept) if command.speakers else (),
        session=command.session,
    )


def confirm(now: DecisionContext, command: Confirm) -> list[AnyEvent]:
    asked = now.desk.confirmations.open.get(command.confirmation_id)
    if asked is None or asked.subject != command.subject:
        return now.deny("confirmation_unknown")
    answered = ConfirmationAnswered(confirmation_id=asked.confirmation_id, yes=command.yes)
    if not command.yes:
        return [answered]
    forwarded = _confirmed(now, asked, direct=command.direct)
    n = (now.job.episodic_count if now.job else 0) + 1
    payload: dict[str, object] = {"key": asked.key, "value": asked.value}
    summary = f"asked the council to keep {asked.key}"
    told = episode(now, n, summary, payload, forwarded.evidence, form=episodes.REQUEST)
    return [answered, forwarded, told]


def _confirmed(now: DecisionContext, asked: Confirmation, *, direct: bool) -> RequestForwarded:
    return RequestForwarded(
        n=now.desk.requests.forwarded + 1,
        action="sem_write",
        key=asked.key,
        value=asked.value,
        justification="the user asked for it and confirmed it",
        evidence=(_of_record(asked.episodic_id),),
        requested_by=now.received.actor,
        subject=asked.subject,
        created_seeded_ts=now.moment(1),
        direct=direct and now.desk.policy.governance.user_direct,
    )


def _of_record(name: str) -> Evidence:
    """What a question rests on: an episode, or a record of another kind, which is named."""
    return Evidence(episodic_id=name) if ids.is_episode(name) else Evidence(note=name)


def request_promotion(now: DecisionContext, command: RequestPromotion) -> list[AnyEvent]:
    """Episodic knowledge may become a governed fact, by request only; the request is an episode."""
    line = now.shelves.get(episodes.SHELF, command.episodic_id)
    if line is None or not isinstance(line.event, EpisodeWritten):
        return now.deny("episode_unknown", command.episodic_id)
    try:
        key = fact_keys.canonical(command.target_sem_key, now.desk.policy.sem.aliases)
    except InputError as error:
        return now.deny("key_not_canonical", error.detail)
    owner = fact_keys.owner(key)
    if command.subject and owner and owner != command.subject:
        return now.deny("sem_not_your_own")
    value = line.event.summary if command.value is None else command.value
    if screen.is_redacted(value):
        return now.deny(screen.NEEDS_CONSENT)
    forwarded = RequestForwarded(
        n=now.desk.requests.forwarded + 1,
        action="sem_write",
        key=key,
        value=value,
        justification=command.justification,
        evidence=(Evidence(episodic_id=command.episodic_id), *command.evidence),
        requested_by=now.received.actor,
        subject=fact_keys.owner(key) or command.subject,
        created_seeded_ts=now.moment(1),
        consent_id=_consent(now) if now.received.redactions else "",
    )
    job = now.job
    n = (job.episodic_count if job else 0) + 1
    summary = f"asked the council to keep {key}"
    # What a consent lets into the fact does not thereby become part of what every reader sees.
    payload: dict[str, object] = {"key": key}
    if not forwarded.consent_id:
        payload |= {"value": value, "justification": command.justification}
    asked = episode(now, n, summary, payload, forwarded.evidence, form=episodes.REQUEST)
    return [forwarded, asked]


def record_recall(now: DecisionContext, command: RecordRecall) -> list[AnyEvent]:
    return [copied(Recalled, command)]


def release(now: DecisionContext, command: ReleaseItem) -> list[AnyEvent]:
    """A person vouches for what was told from outside; whoever told it cannot."""
    if not records.is_there(now, command.item_id):
        return now.deny("item_unknown", command.item_id)
    return [ItemReleased(item_id=command.item_id, reason=command.reason)]


def _with_raw(now: DecisionContext, written: EpisodeWritten, raw: Value) -> EpisodeWritten:
    """The raw form is kept beside the redacted one only where a consent covers it."""
    consent_id = _consent(now)
    if raw is None or not consent_id:
        return written
    return msgspec.structs.replace(written, raw=raw, consent_id=consent_id)


def _consent(now: DecisionContext) -> str:
    consent = consent_of(now.desk.consents, now.received.command.subject, now.stamp.job)
    return consent.consent_id if consent else ""
