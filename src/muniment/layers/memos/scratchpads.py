"""Scratchpad: working memory of one task, oldest first, with the data for eviction."""

import struct
from collections.abc import Sequence
from typing import Final

import msgspec

from muniment.model.kinds.memo import Memo

WEIGHT_BYTES: Final = 4


class ScratchpadMemo(msgspec.Struct, frozen=True, kw_only=True):
    """A memo on a scratchpad, and the entry that holds it."""

    seq: int
    memo: Memo


class Scratchpad(msgspec.Struct, frozen=True, kw_only=True):
    """The memos of one task: oldest first, so that a position is an index.

    Who leaves a full one is decided for every memo that comes. What that takes is kept close
    together: how much each matters, and whether they came in the order of their time.
    """

    held: tuple[ScratchpadMemo, ...] = ()
    tokens: int = 0
    touched_seq: int = 0
    packed: bytes = b""  # the importance of each
    in_order: bool = False  # none is older than one before it, and all last equally long

    @property
    def weights(self) -> tuple[int, ...]:
        return struct.unpack(f"<{len(self.held)}I", self.packed)

    def kept(
        self, seq: int, memo: Memo, tokens: int, displaced: Sequence[str] = ()
    ) -> "Scratchpad":
        """With one more memo of so many tokens, without those that left for it."""
        held, before, packed = self._staying(displaced)
        last = held[-1].memo if held else memo
        later = last.timestamp <= memo.timestamp and last.step_index <= memo.step_index
        return Scratchpad(
            held=(*held, ScratchpadMemo(seq=seq, memo=memo)),
            tokens=before + tokens,
            touched_seq=seq,
            packed=packed + _packed(memo),
            in_order=later and memo.ttl is None and (self.in_order or not held),
        )

    def without(self, gone: Sequence[str]) -> "Scratchpad":
        held, tokens, packed = self._staying(gone)
        if not held:
            return Scratchpad(touched_seq=self.touched_seq)
        return msgspec.structs.replace(self, held=tuple(held), tokens=tokens, packed=packed)

    def _staying(self, gone: Sequence[str]) -> tuple[list[ScratchpadMemo], int, bytes]:
        """Without these memos; mostly the one that leaves stands first."""
        held, tokens, packed = list(self.held), self.tokens, self.packed
        for memo_id in gone:
            place = next((n for n, each in enumerate(held) if each.memo.id == memo_id), None)
            if place is not None:
                tokens -= held.pop(place).memo.tokens_estimate
                start = place * WEIGHT_BYTES
                packed = packed[:start] + packed[start + WEIGHT_BYTES :]
        return held, tokens, packed

    def marked(self, memo_id: str, importance_ppm: int) -> "Scratchpad":
        """With what a memo is worth from now on."""
        held = tuple(_marked(each, memo_id, importance_ppm) for each in self.held)
        if held == self.held:
            return self
        packed = b"".join(_packed(each.memo) for each in held)
        return msgspec.structs.replace(self, held=held, packed=packed)


def _packed(memo: Memo) -> bytes:
    return memo.importance_ppm.to_bytes(WEIGHT_BYTES, "little")


def _marked(held: ScratchpadMemo, memo_id: str, importance_ppm: int) -> ScratchpadMemo:
    if held.memo.id != memo_id:
        return held
    memo = msgspec.structs.replace(held.memo, importance_ppm=importance_ppm)
    return msgspec.structs.replace(held, memo=memo)
