"""Memory: the entry object of a store, from which agents, councils and admins are obtained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self

from muniment.engine import lazy_modules as later
from muniment.engine import lazy_views as views
from muniment.engine.audit.erasure_scan import Scanner
from muniment.engine.streams.argument_checks import checks_arguments
from muniment.engine.streams.parts import Parts
from muniment.log.entry import Line
from muniment.model.errors import InputError, NotFoundError
from muniment.model.policy import Policy
from muniment.model.scope import Channel, Persona, Principal, Role, StreamId, name

HUB = "hub"
TENANT = "main"  # an embedded store that names no tenant has this one


@checks_arguments
class Memory:
    """An open store. Every view is built here, from names that are checked here."""

    def __init__(
        self,
        parts: Parts | views.StreamHub,
        *,
        scanner: Scanner,
        tenant: str = TENANT,
        channel: Channel = Channel.API,
    ) -> None:
        # The hub of all who ask through this memory: made for the first of them, and only once.
        self._hubs: dict[str, views.StreamHub] = {}
        self._parts = parts if isinstance(parts, Parts) else parts.parts
        if not isinstance(parts, Parts):
            self._hubs[HUB] = parts
        elif parts.memory_types:  # of the owner's own: refused now, or not at all
            self._hubs[HUB] = _furnished(parts)
        self._scanner = scanner
        self._tenant = name(tenant, "tenant")
        self._channel = channel

    @property
    def _hub(self) -> views.StreamHub:
        """Of two who ask at once, both get the same: what is made is nothing until it is used."""
        return self._hubs.get(HUB) or self._hubs.setdefault(HUB, _furnished(self._parts))

    @property
    def registry(self) -> views.Registry:
        """The memory types of this store; another one may join at any time."""
        return self._hub.registry

    @property
    def tenant(self) -> str:
        return self._tenant

    def beside(self, tenant: str, channel: Channel) -> Memory:
        """The same store as another tenant, or another door, sees it; close the first one only."""
        return Memory(self._hub, scanner=self._scanner, tenant=tenant, channel=channel)

    def let_go(self, agent: views.Agent) -> None:
        """A view that nobody uses any more: its receipts are logged, and it is not kept."""
        agent.flush()

    def agent(self, agent: str, *, user: str = "") -> views.Agent:
        """An agent's Actor, speaking for a user where one is named."""
        return self._persona(agent, user, Persona.ACTOR)

    def onlooker(self, agent: str, *, user: str = "") -> views.Onlooker:
        """What an agent would be told, tried out by who holds the store: it leaves no receipt."""
        return views.Onlooker(self._session(agent, user, Persona.ACTOR, views.DryRunSession))

    def subconscious(self, agent: str) -> views.Subconscious:
        """An agent's Subconscious: another persona, another log; it dreams and learns."""
        return views.Subconscious(self._session(agent, "", Persona.SUBCONSCIOUS))

    def actor_view(self, agent: str) -> views.ActorMemoryView:
        """What an agent's Actor may look at, to be handed to whoever acts for it."""
        return views.ActorMemoryView(self._hub, self._tenant, name(agent, "agent"))

    def subconscious_view(self, agent: str) -> views.SubconsciousMemoryView:
        """What an agent's views.Subconscious may look at."""
        return views.SubconsciousMemoryView(self._hub, self._tenant, name(agent, "agent"))

    def identities(self, who: str = "owner") -> views.Identities:
        """An administrator's hands for who each agent is."""
        return views.Identities(self._hub, self._principal(who, Role.ADMIN))

    def council(self, member: str = "owner") -> views.Council:
        return views.Council(self._hub, self._principal(member, Role.COUNCIL))

    def admin(self, who: str = "owner") -> views.Admin:
        return views.Admin(self._hub, self._principal(who, Role.ADMIN))

    def auditor(self, who: str = "owner") -> views.Auditor:
        """Eyes on every log of the tenant, and no hands."""
        return views.Auditor(self._hub, self._principal(who, Role.AUDITOR))

    def notary(self, who: str = "owner", *, role: Role = Role.ADMIN) -> views.Notary:
        """Whoever signs where the logs stand, and gives outsiders what they can check alone.

        In another role the same hands open no content.
        """
        return views.Notary(self._hub, self._principal(who, role))

    def exchange(self, who: str = "owner") -> views.Exchange:
        """An administrator's hands for what leaves this memory, and what comes from another."""
        return views.Exchange(self._hub, self._principal(who, Role.ADMIN))

    def passports(self, who: str = "owner") -> views.Passports:
        """An administrator's hands for what a person takes along to another installation."""
        return views.Passports(self._hub, self._principal(who, Role.ADMIN))

    def subscriptions(self) -> views.Subscriptions:
        """What is watched for somebody who is not here, sealed for a file beside the logs."""
        return views.Subscriptions(self._hub, self._tenant)

    def branches(self, who: str = "owner") -> views.Branches:
        """An administrator's hands for branches: listed, compared, merged, discarded."""
        return views.Branches(self._hub, self._principal(who, Role.ADMIN))

    def branch(self, branch: str, *, at: Mapping[str, int] | None = None) -> Branch:
        """Another line of this memory from here on, or from the entries that `at` names by log.

        Reads go through to this memory as it stood; what is written there stays there.
        """
        return Branch(self, self.branches().open(branch, at=at))

    def on_branch(self, branch: str) -> Branch:
        """The memory as an open branch of it has gone on; `try/deeper` is a branch of a branch."""
        outer, _, inner = branch.partition("/")
        found = Branch(self, self.branches().hub(outer))
        return found.on_branch(inner) if inner else found

    def indexing(self, who: str = "owner") -> views.Indexing:
        """An administrator's hands for how an agent's memory is searched."""
        return views.Indexing(self._hub, self._principal(who, Role.ADMIN))

    def eraser(self, who: str = "owner", *, role: Role = Role.ADMIN) -> views.Eraser:
        """An administrator who can carry out an erasure that the council has approved.

        In another role the same hands can only ask for one.
        """
        return views.Eraser(self._hub, self._principal(who, role), self._scanner)

    def extraction(self) -> views.TenantExtraction:
        """Fact extraction for every agent of the tenant and everybody it keeps texts about."""
        return views.TenantExtraction(self._hub, self._tenant, self._channel)

    def tenants(self) -> list[str]:
        """Every tenant of the store: for a service, which stands beside all of them."""
        return sorted({each.tenant for each in self._hub.known_streams()})

    def streams(self) -> list[StreamId]:
        """The streams of this tenant, in the order of their names."""
        return [each for each in self._hub.known_streams() if each.tenant == self._tenant]

    def log(self, stream: StreamId, *, after: int = 0, upto: int | None = None) -> list[Line]:
        return list(self._writer(stream).lines(after=after, upto=upto))

    def policy(self, stream: StreamId) -> Policy:
        """The policy that a log of this tenant stands under."""
        return self._writer(stream).desk.policy

    def head(self, stream: StreamId) -> int:
        """The seq of a stream's last entry."""
        return self._writer(stream).head.seq

    def _writer(self, stream: StreamId) -> views.Writer:
        """A stream of this tenant that holds something; absent and foreign answer alike."""
        if stream.tenant != self._tenant or not self._hub.exists(stream):
            raise NotFoundError
        return self._hub.writer(stream)

    def prove(
        self,
        *,
        progress: views.Progress = lambda _: None,
        after: Mapping[str, int] | None = None,
    ) -> list[views.Proof]:
        """The chain holds, deciding again says the same, the projections follow: every stream.

        And every stream that an open branch has gone on with, from its first entry to its last.
        `after` names by log the entries that were proved before, or signed (`signed`): they are
        verified and folded, and not decided again.
        """
        self.insist_on_whole()
        own = [
            views.prove(
                self._hub,
                each,
                progress=progress,
                span=views.DecidedSpan((after or {}).get(each.text, 0)),
            )
            for each in self.streams()
        ]
        return [*own, *self.prove_branches(progress=progress)]

    def signed(self) -> dict[str, int]:
        """By log, how many entries its last signature covers."""
        return {each.text: views.signed_upto(self._hub, each) for each in self.streams()}

    def prove_branches(self, *, progress: views.Progress = lambda _: None) -> list[views.Proof]:
        """As `prove`, for what was written in the branches that are open."""
        return [
            views.prove(hub, each, progress=progress, branch=hub.name)
            for hub in views.open_branches(self._hub, self._tenant)
            for each in hub.written()
        ]

    def insist_on_whole(self) -> None:
        """Raise KEYSTORE_UNREADABLE where a log lies in the store and nobody here has its name."""
        views.insist_on_whole(self._hub)

    def prove_stream(
        self,
        stream: StreamId,
        *,
        progress: views.Progress = lambda _: None,
        span: views.DecidedSpan | None = None,
    ) -> views.Proof:
        """As `prove`, for one stream of this tenant, or for a span of it."""
        known, span = self._writer(stream).stream.id, span or views.DecidedSpan()
        return views.prove(self._hub, known, progress=progress, span=span)

    def what_if_stream(
        self, stream: StreamId, policy: Policy | None, uncaused: Sequence[str] = ()
    ) -> views.LogWhatIf:
        """As an administrator's `what_if_policy`, for one stream of this tenant."""
        return views.of_log(self._hub, self._writer(stream).stream.id, policy, uncaused)

    def rebuild_stream(self, stream: StreamId, *, progress: views.Progress = lambda _: None) -> str:
        """As `rebuild`, for one stream of this tenant."""
        return views.rebuild(self._hub, self._writer(stream).stream.id, progress=progress)

    def rebuild(self, *, progress: views.Progress = lambda _: None) -> dict[str, str]:
        """Drop and refold desks, shelves and indexes; the digest of each stream's projections."""
        return {
            each.text: views.rebuild(self._hub, each, progress=progress) for each in self.streams()
        }

    def close(self) -> None:
        """Log the receipts of reads that no write has taken along, and let go of the store.

        And of all that was held open from it: its room is free at once, not when somebody tidies.
        """
        hub = self._hubs.get(HUB)
        try:
            if hub:
                hub.flush_receipts()
                hub.indexes.keep_rests()
        finally:
            try:
                self._parts.store.close()
            finally:
                self._parts.world.keyring.close()
                if hub:
                    hub.forget_state()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *told: object) -> None:
        self.close()

    def _persona(self, agent: str, user: str, persona: Persona) -> views.Agent:
        return views.Agent(self._session(agent, user, persona))

    def _session(
        self, agent: str, user: str, persona: Persona, kind: type[views.AgentSession] | None = None
    ) -> views.AgentSession:
        return (kind or views.AgentSession)(
            self._hub,
            tenant=self._tenant,
            agent=name(agent, "agent"),
            user=name(user, "user") if user else "",
            persona=persona,
            channel=self._channel,
        )

    def _principal(self, who: str, role: Role) -> Principal:
        return Principal(
            name=name(who, role), role=role, tenant=self._tenant, channel=self._channel
        )


class Branch(Memory):
    """A memory that goes on from another: whatever is read or written here, the other stays."""

    def __init__(self, parent: Memory, hub: views.BranchHub) -> None:
        scanner, channel = parent._scanner, parent._channel  # noqa: SLF001 - our own kind
        super().__init__(hub, scanner=scanner, tenant=parent.tenant, channel=channel)
        self._parent, self.name = parent, hub.name

    def diff(self) -> views.BranchDiff:
        """What was added, changed, retired, forgotten and refused here, by log."""
        return self._parent.branches().diff(self.name)

    def merge(self, *, preview: bool = False) -> views.Merge:
        """Say in the memory what was said here; what conflicts is settled there as ever.

        With `preview` nothing is kept of it, and the branch goes on.
        """
        return self._parent.branches().merge(self.name, preview=preview)

    def discard(self) -> int:
        """End this branch and what was written in it; returns how many entries that were."""
        return self._parent.branches().discard(self.name)

    def beside(self, tenant: str, channel: Channel) -> Memory:
        if tenant != self._tenant:
            raise NotFoundError
        return Branch(self._parent.beside(tenant, channel), self._branch_hub)

    def eraser(self, who: str = "owner", *, role: Role = Role.ADMIN) -> views.Eraser:
        """Nobody is erased in one line of a memory alone: their keys are the same in all."""
        del who, role
        raise InputError("erase a person in the memory itself; that reaches every branch")

    def notary(self, who: str = "owner", *, role: Role = Role.ADMIN) -> views.Notary:
        """A branch may be discarded: what is signed is the memory itself."""
        del who, role
        raise InputError("only the logs of the memory itself can be signed, not those of a branch")

    def is_same(self, other: Memory) -> bool:
        """Whether both are views of one branch, not of two that had one name in turn."""
        return self._hub is other._hub  # noqa: SLF001 - our own kind

    @property
    def _branch_hub(self) -> views.BranchHub:
        assert isinstance(self._hub, views.BranchHub)
        return self._hub


def _furnished(parts: Parts) -> views.StreamHub:
    """A hub with its memory types: the built-in ones, then those its owner brought along."""
    hub = views.StreamHub(parts)
    for each in (*later.builtin_memory.BUILT_IN, *parts.memory_types):
        hub.registry.register(each)
    return hub
