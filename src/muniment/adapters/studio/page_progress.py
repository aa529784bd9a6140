"""Page progress: how much of a page that loads in parts has been counted."""

import msgspec


class PageProgress(msgspec.Struct, frozen=True):
    """So many of so many; 100 % is shown only when all is done."""

    done: int
    of: int

    def plus(self, other: "PageProgress") -> "PageProgress":
        return PageProgress(self.done + other.done, self.of + other.of)

    @property
    def is_whole(self) -> bool:
        return self.done >= self.of

    @property
    def percent(self) -> int:
        return min(99, self.done * 100 // self.of) if self.of else 0
