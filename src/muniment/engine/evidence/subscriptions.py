"""Subscriptions: what is watched and where it is sent, sealed in a file beside the logs.

Where it goes is sealed under the key of the agent's log, what is watched and for whom under the
person's: once the person is erased, it can still be told that it is over, and nothing else.
"""

from muniment.engine.evidence.sealed_subscription import SealedSubscription
from muniment.engine.session.stream_hub import StreamHub
from muniment.log import sealing
from muniment.model import fact_keys
from muniment.model.errors import IntegrityError
from muniment.model.scope import Persona, agent_stream


class Subscriptions:
    """Seals and opens the subscriptions of one tenant."""

    def __init__(self, hub: StreamHub, tenant: str) -> None:
        self._hub = hub
        self._keyring = hub.parts.world.keyring
        self._tenant = tenant

    def seal(
        self, agent: str, user: str, persona: Persona, *, target: bytes, watched: bytes
    ) -> SealedSubscription:
        stream = self._hub.writer(agent_stream(self._tenant, agent, persona)).stream.ref
        named = f"{self._tenant}/{fact_keys.user_entity(user)}" if user else ""
        subject = self._keyring.ref("subject", named) if named else stream
        return SealedSubscription(
            stream=stream,
            subject=subject,
            target=sealing.seal_blob(self._key(stream), "watch/target", target),
            watched=sealing.seal_blob(self._key(subject), "watch/watched", watched),
        )

    def target(self, sealed: SealedSubscription) -> bytes:
        """Where it goes."""
        return sealing.open_blob(self._key(sealed.stream), "watch/target", sealed.target)

    def watched(self, sealed: SealedSubscription) -> bytes | None:
        """What is watched and for whom; of an erased person nothing."""
        key = self._keyring.key(sealed.subject)
        return None if key is None else sealing.open_blob(key, "watch/watched", sealed.watched)

    def _key(self, ref: str) -> bytes:
        key = self._keyring.key(ref)
        if key is None:
            raise IntegrityError("the key of a log is missing")
        return key
