"""Collection: the mirror of each idetic event, the summary of each loop, and skills."""

from muniment.log.entry import Line
from muniment.model.commands.loops import SummariseLoop
from muniment.model.events.loops import LoopSummarised, Mirrored, SkillExtracted
from muniment.model.kinds.loop import EMBEDDED, PENDING_EMBEDDING, LoopSummary, MirrorEntry
from muniment.model.kinds.loop import mirror_id as name_of
from muniment.model.kinds.loop import summary_id as summary_name
from muniment.model.kinds.skill import Skill
from muniment.model.scope import StreamId
from muniment.model.struct_copy import copied

SHELF = "mirror"
VECTORS = "vectors"
PENDING = "pending"
GRADES = "grades"
SUMMARIES = "summaries"
DIGESTS = "digests"
DIGESTED = "digested"
SKILLS = "skills"


def entry(stream: StreamId, line: Line) -> MirrorEntry:
    mirrored = line.event
    assert isinstance(mirrored, Mirrored)
    return copied(
        MirrorEntry,
        mirrored,
        id=name_of(mirrored.source_id),
        idetic_id=mirrored.source_id,
        agent_id=stream.owner,
        persona=stream.persona,
    )


def summary(stream: StreamId, summarised: LoopSummarised | SummariseLoop) -> LoopSummary:
    """As it is kept, or as it would be."""
    return copied(
        LoopSummary,
        summarised,
        id=summary_name(summarised.loop_id),
        agent_id=stream.owner,
        persona=stream.persona,
    )


def skill(line: Line) -> Skill:
    extracted = line.event
    assert isinstance(extracted, SkillExtracted)
    return copied(Skill, extracted)


def status(*, embedded: bool) -> str:
    return EMBEDDED if embedded else PENDING_EMBEDDING
