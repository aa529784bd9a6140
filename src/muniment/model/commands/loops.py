"""Commands about loops: observe an event, derive its mirror, tune an identity."""

from typing import Annotated

import msgspec

from muniment.model.commands.command import Command, Derived, Name, Text
from muniment.model.kinds.episode import Value
from muniment.model.kinds.loop import EventKind, Mark, Visibility
from muniment.model.kinds.skill import Skill

Vector = Annotated[bytes, msgspec.Meta(max_length=4_096)]  # int8, one byte for each dimension


# ── A persona's own stream ──────────────────────────────────────────────────────────────────────


class ObserveEvent(Command, tag="observe_event", frozen=True, kw_only=True):
    """Keep one event of a loop, literally."""

    kind: EventKind
    visibility: Visibility
    content: Value
    metadata: Value = None


class ProposePatch(Command, tag="propose_patch", frozen=True, kw_only=True):
    """The Subconscious asks for a change of the agent's identity, with what a trial run showed."""

    patch: Value  # from dotted path to new value
    reason: Text = ""
    rubric: Name = ""
    score_before_ppm: int = 0
    score_after_ppm: int = 0
    loops: tuple[Name, ...] = ()


# ── The stream of a persona's collection; the engine alone speaks there ─────────────────────────


class MirrorEvent(Command, tag="mirror_event", frozen=True, kw_only=True):
    """Keep the compact form of one idetic event, with its vector where there is one."""

    source_id: Name
    source_seq: int
    loop_id: Name
    kind: EventKind
    visibility: Visibility
    ts: Name
    summary: Derived
    importance: int
    model: Name = ""
    vector: Vector = b""


class DeferMirror(Command, tag="defer_mirror", frozen=True, kw_only=True):
    """Note that a mirror entry could not be made yet; it will be tried again."""

    source_id: Name
    reason: Name


class EmbedEvent(Command, tag="embed_event", frozen=True, kw_only=True):
    """Keep the vector that a mirror entry was waiting for."""

    source_id: Name
    model: Name
    vector: Vector


class RegradeEvent(Command, tag="regrade_event", frozen=True, kw_only=True):
    source_id: Name
    importance: int
    reasons: tuple[Name, ...] = ()


class SummariseLoop(Command, tag="summarise_loop", frozen=True, kw_only=True):
    loop_id: Name
    source_seq: int  # of the loop's last event in its persona's stream
    ts_start: Name
    ts_end: Name
    summary: Derived
    mirror_ids: tuple[Name, ...]
    marks: tuple[Mark, ...]
    complete: bool


class DigestLoops(Command, tag="digest_loops", frozen=True, kw_only=True):
    """Keep one text for several summaries that have left the rolling window."""

    digest_id: Name
    loop_ids: tuple[Name, ...]
    summary: Derived


class ExtractSkill(Command, tag="extract_skill", frozen=True, kw_only=True):
    """Keep a skill as it is by now; what was known of it before is history."""

    skill: Skill


# ── The council's stream ────────────────────────────────────────────────────────────────────────


class CarryOut(Command, tag="carry_out", frozen=True, kw_only=True):
    """An approved change is in force, or cannot be any more for a reason; its request is done."""

    request_id: Name
    failed: Name = ""


LoopCommand = (
    ObserveEvent
    | ProposePatch
    | MirrorEvent
    | DeferMirror
    | EmbedEvent
    | RegradeEvent
    | SummariseLoop
    | DigestLoops
    | ExtractSkill
    | CarryOut
)
