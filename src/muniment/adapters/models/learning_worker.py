"""Learning worker: pending model work, done beside the service; no write waits for it.

An answer is recorded under a name derived from its question. So each answer is taken in once, also
after a crash and with several workers. The agent's lock is released while the model works.
"""

from collections.abc import Sequence
from typing import Final

from muniment.adapters.gateway.gateway import Gateway
from muniment.adapters.models.usage import UsageLedger
from muniment.adapters.system.background_loop import BackgroundLoop
from muniment.engine.streams.ports import Model

LOOK_SECONDS: Final = 5.0
BATCHES_MAX: Final = 8  # of one agent, before the next one has its turn


class UnlockedModel:
    """A model whose agent goes on while it thinks: the lock is let go, and taken again after."""

    def __init__(self, model: Model, gateway: Gateway, who: tuple[str, str]) -> None:
        self._model, self._locks, self._who = model, gateway.call_locks, who

    @property
    def name(self) -> str:
        return self._model.name

    def summarise(self, texts: Sequence[str], tokens_max: int) -> str:
        return self._model.summarise(texts, tokens_max)

    def extract(self, text: str, wanted: str) -> str:
        with self._locks.at(self._who) as held:
            held.lock.release()
            try:
                return self._model.extract(text, wanted)
            finally:
                held.lock.acquire()


class LearningWorker:
    """Looks at every agent whose log has grown, and asks for what waits there."""

    def __init__(self, gateway: Gateway, model: Model) -> None:
        self._gateway, self.model = gateway, model
        self._read: dict[tuple[str, str], int] = {}  # up to where nothing waits
        self.waiting: dict[tuple[str, str], int] = {}  # texts, by tenant and agent

    @property
    def usage(self) -> UsageLedger | None:
        found = getattr(self.model, "usage", None)
        return found if isinstance(found, UsageLedger) else None

    @property
    def is_resting(self) -> bool:
        """Whether the server failed a moment ago and is left alone."""
        return bool(getattr(self.model, "is_resting", False))

    def run_once(self) -> int:
        """Ask for what waits; how many answers came. Where none comes, the rest waits."""
        asked = 0
        for tenant in self._gateway.memory.tenants():
            for agent, head in self._gateway.tenant(tenant).extraction().heads().items():
                if self._read.get((tenant, agent)) != head:
                    answers, failed = self._run(tenant, agent)
                    asked += answers
                    if failed:
                        return asked
        return asked

    def _run(self, tenant: str, agent: str) -> tuple[int, bool]:
        who = (tenant, agent)
        extraction = self._gateway.tenant(tenant).extraction()
        model = UnlockedModel(self.model, self._gateway, who)
        with self._gateway.call_locks.held(who):
            told = extraction.run(batches_max=BATCHES_MAX, agent=agent, model=model)
            done = [each for its in told.values() for each in its]
            failed = any(not each.extraction_id for each in done)
            worded = 0 if failed else extraction.write_summaries(agent=agent, model=model)
            self.waiting[who] = extraction.waiting(agent).get(agent, 0)
            if not self.waiting[who]:
                self._read[who] = extraction.heads()[agent]
        return len(done) - failed + worded, failed


def learning_loop(worker: LearningWorker) -> BackgroundLoop:
    """Asks for what waits, as long as its block lasts."""
    return BackgroundLoop(worker.run_once, name="learning", seconds=LOOK_SECONDS)
