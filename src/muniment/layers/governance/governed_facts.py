"""Governed facts: a canonical key has one value at a time; earlier values stay readable."""

import hashlib

from muniment.log.entry import Line
from muniment.model import canonical_json
from muniment.model.events import FactSettled
from muniment.model.kinds.episode import Fact
from muniment.model.struct_copy import copied

SHELF = "sem"


def fact(line: Line) -> Fact:
    settled = line.event
    assert isinstance(settled, FactSettled)
    return copied(Fact, settled, seq=line.seq)


def facts(lines: list[Line]) -> list[Fact]:
    """In the order of their keys: the only order a listing has."""
    found = [fact(line) for line in lines if isinstance(line.event, FactSettled)]
    return sorted(found, key=lambda each: each.key)


def snapshot_hash(known: list[Fact]) -> str:
    """SHA-256 over the sorted [key, value, time] triples in canonical JSON."""
    triples = [[each.key, each.value, each.last_updated] for each in known]
    return hashlib.sha256(canonical_json.encode(triples)).hexdigest()


def root(lines: list[Line]) -> str:
    """The same statement over commitments: it can still be checked after an erasure."""
    told = sorted(line.header.parts[0].commitment for line in lines if line.header.parts)
    return canonical_json.digest("muniment/v1/snapshot", canonical_json.encode(told)).hex()
