"""Progress of a page that loads in parts."""

import msgspec


class Far(msgspec.Struct, frozen=True):
    """So many of so many; what is not over is never told as all of it."""

    done: int
    of: int

    def plus(self, other: "Far") -> "Far":
        return Far(self.done + other.done, self.of + other.of)

    @property
    def is_whole(self) -> bool:
        return self.done >= self.of

    @property
    def percent(self) -> int:
        return min(99, self.done * 100 // self.of) if self.of else 0
