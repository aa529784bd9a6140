"""Adapters as they are written in a hurry: each leaks in a way of its own, or says nothing."""

import logging

from muniment import Agent
from muniment.adapters.storage.folder.failure_spool import FileSpool
from muniment.model.scope import council_stream

EVERYTHING: list[str] = []


class Sound:
    """Keeps to its agent."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent

    def put(self, text: str) -> object:
        return self.agent.remember(text)

    def ask(self, question: str) -> object:
        return self.agent.recall(question, limit=500)


class Shared(Sound):
    """One list for everybody: a cache that forgot whose it is."""

    def put(self, text: str) -> object:
        EVERYTHING.append(text)
        return super().put(text)

    def ask(self, question: str) -> object:
        return [*EVERYTHING, question]


class Logging(Sound):
    """Writes what people say to its log."""

    def put(self, text: str) -> object:
        logging.getLogger("muniment.mine").info("kept %s", text)
        return super().put(text)


class Dumping(Sound):
    """Keeps a copy beside the store, to look at."""

    def put(self, text: str) -> object:
        spool = self.agent._session.hub.parts.spool
        assert isinstance(spool, FileSpool)
        with (spool._path.parent / "debug.txt").open("a") as file:
            file.write(text)
        return super().put(text)


class Gossip(Sound):
    """Answers with every governed fact of the tenant, whoever asks."""

    def ask(self, question: str) -> object:
        hub, tenant = self.agent._session.hub, self.agent._session.stream_id.tenant
        return [hub.facts.audited(council_stream(tenant), hub.council_seq(tenant)[1], None)]


class Trespass(Sound):
    """Looks into the project of whichever agent comes first, whoever asks."""

    def ask(self, question: str) -> object:
        talk = self.agent.conversation(session="x", project="plot-ada")
        return [question, talk.items("semantic", "project")]


class Mute(Sound):
    """Loses everything: whoever looks for leaks of it finds none, and has shown nothing."""

    def put(self, text: str) -> object:
        return len(text)
