"""The front door of Muniment, the memory of an AI agent that can prove what it remembers.

import muniment

memory = muniment.open("./memory")
ada = memory.agent("ada", user="tuff")
ada.remember("I moved to Lisbon in March")
print(ada.context("Where do I live?", budget=500))
"""

from pathlib import Path

from muniment.engine.agent import Agent, Remembered
from muniment.engine.job import Job
from muniment.engine.memory import Memory
from muniment.model import errors
from muniment.model.errors import MunimentError
from muniment.model.policy import Policy, preset

__all__ = [
    "Agent",
    "Job",
    "Memory",
    "MunimentError",
    "Policy",
    "Remembered",
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
) -> Memory:
    """Open the memory in a folder (created when it is not there), or `:memory:`.

    `policy` is what new streams are born under; existing ones change theirs by approval.
    `seed` and `clock=False` make a run repeatable to the byte; use them for tests only.
    """
    # Imported late: whoever only wants the values and errors pays for no store.
    from muniment.adapters.config import Settings, open_memory  # noqa: PLC0415

    settings = Settings(tenant=tenant, policy=policy or Policy(), seed=seed, clock=clock)
    return open_memory(address, settings)
