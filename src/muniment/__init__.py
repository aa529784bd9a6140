"""The front door of Muniment, the memory of an AI agent that can prove what it remembers.

import muniment

memory = muniment.open("./memory")
ada = memory.agent("ada", user="tuff")
ada.remember("I moved to Lisbon in March")
print(ada.context("Where do I live?", budget=500))
"""

from pathlib import Path

from muniment.engine.agent import Agent, Remembered
from muniment.engine.conversation import Conversation
from muniment.engine.job import Job
from muniment.engine.memory import Memory
from muniment.engine.personas import ActorMemoryView, SubconsciousMemoryView
from muniment.engine.subconscious import Subconscious
from muniment.model import errors
from muniment.model.errors import MunimentError
from muniment.model.identity import Identity
from muniment.model.policy import Policy, preset

__all__ = [
    "ActorMemoryView",
    "Agent",
    "Conversation",
    "Identity",
    "Job",
    "Memory",
    "MunimentError",
    "Policy",
    "Remembered",
    "Subconscious",
    "SubconsciousMemoryView",
    "errors",
    "open",
    "preset",
]
__version__ = "0.1.0"


def open(  # noqa: A001 - `muniment.open` reads as what it does
    address: str | Path,
    *,
    policy: Policy | None = None,
    tenant: str = "main",
    seed: bytes = b"",
    clock: bool = True,
    keys: str | Path = "",
    open_tables: bool | None = None,
) -> Memory:
    """Open the memory in a folder (created when it is not there), on a server, or `:memory:`.

    A server is named as `postgresql://…`; its keys stay in the local folder `keys`.
    `open_tables` also keeps the redacted episodes as plain rows for SQL; servers do by default.

    `policy` is what new streams are born under; existing ones change theirs by approval.
    `seed` and `clock=False` make a run repeatable to the byte; use them for tests only.
    """
    # Imported late: whoever only wants the values and errors pays for no store.
    from muniment.adapters.config import Settings, open_memory  # noqa: PLC0415

    settings = Settings(
        tenant=tenant,
        policy=policy or Policy(),
        seed=seed,
        clock=clock,
        keys=str(keys),
        open_tables=open_tables,
    )
    return open_memory(address, settings)
