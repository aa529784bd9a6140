"""The reception behind every door: a credential becomes a visit, and a visit's hands do the work.

    reception = Reception(memory, credentials, channel=Channel.HTTP)
    visit = reception.admit("mk_…")
    visit.call("remember", lambda hands: hands.agent.remember("I moved to Lisbon"), key="retry-1")

Tenant, agent, persona, user and role are those of the credential. The engine is synchronous and
its views keep what they have read: one call at a time passes, in the order of arrival.
"""

from collections import OrderedDict
from collections.abc import Callable
from contextlib import ExitStack
from threading import RLock
from typing import Final, TypeVar

import msgspec

from muniment.adapters.doors import credentials as keyring
from muniment.adapters.doors import verbs
from muniment.adapters.doors.credentials import ANY, Credentials, Grant, Key
from muniment.engine.agent import Agent
from muniment.engine.auditor import Auditor
from muniment.engine.conversation import Conversation
from muniment.engine.erase import Eraser, Erasure
from muniment.engine.identities import Identities
from muniment.engine.indexing import Indexing
from muniment.engine.job import Job
from muniment.engine.memory import Memory
from muniment.engine.subconscious import Subconscious
from muniment.engine.views import Admin, Council
from muniment.layers.requests import Request
from muniment.model import keys, scope
from muniment.model.errors import (
    InputError,
    NotFoundError,
    PermissionDeniedError,
    RefusedError,
)
from muniment.model.scope import Channel, Persona, Role, StreamId

AGENTS_MAX: Final = 512  # views at hand; the longest unused logs its receipts and goes
MARK: Final = "~"  # stands between a person and their session

Answer = TypeVar("Answer")
Now = Callable[[], str]


class Reception:
    """One for each process and door: it knows the keys, and keeps the views of those who came."""

    def __init__(
        self,
        memory: Memory,
        credentials: Credentials,
        *,
        channel: Channel,
        now: Now = lambda: "",
    ) -> None:
        self.memory = memory
        self.credentials = credentials
        self.now = now
        self.turn = RLock()  # one call at a time: views and their caches are not shared
        self._channel = channel
        self._tenants: dict[str, Memory] = {}
        self._agents: OrderedDict[tuple[str, str, str, Persona], Agent] = OrderedDict()

    def admit(self, text: str) -> "Visit":
        """The visit of whoever holds this key."""
        key = keyring.recognise(self.credentials, text, now=self.now())
        return Visit(self, key.grant, key.key_id, shown=text)

    def local(self, grant: Grant) -> "Visit":
        """A visit without a key, for a door whose caller holds the store itself: a terminal."""
        return Visit(self, keyring.checked(grant), "")

    def tenant(self, tenant: str) -> Memory:
        found = self._tenants.get(tenant)
        if found is None:
            found = self._tenants[tenant] = self.memory.beside(tenant, self._channel)
        return found

    def agent(self, grant: Grant) -> Agent:
        """The view of one speaker; several keys for the same one share it."""
        key = (grant.tenant, grant.agent, grant.user, grant.persona)
        found = self._agents.pop(key, None)
        if found is None:
            memory = self.tenant(grant.tenant)
            if grant.persona is Persona.SUBCONSCIOUS:
                found = memory.subconscious(grant.agent)
            else:
                found = memory.agent(grant.agent, user=grant.user)
        self._agents[key] = found
        if len(self._agents) > AGENTS_MAX:
            (tenant, *_), oldest = self._agents.popitem(last=False)
            self.tenant(tenant).let_go(oldest)
        return found

    def close(self) -> None:
        """Log the receipts of every view; the store itself belongs to whoever opened it."""
        with self.turn:
            while self._agents:
                (tenant, *_), agent = self._agents.popitem()
                self.tenant(tenant).let_go(agent)


class Visit:
    """One caller, as their credential has them."""

    def __init__(self, reception: Reception, grant: Grant, key_id: str, *, shown: str = "") -> None:
        self.reception = reception
        self.grant = grant
        self.key_id = key_id
        self.shown = shown  # the key itself; of a visit without one, nothing

    def speaking_for(self, user: str) -> "Visit":
        """The same visit for one user, where the credential leaves open which; others refuse."""
        if not user or user == self.grant.user:
            return self
        if self.grant.user != ANY:
            raise PermissionDeniedError("this key does not speak for that user")
        keys.user_entity(scope.name(user, "user"))
        grant = msgspec.structs.replace(self.grant, user=user)
        return Visit(self.reception, grant, self.key_id, shown=self.shown)

    def permit(self, verb: str) -> None:
        grant = self.grant
        verbs.permit(verb, grant.role, grant.persona, grant.verbs)

    def hands(self, verb: str) -> "Hands":
        """Hands that outlive one call, for a door whose caller is alone with the store."""
        self.permit(verb)
        return Hands(self, ExitStack(), "")

    def call(self, verb: str, work: Callable[["Hands"], Answer], *, key: str = "") -> Answer:
        """Do one thing, if the credential allows it; `key` makes a retry of it safe."""
        self.permit(verb)
        with self.reception.turn, ExitStack() as stack:
            return work(Hands(self, stack, key))


class Hands:
    """What a visit may take hold of, for the length of one call."""

    def __init__(self, visit: Visit, stack: ExitStack, key: str) -> None:
        self._visit = visit
        self._reception = visit.reception
        self._stack = stack
        self._key = key
        self._agent: Agent | None = None
        self.grant = visit.grant

    def speaking_for(self, user: str) -> "Hands":
        """The same hands for one user, where the credential leaves open which; others refuse."""
        return Hands(self._visit.speaking_for(user), self._stack, self._key)

    @property
    def memory(self) -> Memory:
        return self._reception.tenant(self.grant.tenant)

    # ── An agent, and those it speaks for ───────────────────────────────────────────────────────

    @property
    def agent(self) -> Agent:
        if self._agent is None:
            self._be(Role.AGENT, Role.USER)
            if self.grant.user == ANY:
                raise InputError("this key speaks for any user: say for whom")
            self._agent = self._reception.agent(self.grant)
            if self._key:
                self._stack.enter_context(self._agent.keyed(self._key))
        return self._agent

    @property
    def subconscious(self) -> Subconscious:
        found = self.agent
        if not isinstance(found, Subconscious):
            raise PermissionDeniedError("only a Subconscious dreams")
        return found

    def conversation(
        self, *, session: str = "", project: str = "", ai_profile: str = ""
    ) -> Conversation:
        allowed = self.grant.projects
        if project and project not in allowed and ANY not in allowed:
            raise PermissionDeniedError("this key does not enter that project")
        return self.agent.conversation(
            session=self.session(session), project=project, ai_profile=ai_profile
        )

    def job(self, number: int) -> Job:
        return self.agent.resume(number)

    def session(self, text: str, user: str = "") -> str:
        """A session belongs to its person: another's of the same name is not even met.

        Whose it is says the credential; one that is of an office names the person.
        """
        if not text:
            return ""
        named = scope.name(text, "session").replace("%", "%25").replace(MARK, "%7E")
        user = user or self.grant.user
        person = keys.user_entity(user).removeprefix("user_") if user else ""
        return f"{person}{MARK}{named}" if person else named

    # ── Council, administration, audit ──────────────────────────────────────────────────────────

    @property
    def council(self) -> Council:
        self._be(Role.COUNCIL)
        return self._kept(self.memory.council(self.grant.who))

    @property
    def admin(self) -> Admin:
        self._be(Role.ADMIN)
        return self._kept(self.memory.admin(self.grant.who))

    @property
    def auditor(self) -> Auditor:
        self._be(Role.ADMIN, Role.AUDITOR)
        return self.memory.auditor(self.grant.who)

    @property
    def indexing(self) -> Indexing:
        self._be(Role.ADMIN)
        return self.memory.indexing(self.grant.who)

    @property
    def identities(self) -> Identities:
        self._be(Role.ADMIN)
        return self._kept(self.memory.identities(self.grant.who))

    @property
    def eraser(self) -> Eraser:
        """An administrator's, or a user's, which can only ask."""
        self._be(Role.ADMIN, Role.USER)
        who = self.grant.who or self.grant.user
        return self._kept(self.memory.eraser(who, role=self.grant.role))

    def erase(self, request_id: str) -> Erasure:
        """Carry out an approved erasure; keys that name the person go with them.

        The keys go first: afterwards nobody could say any more whose they were.
        """
        self._be(Role.ADMIN)
        eraser, tenant = self.eraser, self.grant.tenant
        person = eraser.person(request_id)
        if person:
            keyring.forget(
                self._reception.credentials,
                lambda grant: grant.tenant == tenant and keyring.speaks_for(grant, person),
            )
        try:
            return eraser.carry_out(request_id)
        except RefusedError:  # whoever did not hear the answer asks again, and is told it again
            if (told := eraser.completed(request_id)) is None:
                raise
            return told

    def requests(self) -> list[Request]:
        """What awaits a vote, for those who may see it."""
        self._be(Role.COUNCIL, Role.ADMIN)
        return self.memory.council(self.grant.who).requests()

    def request(self, request_id: str) -> tuple[Request, str]:
        self._be(Role.COUNCIL, Role.ADMIN)
        return self.memory.council(self.grant.who).request(request_id)

    def stream(self, text: str) -> StreamId:
        """A stream of the tenant by its name; foreign and absent answer alike."""
        self._be(Role.ADMIN, Role.AUDITOR)
        for each in self.memory.streams():
            if each.text == text:
                return each
        raise NotFoundError

    def known_keys(self) -> list[Key]:
        """The keys of the tenant, oldest first."""
        self._be(Role.ADMIN)
        known = self._reception.credentials.known().values()
        found = [each for each in known if each.grant.tenant == self.grant.tenant]
        return sorted(found, key=lambda each: (each.created, each.key_id))

    def issue(self, grant: Grant, *, label: str, days: int) -> tuple[str, Key]:
        self._be(Role.ADMIN)
        if grant.tenant != self.grant.tenant:
            raise InputError("a key is made for the tenant of whoever makes it")
        said = msgspec.json.encode((grant, label, days))
        return keyring.issue(
            self._reception.credentials,
            grant,
            label=label,
            now=self._reception.now(),
            days=days,
            retry=keyring.Retry.of(self._visit.shown, self._key, said),
        )

    def revoke(self, key_id: str) -> Key:
        self._be(Role.ADMIN)
        now, tenant = self._reception.now(), self.grant.tenant
        return keyring.revoke(self._reception.credentials, key_id, now=now, tenant=tenant)

    def _kept(self, view: "ViewKind") -> "ViewKind":
        if self._key:
            self._stack.enter_context(view.keyed(self._key))
        return view

    def _be(self, *roles: Role) -> None:
        """Checked a second time, where the hands are: the table of verbs came first."""
        if self.grant.role not in roles:
            raise PermissionDeniedError("this key has another role")


ViewKind = TypeVar("ViewKind", Council, Admin, Identities, Eraser)
