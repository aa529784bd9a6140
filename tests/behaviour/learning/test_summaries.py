"""Cited summaries, worded by a model that is asked over real HTTP, and quoted without one."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import pytest
from tests.interrupting import Stopped, interrupted_at
from tests.scripted_model import Asked, Reply, ScriptedModel, scripted, texts_of
from tests.service import serving
from tests.terminal import Shell

import muniment
from muniment import Neighbours, Policy
from muniment.adapters.models.chat_model import ChatModel
from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.engine.learning import recorded_answers, summaries
from muniment.model.errors import InputError, RefusedError
from muniment.model.policy import Privacy
from muniment.model.policy.learning import Learning

Sentence = Mapping[str, object]


def so_far(asked: Asked) -> list[dict[str, str]]:
    return list(json.loads(asked.user)["so_far"])


def told(*sentences: Sentence) -> str:
    return json.dumps({"sentences": sentences})


def honest(asked: Asked) -> str:
    """Keeps what is so far, and says one sentence of each text, in the third person."""
    kept: list[Sentence] = [{"keep": each["id"]} for each in so_far(asked)]
    return told(*kept, *map(of_text, texts_of(asked)))


def of_text(text: dict[str, str]) -> Sentence:
    words = text["text"].removeprefix("I ")
    return {"text": f"The user: {words}", "cites": [{"source": text["id"], "quote": words}]}


@pytest.fixture
def server() -> Iterator[ScriptedModel]:
    with scripted(honest) as model:
        yield model


def opened(
    server: ScriptedModel, place: str | Path = ":memory:", policy: Policy | None = None
) -> Memory:
    model = ChatModel(server.address, "writer", rest_seconds=0, timeout_seconds=5)
    return muniment.open(place, policy=policy, neighbours=Neighbours(model=model))


def texts(ada: Agent, kind: str = "profile", *, session: str = "") -> list[str]:
    return [each.text for each in ada.summary(kind, session=session).sentences]


def proved(memory: Memory) -> None:
    for proof in memory.prove():
        assert proof.undecided == 0


def types(ada: Agent) -> list[str]:
    return [line.header.type for line in ada.get_range(1, ada.seq)]


# ── Without a model ─────────────────────────────────────────────────────────────────────────────


def test_without_a_model_each_sentence_is_quoted_with_the_entry_it_stands_in() -> None:
    ada = muniment.open(":memory:").agent("ada", user="tuff")
    kept = ada.remember("I live in Lisbon. I teach physics.")

    found = ada.summary()

    assert [each.text for each in found.sentences] == ["I live in Lisbon.", "I teach physics."]
    assert {each.citations[0].id for each in found.sentences} == {kept.episodic_id}
    assert (found.model, found.summary_id, found.waiting) == ("", "", 1)
    assert "external_output" not in types(ada)


def test_a_conversation_has_a_title_and_a_summary_of_its_own() -> None:
    ada = muniment.open(":memory:").agent("ada", user="tuff")
    monday = ada.conversation(session="monday 1")
    monday.record(user="We plan a trip to Oslo in May.", ai="I will look for flights.")
    ada.conversation(session="tuesday").record(user="My knee hurts.", ai="Rest it.")

    assert texts(ada, "title", session="monday 1") == ["We plan a trip to Oslo in May"]
    assert texts(ada, "conversation", session="monday 1") == [
        "We plan a trip to Oslo in May.",
        "I will look for flights.",
    ]


def test_a_loop_has_a_summary() -> None:
    ada = muniment.open(":memory:").agent("ada", user="tuff")
    with ada.do("Look up the tram to Belém") as loop:
        loop.answer("Tram 15 leaves at 08:35.")
    with ada.do("Count the spoons") as other:
        other.answer("There are nine.")

    assert texts(ada, "loop", session=loop.loop_id) == [
        "Look up the tram to Belém",
        "Tram 15 leaves at 08:35.",
    ]


def test_a_reflection_says_what_changed_and_what_is_open_in_its_days() -> None:
    ada = muniment.open(":memory:").agent("ada", user="tuff")
    ada.remember("I work at Siemens now")
    ada.remember("Remember my favourite colour is green")
    day = ada.recall("Siemens").hits[0].created[:10]

    found = ada.summary("reflection", since=day, until=day)

    sections = {each.section: each.text for each in found.sentences}
    assert sections["changed"] == "I work at Siemens now"
    assert sections["open"] == "Shall favorite_color be kept?"
    assert ada.summary("reflection", since="2001-01-01", until="2001-01-07").waiting == 0


def test_a_profile_shows_governed_facts_by_their_keys() -> None:
    ada = muniment.open(":memory:").agent("ada", user="tuff")
    ada.remember("I teach physics")
    key = "user/profile/user_tuff/city"
    with suppress(RefusedError):
        ada.sem_put(key, "Lisbon")

    found = ada.summary()

    facts = [each for each in found.sentences if each.section == "facts"]
    assert [each.citations[0].id for each in facts] == [each.key for each in ada.sem_search("")]


@pytest.mark.parametrize("kind", ["reflection", "loop", "poem"])
def test_what_names_nothing_is_refused(kind: str) -> None:
    ada = muniment.open(":memory:").agent("ada", user="tuff")
    with pytest.raises(InputError):
        ada.summary(kind)


def test_asking_without_a_model_says_how_to_name_one() -> None:
    ada = muniment.open(":memory:").agent("ada", user="tuff")
    with pytest.raises(InputError, match="no model is named"):
        ada.write_summary()


# ── Worded by a model ───────────────────────────────────────────────────────────────────────────


def test_a_sentence_of_a_model_stands_on_the_words_that_it_quotes(server: ScriptedModel) -> None:
    with opened(server) as memory:
        ada = memory.agent("ada", user="tuff")
        kept = ada.remember("I live in Lisbon")

        found = ada.write_summary()

        (sentence,) = found.sentences
        (cited,) = sentence.citations
        assert (sentence.text, sentence.by, sentence.origin) == (
            "The user: live in Lisbon",
            "openai:writer",
            "user",
        )
        assert (cited.id, cited.quote) == (kept.episodic_id, "live in Lisbon")
        assert (found.model, found.waiting, found.dropped) == ("openai:writer", 0, {})
        proved(memory)


CITED = {"source": "SOURCE", "quote": "moved to Lisbon"}
FALSE: dict[str, Sentence] = {
    "not_cited": {"text": "The user lives in Lisbon"},
    "source_unknown": {"text": "The user moved", "cites": [CITED | {"source": "99.1"}]},
    "quote_not_in_source": {"text": "The user moved", "cites": [CITED | {"quote": "left Oslo"}]},
    "not_in_source": {"text": "Napoleon moved to Lisbon", "cites": [CITED]},
    "several_sentences": {"text": "The user moved. The user is rich.", "cites": [CITED]},
    "too_long": {"text": "The user moved " * 40, "cites": [CITED]},
    "wrong_schema": {"text": 5, "cites": [CITED]},
    "sentence_unknown": {"keep": "s9"},
    "privacy_deny_pattern": {"text": "The user likes acme", "cites": [CITED]},
    "never_keep": {"text": "The user votes", "cites": [CITED]},
}


@pytest.mark.parametrize("code", sorted(FALSE))
def test_a_sentence_whose_citation_does_not_stand_is_dropped_and_counted(
    server: ScriptedModel, code: str
) -> None:
    def script(asked: Asked) -> str:
        wrong = json.dumps(FALSE[code]).replace("SOURCE", texts_of(asked)[0]["id"])
        true = {"text": "The user moved", "cites": [CITED | {"source": texts_of(asked)[0]["id"]}]}
        return told(json.loads(wrong), true)

    server.script = script
    policy = Policy(
        learning=Learning(never_keep=("votes",)), privacy=Privacy(deny_patterns=("acme",))
    )
    with opened(server, policy=policy) as memory:
        ada = memory.agent("ada", user="tuff")
        ada.remember("In March I moved to Lisbon")

        found = ada.write_summary()

        assert found.dropped == {code: 1}
        assert [each.text for each in found.sentences] == ["The user moved"]


def test_where_nothing_stands_the_texts_speak_for_themselves(server: ScriptedModel) -> None:
    server.script = lambda _: told({"text": "The user is rich"})
    with opened(server) as memory:
        ada = memory.agent("ada", user="tuff")
        ada.remember("I live in Lisbon")

        found = ada.write_summary()

        assert [(each.text, each.by) for each in found.sentences] == [("I live in Lisbon", "")]
        assert (found.reason, found.dropped) == ("nothing_stands", {"not_cited": 1})
        assert ada.write_summary().reason == "nothing_stands"
        assert len(server.asked) == 1  # it was read, and is not asked about again


def test_only_what_is_new_is_shown_beside_the_summary_so_far(server: ScriptedModel) -> None:
    with opened(server) as memory:
        ada = memory.agent("ada", user="tuff")
        ada.remember("I live in Lisbon")
        ada.write_summary()
        ada.remember("I teach physics")
        assert (ada.summary().waiting, texts(ada)[1]) == (1, "I teach physics")

        ada.write_summary()

        assert [each["text"] for each in texts_of(server.asked[-1])] == ["I teach physics"]
        assert [each["says"] for each in so_far(server.asked[-1])] == ["The user: live in Lisbon"]
        assert texts(ada) == ["The user: live in Lisbon", "The user: teach physics"]
        ada.write_summary()
        assert len(server.asked) == 2
        proved(memory)


def test_many_texts_are_worded_in_batches(server: ScriptedModel) -> None:
    with opened(server, policy=Policy(learning=Learning(batch_entries=2))) as memory:
        ada = memory.agent("ada", user="tuff")
        for town in ("Lisbon", "Porto", "Oslo", "Turin", "Graz"):
            ada.remember(f"I have been to {town}")

        found = ada.write_summary()

        assert [len(texts_of(asked)) for asked in server.asked] == [2, 2, 1]
        assert len(found.sentences) == 5
        assert ada.write_summary() == found


def test_a_message_that_is_kept_twice_is_shown_once(server: ScriptedModel) -> None:
    with opened(server) as memory:
        ada = memory.agent("ada", user="tuff")
        ada.conversation(session="monday").record(user="I prefer tea to coffee")

        ada.write_summary()

        (asked,) = server.asked
        assert [each["text"] for each in texts_of(asked)] == ["I prefer tea to coffee"]


def test_a_title_is_given_once(server: ScriptedModel) -> None:
    with opened(server) as memory:
        ada = memory.agent("ada", user="tuff")
        monday = ada.conversation(session="monday")
        monday.record(user="I plan a trip to Oslo")
        ada.write_summary("title", session="monday")
        monday.record(user="I also need shoes")

        found = ada.write_summary("title", session="monday")

        assert [each.text for each in found.sentences] == ["The user: plan a trip to Oslo"]
        assert (found.waiting, len(server.asked)) == (0, 1)


# ── Replay, undo, forgetting ────────────────────────────────────────────────────────────────────


def test_it_is_read_and_proved_without_the_model(server: ScriptedModel, tmp_path: Path) -> None:
    with opened(server, tmp_path / "memory") as memory:
        ada = memory.agent("ada", user="tuff")
        ada.remember("I live in Lisbon")
        found = ada.write_summary()

    with muniment.open(tmp_path / "memory") as memory:
        assert memory.agent("ada", user="tuff").summary() == found
        proved(memory)


def test_an_undo_brings_back_the_wording_before_and_a_second_one_is_refused(
    server: ScriptedModel,
) -> None:
    with opened(server) as memory:
        ada = memory.agent("ada", user="tuff")
        ada.remember("I live in Lisbon")
        first = ada.write_summary()
        ada.remember("I teach physics")
        second = ada.write_summary()

        ada.undo_summary(second.summary_id)

        assert ada.summary().summary_id == first.summary_id
        assert texts(ada) == ["The user: live in Lisbon", "I teach physics"]
        with pytest.raises(RefusedError, match="wording_unknown"):
            ada.undo_summary(second.summary_id)
        third = ada.write_summary()
        assert third.summary_id not in {first.summary_id, second.summary_id}
        assert len(server.asked) == 3  # it is asked for anew
        proved(memory)


FORGETS: dict[str, Callable[[Agent], object]] = {
    "by its id": lambda ada: ada.forget(ada.recall("Lisbon").hits[0].id),
    "by a filter": lambda ada: ada.forget_where({"tags": "move"}),
    "put right": lambda ada: ada.correct(ada.recall("Lisbon").hits[0].id, "I live in Porto"),
    "rolled back": lambda ada: ada.roll_back("item", ada.recall("Lisbon").hits[0].id),
}


@pytest.mark.parametrize("how", sorted(FORGETS))
def test_a_sentence_goes_with_the_words_that_it_cites(server: ScriptedModel, how: str) -> None:
    with opened(server) as memory:
        ada = memory.agent("ada", user="tuff")
        ada.remember("I live in Lisbon", tags=["move"])
        ada.remember("I teach physics")
        ada.write_summary()
        before = ada.seq

        FORGETS[how](ada)

        assert not [text for text in texts(ada) if "Lisbon" in text]
        assert "The user: teach physics" in texts(ada)
        ada.write_summary()
        assert "Lisbon" not in json.dumps([so_far(asked) for asked in server.asked[1:]])
        past = ada.summary(at=before).sentences
        assert [each.text for each in past] == [
            "The user: live in Lisbon",
            "The user: teach physics",
        ]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("step", range(5, 145, 20))
def test_a_process_that_dies_anywhere_makes_it_up_and_asks_no_recorded_answer_again(
    server: ScriptedModel, step: int
) -> None:
    with opened(server) as memory:
        ada = memory.agent("ada", user="tuff")
        ada.remember("I live in Lisbon")
        with suppress(Stopped), interrupted_at(step, summaries, recorded_answers):
            ada.write_summary()
        recorded, asked = types(ada).count("external_output"), len(server.asked)
        ada.remember("I teach physics")

        ada.write_summary()

        assert len(server.asked) - asked == 1  # for the new text, or for both
        assert texts(ada) == ["The user: live in Lisbon", "The user: teach physics"]
        assert types(ada).count("external_output") == recorded + 1
        assert types(ada).count("summary_worded") == recorded + 1
        proved(memory)


def test_an_answer_that_cannot_be_read_is_asked_for_once_more(server: ScriptedModel) -> None:
    answers = iter(["no JSON", "nor this", honest])
    server.script = lambda asked: told() if not (it := next(answers)) else _said(it, asked)
    with opened(server) as memory:
        ada = memory.agent("ada", user="tuff")
        ada.remember("I live in Lisbon")

        found = ada.write_summary()

        assert len(server.asked) == 2
        assert (found.reason, texts(ada)) == ("answer_unreadable", ["I live in Lisbon"])
        ada.remember("I teach physics")
        assert "The user: teach physics" in [each.text for each in ada.write_summary().sentences]
        proved(memory)


def _said(it: object, asked: Asked) -> str:
    return it(asked) if callable(it) else str(it)


def test_a_model_that_does_not_answer_leaves_nothing(server: ScriptedModel) -> None:
    server.script = lambda _: Reply(status=500)
    with opened(server) as memory:
        ada = memory.agent("ada", user="tuff")
        ada.remember("I live in Lisbon")
        before = types(ada)

        found = ada.write_summary()

        assert (found.reason, texts(ada)) == ("model_failed", ["I live in Lisbon"])
        assert types(ada) == before


# ── Whose words ─────────────────────────────────────────────────────────────────────────────────


def test_a_profile_rests_on_the_users_own_words_alone(server: ScriptedModel) -> None:
    with opened(server) as memory:
        ada = memory.agent("ada", user="tuff")
        ada.remember("I live in Lisbon")
        ada.remember("The user prefers Acme", origin="tool")
        ada.remember("The user prefers Atlas", origin="external")
        ada.remember("I am a plumber", speaker="Mario")

        ada.write_summary()

        (asked,) = server.asked
        assert [each["text"] for each in texts_of(asked)] == ["I live in Lisbon"]


def test_a_sentence_weighs_as_much_as_the_least_that_it_cites(server: ScriptedModel) -> None:
    def both(asked: Asked) -> str:
        cites = [{"source": each["id"], "quote": each["text"]} for each in texts_of(asked)]
        return told({"text": "The user has a flight", "cites": cites})

    server.script = both
    with opened(server) as memory:
        ada = memory.agent("ada", user="tuff")
        ada.remember("I have a flight", session="monday")
        ada.remember("The flight is late", origin="tool", session="monday")

        (sentence,) = ada.write_summary("conversation", session="monday").sentences

        assert sentence.origin == "tool"


def test_nobody_reads_anothers_summary(server: ScriptedModel) -> None:
    with opened(server) as memory:
        ada, mira = memory.agent("ada", user="tuff"), memory.agent("ada", user="mira")
        ada.conversation(session="monday").record(user="I live in Lisbon")
        found = ada.write_summary("conversation", session="monday")

        assert mira.summary("conversation", session="monday").sentences == ()
        assert mira.summary().sentences == ()
        with pytest.raises(RefusedError, match="wording_unknown"):
            mira.undo_summary(found.summary_id)


def test_the_terminal_shows_words_and_sources(
    server: ScriptedModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUNIMENT_MODEL", f"{server.address} writer")
    shell = Shell("--store", str(tmp_path / "memory"), "--user", "tuff")
    shell("remember", "I live in Lisbon")

    assert "no model worded it" in shell("summary").stdout
    written = shell("summary", "--write").stdout
    assert "The user: live in Lisbon" in written
    assert "Worded by" in written
    summary_id = str(shell.document("summary")["summary_id"])
    assert shell("summary", "--undo", summary_id).exit_code == 0
    assert "no model worded it" in shell("summary").stdout


def test_over_http_a_session_is_summarised_by_the_name_that_its_caller_gave_it() -> None:
    with serving() as service:
        user = service.user(user="tuff")
        user.post("/v1/remember", {"text": "I live in Lisbon"})
        user.post("/v1/conversation/record", {"session": "monday", "user": "I plan a trip"})

        profile = user.get("/v1/summaries")
        title = user.get("/v1/summaries", kind="title", session="monday")

        assert profile["text"] == "I plan a trip\nI live in Lisbon"
        assert title["text"] == "I plan a trip"
        assert title["sentences"][0]["citations"][0]["quote"] == "I plan a trip"
