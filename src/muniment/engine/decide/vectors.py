"""What an embedder said is kept once: the first word about a text is the one that counts."""

from muniment.engine.decide.decision_context import DecisionContext
from muniment.layers import vectors
from muniment.model.commands.recalls import RecordVectors
from muniment.model.events import AnyEvent
from muniment.model.events.recalls import VectorsReached, VectorsRecorded


def record(now: DecisionContext) -> list[AnyEvent]:
    command = now.received.command
    assert isinstance(command, RecordVectors)
    if not _is_whole(command):
        return now.deny("vectors_malformed", command.model)
    if any(now.shelves.has(vectors.SHELF, name) for name in command.names) or _is_behind(now):
        return now.deny("vectors_known", command.model)
    told: list[AnyEvent] = []
    if command.names:
        told.append(
            VectorsRecorded(
                model=command.model,
                dims=command.dims,
                names=command.names,
                counts=command.counts,
                codes=command.codes,
            )
        )
    if command.upto:
        told.append(VectorsReached(model=command.model, upto=command.upto))
    return told


def _is_behind(now: DecisionContext) -> bool:
    """Whether somebody else has come as far already: how far it has come never goes back."""
    command = now.received.command
    assert isinstance(command, RecordVectors)
    line = now.shelves.get(vectors.REACHED, command.model) if command.upto else None
    reached = line.event if line else None
    return isinstance(reached, VectorsReached) and command.upto <= reached.upto


def _is_whole(command: RecordVectors) -> bool:
    counts = command.counts
    return (
        len(counts) == len(command.names)
        and min(counts, default=0) >= 0
        and command.dims > 0
        and sum(counts) * command.dims == len(command.codes)
    )
