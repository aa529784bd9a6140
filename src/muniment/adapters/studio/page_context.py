"""Page context: the memory, the role of the visitor, and locks, shared by every page."""

import threading
import time
from typing import Final

import msgspec

from muniment.adapters.gateway.api_keys import Credentials, MemoryCredentials, operator
from muniment.adapters.gateway.errors import UnauthorizedError
from muniment.adapters.gateway.gateway import Gateway, Hands, Now
from muniment.adapters.operations.door_metrics import DoorMetrics
from muniment.adapters.studio.auth import Sessions
from muniment.adapters.studio.background_jobs import Opener, Works
from muniment.adapters.studio.count_cache import Counting, Relations
from muniment.adapters.studio.page_permissions import WORDS, May
from muniment.engine.audit.auditor import Auditor, EntryFilter
from muniment.model.canonical_json import INTEGER_MAX
from muniment.model.errors import InputError, NotFoundError, PermissionDeniedError
from muniment.model.scope import Channel, Role, StreamId, StreamKind, stream_from_text

KEY_MARK: Final = "mk_"
OFFICES: Final = frozenset({Role.COUNCIL, Role.ADMIN, Role.AUDITOR})  # who reads here by key
STREAM_PARTS: Final = 4
DIGITS_MAX: Final = len(str(INTEGER_MAX))


class Visitor(msgspec.Struct, frozen=True, kw_only=True):
    """Who is signed in."""

    who: str = "owner"
    key: str = ""  # the API key they came with; empty: they know the token of this start


class Studio:
    """One open memory for everybody who looks.

    Reading a log needs no lock: stores, keys and desks are made for many threads. Two things take
    turns: those who decide, because what follows from a decision is told by one hand; and those
    who ask, because an index grows when it is asked.
    """

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
        self.memory = opener()
        known = credentials or MemoryCredentials()
        self._reception = Gateway(self.memory, known, channel=Channel.HTTP, now=now)
        self.metrics = DoorMetrics("studio")
        self.sessions = sessions
        self.place = place  # as it may be shown
        self.may_write = may_write
        self.deciding = threading.Lock()
        self.asking = threading.Lock()
        self.counting = Counting(self.memory)
        self.relations = Relations()
        self.works = Works(opener)
        self.proved: dict[str, int] = {}  # streams proved since the start, each up to which entry
        self.proved_at = 0.0
        self.seconds = time.monotonic

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

    def may(self, asked: Visitor) -> May:
        """What the operator or the holder of a key may do; the operator sees every page."""
        return self._reception.admit(asked.key).may if asked.key else lambda _: True

    def permit(self, asked: Visitor, *verbs: str) -> None:
        """Refuse who may do none of these."""
        may = self.may(asked)
        if any(map(may, verbs)):
            return
        if WORDS in verbs:
            raise PermissionDeniedError("only the operator of this studio can see what people said")
        self._reception.admit(asked.key).permit(verbs[0])

    def metrics_page(self, asked: Visitor) -> str:
        """What this studio counts, and what its store holds, without content."""
        if asked.key and self._reception.admit(asked.key).grant.tenant != self.tenant:
            raise UnauthorizedError
        self.permit(asked, "metrics")
        return self.metrics.page(self._reception, self.tenant)

    @property
    def auditor(self) -> Auditor:
        return self.memory.auditor()

    @property
    def tenant(self) -> str:
        return self.memory.tenant

    def of_type(self, kind: str) -> EntryFilter:
        return EntryFilter(types=(kind,))

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

    def people(self) -> list[tuple[str, str]]:
        """Everybody the logs speak of, as far as they were read: name, and what they are called."""
        return self.counting.catalogue()[0].roster()

    def close(self) -> None:
        with self.deciding, self.asking:
            self.memory.close()


def number(text: str, what: str, *, least: int = 0) -> int | None:
    """A whole number out of an address; nothing when it was left out."""
    if not text:
        return None
    is_number = text.isascii() and text.isdigit() and len(text) <= DIGITS_MAX
    if not is_number or int(text) < least:
        raise InputError(f"{what} must be a whole number from {least} on")
    return int(text)
