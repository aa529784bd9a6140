"""Two personas of one agent, an outside world, and a record of every byte the Actor receives."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from hypothesis import strategies as st
from tests import turning, world
from tests.turning import Kept, Turn

from muniment.engine.api.agent import Agent
from muniment.engine.api.job import Job
from muniment.engine.api.memory import Memory
from muniment.engine.api.persona_views import ActorMemoryView
from muniment.engine.api.subconscious import Subconscious
from muniment.engine.streams.parts import Tools
from muniment.model.errors import MunimentError
from muniment.model.kinds.loop import EventKind, IdeticEvent
from muniment.retrieval.index.hashing_embedder import HashingEmbedder
from muniment.rules import loop_compaction

# The two personas speak of the same things, so that whatever they share would show.
SENTENCES = (
    "I moved to Lisbon in March",
    "Remember my favourite colour is cerulean",
    "actually not the train but the ferry to Lisbon",
    "call me on +1 415 555 2671",
    "my password is correct-horse-77",
    "book a table for two in Lisbon",
    "naïve café — 東京 🗼",
)
ACTOR = [
    "remember",
    "confirm",
    "do",
    "do",
    "happen",
    "happen",
    "answer",
    "practise",
    "skills",
    "rag_query",
    "fuzzy_query",
    "recall",
    "context",
    "view",
    "get_range",
    "get_by_id",
    "sem_get",
    "request",
    "open",
    "insert",
    "tick",
    "commit",
    "converse",
    "converse_recall",
    *turning.TURNS,
]
OUTSIDE = ["approve", "reject", "council_tick", "embedder", "compactor", "compactor"]
HIDDEN = [
    "remember",
    "do",
    "happen",
    "happen",
    "answer",
    "practise",
    "rag_query",
    "fuzzy_query",
    "recall",
    "request",
    "open",
    "insert",
    "tick",
    "commit",
    "dream",
    "dream",
    "dream",
    "learn",
    "look",
    "converse",
    "vote",
    *turning.TURNS,
]


class Switch:
    """An embedder and a compactor that can be out of order, as the outside world decides."""

    def __init__(self) -> None:
        self.embedding = self.compacting = True
        self.name, self.dims = HashingEmbedder.name, HashingEmbedder.dims

    def embed(self, text: str) -> bytes:
        if not self.embedding:
            raise TimeoutError("the model does not answer")
        return HashingEmbedder().embed(text)

    def compact(self, event: IdeticEvent) -> str:
        if not self.compacting:
            raise ValueError("the compactor is out of order")
        return loop_compaction.compact(event)

    def tools(self) -> Tools:
        return Tools(embedder=self, compactor=self.compact)


@dataclass(frozen=True)
class Step:
    who: str
    verb: str
    n: int


def _steps(who: str, verbs: list[str]) -> st.SearchStrategy[Step]:
    return st.builds(Step, st.just(who), st.sampled_from(verbs), st.integers(0, 6))


def interleaved(among: Collection[str]) -> st.SearchStrategy[list[Step]]:
    """Plays of both personas and the outside world that know no other verbs than these."""
    sides = {"actor": ACTOR, "hidden": HIDDEN, "outside": OUTSIDE}
    known = {who: [verb for verb in verbs if verb in among] for who, verbs in sides.items()}
    return st.lists(
        st.one_of(*(_steps(who, verbs) for who, verbs in known.items() if verbs)),
        min_size=14,
        max_size=32,
    )


VERBS = {*ACTOR, *HIDDEN, *OUTSIDE}
# Among too many verbs those that belong together seldom meet: of three plays one knows them all,
# one takes no turns, and one takes mostly turns, with what could tell of them or be told by them.
BESIDE_TURNS = {"remember", "do", "open", "tick", "commit", "recall", "context", "view", "skills"}
interleavings = st.one_of(
    interleaved(VERBS),
    interleaved(VERBS - turning.TURNS.keys()),
    interleaved({*turning.TURNS, *BESIDE_TURNS, "dream"}),
)


@dataclass
class Side:
    """What one persona has at hand."""

    agent: Agent
    jobs: list[Job] = field(default_factory=list)
    items: list[str] = field(default_factory=list)
    episodes: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    kept: Kept = field(default_factory=Kept)


class Stage:
    """Plays an interleaving and writes down everything that the Actor is told."""

    def __init__(self, memory: Memory, switch: Switch) -> None:
        self.memory, self.switch = memory, switch
        self.actor = Side(agent=memory.agent("ada", user="tuff"))
        self.hidden = Side(agent=memory.subconscious("ada"))
        self.view: ActorMemoryView = memory.actor_view("ada")

    def play(self, steps: list[Step], *, hidden: bool) -> list[str]:
        told: list[str] = []
        for step in steps:
            if step.who == "hidden":
                if hidden:
                    self._move(self.hidden, step)
            elif step.who == "actor":
                told.append(f"{step.verb} {self._move(self.actor, step)}")
                told.append(f"at {self.actor.agent.seq}")
            else:
                self._move(self.actor, step)
        return [*told, *self.everything()]

    def everything(self) -> list[str]:
        """All that the Actor can look at once the play is over, with everything working again."""
        self.switch.embedding = self.switch.compacting = True
        ada, view = self.actor.agent, self.view
        queries = (ada.rag_query, ada.fuzzy_query, view.rag_query)
        asked = [query(text) for text in SENTENCES for query in queries]
        contexts = [ada.context(text, budget=400) for text in SENTENCES]
        skills = (ada.skills(), view.skills())
        seen = (asked, contexts, skills, view.loops(), view.get_range(), _lines(ada))
        return [repr(each) for each in seen]

    def _move(self, side: Side, step: Step) -> str:
        try:
            return _told(MOVES[step.verb](self, side, step.n))
        except MunimentError as error:
            return repr(error.envelope())


def stage(make: Callable[[Tools], Memory] | None = None) -> Stage:
    switch = Switch()
    memory = make(switch.tools()) if make else world.memory(tools=switch.tools())
    return Stage(memory, switch)


def _lines(agent: Agent, start: int = 1) -> list[tuple[str, str]]:
    """Entries as they are: the hash covers every byte of a header and of what it commits to."""
    return [(line.hash.hex(), repr(line.event)) for line in agent.get_range(start)]


def _told(value: object) -> str:
    """What a caller gets in hand; of a job, everything one can ask it."""
    if isinstance(value, Job):
        names = ("number", "seed", "session", "trace_id", "loop_id", "sem_snapshot_id")
        more = ("episodic_snapshot_id", "brainstate_snapshot_id", "is_open")
        return repr([getattr(value, name) for name in (*names, *more)])
    return repr(value)


def _pick(things: list[str], n: int) -> str:
    return things[n % len(things)] if things else "nothing"


def _job(stage: Stage, side: Side, n: int) -> Job:
    side.jobs = [job for job in side.jobs if job.is_open]
    if not side.jobs:
        _open(stage, side, n)
    return side.jobs[n % len(side.jobs)]


def _open(stage: Stage, side: Side, n: int) -> Job:
    del stage
    channel = ("", "mail", "slack")[n % 3]
    side.jobs.append(side.agent.job(session="s" if n % 2 else "", channel=channel))
    return side.jobs[-1]


def _do(stage: Stage, side: Side, n: int) -> Job:
    del stage
    side.jobs.append(side.agent.do(SENTENCES[n]))
    return side.jobs[-1]


def _remember(stage: Stage, side: Side, n: int) -> object:
    del stage
    told = side.agent.remember(SENTENCES[n])
    side.episodes += [told.episodic_id] if told.stored else []
    side.questions += [told.question.confirmation_id] if told.question else []
    return told


def _confirm(stage: Stage, side: Side, n: int) -> object:
    del stage
    side.requests.append(side.agent.confirm(_pick(side.questions, n), yes=n % 3 > 0))
    return side.requests[-1]


def _request(stage: Stage, side: Side, n: int) -> object:
    del stage
    asked = side.agent.memory_promote_request(
        _pick(side.episodes, n), "world/city/lisbon/country", "seen", value="x"
    )
    side.requests.append(asked)
    return asked


def _happen(stage: Stage, side: Side, n: int) -> object:
    kinds = list(EventKind)
    told = _job(stage, side, n).observe_event(kinds[n % len(kinds)], SENTENCES[n], {"n": n})
    side.items.append(told)
    return told


def _answer(stage: Stage, side: Side, n: int) -> object:
    job = _job(stage, side, n)
    kind = "actor_output" if side is stage.actor else "subconscious_output"
    return job.observe_event(kind, SENTENCES[n]), job.commit()


def _practise(stage: Stage, side: Side, n: int) -> object:
    """The same thing twice: somebody who practises again has a skill."""
    del stage
    for k in range(2):
        with side.agent.do(SENTENCES[n % 2]) as doing:
            doing.tool_result(doing.tool_call("search", {"n": n + k, "in": "Lisbon"}), k)
    return side.agent.skills()


def _vote(vote: str) -> Callable[[Stage, Side, int], object]:
    def move(stage: Stage, side: Side, n: int) -> object:
        return stage.memory.council(f"member-{n}").vote(_pick(side.requests, n), vote)

    return move


def _hidden_vote(stage: Stage, side: Side, n: int) -> object:
    """The council answers the Subconscious; what it approves is not carried out here."""
    return _vote("approve")(stage, side, n) if side.requests else ""


def _dream(stage: Stage, side: Side, n: int) -> object:
    del stage, n
    assert isinstance(side.agent, Subconscious)
    return side.agent.dream()


def _learn(stage: Stage, side: Side, n: int) -> object:
    del stage
    assert isinstance(side.agent, Subconscious)
    lesson = side.agent.learn(SENTENCES[n])
    side.requests += [lesson.request_id] if lesson.request_id else []
    return lesson


def _converse(stage: Stage, side: Side, n: int) -> object:
    del stage
    return side.agent.conversation(session="s").record(user=SENTENCES[n], ai="noted")


def _switched(name: str) -> Callable[[Stage, Side, int], object]:
    def move(stage: Stage, side: Side, n: int) -> object:
        del side
        setattr(stage.switch, name, n % 2 == 0)
        return n

    return move


def _viewed(stage: Stage, side: Side, n: int) -> object:
    del side
    view, text = stage.view, SENTENCES[n]
    filters = {"kinds": [list(EventKind)[n]], "top_k": 3}
    return [
        view.collections,
        view.rag_query(text, filters),
        view.fuzzy_query(text, {"threshold": 20}),
        view.loops(),
        view.skills(),
        view.get_range(),
    ]


def _turned(turn: Turn) -> Callable[[Stage, Side, int], object]:
    return lambda stage, side, n: turn(side.agent, _job(stage, side, n), side.kept, n)


Move = Callable[[Stage, Side, int], object]
MOVES: dict[str, Move] = {
    "remember": _remember,
    "confirm": _confirm,
    "do": _do,
    "happen": _happen,
    "answer": _answer,
    "practise": _practise,
    "skills": lambda _, side, __: side.agent.skills(),
    "rag_query": lambda _, side, n: side.agent.rag_query(SENTENCES[n]),
    "fuzzy_query": lambda _, side, n: side.agent.fuzzy_query(SENTENCES[n]),
    "recall": lambda _, side, n: side.agent.recall(SENTENCES[n]),
    "context": lambda _, side, n: side.agent.context(SENTENCES[n], budget=300),
    "view": _viewed,
    "look": lambda stage, _, n: stage.memory.subconscious_view("ada").rag_query(SENTENCES[n]),
    "get_range": lambda _, side, n: _lines(side.agent, n + 1),
    "get_by_id": lambda stage, side, n: stage.view.get_by_id(_pick(side.items, n)),
    "sem_get": lambda _, side, __: side.agent.sem_get("user/profile/tuff/favorite_color"),
    "request": _request,
    "open": _open,
    "insert": lambda stage, side, n: _job(stage, side, n).wm_insert(
        {"type": "fact", "value": SENTENCES[n]}
    ),
    "tick": lambda stage, side, n: _job(stage, side, n).tick(),
    "commit": lambda stage, side, n: _job(stage, side, n).commit(),
    "converse": _converse,
    "converse_recall": lambda _, side, n: side.agent.conversation(session="s").recall(SENTENCES[n]),
    "dream": _dream,
    "learn": _learn,
    "vote": _hidden_vote,
    "approve": _vote("approve"),
    "reject": _vote("reject"),
    "council_tick": lambda stage, _, __: stage.memory.council().tick(),
    "embedder": _switched("embedding"),
    "compactor": _switched("compacting"),
    **{name: _turned(turn) for name, turn in turning.TURNS.items()},
}
