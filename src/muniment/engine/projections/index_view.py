"""Index view: an index as of one entry, with its documents and their positions."""

from collections.abc import Callable, Sequence

import msgspec

from muniment.model import ids
from muniment.model.kinds.handles import Handles
from muniment.retrieval.index.collection import Collection, Document
from muniment.retrieval.index.document_features import Traits
from muniment.retrieval.index.document_status import Register, Stands

ReadTexts = Callable[[Sequence[Stands]], list[str | None]]  # None: erased meanwhile


class IndexView(msgspec.Struct, frozen=True):
    """The index as far as an entry: the documents, and where each stands."""

    collection: Collection
    register: Register
    upto: int
    partial: int = 0  # documents held of the entry `upto`, where it may have more
    waiting: tuple[tuple[Document, Traits], ...] = ()  # not in any segment yet
    sealed: int = 0  # the entry that the segments reach
    telling: tuple[int, ...] = ()  # the entries behind it that say something
    handles: Callable[[Sequence[int]], list[Handles]] | None = None  # by their entries
    texts: ReadTexts | None = None
    embeds: Callable[[str], bytes] | None = None  # where its embedder says the same every time

    def read_by(
        self,
        handles: Callable[[Sequence[int]], list[Handles]],
        texts: ReadTexts,
        embeds: Callable[[str], bytes] | None,
    ) -> "IndexView":
        """The same, with how its documents and words are read."""
        return msgspec.structs.replace(self, handles=handles, texts=texts, embeds=embeds)

    def lacks(self, seq: int) -> bool:
        """Whether there is more to take in up to an entry."""
        return self.upto < seq or bool(self.partial)

    def at(self, seq: int) -> "IndexView":
        """As it stood at an earlier entry."""
        if seq >= self.upto:
            return self
        register = self.register.beginning(seq)
        return IndexView(self.collection.prefix(register.count), register, seq)

    @property
    def now(self) -> str:
        """Without a clock the newest document is now: time then passes with what happens."""
        moment = int(self.collection.moments.max(initial=-1))
        return ids.time_text(moment) if moment >= 0 else ""
