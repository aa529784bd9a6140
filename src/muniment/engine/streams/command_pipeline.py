"""Command pipeline: receive, stamp, decide, draft, seal; pure steps from a command to entries.

The writer takes these steps with a live store and a clock; the proof takes the same steps again
with what the log holds. There is no second way.
"""

import msgspec

from muniment.engine.decide import decide, wire_name
from muniment.engine.decide.decision_context import DecisionContext, Stamp, entry_id
from muniment.engine.streams import restated_commands
from muniment.engine.streams.parts import World
from muniment.layers.desk import Desk
from muniment.layers.governance.consents import of as consent_of
from muniment.layers.shelves import Shelves, Stream
from muniment.log import chain, sealing
from muniment.log.chain import Draft
from muniment.log.entry import Head
from muniment.model import fact_keys, ids
from muniment.model.commands import (
    AdoptPolicy,
    AnyCommand,
    Confirm,
    Correct,
    OpenJob,
    Remember,
    RememberMany,
    RequestPromotion,
)
from muniment.model.commands.learning import ExtractFacts
from muniment.model.commands.memos import Memorize
from muniment.model.commands.threads import Compact, TakeTurn
from muniment.model.errors import JobClosedError
from muniment.model.events import AnyEvent, ItemForgotten, Received
from muniment.model.events.conversation import LedgerShelved
from muniment.model.events.memos import MemosEvicted, MemosForgotten, MemoShelved
from muniment.model.events.rollback import RecordsRevived
from muniment.model.kinds.hold import LegalHold
from muniment.model.policy import digest as policy_digest
from muniment.model.scope import PERIOD, Principal, Role, StreamKind
from muniment.rules import retention_periods
from muniment.rules.privacy import detect, screen
from muniment.rules.privacy.screen import Screened

# What is asked outside of any job and still needs a seed to count its names from.
A_JOB_OF_ITS_OWN = (
    OpenJob
    | Remember
    | RememberMany
    | Correct
    | RequestPromotion
    | Confirm
    | Memorize
    | TakeTurn
    | Compact
    | ExtractFacts
)


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """A command with everything that was observed about its asking."""

    command: AnyCommand
    principal: Principal
    job: int = 0
    operation: str = ""
    at: str = ""
    reads: dict[str, int] = {}
    consent: str = ""  # given in the stream this comes from; only the engine can say so
    contradicts: tuple[str, ...] = ()  # governed facts that say otherwise
    held: tuple[LegalHold, ...] = ()  # legal holds in force
    own_space: str = ""  # of who may ask to forget something: the log of their own space


def receive(ask: Ask, stream: Stream, desk: Desk, stamp: Stamp, world: World) -> Received:
    """Screen the command: what comes out of here is the only form anything else ever sees."""
    seen = screened(ask.command, stream, desk, stamp, world=world, consent=ask.consent)
    return Received(
        command=seen.command,
        asked=wire_name(ask.command),
        operation=ask.operation,
        actor=world.keyring.ref("actor", actor_name(ask.principal)),
        role=ask.principal.role,
        channel=ask.principal.channel,
        at=ask.at,
        detector=detect.joint_version(world.outside_detector),
        reads=ask.reads,
        consent_id=ask.consent,
        redactions=seen.redactions,
        refused=seen.refused,
        contradicts=ask.contradicts,
        held=ask.held,
        own_space=ask.own_space,
    )


def screened(
    command: AnyCommand, stream: Stream, desk: Desk, stamp: Stamp, *, world: World, consent: str
) -> Screened:
    """What may be kept of a command under the policy in force."""
    subject = subject_ref(stream, command.subject, world.keyring)
    key = world.keyring.key(subject) or stream.key
    given = consent_of(desk.consents, command.subject, stamp.job)
    return screen.screen(
        command,
        desk.policy.privacy,
        consented=bool(command.subject) and (given is not None or bool(consent)),
        pseudonym=lambda text: sealing.pseudonym(key, text),
        detector=world.detector,
    )


def stamp(command: AnyCommand, desk: Desk, stream: Stream, *, job: int, at: str) -> Stamp:
    """When this happens: inside an open job, as a job of its own, or outside of any."""
    first = desk.seq + 1
    if job:
        found = desk.jobs.open.get(job)
        if found is None:
            raise JobClosedError
        base = ids.seeded_base_ms(found.seed)
        return Stamp(
            job=job, tick=found.tick, seed=found.seed, base_ms=base, first_seq=found.opened_at
        )
    if isinstance(command, A_JOB_OF_ITS_OWN):
        number = desk.jobs.count + 1
        given = command.job_seed if isinstance(command, OpenJob) else ""
        seed = given or ids.counted_seed(number, ids.time_ms(at) if at else None)
        base = ids.seeded_base_ms(seed)
        return Stamp(job=number, tick=0, seed=seed, base_ms=base, first_seq=first)
    # Outside of any job the observed time counts; without a clock, the place in the log does.
    base = ids.time_ms(at) if at else ids.seeded_base_ms(stream.ref) + first
    return Stamp(job=0, tick=desk.jobs.tick, seed=stream.ref, base_ms=base, first_seq=first)


def events(
    received: Received, stream: Stream, desk: Desk, shelves: Shelves, when: Stamp
) -> list[AnyEvent]:
    """What was asked, followed by what was decided."""
    now = DecisionContext(
        stream=stream, desk=desk, shelves=shelves, received=received, stamp=when, seq=desk.seq + 1
    )
    decided = decide(now)
    return [restated_commands.brief(received, decided), *decided]


def seal(
    told: list[AnyEvent],
    stream: Stream,
    desk: Desk,
    when: Stamp,
    *,
    after: Head,
    world: World,
    period: str | None = None,
    encrypts: bool = True,
) -> list[chain.Sealed]:
    """Give each event its place, its id and its subject's seal, and link the batch to the head.

    Whoever only tries a policy out names a period that is there: no key is made for it.
    """
    received = told[0]
    assert isinstance(received, Received)
    policy = desk.policy_digest or _genesis_policy(received)
    if period is None:
        period = period_ref(stream, received, desk, world.keyring)
    about = [_about(event, received) for event in told]
    refs = {each: subject_ref(stream, each, world.keyring) for each in dict.fromkeys(about)}
    drafts = [
        Draft(
            event=event,
            id=entry_id(stream, when, after.seq + place),
            job=when.job,
            tick=when.tick,
            ts=ids.time_text(when.time_ms(after.seq + place)),
            policy=policy,
            subject=refs[about[place - 1]],
            period=period,
        )
        for place, event in enumerate(told, start=1)
    ]
    return chain.seal(
        drafts,
        origin=stream.ref,
        after=after,
        operation=received.operation,
        keyring=world.keyring,
        encrypts=encrypts,
    )


def period_ref(stream: Stream, received: Received, desk: Desk, keyring: sealing.Keyring) -> str:
    """Whose key seals what is told beside its subject's: that of its kind and days in this log."""
    period = retention_periods.period(received.asked, received.at, desk.policy)
    return keyring.ref(PERIOD, f"{stream.ref}/{period}") if period else ""


def subject_ref(stream: Stream, subject: str, keyring: sealing.Keyring) -> str:
    """Whose key seals an event: the subject's, or the stream's own when it is about nobody."""
    if not subject:
        return stream.ref
    return keyring.ref("subject", f"{stream.id.tenant}/{subject}")


def seen_by(stream: Stream, subject: str, keyring: sealing.Keyring) -> frozenset[str] | None:
    """Whose entries a command about somebody may rest on; None where nothing is hidden.

    Only an agent's own stream holds several people: what it keeps of one is not another's.
    """
    if not subject or stream.id.kind is not StreamKind.AGENT:
        return None
    return frozenset({stream.ref, subject_ref(stream, subject, keyring)})


def actor_name(principal: Principal) -> str:
    """One person is one actor, whichever hat they wear and however they are spelled."""
    if principal.role in {Role.AGENT, Role.ENGINE}:
        return f"{principal.tenant}/{principal.role}:{principal.name}"
    person = fact_keys.user_entity(principal.name).removeprefix("user_") if principal.name else ""
    return f"{principal.tenant}/person:{person}"


def _about(event: AnyEvent, received: Received) -> str:
    """Whom an event is about: as it says itself, else whoever was spoken for.

    What ends a thing or moves it is about whom the thing is about, and that may be nobody: it is
    then seen by all who saw the thing, and outlives whoever said it.
    """
    match event:
        case ItemForgotten(about_nobody=True):
            return ""
        case MemosEvicted(subject=subject) | MemosForgotten(subject=subject):
            return subject
        case MemoShelved(subject=subject) | LedgerShelved(subject=subject):
            return subject
        case RecordsRevived(subject=subject):
            return subject
        case _:
            return getattr(event, "subject", "") or received.command.subject


def _genesis_policy(received: Received) -> str:
    """The first batch of a stream adopts the policy under which it is itself decided."""
    command = received.command
    return policy_digest(command.policy) if isinstance(command, AdoptPolicy) else ""
