"""Background jobs of the studio: started once, with progress for a page."""

import threading
from collections.abc import Callable

import msgspec

from muniment.adapters.studio.page_progress import PageProgress
from muniment.engine.api.memory import Memory
from muniment.model.errors import MunimentError

Opener = Callable[[], Memory]


class BackgroundJob(msgspec.Struct, kw_only=True):
    """Long work that a page follows: how far it is, and how it ended."""

    name: str
    done: int = 0
    of: int = 0
    stage: str = ""
    result: object = None
    error: str = ""
    is_over: bool = False

    @property
    def percent(self) -> int:
        return 100 if self.is_over else PageProgress(self.done, self.of).percent


Run = Callable[[Memory, BackgroundJob], object]


class Works:
    def __init__(self, opener: Opener) -> None:
        self._opener = opener
        self._guard = threading.Lock()
        self._known: dict[str, BackgroundJob] = {}

    def begin(self, name: str, run: Run) -> BackgroundJob:
        """Start long work on a memory of its own, unless the same is running already."""
        with self._guard:
            current = self._known.get(name)
            if current and not current.is_over:
                return current
            work = self._known[name] = BackgroundJob(name=name)
        threading.Thread(target=self._run, args=(work, run), daemon=True).start()
        return work

    def find(self, name: str) -> BackgroundJob | None:
        """How work stands at this moment: what it says does not change while it is shown."""
        found = self._known.get(name)
        if found is None:
            return None
        is_over = found.is_over  # set last: whoever sees it sees how it ended, too
        return msgspec.structs.replace(found, is_over=is_over)

    def _run(self, work: BackgroundJob, run: Run) -> None:
        try:
            memory = self._opener()
            try:
                work.result = run(memory, work)
            finally:
                memory.close()
        except MunimentError as error:
            work.error = f"{error.code}: {error.detail or error}"
        except Exception as error:  # a page must be able to say that it failed
            work.error = f"{type(error).__name__}"
        finally:
            work.is_over = True
