"""Recall gives its reasons: for what is in an answer, for what is not, and for asking again."""

from collections.abc import Sequence
from typing import Literal

import msgspec
import pytest
from tests.world import SteppingClock, lines, memory

from muniment import Agent
from muniment.engine.api.memory import Memory
from muniment.engine.search import recall_filter as stages
from muniment.engine.search.diversification import ALIKE_PPM
from muniment.model.errors import InputError, NotFoundError, RefusedError
from muniment.model.events import Recalled
from muniment.model.kinds.episode import Origin
from muniment.model.policy import Policy, RecallPolicy, Trust
from muniment.model.policy import digest as policy_digest
from muniment.model.scope import Channel
from muniment.model.text.near_duplicates import same, saying
from muniment.retrieval.dates import valid_from

TRUSTING = Policy(trust=Trust(quarantined=()))


def agent(*texts: str, policy: Policy | None = None, user: str = "tuff") -> Agent:
    ada = memory(policy).agent("ada", user=user)
    for text in texts:
        ada.remember(text)
    return ada


def texts(ada: Agent, query: str, **how: object) -> list[str]:
    return [hit.text for hit in ada.recall(query, **how).hits]  # type: ignore[arg-type]


# ── What is in an answer ────────────────────────────────────────────────────────────────────────


def test_the_terms_of_a_hit_add_up_to_its_score() -> None:
    ada = agent("green tea at noon", "black tea", "the noon train", "a quiet garden")

    hits = ada.recall("tea at noon?", explain=True).hits

    assert hits[0].text == "green tea at noon"
    for hit in hits:
        assert sum(hit.terms.values()) == hit.score_ppm
        assert hit.matched


def test_what_has_nothing_to_do_with_the_question_is_no_answer() -> None:
    ada = agent("green tea at noon", "the quarterly report")

    assert texts(ada, "tea") == ["green tea at noon"]
    assert texts(ada, "xylophone") == []


def test_another_form_of_a_word_is_the_same_word() -> None:
    assert texts(agent("we were running late"), "who runs?") == ["we were running late"]


def test_old_things_are_found_however_much_came_later() -> None:
    policy = Policy(recall=RecallPolicy(window_entries=5))
    ada = agent("the heron stood in the reeds", policy=policy)
    ada.remember_many(f"a note of no importance, number {n}" for n in range(60))

    assert texts(ada, "heron") == ["the heron stood in the reeds"]


def test_loops_conversations_and_episodes_are_recalled_together() -> None:
    ada = agent("tea at noon")
    with ada.do("find me some tea in Porto") as loop:
        loop.observe_event("actor_output", "the tea house on the corner is open")
    ada.conversation(session="s").record(user="I prefer tea without sugar")

    found = {hit.layer: hit for hit in ada.recall("tea").hits}

    assert set(found) == {"episodic", "mirror", "items"}
    assert found["mirror"].evidence.note == found["mirror"].id


def test_the_same_said_twice_is_one_answer_and_another_value_is_another() -> None:
    ada = agent("My desk is in room 12.", "my desk is in room 12", "My desk is in room 14.")

    assert len(texts(ada, "desk room")) == 2
    assert {"12" in text for text in texts(ada, "desk room")} == {True, False}


@pytest.mark.parametrize(
    ("one", "other", "twin"),
    [
        ("I like tea with milk", "I like tea, with milk!", True),
        ("I like tea with milk", "I do not like tea with milk", False),
        ("the key is under the blue mat by the door", "the key is under the mat by the door", True),
        ("Anna owes Ben ten euros", "Ben owes Anna ten euros", False),
        ("we meet on Monday at the old mill", "we meet on Tuesday at the old mill", False),
        ("call extension 41 for the doctor", "call extension 14 for the doctor", False),
        ("he isn't in the house by the river", "he is in the house by the river", False),
        ("a flat in the old town is €900 a month", "a flat in the old town is $900 a month", False),
        ("a flat in the old town is €900 a month", "a flat in the old town is 900 € a month", True),
        ("the rent of a flat is 9 euros in the town", "the rent of a flat is 9 in the town", True),
        (
            "keep it in the cold lab at -20 at night",
            "keep it in the cold lab at 20 at night",
            False,
        ),
        ("in the end the shop took 5% off for us", "in the end the shop took 5 off for us", False),
        ("he said the old train is there by 5 am", "he said the old train is there by 5 pm", False),
        (
            "he took two pills of it at home with water",
            "he took ten pills of it at home with water",
            False,
        ),
        (
            "now he's in the house by the river with my son",
            "now he is in the house by the river with my son",
            True,
        ),
        ("it is in a box by the door of the shed", "it is in the box by the door of a shed", True),
        (
            "we ate pasta in the house by the river at noon",
            "we ate pizza in the house by the river at noon",
            False,
        ),
        (
            "she hardly eats meat when they are at home with us",
            "she eats meat when they are at home with us",
            False,
        ),
        ("my brother hates my sister", "my sister hates my brother", False),
        ("take the blue pill before the red one", "take the red pill before the blue one", False),
        ("I really really like the tea with milk", "I really like tea with milk", True),
        ("Is my appointment on Monday at ten?", "My appointment is on Monday at ten", False),
        ("the old bus is late", "the old bus is late?", False),
        ("we write it in C++ at work", "we write it in C# at work", False),
        ("we write it in C++ at work", "we write it in C at work", False),
        ("he got an A- for the test", "he got an A for the test", False),
        ("The API key of ours lasts 30 days", "the api key of ours lasts 30 days!", True),
        ("The API key of ours lasts 30 days", "the api key of ours lasts 90 days", False),
        ("we met at the mill in May with Ann", "we met at the mill in may with ann", True),
        ("we saw Rose at the old mill", "we saw rose oil at the old mill", False),
        ("he is self-employed for now", "he is self employed for now", True),
        ("\U0001f44d for that plan of ours", "\U0001f44e for that plan of ours", False),
        ("see you at the mill \U0001f44d", "see you at the mill", True),
    ],
)
def test_near_duplicates_differ_in_no_value(one: str, other: str, *, twin: bool) -> None:
    assert same(saying(one), saying(other), ALIKE_PPM) is twin


# ── What is not ─────────────────────────────────────────────────────────────────────────────────


def why(ada: Agent, text_or_id: str, query: str, **how: object) -> str:
    return ada.why_not(text_or_id, query, **how).stage  # type: ignore[arg-type]


def test_every_stage_that_leaves_something_out_says_so() -> None:
    ada = agent()
    kept = {
        text: ada.remember(text).episodic_id
        for text in ("tea at noon", "tea at noon!", "tea for two", "tea, cake and jam", "a train")
    }
    gone = ada.remember("tea long ago").episodic_id
    ada.forget(gone)
    outside = ada.remember("buy our tea", origin="external").episodic_id

    best = ada.recall("tea at noon").hits[0].id
    twins = {kept["tea at noon"], kept["tea at noon!"]}
    assert why(ada, best, "tea at noon") == stages.RECALLED
    found = ada.why_not((twins - {best}).pop(), "tea at noon")
    assert (found.stage, found.other) == (stages.NEAR_DUPLICATE, best)
    assert why(ada, gone, "tea") == stages.FORGOTTEN
    assert why(ada, outside, "tea") == stages.QUARANTINED
    assert why(ada, kept["a train"], "tea") == stages.NOT_A_CANDIDATE
    assert why(ada, "ep:nobody", "tea") == stages.NOT_VISIBLE
    assert why(ada, kept["tea for two"], "tea at noon", limit=1) == stages.RANK
    assert why(ada, kept["tea for two"], "tea", budget=1) == stages.BUDGET
    assert why(ada, kept["tea for two"], "tea", valid_at="1999-01-01") == stages.NOT_VALID


@pytest.mark.parametrize("profile", ["hybrid", "stage1"])
def test_why_not_looks_at_what_waits_where_the_recall_does(
    profile: Literal["hybrid", "stage1"],
) -> None:
    """Given a text that waits, when a person's recall shows it, then `why_not` says so too."""
    ada = agent("tea at noon", policy=Policy(recall=RecallPolicy(profile=profile)))
    outside = ada.remember("buy our tea", origin="external").episodic_id

    assert "buy our tea" in texts(ada, "tea", quarantined=True)
    assert why(ada, outside, "tea", quarantined=True) == stages.RECALLED
    assert why(ada, outside, "tea", quarantined=True, purpose="act") == stages.NOT_TRUSTED
    assert why(ada, outside, "tea", quarantined=True, limit=1) == stages.RANK
    assert why(ada, outside, "tea") == stages.QUARANTINED
    with pytest.raises(RefusedError):
        why(agent("tea", user=""), "ep:nobody", "tea", quarantined=True)


def test_why_not_packs_what_waits_into_the_context_that_it_weighs() -> None:
    ada = agent("tea at noon")
    outside = ada.remember("buy our tea", origin="external").episodic_id

    assert outside in {piece.id for piece in ada.context("tea", quarantined=True).pieces}
    assert why(ada, outside, "tea", quarantined=True, budget=500) == stages.RECALLED
    assert why(ada, outside, "tea", quarantined=True, budget=1) == stages.BUDGET


def test_to_ask_why_not_leaves_nothing_in_the_log() -> None:
    """Given a question that nobody was answered, when something is kept, then only that is."""
    of = memory()
    ada = of.agent("ada", user="tuff")
    kept = ada.remember("tea at noon").episodic_id
    before = len(lines(of))

    assert why(ada, kept, "tea", budget=500) == stages.RECALLED
    ada.remember("a train")

    assert [line.header.type for line in lines(of)[before:]] == ["received", "episodic_written"]


def test_a_rank_too_low_names_the_rank_and_what_was_wanted() -> None:
    ada = agent("tea tea", "tea and cake", "tea and jam with a long tail of other words")
    last = ada.recall("tea").hits[-1]

    found = ada.why_not(last.id, "tea", limit=2)

    assert (found.stage, found.rank, found.threshold) == (stages.RANK, 3, 2)
    assert found.score_ppm == last.score_ppm
    assert sum(found.terms.values()) == last.score_ppm


def test_a_governed_fact_that_is_not_in_the_answer_has_its_reason() -> None:
    ada = agent("tea at noon")
    for n in range(12):
        ada.sem_put(f"user/profile/user_tuff/drink_{n}", f"tea number {n}")
    order = [hit.id for hit in ada.recall("tea", limit=20).hits]
    last = order[-1]

    found = ada.why_not(last, "tea", limit=1)
    assert (found.stage, found.rank) == (stages.RANK, 13)
    assert sum(found.terms.values()) == found.score_ppm
    key = "user/profile/user_tuff/drink_3"
    assert why(ada, key, "submarine") == stages.NOT_A_CANDIDATE
    assert why(ada, "user/profile/user_tuff/nothing", "tea") == stages.NOT_VISIBLE


@pytest.mark.parametrize("policy", [Policy(), Policy(recall=RecallPolicy(profile="stage1"))])
def test_a_governed_fact_that_was_not_so_then_or_is_no_longer_says_which(policy: Policy) -> None:
    clock = SteppingClock()
    of = memory(policy, clock=clock)
    ada = of.agent("ada", user="tuff")
    key, theirs = "user/profile/user_tuff/drink", "user/profile/user_mia/drink"
    of.agent("ada", user="mia").sem_put(theirs, "tea at noon")
    before = clock.now()[:10]
    clock.later(days=40)
    ada.sem_put(key, "tea at noon")

    assert why(ada, key, "tea") == stages.RECALLED
    assert why(ada, key, "tea", valid_at=before) == stages.NOT_VALID
    request = of.admin().request_deletion(key, reason="wrong")
    of.council().approve(request)
    of.admin().delete(request)
    assert why(ada, key, "tea") == stages.FORGOTTEN
    assert why(ada, theirs, "tea") == stages.NOT_VISIBLE


def test_an_item_far_down_has_a_rank_too() -> None:
    ada = agent()
    ada.remember_many(f"tea number {n} in room {n}" for n in range(40))
    order = [hit.id for hit in ada.recall("tea", limit=40).hits]

    found = ada.why_not(order[-1], "tea", limit=1)

    assert (found.stage, found.rank) == (stages.RANK, 40)


def test_absent_and_foreign_items_look_alike() -> None:
    of = memory()
    theirs = of.agent("ada", user="mia").remember("tea at noon").episodic_id
    ada = of.agent("ada", user="tuff")
    ada.remember("tea")

    foreign, absent = ada.why_not(theirs, "tea"), ada.why_not("ep:nobody", "tea")

    assert foreign.stage == absent.stage == stages.NOT_VISIBLE
    assert foreign.reason == absent.reason


def test_what_was_dropped_is_counted_by_stage() -> None:
    ada = agent("tea one", "tea two", "tea three", "a train")
    ada.remember("outside tea", origin="external")

    basis = ada.recall("tea", limit=2).receipt.basis

    assert basis is not None
    assert basis.considered == 5
    assert basis.dropped == {stages.NOT_A_CANDIDATE: 1, stages.QUARANTINED: 1, stages.RANK: 1}


@pytest.mark.parametrize("policy", [None, Policy(recall=RecallPolicy(profile="stage1"))])
def test_an_answer_counts_what_could_have_been_found(policy: Policy | None) -> None:
    ada = agent("tea one", "tea two", "a train", policy=policy)
    assert ada.recall("tea").considered == 3
    train, second = (each.id for each in ada.records(limit=2).records)
    ada.forget(train)
    ada.correct(second, "tea three")
    ada.remember("outside tea", origin="external")
    assert ada.recall("tea").considered == len(ada.records().records) == 2
    assert ada.recall("tea", quarantined=True).considered == 3
    assert ada.recall("tea", where={"tags": "rose"}).considered == 0


# ── Asked again ─────────────────────────────────────────────────────────────────────────────────


def receipts(of: Memory) -> list[tuple[int, Recalled]]:
    return [(line.seq, line.event) for line in lines(of) if isinstance(line.event, Recalled)]


def test_a_receipt_gives_the_same_answer_whatever_came_since() -> None:
    of = memory(clock=SteppingClock())
    ada = of.agent("ada", user="tuff")
    for text in ("tea yesterday", "tea at noon", "the tea house in Porto", "a train"):
        ada.remember(text)
    told = ada.recall("where was tea yesterday?")
    ada.remember("tea, again and again")
    ada.forget(told.hits[0].id)
    ada.remember_many(f"tea number {n}" for n in range(30))

    ((seq, logged),) = receipts(of)
    again = ada.recall_again(seq)

    assert logged.ids == told.receipt.ids == again.receipt.ids
    assert logged.scores_ppm == again.receipt.scores_ppm
    assert logged.basis == told.receipt.basis == again.receipt.basis
    assert [hit.text for hit in again.hits] == [hit.text for hit in told.hits]


def test_only_the_receipt_of_a_ranking_can_be_asked_again() -> None:
    of = memory()
    ada = of.agent("ada", user="tuff")
    ada.remember("tea")
    ada.sem_get("user/profile/user_tuff/name")
    ada.remember("more tea")
    ((seq, _),) = receipts(of)

    with pytest.raises(InputError):
        ada.recall_again(seq)
    with pytest.raises(NotFoundError):
        ada.recall_again(1)


def test_a_receipt_gives_the_same_answer_whatever_embedder_and_rules_came_since() -> None:
    of = memory(clock=SteppingClock())
    ada = of.agent("ada", user="tuff")
    for n, text in enumerate(("tea at noon", "green tea in Porto", "tea for two", "black tea")):
        ada.remember(text, origin="tool", source="house.example")
        ada.remember(f"a train at {n}")
    told, shown = ada.recall("where is tea?"), ada.context("where is tea?", budget=300)
    ada.flush()
    ((seq, _), *_) = receipts(of)

    of.indexing().switch("ada", "hashed-ngrams-1", reason="to compare")
    assert ada.recall_again(seq) == told
    assert ada.regenerate(shown.receipt).text == shown.text

    strict = Trust(quarantined=(Origin.TOOL,), results_per_source=1)
    of.admin().adopt_policy(Policy(trust=strict, recall=RecallPolicy(results_max=1)), agent="ada")
    assert texts(ada, "where is tea?") != [hit.text for hit in told.hits]
    assert ada.recall_again(seq) == told
    assert ada.regenerate(shown.receipt).text == shown.text


@pytest.mark.parametrize("profile", ["hybrid", "stage1"])
def test_a_receipt_of_a_read_of_the_past_keeps_to_the_rules_that_it_was_read_under(
    profile: Literal["hybrid", "stage1"],
) -> None:
    """Given an entry under other rules, when it is read and these change, then it is told alike."""
    of = memory(clock=SteppingClock())
    ada = of.agent("ada", user="tuff")
    for text in ("tea at noon", "green tea in Porto", "tea for two", "black tea"):
        ada.remember(text, origin="tool", source="house.example")
    then = ada.seq

    def adopt(sources: int, results: int) -> None:
        rules = RecallPolicy(profile=profile, results_max=results)
        policy = Policy(trust=Trust(results_per_source=sources), recall=rules)
        of.admin().adopt_policy(policy, agent="ada")

    adopt(1, 2)
    told, shown = ada.recall("where is tea?", at=then), ada.context("where is tea?", at=then)
    first = ada.recall("where is tea?", at=0)
    ada.flush()
    adopt(3, 4)
    ada.remember("more tea")
    (seq, _), *_, (last, _) = [each for each in receipts(of) if each[1].basis]

    assert len(told.hits) == (2 if profile == "stage1" else 1)
    assert ada.recall_again(seq) == told
    assert ada.recall_again(last) == first
    assert ada.regenerate(shown.receipt) == shown


def test_a_receipt_just_after_other_rules_keeps_to_them_there_and_back() -> None:
    """Given a read whose last entry adopts a policy, when the old one is back, then it holds."""
    of = memory(clock=SteppingClock())
    ada = of.agent("ada", user="tuff")
    for text in ("tea at noon", "green tea in Porto", "tea for two", "black tea"):
        ada.remember(text, origin="tool", source="house.example")
    rules = Policy(trust=Trust(results_per_source=1))
    of.admin().adopt_policy(rules, agent="ada")
    told, shown = ada.recall("where is tea?"), ada.context("where is tea?")
    ada.flush()
    seq = next(seq for seq, each in receipts(of) if each.basis)

    for policy in (Policy(), Policy(trust=Trust(results_per_source=2)), rules):
        of.admin().adopt_policy(policy, agent="ada")
        assert ada.recall_again(seq) == told
        assert ada.regenerate(shown.receipt) == shown


def test_a_context_of_the_past_is_packed_by_the_rules_of_today() -> None:
    """Given an entry under another policy, when a context reads it, then today's budgets hold."""
    of = memory()
    ada = of.agent("ada", user="tuff")
    ada.remember("tea at noon")
    ada.remember("jam at night")
    then = ada.seq
    rules = msgspec.structs.replace(Policy().assembly, recent_turns=1)
    of.admin().adopt_policy(Policy(assembly=rules), agent="ada")

    shown = ada.context("a train", at=then)

    assert "jam" in shown.text
    assert "tea" not in shown.text
    assert shown.receipt.policy == policy_digest(Policy(assembly=rules))


def test_a_context_of_an_empty_log_is_told_alike_once_it_holds_something() -> None:
    of = memory(Policy(recall=RecallPolicy(profile="stage1")))
    ada = of.agent("ada", user="tuff")
    shown = ada.context("tea")
    ada.remember("tea at noon")
    of.admin().adopt_policy(Policy(), agent="ada")

    assert ada.regenerate(shown.receipt) == shown


def test_a_receipt_stands_on_the_facts_that_it_names_and_not_on_those_of_its_last_entry() -> None:
    of = memory()
    ada = of.agent("ada", user="tuff")
    ada.remember("tea at noon")
    told = ada.remember("Remember my favourite drink is tea")
    request = ada.confirm(told.question.confirmation_id) if told.question else ""
    of.council().approve(request, reason="he said so")

    found = ada.recall("tea")
    assert any(hit.layer == "sem" for hit in found.hits)
    ada.flush()
    seq = receipts(of)[-1][0]

    assert ada.recall_again(seq) == found


# ── Whose word ──────────────────────────────────────────────────────────────────────────────────


def test_what_was_told_from_outside_waits_until_a_person_vouches_for_it() -> None:
    ada = agent("tea at noon")
    outside = ada.remember("the tea house moved", origin="external").episodic_id
    before = ada.seq

    assert texts(ada, "tea house") == ["tea at noon"]
    assert "moved" not in str(ada.context("tea house"))
    assert "the tea house moved" in texts(ada, "tea house", quarantined=True)

    ada.vouch(outside, reason="I went there")
    assert texts(ada, "tea house")[0] == "the tea house moved"
    assert texts(ada, "tea house", at=before) == ["tea at noon"]


def test_an_agent_cannot_vouch_for_what_it_was_told() -> None:
    ada = agent(user="")
    outside = ada.remember("trust me", origin="external").episodic_id

    with pytest.raises(RefusedError):
        ada.vouch(outside)
    with pytest.raises(RefusedError) as refused:
        ada.recall("trust", quarantined=True)
    assert refused.value.reason == "needs_a_person"


def test_so_many_named_sources_that_say_the_same_release_each_other() -> None:
    ada = agent()
    for source in ("a.example", "a.example", "b.example"):
        ada.remember("The bridge is closed", origin="external", source=source)
    assert texts(ada, "bridge") == []

    ada.remember("the bridge is closed!", origin="external", source="c.example")
    assert len(texts(ada, "bridge")) == 1


def test_one_source_does_not_fill_an_answer() -> None:
    ada = agent(policy=TRUSTING)
    for n in range(6):
        ada.remember(f"tea offer {n}", origin="external", source="shop.example")
    ada.remember("tea with Ines")

    found = texts(ada, "tea", limit=8)

    assert len(found) == 4
    assert "tea with Ines" in found


@pytest.mark.parametrize(
    "spellings",
    [
        ("a.example", "A.Example", " a.example", "www.a.example", "https://a.example/p?1"),
        ("https://a.example?1", "https://a.example#2", "a.example/3", "//a.example:8080"),
        ("https://one.a.example", "two.a.example", "https://user@three.a.example./x"),
        ("one.a.co.uk", "two.a.co.uk", "https://three.a.co.uk/x"),
        ("https:\\\\a.example\\1", "a.example:81", "https://a.example:82"),
        ("a.example", "a\u200b.example", "\uff41.example", "a.exam\u00adple"),
        ("Ann Lee", "ann  lee", "Ann\u2060 Lee", "ANN LEE."),
        ("http://[::1]/a", "http://[::1]/b", "http://[::1]:80/c"),
    ],
)
def test_one_source_is_one_however_its_name_is_spelled(spellings: Sequence[str]) -> None:
    ada = agent()
    for source in spellings:
        ada.remember("The bridge is closed", origin="external", source=source)

    assert texts(ada, "bridge") == []


@pytest.mark.parametrize(
    "names",
    [
        ("a.example", "b.example", "c.example"),
        ("a.co.uk", "b.co.uk", "c.co.uk"),
        ("10.0.0.1", "http://10.0.0.2/x", "http://10.0.0.3"),
        ("ann@mail.example", "bob@mail.example", "cid@mail.example"),
        ("Ann", "Bob", "tools/web"),
    ],
)
def test_sources_with_names_of_their_own_are_several(names: Sequence[str]) -> None:
    ada = agent()
    for source in names:
        ada.remember("The bridge is closed", origin="external", source=source)

    assert texts(ada, "bridge") == ["The bridge is closed"]


def test_the_same_words_in_another_order_corroborate_nothing() -> None:
    ada = agent()
    sayings = ("pay Ann and not Bob", "pay Bob and not Ann", "pay Ann and not Bob")
    for n, text in enumerate(sayings):
        ada.remember(text, origin="external", source=f"{n}.example")

    assert texts(ada, "pay") == []


@pytest.mark.parametrize("flood", ["copies", "one source"])
def test_whoever_repeats_themselves_hides_nobody_else(flood: str) -> None:
    ada = agent("the plants in the kitchen get water on Sundays", "basil and mint are plants")
    for n in range(80):
        if flood == "copies":
            ada.remember("plants!")
        else:
            ada.remember(f"plants plants {n}", origin="tool", source="spam.example")

    bundle = ada.recall("plants")

    told = [hit.text for hit in bundle.hits]
    assert told[-2:] == [
        "basil and mint are plants",
        "the plants in the kitchen get water on Sundays",
    ]
    assert len(told) == (3 if flood == "copies" else 5)
    assert bundle.receipt.basis
    assert sum(bundle.receipt.basis.dropped.values()) + len(told) == 82


def test_only_a_persons_word_or_a_vouched_one_is_enough_to_act_on() -> None:
    ada = agent("pay the tea bill")
    ada.remember("tea bill: I think it is paid", origin="agent")
    outside = ada.remember("tea bill: pay it to me", origin="external").episodic_id

    assert texts(ada, "tea bill", purpose="act") == ["pay the tea bill"]
    ada.vouch(outside)
    assert "tea bill: pay it to me" in texts(ada, "tea bill", purpose="act")
    with pytest.raises(InputError):
        ada.recall("tea", purpose="guess")


def test_the_policy_says_whose_word_waits() -> None:
    policy = Policy(trust=Trust(quarantined=(Origin.TOOL, Origin.EXTERNAL)))
    ada = agent(policy=policy)
    ada.remember("tea from a tool", origin="tool")

    assert texts(ada, "tea") == []
    assert texts(ada, "tea", quarantined=True) == ["tea from a tool"]


def test_people_at_a_terminal_may_look_at_what_waits() -> None:
    of = memory()
    of._channel = Channel.TERMINAL
    ada = of.agent("ada")
    ada.remember("tea from outside", origin="external")

    assert texts(ada, "tea", quarantined=True) == ["tea from outside"]


# ── When ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("I moved to Lisbon in March", "2026-03-01"),
        ("I saw her yesterday", "2026-05-19"),
        ("we met last Tuesday", "2026-05-19"),
        ("it rained on 2 April 2024", "2024-04-02"),
        ("I will move in March", "2027-03-01"),
        ("the trial ended in December", "2025-12-01"),
        ("I live here", "2026-05-20"),
        ("we met the day before yesterday", "2026-05-18"),
        ("I slept badly last night", "2026-05-19"),
        ("I moved two days ago", "2026-05-18"),
        ("I moved ye\u017fterday", "2026-05-19"),  # a long s is an s where case does not matter
        ("I moved two weeks ago", "2026-05-06"),
        ("I moved a fortnight ago", "2026-05-06"),
        ("I moved a month ago", "2026-04-20"),
        ("I moved half a year ago", "2025-11-20"),
        ("I moved three years ago", "2023-05-20"),
        ("I start tomorrow", "2026-05-21"),
        ("I leave the day after tomorrow", "2026-05-22"),
        ("I start next Friday", "2026-05-22"),
        ("we meet next Wednesday", "2026-05-27"),
        ("I start next week", "2026-05-25"),
        ("I start next month", "2026-06-01"),
        ("she retires next year", "2027-01-01"),
        ("I start in two weeks", "2026-06-03"),
        ("the lease ends ten days from now", "2026-05-30"),
        ("I wrote it in two days", "2026-05-20"),
        ("I moved earlier this week", "2026-05-18"),
        ("in the last two weeks I slept badly", "2026-05-06"),
        ("I am in Porto until next month", "2026-05-20"),
        ("we were ill, and the next week too", "2026-05-20"),
        ("it was the week before my birthday", "2026-05-20"),
        ("it was the week before last Friday", "2026-05-20"),
        ("he lives next door in the next house", "2026-05-20"),
    ],
)
def test_a_text_tells_of_a_day(text: str, day: str) -> None:
    told = "2026-05-20T09:00:00.000Z"  # a Wednesday

    assert valid_from.tells_of(text, told) == valid_from.tells_of("x", f"{day}T00:00:00.000Z")


def test_valid_at_shows_what_was_so_on_a_day() -> None:
    of = memory(clock=SteppingClock(1_779_267_600_000))  # 20 May 2026
    ada = of.agent("ada", user="tuff")
    ada.remember("I moved to Lisbon in March")
    ada.remember("I bought a bicycle in Lisbon yesterday")

    assert len(texts(ada, "Lisbon")) == 2
    assert texts(ada, "Lisbon", valid_at="2026-04-10") == ["I moved to Lisbon in March"]
    assert texts(ada, "Lisbon", valid_at="2026-02-01") == []
    with pytest.raises(InputError):
        ada.recall("Lisbon", valid_at="in spring")


def test_what_was_replaced_later_was_so_before() -> None:
    clock = SteppingClock(1_779_267_600_000)
    of = memory(clock=clock)
    ada = of.agent("ada", user="tuff")
    talk = ada.conversation(session="s")
    talk.record(user="My editor is vim")
    clock.later(30)
    talk.record(user="My editor is emacs")

    now = [hit.text for hit in ada.recall("editor").hits if hit.layer == "items"]
    then = [
        hit.text for hit in ada.recall("editor", valid_at="2026-05-25").hits if hit.layer == "items"
    ]

    assert any("emacs" in text for text in now)
    assert any("vim" in text for text in then)
    assert not any("emacs" in text for text in then)


def test_the_lexical_profile_is_as_it_was() -> None:
    ada = agent("tea at noon", "running late", policy=Policy(recall=RecallPolicy(profile="stage1")))

    bundle = ada.recall("tea")

    assert [hit.score_ppm for hit in bundle.hits] == [333_333]
    assert texts(ada, "runs") == []


def test_the_lexical_profile_gives_its_reasons_too() -> None:
    policy = Policy(recall=RecallPolicy(profile="stage1", window_entries=4))
    ada = agent("tea in the beginning", "tea at noon", "tea", "late", policy=policy)
    last = ada.remember("a train").episodic_id
    outside = ada.remember("buy our tea", origin="external").episodic_id
    talk = ada.conversation(session="s")
    talk.record(user="I prefer tea without sugar")
    best, other = ada.recall("tea", explain=True).hits

    assert (best.terms, best.text) == ({"overlap": 1_000_000}, "tea")
    assert why(ada, best.id, "tea") == stages.RECALLED
    found = ada.why_not(other.id, "tea", limit=1)
    assert (found.stage, found.rank, found.threshold) == (stages.RANK, 2, 1)
    assert sum(found.terms.values()) == found.score_ppm == other.score_ppm
    assert why(ada, last, "tea") == stages.NOT_A_CANDIDATE
    assert why(ada, outside, "tea") == stages.QUARANTINED
    first = ada.episodic_query("beginning")[0].entry.episodic_id
    assert why(ada, first, "tea") == stages.TOO_OLD
    assert {why(ada, each.id, "tea") for each in talk.items("short_term")} == {stages.NOT_WANTED}
    assert why(ada, "ep:nobody", "tea") == stages.NOT_VISIBLE


def test_an_answer_by_words_alone_is_made_anew_too() -> None:
    of = memory(Policy(recall=RecallPolicy(profile="stage1")), clock=SteppingClock())
    ada = of.agent("ada", user="tuff")
    for text in ("tea at noon", "green tea", "tea", "a train"):
        ada.remember(text)
    told = ada.recall("tea", limit=2)
    ada.remember("tea tea")
    ada.forget(told.hits[0].id)

    ((seq, _),) = receipts(of)

    assert ada.recall_again(seq) == told
