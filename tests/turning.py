"""What a turn may do to memory, for random histories: memos, tools, threads, contexts, upkeep."""

from collections.abc import Callable
from dataclasses import dataclass, field

from muniment.engine.api.agent import Agent
from muniment.engine.api.job import Job
from muniment.engine.projections.memory_type_registry import Memorized
from muniment.model.kinds.memo import MemoType

TOLD = (
    "The deploy to Lisbon failed with error 12",
    "The deploy to Lisbon failed with error 14",
    "For this step use the blue bucket",
    "Users of project atlas must never see raw logs",
    "the deploy to lisbon FAILED, with error 12",
    "my password is correct-horse-77",
    "naïve café — 東京 🗼. Call +1 415 555 2671. " * 3,
)
PHRASES = (
    ("WM", "oldest"),
    ("EM", "oldest"),
    ("SM", "least important"),
    ("SM", "key:project:atlas"),
    ("WM", "position:0"),
    ("EM", "nonsense"),
    ("EM", "before:2099-01-01T00:00:00.000Z"),
)


@dataclass
class Kept:
    """The names of what somebody kept, and of what they were shown."""

    memos: list[str] = field(default_factory=list)
    contexts: list[str] = field(default_factory=list)

    def memo(self, n: int) -> str:
        return self.memos[n % len(self.memos)] if self.memos else "nothing"

    def context(self, n: int) -> str:
        return self.contexts[n % len(self.contexts)] if self.contexts else "nothing"


def memorize(agent: Agent, job: Job, kept: Kept, n: int) -> Memorized:
    kind = list(MemoType)[(n * 3) % len(MemoType)]
    item: dict[str, object] = {"type": kind, "text": TOLD[n]}
    item |= {"importance": n / 6} if n % 2 else {}
    item |= {"key": "project:atlas", "type": "fact"} if n == 3 else {}
    item |= {"ttl": 60, "tags": ["a", "b"]} if n == 4 else {}
    told = (job if n % 3 else agent).memorize(item, {"n": n, "share": 0.5} if n % 2 else None)
    kept.memos += told.ids
    return told


def tool(agent: Agent, job: Job, kept: Kept, n: int) -> Memorized:
    del agent
    error = "timed out" if n == 5 else ""
    told = job.track_tool_invocation("search", {"q": TOLD[n], "n": n}, [n, None, 0.5], error)
    kept.memos += told.ids
    return told


def transcribe(agent: Agent, job: Job, kept: Kept, n: int) -> object:
    del agent, kept
    said = [{"speaker": ("user", "agent")[k % 2], "text": TOLD[(n + k) % 7]} for k in range(n % 3)]
    return job.transcribe("mail", said)


def turn(agent: Agent, job: Job, kept: Kept, n: int) -> object:
    del job
    channel = agent.thread(("mail", "slack", "desk")[n % 3], explicit=n % 3 == 2)
    told = channel.turn(TOLD[n], source=("user", "model")[n % 2], new=n == 6)
    kept.memos += told.memo_ids
    return told


def end_thread(agent: Agent, job: Job, kept: Kept, n: int) -> object:
    del job, kept
    channel = agent.thread("mail")
    known = agent.threads()
    channel.thread_id = known[n % len(known)].thread_id if known else "nothing"
    if n % 3:
        return channel.end()
    channel.set_timeout(5)
    agent.set_thread_timeout(n + 1)
    return n


def assemble(agent: Agent, job: Job, kept: Kept, n: int) -> object:
    told = (job if n % 3 else agent).context(TOLD[n], budget=200 + n)
    kept.contexts.append(told.receipt.receipt_id)
    return told


def judge(agent: Agent, job: Job, kept: Kept, n: int) -> None:
    if n % 3 == 0:
        job.outcome("success" if n else "failure")
    else:
        agent.used([kept.memo(n)], context=kept.context(n), unused=[kept.memo(n + 1)])


def mark(agent: Agent, job: Job, kept: Kept, n: int) -> None:
    del job
    agent.mark_memo(kept.memo(n), n / 6)


def regenerate(agent: Agent, job: Job, kept: Kept, n: int) -> object:
    del job
    agent.flush()
    return agent.regenerate(kept.context(n))


def compact(agent: Agent, job: Job, kept: Kept, n: int) -> object:
    del job, kept
    if n == 1:
        return agent.thin(tokens_max=20)
    if n == 2:
        return agent.thin(items_max=1, sample=True)
    return agent.compact(due_only=n % 2 == 0)


Turn = Callable[[Agent, Job, Kept, int], object]
TURNS: dict[str, Turn] = {
    "memorize": memorize,
    "tool": tool,
    "transcribe": transcribe,
    "turn": turn,
    "end_thread": end_thread,
    "assemble": assemble,
    "judge": judge,
    "regenerate": regenerate,
    "compact": compact,
    "forget_memos": lambda agent, job, _, n: (job if n % 2 else agent).forget_memos(*PHRASES[n]),
    "restore_memo": lambda agent, _, kept, n: agent.restore_memo(kept.memo(n)),
    "mark_memo": mark,
    "search_memos": lambda agent, _, __, n: agent.memory_type(
        ("episodic", "semantic")[n % 2]
    ).remember(TOLD[n]),
}
