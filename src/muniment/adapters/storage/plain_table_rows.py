"""Open table rows: an episode as one row, the same in both databases."""

from collections.abc import Iterable
from typing import Any

from muniment.log.store import OpenEpisode


def episode(row: tuple[Any, ...], tokens: Iterable[str]) -> OpenEpisode:
    """The row's own JSON is text there; how it lists its tokens is each database's affair."""
    seq, n, subject, episodic_id, job_seed, created, summary, *told, _ = row
    payload, evidence, provenance = (text.encode() for text in told)
    return OpenEpisode(
        seq=seq,
        n=n,
        subject=subject,
        episodic_id=episodic_id,
        job_seed=job_seed,
        created_seeded_ts=created,
        summary=summary,
        payload=payload,
        evidence=evidence,
        provenance=provenance,
        tokens=tuple(tokens),
    )
