"""Memos as a search sees them: their words and their vector, made once for each memo."""

from typing import Final

from muniment.engine.ports import Embedder
from muniment.model.memo import Memo
from muniment.model.text import tokens
from muniment.retrieval.hybrid import Document

DOCUMENTS_MAX: Final = 65_536  # then everything is made again: simple, and bounded


class Documents:
    """Follows from the memos alone, so it may be dropped at any time; an erasure drops it."""

    def __init__(self) -> None:
        self._generation = b""
        self._known: dict[tuple[str, str], Document] = {}

    def of(self, memo: Memo, embedder: Embedder, generation: bytes) -> Document:
        if generation != self._generation or len(self._known) >= DOCUMENTS_MAX:
            self._generation, self._known = generation, {}
        key = (memo.id, embedder.name)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = Document(
                id=memo.id,
                ts=memo.timestamp,
                words=tokens(memo.text),
                vector=_vector(memo.text, embedder),
            )
        return found


def _vector(text: str, embedder: Embedder) -> bytes:
    try:
        vector = embedder.embed(text)
    except Exception:  # whatever an embedder does wrong, the words are there
        return b""
    return vector if len(vector) == embedder.dims else b""
