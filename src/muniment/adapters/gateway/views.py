"""Views: whose memory a credential opens; keys of the same speaker share one."""

from muniment.adapters.gateway.api_keys import Grant
from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.model.scope import Persona

View = tuple[str, str, str, Persona]  # tenant, agent, user, face


def view(grant: Grant) -> View:
    return grant.tenant, grant.agent, grant.user, grant.persona


def made(memory: Memory, grant: Grant) -> Agent:
    if grant.persona is Persona.SUBCONSCIOUS:
        return memory.subconscious(grant.agent)
    return memory.agent(grant.agent, user=grant.user)
