"""Files that one memory has handed out, and what somebody who means to deceive does to them."""

import base64
import hashlib
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest
from tests.notarial import Verdict, erased, granted, outsider
from tests.world import hub, memory, stream

from muniment.adapters import verifier
from muniment.engine.audit.notary import SignedHead
from muniment.log import signed_notes
from muniment.log.signed_notes import SecretKey, TreeHead
from muniment.log.signing import Signer
from muniment.model.policy import preset

is_signed = verifier.is_signed


class Files(NamedTuple):
    """What one memory has handed out: its own log and its council's."""

    head: SignedHead
    bundle: bytes
    sealed: bytes
    certificate: str
    link: str
    council: SignedHead
    votes: bytes
    key: SecretKey


@cache
def files() -> Files:
    world = memory(preset("team"))
    granted(world)
    world.agent("ada", user="bob").remember("I like tea in the morning")
    notary, agent = world.notary(), stream(world, "agent")
    kept = notary.sign(agent)
    erased(world, "tuff")
    notary.renew_key()
    world.agent("ada", user="bob").remember("I sold the piano")
    head, council = notary.sign(agent), stream(world, "council")
    return Files(
        head=msgspec.structs.replace(head, key=kept.key),  # an outsider knows the first key
        bundle=b"".join(notary.bundle(agent, reason="an audit")),
        sealed=b"".join(notary.bundle(agent)),
        certificate=notary.certify(agent, head.size, reason="an audit"),
        link=notary.link(agent, kept.note),
        council=notary.sign(council),
        votes=b"".join(notary.bundle(council)),
        key=Signer(hub(world).parts.world.keyring, "main").key,
    )


def verdict(folder: Path, file: bytes | str, head: SignedHead | None = None) -> Verdict:
    return outsider(folder, file, head or files().head)


def closed(lines: list[str]) -> bytes:
    """A bundle of these lines with a right last line, as whoever means to deceive would end it."""
    body = "".join(f"{line}\n" for line in lines)
    count = sum(line.startswith("entry ") for line in lines)
    return f"{body}end {count} {hashlib.sha256(body.encode()).hexdigest()}\n".encode()


def body(bundle: bytes) -> list[str]:
    return bundle.decode().splitlines()[:-1]


def encoded(text: str | bytes) -> str:
    return base64.b64encode(text.encode() if isinstance(text, str) else text).decode()


def with_root(text: str, root: bytes) -> str:
    head = signed_notes.head_of(text)
    return TreeHead(ref=head.ref, epoch=head.epoch, size=head.size, root=root).text


def check_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A signature is checked once: that is pure, and the same few are asked for all the time."""
    monkeypatch.setattr(verifier, "is_signed", cache(is_signed))
