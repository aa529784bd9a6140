"""What stands beside the words of a foreign file: people, talks, metadata, files, branches."""

import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from tests.behaviour.test_foreign_details import imported, told
from tests.foreign_files import RICH, chatgpt, j, node, rows, zipped

from muniment.adapters.exchange.importers import langgraph
from muniment.engine.api.memory import Memory
from muniment.model.errors import InputError


def episodes(memory: Memory) -> list[dict[str, Any]]:
    return [each.data for each in memory.exchange().records() if isinstance(each.data, dict)]


def test_what_mem0_knows_of_a_memory_is_what_it_is_found_by(tmp_path: Path) -> None:
    row = {
        "id": "1",
        "memory": "Likes green tea",
        "user_id": "mira",
        "agent_id": "barista",
        "app_id": None,
        "run_id": "visit-7",
        "actor_id": "Mira",
        "categories": ["food"],
        "metadata": {"cup": "large", "sugar": 0.5},
    }

    memory, report = imported(tmp_path / "mem0.json", j({"results": [row]}))

    mira = memory.agent("ada", user="mira")
    (found,) = mira.recall("tea", where={"metadata.cup": "large", "tags": "food"}).hits
    assert found.text == "Likes green tea"
    (record,) = mira.records().records
    assert record.metadata == {"agent_id": "barista", "cup": "large", "sugar": 0.5}
    (kept,) = episodes(memory)
    assert (kept["session"], kept["speaker"]) == ("visit-7", "Mira")
    assert (report.kept, report.refused, report.skipped) == (1, {}, {})


@pytest.mark.parametrize("many", [{"x": "y" * 20_000}, {"deep": [[[[[[0]]]]]] * 3_000}])
def test_metadata_that_cannot_be_kept_is_told_of_and_costs_no_words(
    tmp_path: Path, many: object
) -> None:
    row = {"id": "1", "memory": "Likes tea", "user_id": "mira", "metadata": many}

    memory, report = imported(tmp_path / "mem0.json", j({"results": [row]}))

    assert (report.kept, report.skipped) == (1, {"metadata": 1})
    assert told(memory)[0][0] == "Likes tea"


@pytest.mark.parametrize(
    ("namespace", "person"),
    [
        (["memories", "ann"], "ann"),
        (["ann", "memories"], "ann"),
        (["ann", "profile", "facts"], "ann"),
        (["users", "ann", "trips"], "ann"),
        ("memories.ann", "ann"),
        (["memories", "facts"], ""),
        (["users", "memories"], ""),
        (["docs", "python"], ""),
        (["ann"], ""),
        (["memories", 7], ""),
        ([], ""),
    ],
)
def test_a_namespace_of_langgraph_names_a_person_where_its_labels_say_so(
    tmp_path: Path, namespace: str | list[Any], person: str
) -> None:
    row = {"namespace": namespace, "key": "k", "value": {"text": "Likes tea", "cup": 2}}
    large = {"namespace": namespace, "key": "l", "value": {"deep": {"er": [1]}}}

    memory, report = imported(tmp_path / "store.jsonl", rows(row, large))

    whose = memory.agent("ada", user=person or "me")
    (record,) = [each for each in whose.records().records if each.text == "Likes tea"]
    assert record.metadata == {"cup": 2}
    labels = namespace.split(".") if isinstance(namespace, str) else namespace
    assert langgraph.person(list(labels)) == person
    if 7 in labels:
        assert report.skipped == {"no_name": 1}
    else:
        assert [each.value for each in whose.documents().within(tuple(labels))] == [large["value"]]


def test_what_langmem_wraps_and_what_a_table_of_the_store_holds_is_said(tmp_path: Path) -> None:
    wrapped = {"kind": "Memory", "content": {"content": "Likes jam"}}
    profile = {"kind": "Profile", "content": {"name": "Ann", "age": 30}}
    lines = [
        {"prefix": "memories.ann", "key": "1", "value": wrapped, "expires_at": None},
        {"prefix": "memories.ann", "key": "2", "value": profile},
    ]

    memory, _ = imported(tmp_path / "rows.jsonl", rows(*lines))

    ann = memory.agent("ada", user="ann").records().records
    assert sorted((each.text, each.metadata) for each in ann) == [
        ("Likes jam", {"kind": "Memory"}),
        ("name: Ann, age: 30", {"kind": "Profile"}),
    ]


def test_slacks_blocks_threads_quotes_and_bots_are_read_as_people_see_them(tmp_path: Path) -> None:
    first = {"type": "message", "user": "U1", "ts": "1672567260.1", "thread_ts": "1672567260.1"}
    day = [
        first | {"text": "", "blocks": RICH},
        first | {"text": "Tea", "ts": "1672567261.1", "user": "U2", "parent_user_id": "U1"},
        {
            "type": "message",
            "subtype": "bot_message",
            "username": "deploys",
            "text": "",
            "attachments": [{"fallback": "x", "pretext": "Build", "text": "<http://a|is green>"}],
            "ts": "1672567262.1",
        },
        first | {"text": "", "files": [{"id": "F"}], "blocks": RICH, "ts": "1672567263.1"},
    ]
    people = [{"id": "U1", "profile": {"display_name": "Ann"}}]
    data = zipped(users=j(people), **{"general__2023-01-01": j(day)})

    memory, report = imported(tmp_path / "slack.zip", data)

    said = "Ask @Ann:tea:\nLisbon\nPorto"
    assert [each[:3] for each in told(memory)] == [
        (said, "user", "Ann"),
        ("Tea", "user", "U2"),
        ("Build\nis green", "tool", ""),
        (said, "user", "Ann"),
    ]
    thread = "general 1672567260.1"
    assert [each["session"] for each in episodes(memory)] == [thread, thread, "general", thread]
    assert report.skipped == {"file": 1}


def test_what_claude_read_of_a_file_is_a_word_from_outside_by_its_name(tmp_path: Path) -> None:
    attached = [{"id": "f", "file_name": "lease.txt", "extracted_content": "It ends in May"}]
    message = {"uuid": "m", "sender": "human", "text": "", "attachments": attached}
    files = [{"file_uuid": "g", "file_name": "photo.png"}]
    talk = {"uuid": "c", "name": "T", "chat_messages": [message | {"files": files}]}

    memory, report = imported(tmp_path / "conversations.json", j([talk]))

    (kept,) = episodes(memory)
    assert (kept["origin"], kept["session"]) == ("external", "c")
    assert kept["handles"]["source"] == "lease.txt"
    assert told(memory)[0][0] == "It ends in May"
    assert report.skipped == {"file": 1}


@pytest.mark.parametrize("leaf", ["b2", None])
def test_an_edit_in_claude_begins_another_branch_and_the_last_one_shown_is_told(
    tmp_path: Path, leaf: str | None
) -> None:
    def said(name: str, parent: str) -> dict[str, object]:
        return {"uuid": name, "parent_message_uuid": parent, "sender": "human", "text": name * 3}

    found = [said("a", "root"), said("b", "a"), said("b2", "a")]
    talk = {"uuid": "c", "name": "T", "chat_messages": found, "current_leaf_message_uuid": leaf}

    memory, report = imported(tmp_path / "conversations.json", j([talk]))

    assert [each[0] for each in told(memory)] == ["aaa", "b2b2b2"]
    assert report.skipped == {"other_branch": 1}


def test_files_sent_to_chatgpt_are_told_of_once(tmp_path: Path) -> None:
    image = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://file-1"}
    sent = {"attachments": [{"id": "file-1", "name": "a.png"}, {"id": "file-2", "name": "b.pdf"}]}
    talk = chatgpt(
        node("u", "root", "user", [image, "Look"], kind="multimodal_text", metadata=sent),
        current="u",
    )

    _, report = imported(tmp_path / "conversations.json", talk)

    assert (report.kept, report.skipped) == (1, {"image_asset_pointer": 1, "attachment": 1})


def test_what_telegram_forwards_from_a_deleted_account_is_nobodys_own_word(tmp_path: Path) -> None:
    base = {"type": "message", "date": "2023-01-01T10:01:00", "from": "Bob", "from_id": "user2"}
    found = [
        base | {"id": 1, "text": "Old news", "forwarded_from": None},
        base | {"id": 2, "text": "", "poll": {"question": "Tea?"}},
        base | {"id": 3, "text": "", "text_entities": [{"type": "plain", "text": "Mine"}]},
    ]
    chat = {"name": "Bob", "type": "personal_chat", "id": 1, "messages": found}

    memory, report = imported(tmp_path / "result.json", j(chat))

    assert [each[:2] for each in told(memory)] == [("Old news", "external"), ("Mine", "user")]
    assert report.skipped == {"poll": 1}


def test_items_of_a_response_that_nobody_says_are_named_by_what_they_are(tmp_path: Path) -> None:
    items = [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Tea?"}]},
        {"type": "function_call", "name": "brew", "arguments": "{}"},
        {"type": "function_call_output", "output": "done"},
        {"type": "reasoning", "summary": []},
    ]

    _, report = imported(tmp_path / "items.json", j(items))

    assert report.kept == 1
    assert report.skipped == {"function_call": 1, "function_call_output": 1, "reasoning": 1}


def test_who_speaks_in_a_thread_of_zep_is_named(tmp_path: Path) -> None:
    found = [
        {"uuid": "1", "role": "user", "name": "Jane", "content": "I sing", "thread_id": "t"},
        {"uuid": "2", "role": "Joe", "role_type": "user", "content": "I hum", "session_id": "t"},
    ]

    memory, _ = imported(
        tmp_path / "zep.json", j({"facts": [{"uuid": "f", "fact": "They sing"}], "messages": found})
    )

    assert [each[:3] for each in told(memory)][1:] == [
        ("I sing", "user", "Jane"),
        ("I hum", "user", "Joe"),
    ]


def test_a_file_that_names_a_kind_for_each_of_its_lines_does_not_write_the_report(
    tmp_path: Path,
) -> None:
    def day(kind: str) -> dict[str, object]:
        return {"type": "message", "subtype": kind, "text": "x", "ts": "1672567260.1"}

    found = [day(f"kind_{n}") for n in range(200)] + [day("my key is\n" + "x" * 9_000)]
    found.append({"type": "message", "text": "Tea", "ts": "1672567260.1"})

    _, report = imported(tmp_path / "slack.zip", zipped(**{"general__2023-01-01": j(found)}))

    assert (report.kept, len(report.skipped), report.skipped["other"]) == (1, 65, 137)
    assert max(map(len, report.skipped)) < 20


@pytest.mark.parametrize("harm", ["version", "locked", "packing", "bytes"])
def test_an_archive_that_nobody_can_unpack_is_refused_and_no_traceback(
    tmp_path: Path, harm: str
) -> None:
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", chatgpt(current=None) * 50)
    data = bytearray(made.getvalue())
    listed = data.index(b"PK\x01\x02")
    if harm == "version":
        data[listed + 6] = 99
    elif harm == "locked":
        data[6] |= 1
        data[listed + 8] |= 1
    elif harm == "packing":
        data[8] = data[listed + 10] = 97
    else:
        data[60:90] = b"\xff" * 30

    with pytest.raises(InputError, match=r"not an archive|cannot be read"):
        imported(tmp_path / "export.zip", bytes(data))
