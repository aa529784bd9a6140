"""Gateway: authenticates a credential and gives it a view of the engine, for every interface.

    reception = Reception(memory, credentials, channel=Channel.HTTP)
    visit = reception.admit("mk_…")
    visit.call("remember", lambda hands: hands.agent.remember("I moved to Lisbon"), key="retry-1")

Tenant, agent, persona, user and role are those of the credential. The engine is synchronous and
its views keep what they have read: of those who share views one call at a time passes, in the
order of arrival, and whoever shares none with them goes on meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, suppress
from threading import Lock
from typing import Final, TypeVar

import msgspec

from muniment.adapters.gateway import api_keys as keyring
from muniment.adapters.gateway import permissions, views
from muniment.adapters.gateway.api_keys import ANY, Credentials, Grant, Key
from muniment.adapters.gateway.errors import BusyError
from muniment.adapters.gateway.views import View
from muniment.adapters.storage.folder.webhook_file import MemoryWebhooks, NoWebhooks, WebhookBook
from muniment.adapters.system.keyed_locks import KeyedLocks, ReentrantLock
from muniment.engine import lazy_views
from muniment.engine.api.memory import Memory
from muniment.engine.audit.stage_progress import Stages, unwatched
from muniment.layers.governance.requests import Request
from muniment.model import fact_keys, scope
from muniment.model.errors import (
    InputError,
    MunimentError,
    NotFoundError,
    PermissionDeniedError,
    RefusedError,
)
from muniment.model.lru_cache import LruCache
from muniment.model.scope import Channel, Role, StreamId

# Views at hand; the longest unused logs its receipts and goes. Fewer than may owe receipts to the
# house, which would log those that wait longest from inside somebody else's turn.
AGENTS_MAX: Final = 384
WATCHES_MAX: Final = 1_024
MARK: Final = "~"  # stands between a person and their session

Answer = TypeVar("Answer")
Kept = TypeVar("Kept", bound="lazy_views.RoleSession")
Now = Callable[[], str]


class Gateway:
    """One for each process and door: it knows the keys, and keeps the views of those who came."""

    def __init__(
        self,
        memory: Memory,
        credentials: Credentials,
        *,
        channel: Channel,
        now: Now = lambda: "",
        webhooks: WebhookBook | None = None,
    ) -> None:
        self.memory = memory
        self.webhooks = webhooks or MemoryWebhooks()
        self.credentials = credentials
        self.now = now
        # One call at a time for each agent: a view keeps what it has read, so two calls must not
        # be inside one at once. Who waits for a slow model holds up those who share their views.
        self.call_locks = KeyedLocks[tuple[str, str], ReentrantLock](lambda _: ReentrantLock())
        self.ending = False  # told to stop: what takes long comes to its end
        self.channel = channel
        self._door = Lock()  # of what is known here
        self._tenants: dict[str, Memory] = {}
        self._branches: dict[tuple[str, str], Gateway] = {}
        self._agents: LruCache[View, lazy_views.Agent] = LruCache(
            AGENTS_MAX, may_leave=self._is_idle
        )
        self._watches: LruCache[tuple[View, lazy_views.Watched], lazy_views.Watch] = LruCache(
            WATCHES_MAX
        )

    def admit(self, text: str) -> Visit:
        """The visit of whoever holds this key."""
        key = keyring.recognise(self.credentials, text, now=self.now())
        return Visit(self, key.grant, key.key_id, shown=text)

    def in_force(self, key_id: str) -> Key | None:
        """A key that was neither revoked nor has ended, by its id."""
        return keyring.in_force(self.credentials, key_id, now=self.now())

    def local(self, grant: Grant) -> Visit:
        """A visit without a key, for a door whose caller holds the store itself: a terminal."""
        return Visit(self, keyring.checked(grant), "")

    def tenant(self, tenant: str) -> Memory:
        with self._door:
            found = self._tenants.get(tenant)
            if found is None:
                found = self._tenants[tenant] = self.memory.beside(tenant, self.channel)
            return found

    def on_branch(self, tenant: str, name: str) -> Gateway:
        """A door to a branch: its views are its own, its keys and its limits are those of here."""
        memory, place = self.tenant(tenant).on_branch(name), (tenant, name)
        with self._door:
            found = self._branches.get(place)
            if found is None or not memory.is_same(found.memory):
                made = Gateway(memory, self.credentials, channel=self.channel, now=self.now)
                made.webhooks = NoWebhooks()
                found = self._branches[place] = made
            return found

    def agent(self, grant: Grant) -> lazy_views.Agent:
        """The view of one speaker; several keys for the same one share it."""
        memory, key = self.tenant(grant.tenant), views.view(grant)
        with self._door:
            found = self._agents.get(key) or views.made(memory, grant)
            gone = self._agents.put(key, found)
        for (tenant, _, _, _), view in gone:
            with suppress(MunimentError):  # its trouble is not ours; it is tried again at the end
                self.tenant(tenant).let_go(view)
        return found

    def watch(self, grant: Grant, watched: lazy_views.Watched) -> lazy_views.Watch:
        """What one speaker watches: it remembers what it has read between two looks."""
        key = views.view(grant), watched
        found = self._watches.get(key)
        found = found or self.agent(grant).watch(**msgspec.structs.asdict(watched))
        self._watches.put(key, found)
        return found

    def go_on(self, *_: object) -> None:
        """Between two pieces of what takes long: nobody waits for it where the door closes."""
        if self.ending:
            raise BusyError("the service is closing")

    def close(self) -> None:
        """Log the receipts of every view; the store itself belongs to whoever opened it."""
        for branch in self._branches.values():
            with suppress(MunimentError):  # one that was ended meanwhile keeps nothing
                branch.close()
        for key, view in self._agents.entries():
            tenant, agent, *_ = key
            with self.call_locks.held((tenant, agent)):
                self.tenant(tenant).let_go(view)
            self._agents.pop(key)

    def _is_idle(self, key: View, _: lazy_views.Agent) -> bool:
        """A view that is being used is not the longest unused any more."""
        tenant, agent, *_rest = key
        with self.call_locks.held_if_free((tenant, agent)) as free:
            return free


class Visit:
    """One caller, as their credential has them."""

    def __init__(self, reception: Gateway, grant: Grant, key_id: str, *, shown: str = "") -> None:
        self.reception = reception
        self.grant = grant
        self.key_id = key_id
        self.shown = shown  # the key itself; of a visit without one, nothing

    @property
    def who(self) -> tuple[str, str]:
        """With whom this visit shares a lock: an agent and all its users; offices have no agent."""
        return self.grant.tenant, self.grant.agent

    def speaking_for(self, user: str) -> Visit:
        """The same visit for one user, where the credential leaves open which; others refuse."""
        if not user or user == self.grant.user:
            return self
        if self.grant.user != ANY:
            raise PermissionDeniedError("this key does not speak for that user")
        fact_keys.user_entity(scope.name(user, "user"))
        grant = msgspec.structs.replace(self.grant, user=user)
        return Visit(self.reception, grant, self.key_id, shown=self.shown)

    def on_branch(self, branch: str) -> Visit:
        """The same visit in a branch of the memory, with the same rights."""
        door = self.reception.on_branch(self.grant.tenant, branch)
        return Visit(door, self.grant, self.key_id, shown=self.shown)

    def may(self, verb: str) -> bool:
        grant = self.grant
        return permissions.allows(verb, grant.role, grant.persona, grant.verbs)

    def permit(self, verb: str) -> None:
        grant = self.grant
        permissions.permit(verb, grant.role, grant.persona, grant.verbs)

    def hands(self, verb: str) -> Hands:
        """Hands that outlive one call, for a door whose caller is alone with the store."""
        self.permit(verb)
        return Hands(self, ExitStack(), "")

    def call(self, verb: str, work: Callable[[Hands], Answer], *, key: str = "") -> Answer:
        """Do one thing, if the credential allows it; `key` makes a retry of it safe."""
        self.permit(verb)
        with self.reception.call_locks.held(self.who), ExitStack() as stack:
            return work(Hands(self, stack, key))

    def look(self, verb: str, work: Callable[[Hands], Answer]) -> Answer:
        """As `call`, without the lock: for what reads whole logs and touches nobody's view."""
        self.permit(verb)
        with ExitStack() as stack:
            return work(Hands(self, stack, ""))


class Hands:
    """What a visit may take hold of, for the length of one call."""

    def __init__(self, visit: Visit, stack: ExitStack, key: str) -> None:
        self.visit = visit
        self._reception = visit.reception
        self._stack = stack
        self._key = key
        self._agent: lazy_views.Agent | None = None
        self.grant = visit.grant

    def speaking_for(self, user: str) -> Hands:
        """The same hands for one user, where the credential leaves open which; others refuse."""
        return Hands(self.visit.speaking_for(user), self._stack, self._key)

    @property
    def memory(self) -> Memory:
        return self._reception.tenant(self.grant.tenant)

    @property
    def channel(self) -> Channel:
        """The door that the call came through."""
        return self._reception.channel

    # ── An agent, and those it speaks for ───────────────────────────────────────────────────────

    @property
    def agent(self) -> lazy_views.Agent:
        if self._agent is None:
            self._be(Role.AGENT, Role.USER)
            if self.grant.user == ANY:
                raise InputError("a key for any user needs the header Muniment-User")
            self._agent = self._reception.agent(self.grant)
            if self._key:
                self._stack.enter_context(self._agent.keyed(self._key))
        return self._agent

    @property
    def subconscious(self) -> lazy_views.Subconscious:
        found = self.agent
        if not isinstance(found, lazy_views.Subconscious):
            raise PermissionDeniedError("only a Subconscious may dream")
        return found

    def conversation(
        self, *, session: str = "", project: str = "", ai_profile: str = ""
    ) -> lazy_views.Conversation:
        allowed = {scope.name(each, "project") for each in self.grant.projects}
        if project and scope.name(project, "project") not in allowed and ANY not in allowed:
            raise PermissionDeniedError("this key has no access to that project")
        return self.agent.conversation(
            session=self.session(session), project=project, ai_profile=ai_profile
        )

    def job(self, number: int) -> lazy_views.Job:
        return self.agent.resume(number)

    def session(self, text: str, user: str = "", what: str = "session") -> str:
        """A session belongs to its person: another's of the same name is not even met.

        Whose it is says the credential; one that is of an office names the person. So it is with
        the seed of a job, or whoever is told that one was used would be told of others.
        """
        if not text:
            return ""
        named = scope.escaped(scope.name(text, what), MARK)
        user = user or self.grant.user
        person = fact_keys.user_entity(user).removeprefix("user_") if user else ""
        return f"{person}{MARK}{named}" if person else named

    # ── Council, administration, audit ──────────────────────────────────────────────────────────

    @property
    def council(self) -> lazy_views.Council:
        self._be(Role.COUNCIL)
        return self._kept(self.memory.council(self.grant.who))

    @property
    def admin(self) -> lazy_views.Admin:
        self._be(Role.ADMIN)
        return self._kept(self.memory.admin(self.grant.who))

    @property
    def auditor(self) -> lazy_views.Auditor:
        self._be(Role.ADMIN, Role.AUDITOR)
        return self.memory.auditor(self.grant.who)

    @property
    def notary(self) -> lazy_views.Notary:
        """An auditor's, too, who opens no content."""
        self._be(Role.ADMIN, Role.AUDITOR)
        return self.memory.notary(self.grant.who, role=self.grant.role)

    @property
    def administered(self) -> Memory:
        """The memory, for an administrator's other hands: branches, passports, indexes."""
        self._be(Role.ADMIN)
        return self.memory

    @property
    def identities(self) -> lazy_views.Identities:
        self._be(Role.ADMIN)
        return self._kept(self.memory.identities(self.grant.who))

    @property
    def eraser(self) -> lazy_views.Eraser:
        """An administrator's, or a user's, which can only ask."""
        self._be(Role.ADMIN, Role.USER)
        who = self.grant.who or self.grant.user
        return self._kept(self.memory.eraser(who, role=self.grant.role))

    def erase(self, request_id: str, *, progress: Stages = unwatched) -> lazy_views.Erasure:
        """Carry out an approved erasure; keys that name the person go with them.

        The keys go first: afterwards nobody could say any more whose they were.
        """
        self._be(Role.ADMIN)
        eraser, tenant = self.eraser, self.grant.tenant
        if person := eraser.person(request_id):
            keyring.forget(
                self._reception.credentials,
                lambda grant: grant.tenant == tenant and keyring.speaks_for(grant, person),
            )
        try:
            return eraser.carry_out(request_id, progress=progress)
        except RefusedError:  # whoever did not hear the answer asks again, and is told it again
            if (told := eraser.completed(request_id)) is None:
                raise
            return told

    def requests(self, *, settled: bool = False) -> list[Request]:
        """What awaits a vote, or what had its decision, for those who may see it."""
        self._be(Role.COUNCIL, Role.ADMIN)
        return self.memory.council(self.grant.who).requests(settled=settled)

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
            raise InputError("a key can only be created for one's own tenant")
        said = msgspec.json.encode((grant, label, days))
        return keyring.issue(
            self._reception.credentials,
            grant,
            label=label,
            now=self._reception.now(),
            days=days,
            retry=keyring.Retry.of(self.visit.shown, self._key, said),
        )

    def revoke(self, key_id: str) -> Key:
        self._be(Role.ADMIN)
        now, tenant = self._reception.now(), self.grant.tenant
        return keyring.revoke(self._reception.credentials, key_id, now=now, tenant=tenant)

    def _kept(self, view: Kept) -> Kept:
        if self._key:
            self._stack.enter_context(view.keyed(self._key))
        return view

    def _be(self, *roles: Role) -> None:
        """Checked a second time, where the hands are: the table of verbs came first."""
        if self.grant.role not in roles:
            raise PermissionDeniedError("this key has another role")
