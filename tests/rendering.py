"""A log in plain text, so that a person can read it and a diff can be reviewed."""

import json
from collections.abc import Iterable

from muniment.engine.api.memory import Memory
from muniment.log import codec
from muniment.log.entry import Line
from muniment.model import canonical_json
from muniment.model.events import Shredded

HASH_LETTERS = 12
# What is asked, and what is made of it for searching: stories compare what was decided.
ASIDE = frozenset(
    {"received", "policy_adopted", "admin_access_event", "memory_recall", "vectors_recorded"}
    | {"vectors_reached", "ltm_mirrored", "ltm_embedded", "stm_summarised", "job_opened"}
    | {"context_assembled"}
)


def render(lines: Iterable[Line], *, heading: str = "") -> str:
    """One paragraph for each entry: its place and time, what is public, what was sealed."""
    paragraphs = [paragraph(line) for line in lines]
    return "\n".join([heading, ""] if heading else []) + "\n".join(paragraphs) + "\n"


def paragraph(line: Line) -> str:
    header = line.header
    public, sealed = contents(line)
    told = [
        f"{header.seq:>4}  {header.type}",
        f"      job {header.job}  tick {header.tick}  {header.ts}  {short(line.hash)}",
        f"      public  {public}",
    ]
    return "\n".join([*told, f"      sealed  {sealed}"] if sealed else told)


def decided(of: Memory) -> str:
    """What followed of all that was asked, log by log: whole events, each in its place."""
    told: list[str] = []
    for stream in of.streams():
        told.append(f"# {stream.text}")
        for line in of.log(stream):
            if line.header.type not in ASIDE:
                public, sealed = contents(line)
                told.append(f"{line.seq} {line.header.type} {public} {sealed}".rstrip())
    return "\n".join([*told, ""])


def contents(line: Line) -> tuple[str, str]:
    """The public body and the sealed content, as the log holds them."""
    if isinstance(line.event, Shredded):
        return canonical_json.encode(line.event.public).decode(), "(erased)"
    public, sealed = codec.split(line.event)
    return public.decode(), brief(sealed)


def brief(sealed: bytes) -> str:
    """The content in canonical JSON, where a whole policy is told by its digest."""
    if not sealed:
        return ""
    content = json.loads(sealed)
    for holder in (content, content.get("command", {})):
        if isinstance(holder.get("policy"), dict):
            holder["policy"] = short(
                canonical_json.digest("policy", canonical_json.encode(holder["policy"]))
            )
    return canonical_json.encode(content).decode()


def short(digest: bytes) -> str:
    return digest.hex()[:HASH_LETTERS]
