"""Identities: one for each agent, adopted by an administrator or changed by an approved patch."""

import msgspec

from muniment.engine.session.role_session import RoleSession
from muniment.model.commands import AdoptPolicy
from muniment.model.commands.loops import CarryOut
from muniment.model.errors import RefusedError
from muniment.model.events import PolicyAdopted
from muniment.model.policy.identity import Identity, patched
from muniment.model.scope import Persona, StreamId, agent_stream, council_stream, name


class Identities(RoleSession):
    """An administrator's hands for who an agent is; a change holds from the next job on."""

    def of(self, agent: str) -> Identity:
        """The identity that is in force for an agent."""
        return self._policy_of(self._streams(agent)[0]).identity

    def adopt(self, agent: str, identity: Identity, *, reason: str = "") -> None:
        """Put an identity in force for both personas of an agent."""
        for stream in self._streams(agent):
            self._adopt(stream, identity, reason=reason)

    def apply(self, request_id: str) -> Identity:
        """Carry out a patch that the council has approved; twice is once."""
        docket = council_stream(self._principal.tenant, Persona.SUBCONSCIOUS)
        request = None
        if self._hub.exists(docket):
            known = self._hub.writer(docket).desk.requests
            request = known.approved(request_id, ("identity_patch",))
        if request is None:
            return self._told_again(docket, request_id)
        assert isinstance(request.value, dict)
        identity = patched(self.of(request.key), request.value)
        for stream in self._streams(request.key):
            self._adopt(stream, identity, reason=request_id, approved=True)
        self._append_or_raise(docket, CarryOut(request_id=request_id))
        return identity

    def _adopt(
        self, stream: StreamId, identity: Identity, *, reason: str, approved: bool = False
    ) -> None:
        policy = self._policy_of(stream)
        if self._hub.exists(stream) and policy.identity == identity:
            return
        changed = msgspec.structs.replace(policy, identity=identity)
        if approved:
            self._carry_out(stream, AdoptPolicy(policy=changed, reason=reason))
        else:
            self._append_or_raise(stream, self._adoption(changed, reason))

    def _told_again(self, docket: StreamId, request_id: str) -> Identity:
        """The identity that an approved patch made, to whoever did not hear it the first time."""
        ended = self._ended(docket, request_id)
        if ended is None or (ended[0].action, ended[1].outcome) != ("identity_patch", "executed"):
            raise RefusedError("change_not_approved", request_id)
        told = (line.event for line in self._hub.writer(self._streams(ended[0].key)[0]).lines())
        made = (
            each.policy.identity
            for each in told
            if isinstance(each, PolicyAdopted) and each.reason == request_id
        )
        return next(made, None) or self.of(ended[0].key)

    def _streams(self, agent: str) -> list[StreamId]:
        tenant = self._principal.tenant
        return [agent_stream(tenant, name(agent, "agent"), persona) for persona in Persona]
