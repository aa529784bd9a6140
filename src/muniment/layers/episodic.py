"""Episodic memory: experiences on a shelf, each an interval over the stream's seq."""

from muniment.log.entry import Line
from muniment.model.events import EpisodeWritten
from muniment.model.item import EpisodicEntry, Provenance

SHELF = "episodic"


def entry(written: EpisodeWritten) -> EpisodicEntry:
    """What anyone may read: the redacted form. The raw form is not part of it."""
    return EpisodicEntry(
        episodic_id=written.episodic_id,
        job_seed=written.job_seed,
        source=written.source,
        summary=written.summary,
        evidence=written.evidence,
        payload=written.payload,
        created_seeded_ts=written.created_seeded_ts,
        provenance=Provenance(
            trace_id=written.trace_id, reflective_log_id=written.reflective_log_id
        ),
    )


def entries(lines: list[Line]) -> list[EpisodicEntry]:
    return [entry(line.event) for line in lines if isinstance(line.event, EpisodeWritten)]
