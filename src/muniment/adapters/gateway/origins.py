"""Origin of a text: by default the caller's own, never more trusted than the credential."""

from typing import Final

from muniment.adapters.gateway.gateway import Hands
from muniment.model.errors import PermissionDeniedError
from muniment.model.kinds.episode import Origin
from muniment.model.scope import Channel, Role

# The caller's own origin first, then what it may say of words that are less trusted.
OF_USERS: Final = (Origin.USER, Origin.EXTERNAL)
# An application speaks through an agent's key, and hands on the words of its user.
OF_APPLICATIONS: Final = (Origin.USER, Origin.AGENT, Origin.TOOL, Origin.EXTERNAL)
# Through MCP a model speaks: its word is never its user's.
OF_MODELS: Final = (Origin.AGENT, Origin.TOOL, Origin.EXTERNAL)


def admitted(hands: Hands, said: str) -> Origin:
    """The origin that was said, where the credential allows it; without one, the caller's own."""
    allowed = _allowed(hands)
    if not said:
        return allowed[0]
    if said not in allowed:
        raise PermissionDeniedError(
            f"this key may not say that a text is of origin {said}; it may say {', '.join(allowed)}"
        )
    return Origin(said)


def lowered(hands: Hands, said: str) -> Origin:
    """The origin that a file says, or the least trusted one where the credential may not say it."""
    return Origin(said) if said in _allowed(hands) else Origin.EXTERNAL


def _allowed(hands: Hands) -> tuple[Origin, ...]:
    if hands.grant.role is Role.USER:
        return OF_USERS
    return OF_APPLICATIONS if hands.channel is Channel.HTTP else OF_MODELS
