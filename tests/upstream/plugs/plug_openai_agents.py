"""The session tests of the OpenAI Agents SDK, with our session in the place of theirs."""

from pathlib import Path
from typing import Any

import agents
from agents import SessionSettings

import muniment
from muniment.adapters.frameworks.openai_agents import MunimentSession
from muniment.engine.api.memory import Memory

OPEN: dict[str, Memory] = {}  # one memory for each database file a test names


class SQLiteSession(MunimentSession):
    def __init__(
        self,
        session_id: str,
        db_path: str | Path = ":memory:",
        session_settings: SessionSettings | dict[str, Any] | None = None,
    ) -> None:
        place = f"{db_path}.muniment" if str(db_path) != ":memory:" else ""
        if place and place not in OPEN:
            OPEN[place] = muniment.open(place)
        opened = OPEN[place] if place else muniment.open(":memory:")
        agent = opened.agent("assistant", user="tuff")
        super().__init__(session_id, agent, session_settings=session_settings)

    def close(self) -> None:
        """A file of theirs is closed; a memory of ours may have other sessions."""


agents.SQLiteSession = SQLiteSession  # type: ignore[assignment, misc]
