"""Every read of memory answers as of an entry and of a day, or says why it can have none."""

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest
from tests.world import SteppingClock, memory

import muniment.engine
from muniment import Agent, Capacity, Job, Memo, Memory, guest
from muniment.adapters.config import Settings, open_memory
from muniment.engine.learning.entity_view import EntityView
from muniment.engine.streams import argument_checks
from muniment.log.store import Store
from muniment.model.errors import InputError, NotFoundError, RefusedError
from muniment.model.policy import Governance, Policy
from muniment.model.policy.context import Coefficients, ReadContext
from muniment.model.scope import Channel

MAY_20: int = 1_779_267_600_000
BEFORE, THEN, NOW = "2026-05-10", "2026-05-25", "2026-06-25"
KEY = "user/profile/tuff/city"
CITIES = ("Lisbon", "Porto")
NOWHERE = ("yesterday", "2026-02-31", "2026-5-1", "2026-05-25Tea", " ", "1e9", "∞")

Then = dict[str, Any]


class Lived:
    """Two months of one person: Lisbon from 20 May on, and Porto thirty days later."""

    def __init__(self, store: Store | None = None) -> None:
        self.clock = SteppingClock(MAY_20)
        governance = Governance(user_direct=True)
        self.of: Memory = memory(Policy(governance=governance), clock=self.clock, store=store)
        self.ada: Agent = self.of.agent("ada", user="tuff")
        self.desk = self.ada.thread("desk", explicit=True)
        self.job: Job = self.ada.job("long", session="s")
        self.episodes: dict[str, str] = {}
        self.memos: dict[str, str] = {}
        self.heads: dict[str, int] = {}
        for city in CITIES:
            self._live(city)
            self.clock.later(30)

    def _live(self, city: str) -> None:
        ada, documents = self.ada, self.ada.documents()
        ada.sem_put(KEY, city)
        self.episodes[city] = ada.remember(f"my city is {city}, by the river").episodic_id
        ada.conversation(session="talk").record(user=f"My city is {city}")
        self._name(city)
        documents.put(["city"], "home", f"the city of {city}")
        for lying in documents.within(["maps"]):
            documents.drop(lying.namespace, lying.key)
        documents.put(["maps", city], "old", f"a map of {city}")
        self.desk.turn(f"we speak of {city} and its river")
        fact: Then = {"type": "fact", "text": f"the city is {city}", "key": "city:home"}
        fact |= {"importance": 1}
        self.memos[city] = ada.memorize(fact, store="SM").ids[0]
        ada.memorize({"type": "observation", "text": f"a tram in {city}"}, store="EM")
        ada.memorize({"type": "thought", "text": f"look for the {city} office"}, store="WM")
        for _ in range(3):
            with ada.do(f"look up the city of {city}") as loop:
                call = loop.tool_call(f"find_{city}", {"city": city})
                loop.tool_result(call, f"the office of {city} is open")
                loop.answer(f"the office of {city} is open")
        used = self.job.wm_insert({"type": "fact", "value": f"the city is {city}"})
        self.job.reference(used)
        self.job.reference(used)
        self.job.tick()
        ada.flush()
        self.heads[city] = ada.seq

    def _name(self, city: str) -> None:
        """An entity, and a fact as a model extracts it."""
        self.ada.remember(f"My wife Vera works at {city} Trams")
        told = {"subject": "user", "relation": "lives_in", "object": city}
        self.ada.memorize(
            {
                "type": "fact",
                "text": f"the user lives in {city}",
                "key": "extracted:home",
                "source": "model",
            },
            {"extracted": told},
            store="SM",
        )

    @property
    def view(self) -> EntityView:
        return EntityView(self.ada._session)


@pytest.fixture(scope="module")
def lived() -> Lived:
    return Lived()


def _memo(it: Lived, then: Then) -> object:
    """Either version, whichever was so."""
    for memo_id in it.memos.values():
        try:
            return it.ada.memo(memo_id, **then)
        except NotFoundError:
            continue
    raise NotFoundError


def _each_episode(it: Lived, read: Callable[..., object], then: Then) -> object:
    found = []
    for episodic_id in it.episodes.values():
        try:
            found.append(read(episodic_id, **then))
        except NotFoundError:
            continue
    return found


QUESTION = "my city by the river"
HOME = {"properties": {"lives_in": {"type": "string"}}}
READ = ReadContext(query_text=QUESTION, budget_tokens=900)
ANY = {"threshold": 0, "top_k": 50}

READS: dict[str, Callable[[Lived, Then], object]] = {
    "Reader.recall": lambda it, then: it.ada.recall(QUESTION, **then).hits,
    "RecordList.records": lambda it, then: it.ada.records(**then).records,
    "RecordList.get": lambda it, then: _each_episode(it, it.ada.get, then),
    "Reader.sem_get": lambda it, then: it.ada.sem_get(KEY, **then),
    "Reader.sem_search": lambda it, then: it.ada.sem_search("user/profile/tuff", **then),
    "Reader.episodic_query": lambda it, then: it.ada.episodic_query(QUESTION, **then),
    "Reader.episode": lambda it, then: _each_episode(it, it.ada.episode, then),
    "Reader.cwm_get": lambda it, then: it.ada.cwm_get(session="s", **then),
    "Reader.rag_query": lambda it, then: it.ada.rag_query("city office", {"top_k": 50}, **then),
    "Reader.fuzzy_query": lambda it, then: it.ada.fuzzy_query("city office", ANY, **then),
    "Reader.skills": lambda it, then: it.ada.skills(**then),
    "ContextBuilder.context": lambda it, then: it.ada.context(QUESTION, **then).text,
    "ContextBuilder.assemble_context": lambda it, then: (
        it.ada.assemble_context(QUESTION, **then).text
    ),
    "ContextBuilder.read": lambda it, then: it.ada.read(READ, **then),
    "ContextBuilder.preview": lambda it, then: it.ada.preview(QUESTION, Coefficients(), **then),
    "ContextBuilder.why_not": lambda it, then: [
        (city, it.ada.why_not(episode, QUESTION, **then).stage)
        for city, episode in it.episodes.items()
        if it.ada.why_not(episode, QUESTION, **then).stage not in {"not_valid_then", "not_visible"}
    ],
    "MemoActions.memo": _memo,
    "MemoActions.memos": lambda it, then: [
        it.ada.memos(place, **then) for place in ("WM", "EM", "SM")
    ],
    "Agent.threads": lambda it, then: it.ada.threads(**then),
    "ThreadChannel.thread": lambda it, then: it.desk.thread(**then),
    "ThreadChannel.continuity": lambda it, then: it.desk.continuity(**then),
    "ThreadChannel.context": lambda it, then: it.desk.context(**then),
    "Conversation.recall": lambda it, then: (
        it.ada.conversation(session="talk").recall("which city", **then).text
    ),
    "Conversation.items": lambda it, then: it.ada.conversation(session="talk").items(
        "short_term", "session", **then
    ),
    "Documents.get": lambda it, then: it.ada.documents().get(["city"], "home", **then),
    "Documents.within": lambda it, then: it.ada.documents().within(**then),
    "Documents.newest": lambda it, then: it.ada.documents().newest(["city"], 9, **then),
    "Documents.search": lambda it, then: it.ada.documents().search([], "city", **then),
    "Documents.namespaces": lambda it, then: it.ada.documents().namespaces(**then),
    "Documents.history": lambda it, then: it.ada.documents().history(["city"], "home", **then),
    "Job.cwm_get": lambda it, then: it.job.cwm_get(**then),
    "EntityView.entities": lambda it, then: it.ada.entities(kind="organisation", **then),
    "EntityView.about": lambda it, then: it.ada.about("Vera", **then),
    "EntityView.path_between": lambda it, then: [
        it.ada.path_between("user", f"{city} Trams", **then) for city in CITIES
    ],
    "EntityView.leads": lambda it, then: it.view.leads(
        "Who is my wife's employer?", then.get("at"), then.get("valid_at", "")
    ),
    "EntityView.graph": lambda it, then: it.view.graph(**then).relations,
    "Extractor.facts": lambda it, then: it.ada.extracted_facts(**then),
    "Summaries.summary": lambda it, then: it.ada.summary(**then).text,
    "SchemaReader.structured": lambda it, then: it.ada.structured(HOME, **then).values,
}
# Whoever looks at more than one log has no entry to look from, or one of the council's log.
OF_A_DAY: dict[str, Callable[[Lived, Then], object]] = {
    "ActorMemoryView.rag_query": lambda it, then: it.of.actor_view("ada").rag_query(
        "city office", {"top_k": 50}, **then
    ),
    "ActorMemoryView.fuzzy_query": lambda it, then: it.of.actor_view("ada").fuzzy_query(
        "city office", ANY, **then
    ),
    "ActorMemoryView.loops": lambda it, then: it.of.actor_view("ada").loops(**then),
    "ActorMemoryView.skills": lambda it, then: it.of.actor_view("ada").skills(**then),
    "SubconsciousMemoryView.rag_query": lambda it, then: it.of.subconscious_view("ada").rag_query(
        "city office", {"top_k": 50}, **then
    ),
    "SubconsciousMemoryView.fuzzy_query": lambda it, then: it.of.subconscious_view(
        "ada"
    ).fuzzy_query("city office", ANY, **then),
    "SubconsciousMemoryView.loops": lambda it, then: it.of.subconscious_view("ada").loops(**then),
    "SubconsciousMemoryView.skills": lambda it, then: it.of.subconscious_view("ada").skills(**then),
    "Admin.facts": lambda it, then: it.of.admin("otto").facts(reason="to see", **then),
    "Auditor.facts": lambda it, then: it.of.auditor("ann").facts(**then),
}

# What is the same at every entry and on every day, and what is about now. Each says why in the
# chapter on time; a day that is given nevertheless is refused, for there is no such parameter.
WITHOUT_TIME = {
    "an entry, a version or a receipt that its name settles": """
        Reader.get_by_id Reader.get_range Reader.recall_again
        ContextBuilder.regenerate ContextBuilder.receipt ContextBuilder.pools
        MemoActions.get_version Agent.sources Agent.whole
        Conversation.retired_by Conversation.blame Conversation.diff Conversation.traces
        Agent.turn_trace TurnActions.trace Admin.read_payload
        ActorMemoryView.get_by_id ActorMemoryView.get_range
        SubconsciousMemoryView.get_by_id SubconsciousMemoryView.get_range
        Memory.log Memory.head Memory.streams Memory.tenants Memory.policy Memory.prove
        Memory.prove_stream Memory.signed
        Memory.prove_branches Branches.list Branches.status Branches.diff Branch.diff
        Notary.signed Notary.certify Notary.bundle Notary.link
        Ruling.policy
        Auditor.streams Auditor.lengths Auditor.head Auditor.entry Auditor.batch Auditor.page
        Auditor.survey Auditor.trail Auditor.diff Auditor.living Auditor.about Auditor.dossier
        Exchange.records Exchange.records_by_log Exchange.heads
        Passports.make Passports.verify Notary.read_through
        Auditor.told Auditor.entries_about Auditor.named Auditor.accesses Auditor.home
        Auditor.ref""",
    "what changes from here on": """
        Agent.watch RecordList.naming""",
    "what is at hand: a job's working memory, what awaits an answer, how far work has come": """
        Job.wm_find Job.cwm_find Job.cwm Job.goals
        TurnActions.get_budget_status TurnActions.hear_neighbours
        PromotionRequests.questions PromotionRequests.requests
        Council.requests Council.request Admin.incidents
        Ruling.what_if_policy
        Feedback.judged Feedback.what_if Feedback.propose_coefficients
        SubconsciousMemoryView.status SubconsciousMemoryView.coverage
        Identities.of Ruling.policies Ruling.proposal Indexing.status Indexing.waiting
        Indexing.grade Eraser.person Eraser.completed Conversation.told
        Extractor.waiting Summaries.waiting""",
}
NO_READS = """
    MemoryOperations.keyed RoleSession.keyed
    Sentences.remember Sentences.remember_many Sentences.remember_each
    Agent.forget Agent.correct Agent.vouch Agent.forget_where Agent.restore
    Rollback.roll_back Rollback.undo_rollback
    Holds.place_hold Holds.lift_hold Holds.settle_holds Holds.holds
    RetentionSweep.due RetentionSweep.carry_out_due
    Conversation.retraction Conversation.retract Conversation.replace Conversation.undoing
    Auditor.seen
    EntityView.merge_entities EntityView.split_entity EntityView.restore_entity
    Extractor.run Extractor.undo Summaries.write Summaries.write_due Summaries.undo
    Exchange.carry Memory.exchange Memory.extraction Notary.attest
    Agent.confirm Agent.sem_put Agent.consent Agent.revoke_consent Agent.job Agent.resume
    Agent.do Agent.conversation Agent.documents Agent.flush
    Conversation.record Conversation.correct Conversation.imposition Conversation.forget
    Conversation.promote Conversation.undo Conversation.start_phase
    Eraser.request Eraser.carry_out MemoryTypes.memory_type MemoryTypes.memory_types
    MemoryTypes.sources
    Identities.adopt Identities.apply Indexing.build Indexing.switch Indexing.approach
    Job.wm_insert Job.reference Job.promote Job.tick Job.set_goal Job.observe Job.episodic_write
    Job.consent Job.observe_event Job.commit
    Feedback.used Feedback.unused Feedback.used_in Feedback.outcome
    Agent.thread Agent.set_thread_timeout Agent.compact Agent.thin
    Loop.tool_call Loop.tool_result Loop.note Loop.answer
    MemoActions.memorize MemoActions.transcribe MemoActions.forget_memos MemoActions.restore_memo
    MemoActions.mark_memo
    Memory.beside Memory.let_go Memory.agent Memory.onlooker Memory.subconscious Memory.actor_view
    Memory.subconscious_view Memory.identities Memory.council Memory.admin Memory.auditor
    Memory.branch Memory.branches Memory.on_branch Branches.open Branches.hub Branches.merge
    Branches.discard Branch.merge Branch.discard Branch.beside Branch.eraser Branch.notary
    Branch.is_same
    Memory.subscriptions Memory.passports Passports.take_in
    Memory.what_if_stream Reader.recall_under ContextBuilder.assemble_under
    Memory.notary Notary.sign Notary.renew_key
    Memory.indexing Memory.eraser Memory.rebuild_stream Memory.rebuild Memory.close
    Documents.put Documents.put_all Documents.add Documents.move Documents.drop Documents.clear
    Documents.sweep Documents.before Documents.drop_all Documents.replace Documents.as_kept
    Memory.insist_on_whole
    SubconsciousMemoryView.library PromotionRequests.memory_promote_request
    Subconscious.dream Subconscious.learn
    ThreadChannel.turn ThreadChannel.end ThreadChannel.set_timeout ThreadChannel.settle_link
    TurnActions.committed TurnActions.track_tool_invocation
    TurnActions.advance_goal TurnActions.observe_mandates
    Admin.request_deletion Admin.delete Admin.impose Admin.lift
    Ruling.ruled_streams Ruling.adopt_policy Ruling.request_policy Ruling.request_coefficients
    Ruling.apply_policy
    Conversation.lifting
    Council.vote Council.approve Council.reject Council.abstain Council.tick"""
CHECKED_IN = argument_checks.__file__  # the code of a method that checks its arguments
TIMELESS = {name for told in WITHOUT_TIME.values() for name in told.split()}


def verbs() -> dict[str, Callable[..., object]]:
    """Everything that anybody may call inside of a program, by the class that has it."""
    for module in pkgutil.walk_packages(muniment.engine.__path__, "muniment.engine."):
        importlib.import_module(module.name)
    return {
        f"{kind.__name__}.{name}": verb
        for kind in _heirs(object)
        if str(kind.__module__).startswith("muniment.engine.")
        for name, verb in vars(kind).items()
        if isinstance(verb, FunctionType) and verb.__code__.co_filename == CHECKED_IN
    }


def _heirs(kind: type) -> Iterator[type]:
    heirs: list[type] = type.__subclasses__(kind)
    for each in heirs:
        yield each
        yield from _heirs(each)


def test_every_verb_is_known_to_read_of_then_or_to_have_no_then() -> None:
    known = READS.keys() | OF_A_DAY.keys() | TIMELESS | set(NO_READS.split())

    assert verbs().keys() - known == set(), "a new verb: does it read, and of which day?"
    assert known - verbs().keys() == set()


def test_a_read_takes_an_entry_and_a_day_and_what_has_no_then_takes_no_day() -> None:
    for name, verb in verbs().items():
        takes = inspect.signature(verb).parameters.keys()
        assert ("valid_at" in takes) == (name in READS or name in OF_A_DAY), name
        assert name not in READS or "at" in takes, name


def test_the_chapter_on_time_names_what_has_none() -> None:
    chapter = Path("docs/recall.md").read_text().partition("## Time")[2].partition("\n## ")[0]

    missing = {name for name in TIMELESS if f"`{name.partition('.')[2]}`" not in chapter}
    assert not missing


@pytest.mark.parametrize("name", [*READS, *OF_A_DAY])
def test_a_read_of_a_day_holds_what_was_so_on_it(lived: Lived, name: str) -> None:
    def told(**then: object) -> str:
        try:
            return str((READS | OF_A_DAY)[name](lived, then)).casefold()
        except NotFoundError:
            return ""

    for nothing in (BEFORE, "0001-01-01"):
        assert not {"lisbon", "porto"} & set(_words(told(valid_at=nothing))), name
    assert "lisbon" in told(valid_at=THEN)
    assert "porto" not in told(valid_at=THEN)
    assert "porto" in told(valid_at=NOW)
    assert "porto" in told(valid_at="9999-12-31")


def _words(text: str) -> list[str]:
    return "".join(each if each.isalnum() else " " for each in text).split()


@pytest.mark.parametrize("name", READS)
def test_an_entry_and_a_day_are_asked_together(lived: Lived, name: str) -> None:
    def told(**then: object) -> str:
        try:
            return str(READS[name](lived, then)).casefold()
        except NotFoundError:
            return ""

    early = lived.heads["Lisbon"]
    # What was believed in May of a day in June: Lisbon, for nobody knew better.
    assert "lisbon" in told(at=early, valid_at=NOW)
    assert "porto" not in told(at=early, valid_at=NOW)
    assert "porto" not in told(at=lived.ada.seq, valid_at=THEN)
    assert not {"lisbon", "porto"} & set(_words(told(at=0, valid_at=NOW)))


@pytest.mark.parametrize("name", [*READS, *OF_A_DAY])
def test_what_is_no_day_is_refused_and_changes_nothing(lived: Lived, name: str) -> None:
    before = lived.of.head(lived.of.streams()[0])
    for day in NOWHERE:
        with pytest.raises(InputError):
            (READS | OF_A_DAY)[name](lived, {"valid_at": day})
    for wrong in (20260525, None, True, b"2026-05-25"):
        with pytest.raises(InputError):
            (READS | OF_A_DAY)[name](lived, {"valid_at": wrong})
    assert lived.of.head(lived.of.streams()[0]) == before


# A job is its own person's; skills are the agent's.
SHARED = {"Job.cwm_get", "Reader.skills"}


@pytest.mark.parametrize("tenant", ["main", "elsewhere"])
def test_a_day_shows_nothing_to_somebody_else(lived: Lived, tenant: str) -> None:
    class Other(Lived):
        def __init__(self, of: Memory) -> None:
            self.of, self.ada = of, of.agent("ada", user="mara")
            self.desk = self.ada.thread("desk", explicit=True)
            self.desk.thread_id = lived.desk.thread_id
            self.episodes, self.memos = lived.episodes, lived.memos

    other = Other(lived.of if tenant == "main" else lived.of.beside(tenant, Channel.API))
    for name, read in READS.items():
        if name == "Job.cwm_get" or (tenant == "main" and name in SHARED):
            continue
        try:
            found = str(read(other, {"valid_at": THEN})).casefold()
        except (NotFoundError, RefusedError):
            continue
        assert not {"lisbon", "porto"} & set(_words(found)), name


# ── Memory types ────────────────────────────────────────────────────────────────────────────────

ALL = {"limit": 50}


@pytest.mark.parametrize("prompt", ["", "the tram and the office of the city"])
def test_a_memory_type_is_asked_of_a_day_like_every_read(lived: Lived, prompt: str) -> None:
    told = {}
    for kind in lived.ada.memory_types():
        asked = lived.ada.memory_type(kind.name)
        for day in (BEFORE, THEN, NOW):
            words = str(asked.remember(prompt, {**ALL, "valid_at": day})).casefold()
            told[kind.name, day] = {"lisbon", "porto"} & set(_words(words))
        with pytest.raises(InputError):
            asked.remember(prompt, {**ALL, "valid_at": "2026-02-31"})

    assert not any(found for (_, day), found in told.items() if day == BEFORE)
    assert not any("porto" in found for (_, day), found in told.items() if day == THEN)
    for name in ("facts", "skills", "remembered", "semantic", "episodic", "working"):
        assert "lisbon" in told[name, THEN], name
        assert "porto" in told[name, NOW], name


def test_a_guest_is_folded_from_what_was_there_on_the_day() -> None:
    clock = SteppingClock(MAY_20)
    settings = Settings(clock=clock, memory_types=(guest(Sayings()),))
    ada = open_memory(":memory:", settings).agent("ada", user="tuff")
    ada.memorize({"type": "observation", "text": "Lisbon"}, store="sayings")
    clock.later(30)
    ada.memorize({"type": "observation", "text": "Porto"}, store="sayings")

    def said(**then: object) -> list[str]:
        return [each.text for each in ada.memory_type("sayings").remember("", then)]

    assert [said(valid_at=day) for day in (BEFORE, THEN, NOW)] == [
        [],
        ["Lisbon"],
        ["Lisbon", "Porto"],
    ]
    assert said(valid_at=NOW, at=0) == []
    text = ada.context("a city", valid_at=THEN).text
    assert ("Lisbon" in text, "Porto" in text) == (True, False)


class Sayings:
    """What was said, in its order."""

    name, version = "sayings", "1"

    def empty(self) -> tuple[Memo, ...]:
        return ()

    def accepts(self, memo: Memo) -> bool:
        return False

    def memorize(self, state: tuple[Memo, ...], memo: Memo) -> tuple[Memo, ...]:
        return (*state, memo)

    def remember(self, state: tuple[Memo, ...], prompt: str) -> Sequence[Memo | str]:
        return state

    def forget(self, state: tuple[Memo, ...], instructions: str) -> tuple[Memo, ...]:
        return ()

    def summarize(self, state: tuple[Memo, ...], scope: str, token_limit: int) -> str:
        return ""

    def get_capacity_info(self, state: tuple[Memo, ...]) -> Capacity:
        return Capacity(items=len(state), tokens=0)


# ── What lasts how long ─────────────────────────────────────────────────────────────────────────


@pytest.fixture
def clock() -> SteppingClock:
    return SteppingClock(MAY_20)


def test_a_document_lay_in_its_namespace_until_it_was_taken_out(clock: SteppingClock) -> None:
    documents = memory(clock=clock).agent("ada", user="tuff").documents()
    documents.put(["desk"], "note", "call Ann")
    documents.put(["desk"], "pass", "for a week", ttl_seconds=7 * 86_400)
    clock.later(30)
    documents.drop(["desk"], "note")

    def lying(day: str) -> list[str]:
        return [each.key for each in documents.within(["desk"], valid_at=day)]

    assert lying("2026-05-19") == []
    assert lying("2026-05-20") == ["note", "pass"]
    assert lying("2026-05-26") == ["note", "pass"]
    assert lying("2026-05-27") == ["note"], "its time has run out"
    assert lying("2026-06-18") == ["note"]
    assert lying("2026-06-19") == [], "it was taken out on that day"
    (version,) = documents.history(["desk"], "note", valid_at="2026-06-18")
    assert version.died is None
    assert documents.history(["desk"], "note", valid_at="2026-06-19")[0].died is not None


def test_a_memo_holds_over_its_validity_whenever_it_was_told(clock: SteppingClock) -> None:
    ada = memory(clock=clock).agent("ada", user="tuff")
    validity = {"since": "2026-01-01T00:00:00.000Z", "until": "2026-07-01T00:00:00.000Z"}
    lease = {"type": "fact", "text": "the lease of the flat", "validity": validity}
    told = ada.memorize({**lease, "key": "flat:lease", "importance": 1}, store="SM").ids[0]

    def holds(day: str) -> bool:
        listed = told in {each.id for each in ada.memos("SM", valid_at=day)}
        try:
            assert ada.memo(told, valid_at=day).text == "the lease of the flat"
        except NotFoundError:
            assert not listed
        return listed

    def recalled(day: str) -> bool:
        found = told in {each.id for each in ada.recall("the lease", valid_at=day).hits}
        stage = ada.why_not(told, "the lease", valid_at=day).stage
        assert stage == ("recalled" if found else "not_valid_then")
        assert ("the lease of" in ada.context("the lease", valid_at=day).text) == found
        return found

    days = ("2025-12-31", "2026-01-01", "2026-05-25", "2026-06-30", "2026-07-01")
    assert [holds(day) for day in days] == [False, True, True, True, False]
    assert [recalled(day) for day in days] == [False, True, True, True, False]
    clock.later(365)
    assert not ada.recall("the lease").hits, "by now it has ended"
    assert ada.why_not(told, "the lease").stage == "expired"
    assert [recalled(day) for day in days] == [False, True, True, True, False]
    assert not ada.recall("the lease", at=1, valid_at="2026-05-25").hits


def test_a_fact_that_was_retired_is_so_on_no_day(lived: Lived) -> None:
    of = Lived().of
    admin, council = of.admin("otto"), of.council("olga")
    asked = admin.request_deletion(KEY, reason="it was a mistake")
    council.approve(asked, binding=council.request(asked)[0].binding)
    admin.delete(asked)
    ada = of.agent("ada", user="tuff")

    assert not ada.sem_get(KEY).exists
    assert not ada.sem_get(KEY, valid_at=NOW).exists
    assert not ada.sem_get(KEY, valid_at="2027-01-01").exists
    assert ada.sem_get(KEY, valid_at=THEN).value == "Lisbon", "what it had replaced was so"
    assert lived.ada.sem_get(KEY, valid_at="2027-01-01").value == "Porto"


def test_a_thread_that_ended_and_went_on_is_told_as_it_stood(clock: SteppingClock) -> None:
    ada = memory(clock=clock).agent("ada", user="tuff")
    desk = ada.thread("desk", explicit=True)
    turn = desk.turn("we plan the trip")
    desk.end()
    clock.later(10)
    desk.turn("we plan it again", thread_id=turn.thread_id)

    def stood(day: str) -> list[tuple[int, bool]]:
        return [(it.turn_count, bool(it.closed_for)) for it in ada.threads(valid_at=day)]

    assert stood("2026-05-19") == []
    assert stood("2026-05-20") == [(1, True)]
    assert stood("2026-05-30") == [(2, False)]


def test_a_clock_that_steps_back_puts_no_later_day_into_an_earlier_one() -> None:
    clock = SteppingClock(MAY_20)
    ada = memory(clock=clock).agent("ada", user="tuff")
    ada.documents().put(["city"], "home", "Lisbon")
    ada.thread("desk").turn("we speak of Lisbon")
    clock.later(-400)  # an import tells of old days last
    ada.documents().put(["city"], "birth", "Braga")
    ada.thread("hall", explicit=True).turn("we speak of Braga")

    old = "2025-06-01"
    assert [each.key for each in ada.documents().within(valid_at=old)] == ["birth"]
    assert "lisbon" not in str(ada.threads(valid_at=old)).casefold()
    assert "braga" in str(ada.threads(valid_at=old)).casefold()


def test_without_a_clock_a_day_is_the_day_of_seeded_time() -> None:
    ada = memory().agent("ada", user="tuff")
    ada.documents().put(["city"], "home", "Lisbon")

    assert ada.documents().get(["city"], "home", valid_at="9999-12-31") is not None
    assert ada.documents().get(["city"], "home", valid_at="0001-01-01") is None
