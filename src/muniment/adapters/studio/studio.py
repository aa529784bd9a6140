"""What every page of the studio shares: the memory, its lock, counts kept warm, and long work."""

import threading
from collections.abc import Callable
from typing import Final

import msgspec

from muniment.adapters.doors.credentials import Credentials, MemoryCredentials, operator
from muniment.adapters.doors.faults import UnauthorizedError
from muniment.adapters.doors.reception import Hands, Now, Reception
from muniment.adapters.studio.guard import Sessions
from muniment.engine.auditor import Auditor, Sought
from muniment.engine.memory import Memory
from muniment.engine.survey import Survey
from muniment.model.canon import INTEGER_MAX
from muniment.model.errors import InputError, MunimentError, NotFoundError
from muniment.model.scope import Channel, Role, StreamId, StreamKind, stream_from_text

KEY_MARK: Final = "mk_"
OFFICES: Final = frozenset({Role.COUNCIL, Role.ADMIN, Role.AUDITOR})  # who reads here by key
STREAM_PARTS: Final = 4
DIGITS_MAX: Final = len(str(INTEGER_MAX))
Opener = Callable[[], Memory]


class Visitor(msgspec.Struct, frozen=True, kw_only=True):
    """Who is signed in."""

    who: str = "owner"
    key: str = ""  # the API key they came with; empty: they know the token of this start


class Work(msgspec.Struct, kw_only=True):
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
        return 100 if self.is_over else min(99, self.done * 100 // self.of) if self.of else 0


class Studio:
    """One open memory behind one lock; pages read through it and never around it."""

    def __init__(
        self,
        opener: Opener,
        sessions: Sessions,
        *,
        place: str,
        may_write: bool = False,
        credentials: Credentials | None = None,
        now: Now = lambda: "",
    ) -> None:
        self._opener = opener
        self.memory = opener()
        known = credentials or MemoryCredentials()
        self._reception = Reception(self.memory, known, channel=Channel.HTTP, now=now)
        self.sessions = sessions
        self.place = place  # as it may be shown
        self.may_write = may_write
        self.lock = threading.RLock()
        self._surveys: dict[str, Survey] = {}
        self._works: dict[str, Work] = {}
        self.proved: dict[str, int] = {}  # streams proved since the start, each up to which entry

    def sign_in(self, token: str, name: str) -> str:
        """A cookie for who knows the token of this start, or holds a key of this tenant."""
        if not token.startswith(KEY_MARK):
            return self.sessions.sign_in(token, name)
        try:
            grant = self._reception.admit(token).grant
        except UnauthorizedError:
            return ""
        # Who they are is the key's to say: a name that was typed beside it is nobody's.
        own = grant.tenant == self.tenant and grant.role in OFFICES
        return self.sessions.open(grant.who, token) if own else ""

    def hands(self, asked: Visitor, verb: str) -> Hands:
        """The hands of who asks: their key's, or the operator's, who started this studio."""
        if asked.key:
            return self._reception.admit(asked.key).hands(verb)
        grant = operator(verb, self.tenant, "", "", asked.who)
        return self._reception.local(grant).hands(verb)

    def permit(self, asked: Visitor, verb: str) -> None:
        """The operator sees every page; a key sees those that its role has a verb for."""
        if asked.key:
            self._reception.admit(asked.key).permit(verb)

    @property
    def auditor(self) -> Auditor:
        return self.memory.auditor()

    @property
    def tenant(self) -> str:
        return self.memory.tenant

    def of_type(self, kind: str) -> Sought:
        return Sought(types=(kind,))

    def stream(self, text: str, kind: StreamKind | None = None) -> StreamId:
        """A stream of this memory by its name; what is not there is not found."""
        if text.count("/") != STREAM_PARTS - 1:
            raise NotFoundError
        try:
            found = stream_from_text(text)
        except ValueError:
            raise NotFoundError from None
        if found not in self.memory.streams() or (kind and found.kind is not kind):
            raise NotFoundError
        return found

    def streams(self, kind: StreamKind | None = None) -> list[StreamId]:
        found = self.memory.streams()
        return [each for each in found if kind is None or each.kind is kind]

    def survey(self, stream: StreamId) -> Survey:
        """The counts of a log; only what came since the last look is read."""
        known = self._surveys.setdefault(stream.text, Survey())
        return self.auditor.survey(stream, known)

    # ── Long work ───────────────────────────────────────────────────────────────────────────────

    def begin(self, name: str, run: Callable[[Memory, Work], object]) -> Work:
        """Start long work on a memory of its own, unless the same is running already."""
        with self.lock:
            current = self._works.get(name)
            if current and not current.is_over:
                return current
            work = self._works[name] = Work(name=name)
        threading.Thread(target=self._run, args=(work, run), daemon=True).start()
        return work

    def work(self, name: str) -> Work | None:
        return self._works.get(name)

    def _run(self, work: Work, run: Callable[[Memory, Work], object]) -> None:
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

    def close(self) -> None:
        with self.lock:
            self.memory.close()


def number(text: str, what: str, *, least: int = 0) -> int | None:
    """A whole number out of an address; nothing when it was left out."""
    if not text:
        return None
    is_number = text.isascii() and text.isdigit() and len(text) <= DIGITS_MAX
    if not is_number or int(text) < least:
        raise InputError(f"{what} must be a whole number from {least} on")
    return int(text)
