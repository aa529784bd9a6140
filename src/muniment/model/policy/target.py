"""Policy target: an agent, a shared space, every space of a kind, or the council."""

from typing import Final

import msgspec

from muniment.model import fact_keys
from muniment.model.errors import InputError
from muniment.model.kinds.conversation_item import Space
from muniment.model.scope import Persona, StreamKind, escaped, name

SPACES: Final = f"the space must be user[:NAME], project[:NAME] or {Space.SYSTEM}"
EVERY: Final = frozenset({Space.USER, Space.PROJECT})  # kinds of space of which there are many


class Domain(msgspec.Struct, frozen=True, kw_only=True):
    kind: StreamKind
    owner: str = ""  # an agent; a space and whose it is; a kind of space; of the council nobody
    persona: Persona = Persona.ACTOR

    @property
    def text(self) -> str:
        """The key of a request: an agent's Actor goes by its name, and the council by none.

        All others hold a slash, which no agent's name does.
        """
        plain = self.persona is Persona.ACTOR and self.kind is not StreamKind.SPACE
        return self.owner if plain else f"{self.kind}/{self.owner}/{self.persona}"

    @property
    def is_every(self) -> bool:
        """Whether it is all spaces of a kind, each with a log of its own."""
        return self.kind is StreamKind.SPACE and ":" not in self.owner

    @property
    def subject(self) -> str:
        """The person whose space it is: what is asked about it goes when they go."""
        space, _, owner = self.owner.partition(":")
        is_theirs = self.kind is StreamKind.SPACE and space == Space.USER and owner
        return fact_keys.user_entity(owner) if is_theirs else ""


def named(*, agent: str = "", space: str = "", persona: str = Persona.ACTOR) -> Domain:
    """The domain that a caller names; without an agent or a space, the council."""
    if persona not in list(Persona):
        raise InputError(f"the persona must be one of {', '.join(Persona)}")
    if agent and space:
        raise InputError("a policy is for an agent or for a space: name one")
    if space:
        return Domain(kind=StreamKind.SPACE, owner=_owner(space), persona=Persona(persona))
    if agent:
        owner = name(agent, "agent")
        return Domain(kind=StreamKind.AGENT, owner=owner, persona=Persona(persona))
    return Domain(kind=StreamKind.COUNCIL, persona=Persona(persona))


def from_text(text: str) -> Domain:
    """The domain that a request's key spells."""
    kind, slash, rest = text.partition("/")
    if not slash:
        return Domain(kind=StreamKind.AGENT if text else StreamKind.COUNCIL, owner=text)
    owner, _, persona = rest.rpartition("/")
    return Domain(kind=StreamKind(kind), owner=owner, persona=Persona(persona))


def _owner(space: str) -> str:
    kind, colon, owner = space.partition(":")
    if kind not in {Space.USER, Space.PROJECT, Space.SYSTEM}:
        raise InputError(SPACES)
    if kind == Space.SYSTEM:
        if colon and owner != Space.SYSTEM:
            raise InputError(SPACES)
        return f"{Space.SYSTEM}:{Space.SYSTEM}"
    if not colon:
        return kind
    given = name(owner, kind)
    person = fact_keys.user_entity(given).removeprefix("user_") if kind == Space.USER else given
    return f"{kind}:{escaped(person)}"
