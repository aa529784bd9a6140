"""Signed heads: up to where a log was signed, by which key, and what an outsider is given of it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from muniment.adapters import verifier
from muniment.adapters.studio.known import wording
from muniment.adapters.studio.page_context import Studio, number
from muniment.adapters.studio.page_request import (
    Handed,
    PagePart,
    PageRequest,
    RenderedPage,
    insist_on_writing,
    part,
    stream_link,
)
from muniment.adapters.studio.pages.audit.timeline import moment
from muniment.engine.audit.notary import Notary, SignedHead
from muniment.log import signed_notes
from muniment.model.errors import InputError, NotFoundError
from muniment.model.scope import StreamId

LOGS: Final = 24  # on one page: each has to be opened
VERIFIER: Final = Path(verifier.__file__)


class Stand(msgspec.Struct, frozen=True, kw_only=True):
    """How a log stands to the last head that was signed of it."""

    log: str
    name: str
    where: str
    entries: int
    signed: int = 0  # entries under the head; 0: nothing was ever signed
    time: str = ""  # of the last entry under it: no clock says when it was signed
    keys: tuple[str, ...] = ()

    @property
    def since(self) -> int:
        """Entries that came after; below 0 the log has lost what was signed."""
        return self.entries - self.signed


class Signed(msgspec.Struct, frozen=True, kw_only=True):
    """One head among all that were signed of a log."""

    head: SignedHead
    keys: tuple[str, ...]
    time: str
    is_current: bool  # of the log's last epoch; what it was before it was put back is gone
    where: str


def stands(studio: Studio, asked: PageRequest) -> PagePart[Stand]:
    """Every log that whoever asks may know of; a page full at a time."""
    logs = part(asked, studio.streams() if studio.may(asked)("streams") else [], LOGS)
    notary = studio.memory.notary()
    rows = [_stand(studio, each, notary.signed(each)) for each in logs.rows]
    return PagePart(rows=rows, count=logs.count, more=logs.more)


def page(studio: Studio, asked: PageRequest) -> RenderedPage:
    """One log: every head that was signed of it, newest first, and what to give to an outsider."""
    stream = studio.stream(asked.get("stream"))
    heads = studio.memory.notary().signed(stream)
    last = heads[-1] if heads else None
    rows = [
        Signed(
            head=each,
            keys=_keys(each),
            time=_time(studio, stream, each),
            is_current=last is not None and each.origin == last.origin,
            where=stream_link("/head", stream, note=place),
        )
        for place, each in enumerate(heads, start=1)
    ]
    return RenderedPage(
        template="signed.html",
        values={
            "stand": _stand(studio, stream, heads),
            "part": part(asked, rows[::-1]),
            "last": last,
            "may_sign": studio.may_write and studio.may(asked)("prove"),
        },
    )


def head(studio: Studio, asked: PageRequest) -> Handed:
    """A signed head as a file, to the letter as it was signed."""
    heads = studio.memory.notary().signed(studio.stream(asked.get("stream")))
    place = asked.number("note", least=1) or 0
    if not 1 <= place <= len(heads):
        raise NotFoundError
    chosen = heads[place - 1]
    return Handed(name=f"head-{chosen.size}.note", data=[chosen.note.encode()])


def program(studio: Studio, asked: PageRequest) -> Handed:
    """The verifier: one file for any Python, which needs nothing of ours."""
    del studio, asked
    return Handed(name="verify.py", data=[VERIFIER.read_bytes()])


def certify(studio: Studio, asked: PageRequest) -> Handed:
    """One entry, its place in the log and a head that is signed now; nobody's words."""
    notary, stream = _notary(studio, asked)
    seq = number(asked.form.get("seq", ""), "entry", least=1)
    if seq is None:
        raise InputError("say which entry")
    text = notary.certify(stream, seq)
    return Handed(name=f"entry-{seq}.proof", data=[text.encode()])


def bundle(studio: Studio, asked: PageRequest) -> Handed:
    """A whole log: headers, commitments, heads and orders of erasure; nobody's words."""
    notary, stream = _notary(studio, asked)
    return Handed(name="log.bundle", data=notary.bundle(stream))


def _notary(studio: Studio, asked: PageRequest) -> tuple[Notary, StreamId]:
    """Whoever is given a proof has a head signed, and that stays."""
    insist_on_writing(studio)
    return studio.hands(asked, "prove").notary, studio.stream(asked.form.get("stream", ""))


def _stand(studio: Studio, stream: StreamId, heads: Sequence[SignedHead]) -> Stand:
    stand = Stand(
        log=stream.text,
        name=wording.log_name(stream),
        where=stream_link("/signed", stream),
        entries=studio.memory.head(stream),
    )
    if not heads:
        return stand
    last = heads[-1]
    time = _time(studio, stream, last)
    return msgspec.structs.replace(stand, signed=last.size, time=time, keys=_keys(last))


def _time(studio: Studio, stream: StreamId, head: SignedHead) -> str:
    if head.size > studio.memory.head(stream):
        return ""
    return moment(studio.auditor.entry(stream, head.size))


def _keys(head: SignedHead) -> tuple[str, ...]:
    """Whoever has signed it, by name; the first one first."""
    return tuple(name for name, _ in signed_notes.parse(head.note).signatures)
