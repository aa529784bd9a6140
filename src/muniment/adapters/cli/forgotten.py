"""What somebody asked to forget, told at the terminal: its words, or that nothing was meant."""

from collections.abc import Sequence

from muniment.adapters.cli.output import Block, say
from muniment.engine.api.agent import Agent
from muniment.model.errors import NotFoundError
from muniment.retrieval.languages import asked_to_forget

NOTHING = "Nothing was found that this clearly means: `muniment forget ID` forgets one."


def told(agent: Agent, said: str, ended: Sequence[str], before: int) -> Sequence[Block]:
    """What ended as it stood at an entry; or, of a wish, that nothing came of it."""
    if ended:
        return [say(("Forgotten", "good"), f": {each}") for each in texts(agent, ended, before)]
    return [say(NOTHING)] if asked_to_forget.wishes(said) else []


def texts(agent: Agent, ended: Sequence[str], before: int) -> list[str]:
    """The words of records that ended, each once: a message and its copy say the same."""
    return list(dict.fromkeys(text for each in ended if (text := _text(agent, each, before))))


def _text(agent: Agent, name: str, before: int) -> str:
    try:
        return agent.get(name, at=before).text
    except NotFoundError:  # of another log, which counts its own entries
        return ""
