"""Identities: one for each agent, adopted by an administrator or changed by an approved patch."""

import msgspec

from muniment.engine.views import View
from muniment.model.commands import AdoptPolicy
from muniment.model.errors import RefusedError
from muniment.model.identity import Identity, patched
from muniment.model.loop_commands import CarryOut
from muniment.model.policy import Policy
from muniment.model.scope import Persona, StreamId, agent_stream, council_stream, name


class Identities(View):
    """An administrator's hands for who an agent is; a change holds from the next job on."""

    def of(self, agent: str) -> Identity:
        """The identity that is in force for an agent."""
        return self._policy(self._streams(agent)[0]).identity

    def adopt(self, agent: str, identity: Identity, *, reason: str = "") -> None:
        """Put an identity in force for both personas of an agent."""
        for stream in self._streams(agent):
            self._adopt(stream, identity, reason=reason)

    def apply(self, request_id: str) -> Identity:
        """Carry out a patch that the council has approved; twice is once."""
        docket = council_stream(self._principal.tenant, Persona.SUBCONSCIOUS)
        request = None
        if self._house.exists(docket):
            known = self._house.writer(docket).desk.requests
            request = known.approved(request_id, ("identity_patch",))
        if request is None:
            raise RefusedError("change_not_approved", request_id)
        assert isinstance(request.value, dict)
        identity = patched(self.of(request.key), request.value)
        for stream in self._streams(request.key):
            self._adopt(stream, identity, reason=request_id, approved=True)
        self._insist(docket, CarryOut(request_id=request_id))
        return identity

    def _adopt(
        self, stream: StreamId, identity: Identity, *, reason: str, approved: bool = False
    ) -> None:
        policy = self._policy(stream)
        if self._house.exists(stream) and policy.identity == identity:
            return
        changed = msgspec.structs.replace(policy, identity=identity)
        command = AdoptPolicy(policy=changed, reason=reason)
        if approved:
            self._carry_out(stream, command)
        else:
            self._insist(stream, command)

    def _policy(self, stream: StreamId) -> Policy:
        """What is in force; a stream that holds nothing yet is born under the house's."""
        exists = self._house.exists(stream)
        return self._house.writer(stream).desk.policy if exists else self._house.parts.policy

    def _streams(self, agent: str) -> list[StreamId]:
        tenant = self._principal.tenant
        return [agent_stream(tenant, name(agent, "agent"), persona) for persona in Persona]
