"""Dream: maintenance of derived layers, in steps that can be interrupted and resumed.

What a step writes into the Actor's collection follows from the Actor's events alone; nothing that
the Subconscious knows flows that way. Each piece of work is durable by itself, so a dream that is
interrupted has done what it reports, and the next one begins where it stopped.
"""

from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from muniment.engine.projections.loop_mirror import Derivation
from muniment.engine.session.loop_reader import Library
from muniment.engine.session.stream_hub import StreamHub
from muniment.layers import mirror
from muniment.model.commands.loops import DigestLoops, ExtractSkill, RegradeEvent
from muniment.model.events.loops import Mirrored, Regraded
from muniment.model.kinds.loop import LoopSummary
from muniment.model.policy.identity import heuristics
from muniment.rules import event_importance, loop_compaction

PIECE: Final = 64  # entries of one durable append: what an interruption can cost
DIGEST_LOOPS: Final = 10  # summaries that one digest stands for


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """Where a dream is: shown after each piece of work."""

    persona: str
    step: str
    done: int
    of: int


class DreamWork(msgspec.Struct, frozen=True, kw_only=True):
    """What a step works on: one persona's layers, and the hands that derive them."""

    hub: StreamHub
    library: Library

    @property
    def derivation(self) -> Derivation:
        return self.hub.derivation


# A step yields (done, of) after each piece of work; what it yielded last is what it did.
Step = Callable[[DreamWork], Iterator[tuple[int, int]]]


def mirror_events(work: DreamWork) -> Iterator[tuple[int, int]]:
    """Make the mirror entries that are owed."""
    owed, done = work.library.owed(), 0
    for start in range(0, len(owed), PIECE):
        done += work.derivation.mirror(work.library.source, owed[start : start + PIECE])
        yield done, len(owed)


def summarise_loops(work: DreamWork) -> Iterator[tuple[int, int]]:
    """Make the summaries of loops that ended without one."""
    owed, done = work.library.unsummarised(), 0
    for start in range(0, len(owed), PIECE):
        done += work.derivation.summarise(work.library.source, owed[start : start + PIECE])
        yield done, len(owed)


def embed_entries(work: DreamWork) -> Iterator[tuple[int, int]]:
    """Ask for the vectors that are owed, or that another embedder made."""
    owed, done = work.library.unembedded(), 0
    for start in range(0, len(owed), PIECE):
        done += work.derivation.embed(work.library.source, owed[start : start + PIECE])
        yield done, len(owed)


def regrade_entries(work: DreamWork) -> Iterator[tuple[int, int]]:
    """Write down the importance that repetition and corrections give each entry by now."""
    source = work.library.source
    commands = list(_regrades(work))
    for start in range(0, len(commands), PIECE):
        piece = commands[start : start + PIECE]
        work.derivation.tell(source, piece)
        yield start + len(piece), len(commands)


def digest_loops(work: DreamWork) -> Iterator[tuple[int, int]]:
    """Fold summaries that have left the window, ten at a time, into one text each."""
    groups = _groups(work)
    for done, group in enumerate(groups, start=1):
        command = DigestLoops(
            digest_id=f"digest:{group[0].loop_id.removeprefix('loop:')}",
            loop_ids=tuple(each.loop_id for each in group),
            summary=loop_compaction.digest([each.summary for each in group]),
            subject=_subject(work, group),
        )
        work.derivation.tell(work.library.source, [command])
        yield done, len(groups)


def extract_skills(work: DreamWork) -> Iterator[tuple[int, int]]:
    """Write down what was done the same way three times, and what has changed about it since."""
    commands = list(_skills(work))
    for start in range(0, len(commands), PIECE):
        piece = commands[start : start + PIECE]
        work.derivation.tell(work.library.source, piece)
        yield start + len(piece), len(commands)


# What a dream does, in this order; another step is one more line here, or in the caller's copy.
STEPS: Final[dict[str, Step]] = {
    "mirror": mirror_events,
    "summaries": summarise_loops,
    "embeddings": embed_entries,
    "importance": regrade_entries,
    "digests": digest_loops,
    "skills": extract_skills,
}


def _regrades(work: DreamWork) -> Iterator[RegradeEvent]:
    shelves = work.hub.writer(work.library.place).shelves()
    alike = work.library.alike()
    for entry in work.library.mirrored():
        importance, reasons = event_importance.grade(
            entry.kind, entry.summary, others_alike=alike(entry)
        )
        line = shelves.get(mirror.GRADES, entry.idetic_id) or shelves.get(
            mirror.SHELF, entry.idetic_id
        )
        if line is None or not isinstance(line.event, Regraded | Mirrored):
            continue  # it is still owed: the next dream grades it
        if line.event.importance != importance:
            yield RegradeEvent(source_id=entry.idetic_id, importance=importance, reasons=reasons)


def _skills(work: DreamWork) -> Iterator[ExtractSkill]:
    shelves = work.hub.writer(work.library.place).shelves()
    for subject, skills in work.library.practised().items():
        for skill in skills:
            line = shelves.get(mirror.SKILLS, skill.skill_id)
            if line is None or mirror.skill(line) != skill:
                yield ExtractSkill(skill=skill, subject=subject)


def _groups(work: DreamWork) -> list[list[LoopSummary]]:
    """Summaries beyond the window that no digest stands for yet, oldest first, in tens."""
    library = work.library
    persona = library.source.persona
    policy = work.hub.writer(library.source).desk.policy
    window = heuristics(policy.identity, persona).stm_window_size
    past = list(reversed(library.summaries(EVERY)[window:]))
    shelves = work.hub.writer(library.place).shelves()
    left = [each for each in past if shelves.get(mirror.DIGESTED, each.loop_id) is None]
    by_person: dict[str, list[LoopSummary]] = {}
    for each in left:
        by_person.setdefault(_subject(work, [each]), []).append(each)
    return [
        person[start : start + DIGEST_LOOPS]
        for person in by_person.values()
        for start in range(0, len(person) - DIGEST_LOOPS + 1, DIGEST_LOOPS)
    ]


EVERY: Final = 1_000_000


def _subject(work: DreamWork, group: list[LoopSummary]) -> str:
    """A digest speaks of one person only, or it could not be erased with them."""
    lines = work.derivation.lines_of(work.library.source, group[0].loop_id)
    return work.derivation.subject(lines[0]) if lines else ""
