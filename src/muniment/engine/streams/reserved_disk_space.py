"""Reserved disk space: released for what must work on a full disk, then reserved again."""

from collections.abc import Iterator
from contextlib import contextmanager

from muniment.engine.streams.ports import ReservedSpace


class Room:
    """What is given away is owed until all of it has been taken back."""

    def __init__(self, ballast: ReservedSpace) -> None:
        self._ballast = ballast
        self._is_owed = False
        self._given = 0  # to how many at once

    @contextmanager
    def given(self) -> Iterator[None]:
        """For as long as the block lasts; what is left then is taken back at once.

        Left lying, it would go to whoever writes next, and there would be none for a reading or
        an erasure.
        """
        self._given += 1
        self._is_owed = self._ballast.release_ballast() or self._is_owed
        try:
            yield
        finally:
            self._given -= 1
            self._take_back(partly=True)

    def take_back(self) -> None:
        """All of it, as soon as there is room for that."""
        self._take_back(partly=False)

    def _take_back(self, *, partly: bool) -> None:
        if self._is_owed and not self._given:
            self._is_owed = not self._ballast.restore_ballast(partly=partly)
