"""A turn that is taken and let go, whatever interrupts whoever takes it.

A signal may cut off whoever takes or ends a turn between any two steps. What it left behind would
keep all others waiting, and so it is let go when the stay is, if not before.
"""

from threading import RLock


class ReentrantLock:
    """A lock for the threads of this process; what keeps other processes out is added to it."""

    def __init__(self) -> None:
        self.lock = RLock()

    @property
    def is_ours(self) -> bool:
        """Whether this thread has it; the lock itself knows, whatever came in between."""
        return bool(self.lock._is_owned())  # type: ignore[attr-defined]  # noqa: SLF001 - as Condition asks

    def shut_out(self) -> None:
        """Keep other processes from it."""

    def let_in(self) -> None:
        """Let other processes have it again; said twice, it is no mistake."""


class Stay:
    """One turn that was taken; within it the same thread may take it again."""

    _first = False  # until it is taken here, and by nobody before

    def __init__(self, turn: ReentrantLock) -> None:
        self._turn = turn

    def __enter__(self) -> None:
        turn = self._turn
        if turn.is_ours:
            return
        try:
            turn.lock.acquire()
            self._first = True
            turn.shut_out()
        except BaseException:
            self._first = turn.is_ours  # it may be taken although the word did not arrive
            self._end()
            raise

    def __exit__(self, *told: object) -> None:
        self._end()

    def __del__(self) -> None:
        self._end()

    def _end(self) -> None:
        if self._first and self._turn.is_ours:
            self._turn.let_in()
            # No signal is heard between these two: nothing is called there.
            self._first = False
            self._turn.lock.release()
