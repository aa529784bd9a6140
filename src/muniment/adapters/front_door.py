"""Front door: `muniment.open`, from an address to an open memory."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from muniment.adapters.config import Settings, open_memory, place_text
from muniment.engine import lazy_views as views
from muniment.engine.api.memory import Memory
from muniment.engine.streams.ports import Neighbours
from muniment.model.policy import Policy


def open(  # noqa: A001, PLR0913 - `muniment.open` reads as what it does, and all of it by name
    address: str | Path,
    *,
    policy: Policy | None = None,
    tenant: str = "main",
    seed: bytes = b"",
    clock: bool = True,
    keys: str | Path = "",
    open_tables: bool | None = None,
    memory_types: Iterable[views.MemoryType] = (),
    neighbours: Neighbours | None = None,
) -> Memory:
    """Open the memory in a folder (created when it is not there), on a server, or `:memory:`.

    A server is named as `postgresql://…`; its keys stay in the local folder `keys`.
    `open_tables` also keeps the redacted episodes as plain rows for SQL, which nothing does
    unless asked; whoever opens the same memory without a word keeps to what was said last.

    `memory_types` are kinds of memory of your own; `neighbours` are told what a turn changed, asked
    what it should aim at, make vectors if a policy names them, put summaries into
    words, and find personal data that has no form.

    `policy` is what new streams are born under; existing ones change theirs by approval.
    `seed` and `clock=False` make a run repeatable to the byte; use them for tests only.
    """
    settings = Settings(
        tenant=tenant,
        policy=policy or Policy(),
        seed=seed,
        clock=clock,
        keys=place_text(keys, "the folder of the keys"),
        open_tables=open_tables,
        memory_types=tuple(memory_types),
        neighbours=neighbours or Neighbours(),
    )
    return open_memory(address, settings)
