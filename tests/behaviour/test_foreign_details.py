"""What a foreign file says beside the words: whose they are, when, how long, and as what."""

from pathlib import Path

import pytest
from tests.foreign_files import j

import muniment
from muniment.adapters.exchange import formats, import_run
from muniment.adapters.exchange.source_files import SourceFiles
from muniment.engine.api.memory import Memory
from muniment.engine.exchange.selection import ExportSelection

Told = tuple[str, str, str, str]  # words, origin, speaker, when


def imported(path: Path, data: bytes) -> tuple[Memory, import_run.ImportReport]:
    path.write_bytes(data)
    memory, files = muniment.open(":memory:"), SourceFiles(path)
    report = import_run.run(
        formats.read(files, formats.detect(files)),
        lambda user, work: work(memory.agent("ada", user=user or "me")),
        user="",
        origin="",
        step=lambda *_: None,
    )
    return memory, report


def told(memory: Memory) -> list[Told]:
    found: list[Told] = []
    for line in memory.exchange().records(ExportSelection(kinds=("episode",))):
        assert isinstance(line.data, dict)
        speaker = str(line.data.get("speaker") or "")
        found.append((line.text, str(line.data["origin"]), speaker, line.at[:16]))
    return found


CHATS = {
    "french": ("24/12/2023 à 18:05 - Bob: J'habite à Lyon", "J'habite à Lyon"),
    "arabic": ("\u200f24\u200f/12\u200f/2023، 6:05 م - Bob: أسكن في القاهرة", "أسكن في القاهرة"),
    "korean": ("2023. 12. 24. 오후 6:05 - Bob: 부산에 살아요", "부산에 살아요"),
    "spanish": ("24/12/23 6:05 p. m. - Bob: Vivo en Lima", "Vivo en Lima"),
    "apple": ("[24/12/2023, 18:05:33] Bob: I sold the car", "I sold the car"),
    "american": ("12/24/23, 6:05\u202fPM - Bob: I live in Boston", "I live in Boston"),
    "japanese": ("2023年12月24日 午後6:05 - Bob: 大阪に住む", "大阪に住む"),
}


@pytest.mark.parametrize("name", CHATS)
def test_whatsapp_writes_days_and_hours_as_people_there_do(name: str, tmp_path: Path) -> None:
    line, words = CHATS[name]

    memory, _ = imported(tmp_path / "chat.txt", line.encode())

    assert told(memory) == [(words, "user", "Bob", "2023-12-24T18:05")]


@pytest.mark.parametrize(("half", "day"), [("pm", "2023-03-02"), ("PM", "2023-02-03")])
def test_a_day_that_could_be_a_month_is_read_by_how_the_clock_is_written(
    half: str, day: str, tmp_path: Path
) -> None:
    memory, _ = imported(tmp_path / "chat.txt", f"02/03/23, 6:05 {half} - Bob: I sing".encode())

    assert told(memory)[0][3] == f"{day}T18:05"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("Diese Nachricht wurde gelöscht.", "deleted"),
        ("Se eliminó este mensaje.", "deleted"),
        ("Ce message a été supprimé", "deleted"),
        ("IMG-2023.jpg (archivo adjunto)", "media"),
        ("<Medien ausgeschlossen>", "media"),
    ],
)
def test_what_whatsapp_says_itself_in_another_language_becomes_no_memory(
    words: str, reason: str, tmp_path: Path
) -> None:
    chat = f"24.12.23, 18:05 - Ann: Hallo Bob\n24.12.23, 18:06 - Bob: {words}"

    memory, report = imported(tmp_path / "chat.txt", chat.encode())

    assert report.skipped == {reason: 1}
    assert [each for each, *_ in told(memory)] == ["Hallo Bob"]


@pytest.mark.parametrize("first", ["facts", "messages"])
def test_of_zeps_facts_and_messages_neither_is_lost(first: str, tmp_path: Path) -> None:
    lists = {
        "facts": [{"uuid": "f", "fact": "Tuff likes tea"}],
        "messages": [{"uuid": "m", "role": "Tuff", "role_type": "user", "content": "Tea, please"}],
    }
    ordered = {name: lists[name] for name in sorted(lists, key=lambda name: name != first)}

    memory, report = imported(tmp_path / "zep.json", j(ordered))

    assert (report.kept, report.skipped) == (2, {})
    assert {(words, origin) for words, origin, *_ in told(memory)} == {
        ("Tuff likes tea", "agent"),
        ("Tea, please", "user"),
    }


def test_who_speaks_in_an_episode_is_who_said_it_and_a_value_is_no_sentence(tmp_path: Path) -> None:
    said = "user: I love rye bread\nassistant: Try oats"
    episodes = [
        {"uuid": "a", "content": said, "source": "message", "valid_at": "2024-01-02T03:04:05Z"},
        {"uuid": "b", "content": '{"oven": 230}', "source": "json"},
        {"uuid": "c", "content": "{broken", "source": "json"},
    ]

    memory, report = imported(tmp_path / "graph.json", j({"episodes": episodes}))

    assert told(memory) == [
        ("I love rye bread", "user", "", "2024-01-02T03:04"),
        ("Try oats", "agent", "", "2024-01-02T03:04"),
    ]
    (kept,) = memory.agent("ada", user="me").documents().within(("graphiti",))
    assert kept.value == {"oven": 230}
    assert report.skipped == {"not_readable": 1}


def test_what_mem0_had_let_expire_is_not_recalled_and_relations_are_of_whom_the_rest_is_about(
    tmp_path: Path,
) -> None:
    rows = [
        {
            "id": "1",
            "memory": "The gym closes",
            "user_id": "omar",
            "created_at": "2019-11-04T08:00:00Z",  # when it was told, it was to come
            "expiration_date": "2020-01-01",
        },
        {"id": "2", "memory": "The gym opens", "user_id": "omar", "expiration_date": "2999-01-01"},
    ]
    relations = [{"source": "omar", "relationship": "trains_with", "target": "nina"}]

    memory, report = imported(tmp_path / "m.json", j({"results": rows, "relations": relations}))

    assert (report.kept, report.refused) == (3, {})
    omar = memory.agent("ada", user="omar")
    assert [hit.text for hit in omar.recall("the gym").hits] == ["The gym opens"]
    assert "omar trains with nina" in {each.text for each in omar.records().records}


def test_a_message_of_chatgpt_without_a_time_has_that_of_what_precedes_it(tmp_path: Path) -> None:
    def message(name: str, parent: str | None, at: float | None) -> dict[str, object]:
        content = {"content_type": "text", "parts": [f"I say {name}"]}
        told = {"id": name, "author": {"role": "user"}, "create_time": at, "content": content}
        return {"id": name, "parent": parent, "children": [], "message": told}

    nodes = {"a": message("a", None, None), "b": message("b", "a", 1_700_086_400.0)}
    nodes |= {"c": message("c", "b", None)}
    talk = {"create_time": 1_700_000_000.0, "mapping": nodes, "current_node": "c"}

    memory, _ = imported(tmp_path / "conversations.json", j([talk]))

    days = [at[:10] for *_, at in told(memory)]
    assert days == ["2023-11-14", "2023-11-15", "2023-11-15"]


def test_a_vaults_tags_and_a_note_in_utf_16_come_along(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "a.md").write_text("---\ntags: [diary, '#work']\n---\nMet Ann.\n")
    (vault / "b.md").write_text("---\ntags:\n  - travel\n  - rome\ndate: 2024-01-02\n---\nRome.\n")
    (vault / "c.md").write_bytes("Ümläut".encode("utf-16"))
    memory, files = muniment.open(":memory:"), SourceFiles(vault)

    report = import_run.run(
        formats.read(files, "markdown"),
        lambda _, work: work(memory.agent("ada", user="me")),
        user="",
        origin="",
        step=lambda *_: None,
    )

    assert (report.kept, report.skipped) == (3, {})
    listed = memory.agent("ada", user="me").records().records
    found = {each.text.split("\n")[0]: each.tags for each in listed}
    assert found == {"a": ("diary", "work"), "b": ("travel", "rome"), "c": ()}


def test_a_letter_in_no_alphabet_that_anybody_knows_is_read_as_well_as_can_be(
    tmp_path: Path,
) -> None:
    letter = b"From a@x Thu\nFrom: Ann <a@x.de>\nSubject: odd\nContent-Type: text/plain;"
    letter += b" charset=x-unknown-99\n\nI live in K\xf6ln\n"

    memory, report = imported(tmp_path / "mail.mbox", letter)

    assert report.skipped == {}
    assert [words for words, *_ in told(memory)] == ["odd\nI live in Köln"]
