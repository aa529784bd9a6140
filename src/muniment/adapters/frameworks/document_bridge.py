"""Document bridge of the framework adapters: whose documents a call is about, what waits for a yes.

An adapter takes an agent, and all it keeps is about that agent's user; or a function from a user
to their agent, and each call is about the person whom the framework names.
"""

import asyncio
import warnings
from collections.abc import Callable, Sequence
from threading import RLock
from typing import Final, TypeVar

from muniment.adapters.system.optional_packages import told_of_framework
from muniment.engine.api.agent import Agent
from muniment.engine.api.documents import Documents
from muniment.model.errors import AwaitsApprovalError, InputError
from muniment.model.kinds.document import DocumentChange
from muniment.model.lru_cache import LruCache

T = TypeVar("T")
Agents = Agent | Callable[[str], Agent]  # one for everybody, or one for each user
User = str | Callable[[], str]  # who a call is about, or what says so when it is made
USERS_MAX: Final = 256  # whose documents are at hand; the others are opened again

# The engine takes one call at a time; frameworks call from many threads.
TURN: Final = RLock()

# Somebody else was here first; any other refusal is an answer, and the caller's to hear.
RACED: Final = frozenset({"document_changed", "document_unknown"})


class NobodyWarning(UserWarning):
    """What is kept is about nobody, so no person can be told of it or have it erased."""


class UserDocuments:
    """The documents of whoever a call is about; with a function from users, each has their own."""

    def __init__(self, agents: Agents, *, governed: bool, user: User = "") -> None:
        check_users(agents, user)
        self._governed = governed
        self._known = LruCache[str, Documents](USERS_MAX)
        self._agents = agents
        self._user = user
        if isinstance(agents, Agent) and not agents.user:
            warnings.warn(
                "this agent speaks for no user: `about` and an erasure find nothing of what is "
                "kept here. Give memory.agent(name, user=...), or a function from a user to it.",
                NobodyWarning,
                stacklevel=3,
            )

    @property
    def now(self) -> Documents:
        """Documents of whoever this very call is about."""
        return self.of(named(self._user))

    def told(self, user: object) -> Documents:
        """Documents of whom this call is about, or else of whom it says itself."""
        whom = named(self._user) or str(user or "")
        check_users(self._agents, whom)
        return self.of(whom)

    def of(self, user: str) -> Documents:
        """Documents of a user; one agent for everybody has those of its own user alone."""
        known = self._known.get(user)
        if known is None:
            known = agent_of(self._agents, user).documents(governed=self._governed)
            self._known.put(user, known)
        return known

    def at_hand(self) -> list[Documents]:
        """The documents of everybody who was met; of one agent, all that there are."""
        return [self.of("")] if isinstance(self._agents, Agent) else self._known.values()


def check_users(agents: Agents, user: object) -> None:
    """Who speaks for one person would keep what is said by everybody as that person's."""
    if user and isinstance(agents, Agent) and user != agents.user:
        raise InputError(
            "with `user` a call is about another person than this agent speaks for, so one agent "
            "is not enough: pass lambda user: memory.agent(name, user=user)"
        )


def agent_of(agents: Agents, user: str) -> Agent:
    """The agent of a user; one agent for everybody speaks for its own user alone."""
    if isinstance(agents, Agent):
        return agents
    if not user:
        raise InputError("no user: each call must name the user it is about")
    return agents(user)


def named(user: User) -> str:
    """Who a call is about, asked when it is made."""
    return user() if callable(user) else user


def one_entry(text: str) -> str:
    """A text as one entry of a list that a model reads: no line of it looks like the next entry."""
    return "\n  ".join(text.splitlines())


async def in_turn(work: Callable[[], T]) -> T:
    """Work in a thread, when it is its turn: the caller's loop goes on meanwhile.

    The thread has the context of the caller, so a context variable still says who is meant.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:  # a loop of another library, as trio: it has threads of its own
        return at_once(work)
    return await asyncio.to_thread(at_once, work)


def at_once(work: Callable[[], T]) -> T:
    with TURN:
        return work()


def done(kept: Sequence[DocumentChange]) -> None:
    """A change that is done says nothing; one that waits is a typed answer with its requests."""
    waiting = tuple(each.request_id for each in kept if each.waits)
    if waiting:
        raise AwaitsApprovalError(waiting)


def missing(framework: str, extra: str) -> ImportError:
    return ImportError(told_of_framework(framework, extra))
