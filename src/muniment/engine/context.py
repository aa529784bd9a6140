"""Context: text for a prompt; whole entries only, each framed as data with its reason."""

from collections.abc import Iterator, Sequence

import msgspec

from muniment.engine.reading import Bundle, Hit, Receipt
from muniment.model import canon
from muniment.model.item import Fact
from muniment.model.text import estimate_tokens
from muniment.retrieval import pack


class Piece(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a context: where it comes from and why."""

    id: str
    section: str
    text: str
    why: str
    tokens: int


class Context(msgspec.Struct, frozen=True, kw_only=True):
    text: str
    tokens: int
    budget: int
    pieces: tuple[Piece, ...]
    sources: dict[str, int]
    left_out: int
    receipt: Receipt

    def __str__(self) -> str:
        return self.text


def assemble(
    bundle: Bundle,
    *,
    facts: list[Fact],
    recent: Sequence[Hit],
    budget_tokens: int,
    mirrored: Sequence[Hit] = (),
) -> Context:
    """Facts first (they change least), then what matches, then what was last; greedily packed."""
    matching = [*_matching(bundle.hits), *_matching(mirrored)]
    pieces = list(_unique([*_known(facts), *matching, *_latest(recent)]))
    taken = pack.greedy([piece.text for piece in pieces], budget_tokens)
    packed = tuple(pieces[place] for place in taken)
    text = "\n".join(piece.text for piece in packed)
    tokens = estimate_tokens(text)
    assert tokens <= budget_tokens
    sources: dict[str, int] = {}
    for piece in packed:
        sources[piece.section] = sources.get(piece.section, 0) + 1
    return Context(
        text=text,
        tokens=tokens,
        budget=budget_tokens,
        pieces=packed,
        sources=sources,
        left_out=len(pieces) - len(packed),
        receipt=bundle.receipt,
    )


def _known(facts: list[Fact]) -> Iterator[Piece]:
    for fact in facts:
        attribute = fact.key.rpartition("/")[2].replace("_", " ")
        value = fact.value if isinstance(fact.value, str) else canon.readable(fact.value)
        yield _piece(fact.key, "facts", f"[fact] {attribute}: {value}", "approved")


def _matching(hits: Sequence[Hit]) -> Iterator[Piece]:
    for hit in hits:
        why = f"shares {', '.join(hit.matched)}" if hit.matched else "resembles it"
        yield _piece(hit.id, "related", f"[{hit.layer}] {hit.text}", why)


def _latest(recent: Sequence[Hit]) -> Iterator[Piece]:
    for hit in recent:
        yield _piece(hit.id, "recent", f"[{hit.layer}] {hit.text}", "recent")


def _piece(item_id: str, section: str, text: str, why: str) -> Piece:
    # One entry, one line: a text must not be able to pretend that it is several.
    line = " ".join(text.split())
    return Piece(id=item_id, section=section, text=line, why=why, tokens=estimate_tokens(line))


def _unique(pieces: list[Piece]) -> Iterator[Piece]:
    seen: set[str] = set()
    for piece in pieces:
        if piece.id not in seen:
            seen.add(piece.id)
            yield piece
