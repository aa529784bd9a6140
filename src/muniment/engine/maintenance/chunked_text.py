"""Chunked text: a text stored in several memos under one name, whole or not at all."""

from collections.abc import Sequence

from muniment.engine.session import retry_lookup
from muniment.engine.session.agent_session import AgentSession
from muniment.model.commands.memos import Memorize
from muniment.model.events import Received


def refused(session: AgentSession, pieces: Sequence[str]) -> str:
    """The first piece that may not be kept: told alone, its refusal is the answer for the whole.

    Only its words can set a piece apart from the others, so a retry finds the same one.
    """
    return next((piece for piece in pieces if not session.screened(piece)[1]), "")


def name(session: AgentSession, otherwise: str) -> str:
    """What the pieces have in common; a retry finds the name that they were kept under."""
    first = retry_lookup.first(session)
    known = first[0].event if first else None
    if isinstance(known, Received) and isinstance(known.command, Memorize):
        return known.command.parent_id
    return otherwise
