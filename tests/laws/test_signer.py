"""Who signs a tenant's logs: one key at a time, the next by the word of the last; all is kept."""

import msgspec
import pytest

from muniment.log import signed_notes
from muniment.log.keyring import MemoryKeyring
from muniment.log.signed_notes import TreeHead
from muniment.log.signing import LASTING, Signer
from muniment.model.errors import IntegrityError

LOG = "ab" * 16
HEAD = TreeHead(ref=LOG, epoch=1, size=7, root=b"r" * 32)


def ring() -> MemoryKeyring:
    return MemoryKeyring(seed=b"seed")


def test_a_tenant_has_a_key_of_its_own_that_follows_from_the_keyring() -> None:
    kept = ring()
    first = Signer(kept, "main").key

    ref = kept.find("signer", "main/ed25519/1")
    assert ref is not None
    assert first.name == f"muniment/{ref}"
    assert first.seed == kept.key(ref)
    assert Signer(ring(), "main").key == first
    assert Signer(kept, "other").key != first
    assert frozenset({"signer", "heir", "signed"}) == LASTING


def test_each_key_names_the_next_and_the_last_signs() -> None:
    kept = ring()
    signer = Signer(kept, "main")
    first = signer.key.public
    assert signer.heirs() == []

    second, third = signer.renew(), signer.renew()

    assert signer.key.public == third
    notes = signer.heirs()
    assert len(notes) == 2
    assert signed_notes.heir_of(notes[0], first) == second
    assert signed_notes.heir_of(notes[1], second) == third
    assert Signer(kept, "other").heirs() == []
    assert [name for _, name in kept.known("heir/main")] == sorted(notes)


def test_a_head_is_signed_once_by_each_key_and_kept_under_its_log() -> None:
    kept = ring()
    signer = Signer(kept, "main")
    first = signer.key

    note = signer.sign(HEAD)

    assert note == signed_notes.signed(HEAD.text, first)
    assert signer.sign(HEAD) == note
    assert [name for _, name in kept.known(f"signed/{LOG}")] == [note]
    signer.renew()
    both = signer.sign(HEAD)
    assert both == signed_notes.signed(HEAD.text, first, signer.key)
    assert signer.sign(HEAD) == both
    assert signer.signed(LOG) == {HEAD: both}, "the note with the most signatures is the last"


def test_what_was_signed_of_a_log_is_in_its_order_and_marks_are_of_its_last_beginning() -> None:
    signer = Signer(ring(), "main")
    heads = [
        msgspec.structs.replace(HEAD, epoch=epoch, size=size, root=bytes([size]) * 32)
        for epoch, size in ((2, 3), (1, 9), (2, 12), (1, 4))
    ]
    for head in heads:
        signer.sign(head)
    other = msgspec.structs.replace(HEAD, ref="cd" * 16)
    signer.sign(other)

    assert [(head.epoch, head.size) for head in signer.signed(LOG)] == [
        (1, 4),
        (1, 9),
        (2, 3),
        (2, 12),
    ]
    assert signer.marks(LOG) == {3: b"\x03" * 32, 12: b"\x0c" * 32}
    assert signer.marks(other.ref) == {7: b"r" * 32}
    assert (signer.signed("ef" * 16), signer.marks("ef" * 16)) == ({}, {})


def test_a_key_that_signs_is_never_destroyed() -> None:
    class Lost(MemoryKeyring):
        def key(self, ref: str) -> bytes | None:
            return None

    with pytest.raises(IntegrityError) as refused:
        _ = Signer(Lost(seed=b"seed"), "main").key

    assert refused.value.detail == "a signing key is missing, although none is ever destroyed"
