"""An auditor sees every log of a tenant: pages, trails, differences, counts; and changes none."""

from contextlib import suppress

import pytest

import muniment
from muniment.engine.api.memory import Memory
from muniment.engine.audit.auditor import EntryFilter
from muniment.engine.audit.log_statistics import TOUCHING, EntryEffect, Survey, touched
from muniment.engine.audit.provenance import mentions
from muniment.layers import desk as desks
from muniment.layers.desk import Desk
from muniment.model.errors import InputError, NotFoundError, RefusedError
from muniment.model.events import Recalled
from muniment.model.scope import agent_stream, collection_stream, council_stream

ADA = agent_stream("main", "ada")
KEY = "user/profile/user_tuff/favorite_color"


@pytest.fixture
def memory() -> Memory:
    """A short life: two sentences, a number taken out, a secret refused, a fact granted."""
    memory = muniment.open(":memory:", seed=b"auditor", clock=False)
    ada = memory.agent("ada", user="tuff")
    ada.remember("I moved to Lisbon in March", key="first")
    ada.remember("Call me at +1 415 555 2671")
    ada.remember("my password is hunter2-vAult-9931")
    asked = ada.remember("Remember my favourite colour is cerulean")
    assert asked.question
    request = ada.confirm(asked.question.confirmation_id)
    memory.council("grace").approve(request, reason="the user said so")
    ada.recall("Where is Lisbon?")
    ada.flush()
    return memory


def test_a_page_shows_the_newest_entries_first_and_says_where_the_next_begins(
    memory: Memory,
) -> None:
    auditor = memory.auditor()
    first = auditor.page(ADA, limit=5)
    assert [line.seq for line in first.lines] == list(range(first.head, first.head - 5, -1))
    second = auditor.page(ADA, limit=5, before=first.before)
    assert second.lines[0].seq == first.lines[-1].seq - 1
    seen = [line.seq for line in first.lines]
    before = first.before
    while before:
        page = auditor.page(ADA, limit=5, before=before)
        seen += [line.seq for line in page.lines]
        before = page.before
    assert seen == list(range(first.head, 0, -1))


def test_a_page_can_be_asked_as_it_was_at_a_past_entry(memory: Memory) -> None:
    page = memory.auditor().page(ADA, at=4)
    assert page.head == 4
    assert [line.seq for line in page.lines] == [4, 3, 2, 1]


@pytest.mark.parametrize(
    ("sought", "types"),
    [
        (EntryFilter(types=("memory_denied",)), {"memory_denied"}),
        (EntryFilter(text="lisbon", types=("episodic_written",)), {"episodic_written"}),
        (EntryFilter(text="nowhere to be found"), set()),
    ],
)
def test_entries_are_found_by_type_and_text(
    memory: Memory, sought: EntryFilter, types: set[str]
) -> None:
    page = memory.auditor().page(ADA, sought=sought, limit=200)
    assert {line.header.type for line in page.lines} == types


def test_a_refused_secret_is_in_no_page(memory: Memory) -> None:
    for stream in memory.auditor().streams():
        page = memory.auditor().page(stream, limit=200)
        assert not any("hunter2" in text for line in page.lines for text in mentions(line.event))


def test_the_trail_of_an_episode_leads_from_what_was_asked_to_who_recalled_it(
    memory: Memory,
) -> None:
    auditor = memory.auditor()
    found = memory.agent("ada", user="tuff").recall("Lisbon").hits[0].id
    told = auditor.trail(ADA, found)
    assert [link.why for link in told.before] == ["asked"]
    assert "recalled" in {link.why for link in told.after}
    assert all(
        isinstance(link.line.event, Recalled) for link in told.after if link.why == "recalled"
    )
    assert told.is_whole
    assert told.died is None


def test_the_trail_of_a_governed_fact_names_the_request_and_each_vote(memory: Memory) -> None:
    told = memory.auditor().trail(council_stream("main"), KEY)
    assert [link.why for link in told.before][:1] == ["asked"]
    assert {"request", "vote", "settled"} <= {link.why for link in told.before}


def test_the_trail_of_a_governed_fact_reaches_back_to_the_sentence_it_rests_on(
    memory: Memory,
) -> None:
    told = memory.auditor().trail(council_stream("main"), KEY)

    (rests,) = (link for link in told.before if link.why == "evidence")
    assert rests.stream == ADA
    assert getattr(rests.line.event, "summary", "").startswith("Remember my favourite colour")


def test_an_item_is_found_in_whichever_log_of_the_tenant_it_was_born(memory: Memory) -> None:
    auditor = memory.auditor()

    assert auditor.home(ADA, KEY) == council_stream("main")
    assert auditor.home(ADA, "ep:nobody-knows-it") == ADA


def test_a_redaction_stands_on_the_trail_of_what_it_changed(memory: Memory) -> None:
    ada = memory.agent("ada", user="tuff")
    number = next(hit for hit in ada.recall("Call me", limit=8).hits if "Call" in hit.text)
    why = [link.why for link in memory.auditor().trail(ADA, number.id).before]
    assert why == ["asked", "redacted"]


def test_the_trail_of_what_was_forgotten_says_where_it_ended(memory: Memory) -> None:
    ada = memory.agent("ada", user="tuff")
    found = ada.recall("Lisbon").hits[0].id
    seq = ada.forget(found)
    told = memory.auditor().trail(ADA, found)
    assert told.died
    assert told.died.line.header.type == "memory_forget"
    assert told.died.line.header.cause == seq
    assert "ended" in {link.why for link in told.after}


def test_what_nobody_ever_made_and_what_another_tenant_made_answer_alike(memory: Memory) -> None:
    auditor = memory.auditor()
    with pytest.raises(NotFoundError) as absent:
        auditor.trail(ADA, "ep:00000000-0000-0000-0000-000000000000")
    with pytest.raises(NotFoundError) as foreign:
        auditor.trail(agent_stream("other", "ada"), "ep:1")
    with pytest.raises(NotFoundError) as entry:
        auditor.entry(ADA, 10_000)
    assert str(absent.value) == str(foreign.value) == str(entry.value)


def test_a_difference_lists_what_was_added_forgotten_and_refused(memory: Memory) -> None:
    ada = memory.agent("ada", user="tuff")
    start = ada.seq
    kept = ada.remember("The cat is called Miso")
    ada.forget(kept.episodic_id)
    ada.remember("my password is hunter3-vAult-9931")
    told = memory.auditor().diff(ADA, start)
    assert [(each.change, each.item_id) for each in told[:2]] == [
        (EntryEffect.ADDED, kept.episodic_id),
        (EntryEffect.FORGOTTEN, kept.episodic_id),
    ]
    assert told[2].change is EntryEffect.REFUSED
    assert memory.auditor().diff(ADA, start, start) == []
    with pytest.raises(InputError):
        memory.auditor().diff(ADA, start, start - 1)


def test_what_is_alive_at_an_entry_is_what_could_be_read_there(memory: Memory) -> None:
    ada = memory.agent("ada", user="tuff")
    kept = ada.remember("The cat is called Miso")
    before = ada.seq
    ada.forget(kept.episodic_id)
    auditor = memory.auditor()
    assert kept.episodic_id in {each.item_id for each in auditor.living(ADA, at=before)}
    assert kept.episodic_id not in {each.item_id for each in auditor.living(ADA)}
    told = {layer.name: layer.count for layer in auditor.survey(ADA).layers}
    assert sum(told.values()) == len(auditor.living(ADA))


def test_a_survey_counts_what_is_alive_and_follows_without_reading_twice(memory: Memory) -> None:
    auditor = memory.auditor()
    counted = auditor.survey(ADA)
    layers = {layer.name: layer.count for layer in counted.layers}
    assert layers["episodes"] == 4  # one of them tells of the request
    assert sum(counted.refused.values()) == 1
    before = counted.upto
    memory.agent("ada", user="tuff").remember("The cat is called Miso")
    steps: list[int] = []
    again = auditor.survey(ADA, counted, progress=lambda done, _: steps.append(done))
    assert counted.upto == before  # whoever still looks at it sees no change
    assert steps == [again.upto]
    assert again.upto > before
    fresh = auditor.survey(ADA, Survey())
    assert (fresh.layers, fresh.types, fresh.days) == (again.layers, again.types, again.days)


def test_what_is_known_about_a_person_is_gone_when_the_person_is(memory: Memory) -> None:
    ada = memory.agent("ada", user="tuff")
    ada.consent("Keep my number as it is")
    about = memory.auditor().about("tuff")
    assert about.layers["episodes"] == 4
    assert [fact.key for fact in about.facts] == [KEY]
    assert len(about.consents) == 1
    assert sum(about.redactions.values()) >= 1
    request = memory.eraser().request("tuff", reason="they asked")
    memory.council("grace").approve(request)
    memory.eraser().carry_out(request)
    with pytest.raises(NotFoundError):
        memory.auditor().about("tuff")


def test_a_refusal_that_names_no_item_has_nobody_elses_words(memory: Memory) -> None:
    ada = memory.agent("ada", user="tuff")
    start = ada.seq
    kept = ada.remember("The cat is called Miso")
    ada.remember("my password is hunter3-vAult-9931")
    with suppress(RefusedError):
        ada.restore(kept.episodic_id)
    refused = [
        each.text
        for each in memory.auditor().diff(ADA, start)
        if each.change is EntryEffect.REFUSED
    ]
    assert refused == ["", kept.episodic_id]


def test_looking_changes_no_log(memory: Memory) -> None:
    auditor = memory.auditor()
    heads = {stream.text: auditor.head(stream) for stream in auditor.streams()}
    for stream in auditor.streams():
        auditor.page(stream)
        auditor.survey(stream)
        auditor.diff(stream, 0)
    auditor.about("tuff")
    assert heads == {stream.text: auditor.head(stream) for stream in auditor.streams()}


def test_a_memo_has_a_trail_and_is_among_what_changed(memory: Memory) -> None:
    told = memory.agent("ada", user="tuff").memorize(
        {"type": "fact", "text": "The build uses port 5"}
    )
    stream = agent_stream("main", "ada")

    touched = memory.auditor().diff(stream, 0)

    assert [each.item_id for each in touched if each.layer == "memos"] == [told.id]
    assert memory.auditor().trail(stream, told.id).born.line.seq == told.seq


def put(memory: Memory, text: str) -> None:
    ada = memory.agent("ada", user="tuff")
    told = ada.remember(text)
    assert told.question
    memory.council().approve(ada.confirm(told.question.confirmation_id))


def test_a_fact_that_had_another_value_before_the_difference_begins_has_changed(
    memory: Memory,
) -> None:
    council = council_stream("main")
    start = memory.head(council)
    put(memory, "Remember my favourite colour is green")
    put(memory, "Remember my favourite tea is lapsang")

    told = memory.auditor().diff(council, start)

    assert [(each.change, each.text) for each in told] == [
        (EntryEffect.CHANGED, "green"),
        (EntryEffect.ADDED, "lapsang"),
    ]


def test_a_goal_and_a_document_that_were_there_before_the_difference_begins_have_changed(
    memory: Memory,
) -> None:
    ada = memory.agent("ada", user="tuff")
    ada.documents().put(("notes",), "a", {"text": "first"})
    with ada.job("seed-1") as job:
        job.set_goal("trip", "see Lisbon")
        start = ada.seq
        job.set_goal("trip", "see Porto")
        job.set_goal("book", "read more")
    ada.documents().put(("notes",), "a", {"text": "second"})
    ada.documents().drop(("notes",), "a")

    told = memory.auditor().diff(ADA, start)

    assert [(each.change, each.layer, each.text) for each in told] == [
        (EntryEffect.CHANGED, "goals", "see Porto"),
        (EntryEffect.ADDED, "goals", "read more"),
        (EntryEffect.CHANGED, "documents", '{"text":"second"}'),
        (EntryEffect.RETIRED, "documents", '{"text":"second"}'),
    ]


def test_a_skill_that_is_seen_once_more_has_changed(memory: Memory) -> None:
    ada = memory.agent("ada", user="tuff")

    def chore() -> None:
        with ada.do("Send the invoices of the week") as loop:
            listed = loop.tool_call("list_invoices", {"state": "open"})
            loop.tool_result(listed, "three invoices are open")
            loop.answer("They were sent")
        memory.subconscious("ada").dream()

    for _ in range(3):
        chore()
    derived = collection_stream(ADA)
    start = memory.head(derived)
    chore()

    told = [each for each in memory.auditor().diff(derived, start) if each.layer == "skills"]

    assert {each.change for each in told} == {EntryEffect.CHANGED}


def test_what_has_left_is_told_in_the_words_it_had(memory: Memory) -> None:
    ada = memory.agent("ada", user="tuff")
    kept = ada.remember("The cat is called Miso")
    start = ada.seq
    ada.forget(kept.episodic_id)

    (gone,) = memory.auditor().diff(ADA, start)

    assert (gone.change, gone.text) == (EntryEffect.FORGOTTEN, "The cat is called Miso")


def test_what_runs_out_leaves_once(memory: Memory) -> None:
    talk = memory.agent("ada", user="tuff").conversation(session="desk")
    start = memory.head(ADA)
    for number in range(30):
        talk.record(user=f"It is number {number}", ai="I see")

    gone = [
        each for each in memory.auditor().diff(ADA, start) if each.change is EntryEffect.RETIRED
    ]

    assert gone
    assert len({each.item_id for each in gone}) == len(gone)


def test_whatever_changes_what_can_be_read_is_of_a_kind_that_is_known_to(memory: Memory) -> None:
    ada = memory.agent("ada", user="tuff")
    ada.documents().put(("notes",), "a", "one")
    ada.remember_many(["The cat is called Miso", "The heron is grey"])
    with ada.job("seed-1") as job:
        job.set_goal("trip", "see Lisbon")
    ada.conversation(session="desk").record(user="I prefer trains", ai="Noted")
    ada.documents().drop(("notes",), "a")
    memory.subconscious("ada").dream()

    lines = [line for stream in memory.streams() for line in memory.log(stream)]

    assert {line.header.type for line in lines if list(touched(line))} <= TOUCHING


def test_documents_are_counted_like_everything_else_that_is_kept(memory: Memory) -> None:
    ada = memory.agent("ada", user="tuff")
    ada.documents().put(("notes",), "a", "one")
    ada.documents().put(("notes",), "a", "one again")
    ada.documents().put(("notes",), "b", "two")
    ada.documents().drop(("notes",), "b")

    counted = {each.name: each.count for each in memory.auditor().survey(ADA).layers}

    assert counted["documents"] == 1


def test_a_survey_from_before_an_erasure_is_not_gone_on_with(memory: Memory) -> None:
    auditor = memory.auditor()
    memory.agent("ada", user="tuff").remember("The flyer is free", origin="external")
    before = auditor.survey(ADA)
    assert before.apart

    eraser = memory.eraser()
    asked = eraser.request("tuff", reason="he asked")
    for member in ("grace", "alan", "ken"):
        with suppress(RefusedError):  # as many as it takes
            memory.council(member).approve(asked)
    eraser.carry_out(asked)

    after = auditor.survey(ADA, before)
    assert not after.apart
    assert after.erased > before.erased


def test_a_desk_of_the_past_is_the_one_that_was_folded_from_the_beginning(memory: Memory) -> None:
    hub, head = memory._hub, memory.head(ADA)
    writer = hub.writer(ADA)
    lines = list(writer.lines())

    for at in (head // 2, head // 2 + 3, 3, head):
        assert hub.desk_at(ADA, at) == desks.fold(Desk(), lines[:at])
