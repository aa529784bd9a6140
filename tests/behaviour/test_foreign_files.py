"""What others wrote: each file's exact report, once and again, and nothing unreadable is kept."""

import io
import json
import tracemalloc
import zipfile
from pathlib import Path

import msgspec
import pytest
from tests import world
from tests.foreign_files import CLAUDE, FILES, Expected, chatgpt, j, node, zipped
from tests.foreign_wrecks import WRECKS

from muniment.adapters.exchange import formats, import_run, json_stream
from muniment.adapters.exchange.import_run import ImportReport
from muniment.adapters.exchange.source_files import SourceFiles
from muniment.engine.api.memory import Memory
from muniment.model.errors import InputError


def imported(memory: Memory, path: Path, form: str) -> ImportReport:
    files = SourceFiles(path)
    import_run.survey(formats.read(files, form))
    return import_run.run(
        formats.read(files, form),
        lambda user, work: work(memory.agent("ada", user=user or "tuff")),
        user="",
        origin="",
        step=lambda _: None,
    )


def told(report: ImportReport) -> Expected:
    return report.kept, report.redacted, report.refused, report.skipped


def kept(memory: Memory) -> list[str]:
    return [each.text for each in memory.exchange().records() if each.text]


def _before(tmp_path: Path, name: str, data: bytes) -> tuple[Memory, Path]:
    path = tmp_path / name
    path.write_bytes(data)
    return world.memory(clock=world.SteppingClock()), path


def _is_refused(memory: Memory, path: Path, form: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        imported(memory, path, form)
    assert memory.streams() == []


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_foreign_file_has_its_exact_report_and_is_safe_to_import_twice(
    tmp_path: Path, name: str
) -> None:
    data, form, expected = FILES[name]
    memory, path = _before(tmp_path, name, data)

    if isinstance(expected, str):
        _is_refused(memory, path, form, expected)
        return
    once = imported(memory, path, form)
    before = kept(memory)
    again = imported(memory, path, form)

    assert told(once) == told(again) == expected
    assert (once.known, again.known) == (0, again.kept)
    assert once.lines == once.kept + sum(once.refused.values()) + sum(once.skipped.values())
    assert kept(memory) == before
    assert not {"null", "None", "{}", "[]"} & set(before)
    assert not any("\x00" in each or "hunter2" in each for each in before)


@pytest.mark.parametrize("name", sorted(WRECKS))
def test_what_was_cut_off_or_made_to_do_harm_has_its_exact_report_too(
    tmp_path: Path, name: str
) -> None:
    data, form, expected = WRECKS[name]
    memory, path = _before(tmp_path, name, data)

    if isinstance(expected, str):
        _is_refused(memory, path, form, expected)
        return
    once = imported(memory, path, form)
    before = list(memory.exchange().records())
    again = imported(memory, path, form)

    assert told(once) == expected
    assert (again.known, again.refused, again.skipped) == (once.kept, once.refused, once.skipped)
    assert list(memory.exchange().records()) == before
    assert b"hunter2" not in msgspec.json.encode(before)
    assert not {"null", "None", "{}", "[]", "7", "True"} & {each.text for each in before}
    assert list(tmp_path.parent.rglob("passwd*")) == []


def test_every_importer_has_a_good_a_broken_and_a_hostile_file() -> None:
    good = {form for _, form, expected in FILES.values() if not isinstance(expected, str)}
    broken = {form for name, (_, form, _) in WRECKS.items() if "-cut." in name}
    hostile = {form for name, (_, form, _) in WRECKS.items() if "-hostile." in name}

    assert good == broken == hostile == set(formats.READERS)
    assert len(FILES) + len(WRECKS) >= 40


@pytest.mark.parametrize("damage", [(6, b"\x00\x08"), (0, b"PK\x00\x00")])
def test_a_file_of_an_archive_whose_own_head_is_damaged_is_refused_by_its_name(
    tmp_path: Path, damage: tuple[int, bytes]
) -> None:
    at, data = damage  # its name is in no encoding: the mark of UTF-8, and no UTF-8
    whole = zipped(users=b"[]").replace(b"users", b"us\xffrs", 1)
    path = tmp_path / "talk.zip"
    path.write_bytes(whole[:at] + data + whole[at + len(data) :])

    with pytest.raises(InputError, match=r"'users\.json' cannot be read"):
        SourceFiles(path).text("users.json")


def test_a_file_of_an_archive_that_has_no_name_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "talk.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a", b"[]")
        archive.writestr("users.json", b"[]")
    listed = path.read_bytes().rpartition(b"PK\x01\x02")[0].rindex(b"PK\x01\x02")
    whole = bytearray(path.read_bytes())
    # Its line in the list says that its name has no letters, and that what follows is a comment.
    whole[listed + 28 : listed + 34] = b"\x00\x00\x00\x00\x01\x00"
    path.write_bytes(whole)

    assert SourceFiles(path).names("*") == ["users.json"]


@pytest.mark.parametrize("name", ["photo.jpg", "photo.txt", "table.db"])
def test_what_is_no_text_is_taken_for_no_format(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"\x89PNG\r\n\x00\x00: words \x01\x02\n" * 50)

    assert formats.detect(SourceFiles(path)) == ""


@pytest.mark.parametrize(
    ("form", "line"),
    [("whatsapp", "[31/12/2023, 22:16:{n:02d}] Ann: {words}\n"), ("transcript", "Ann: {words}\n")],
)
def test_a_long_talk_is_read_line_by_line(tmp_path: Path, form: str, line: str) -> None:
    path = tmp_path / "chat.txt"
    with path.open("w", encoding="utf-8") as out:
        for n in range(20_000):
            out.write(line.format(n=n % 60, words=f"{n} " + "tea and jam " * 20))
    tracemalloc.start()
    count = sum(1 for _ in formats.read(SourceFiles(path), form))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert count == 20_000
    assert peak < path.stat().st_size


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_file_is_known_by_what_it_holds_and_taken_for_nothing_else(
    tmp_path: Path, name: str
) -> None:
    data, form, expected = FILES[name]
    path = tmp_path / name
    path.write_bytes(data)
    seen = formats.detect(SourceFiles(path))

    if isinstance(expected, str):
        assert seen in {"", form}
    else:
        assert seen == form
    if form not in {"transcript", "whatsapp", "graphiti", "letta", "telegram"} and seen:
        with pytest.raises(InputError, match=f"--from {form}"):
            imported(world.memory(), path, "transcript")


def test_an_edited_chat_is_told_along_the_branch_that_was_last_shown(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    first, second = node("u1", "root", "user", ["Porto"]), node("u2", "root", "user", ["Lisbon"])
    path.write_bytes(chatgpt(first, second, current="u2"))
    memory = world.memory(clock=world.SteppingClock())

    imported(memory, path, "chatgpt")

    (line,) = memory.exchange().records()
    assert line.text == "Lisbon"
    assert line.at == "2023-11-14T22:13:20.500Z"
    assert line.data["session"] == "c-1"  # type: ignore[index]


def test_a_grown_export_adds_what_is_new_and_keeps_the_rest_once(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    memory = world.memory(clock=world.SteppingClock())
    path.write_bytes(j(CLAUDE))
    imported(memory, path, "claude")
    grown = json.loads(j(CLAUDE))
    grown[0]["chat_messages"].append({"uuid": "m9", "text": "And I sing", "sender": "human"})
    path.write_bytes(j(grown))

    report = imported(memory, path, "claude")

    assert (report.kept, report.known) == (4, 3)
    told = ["I moved to Lisbon", "The lease ends in May", "How nice", "And I sing"]
    assert kept(memory) == told


def test_a_long_list_is_read_in_bounded_memory(tmp_path: Path) -> None:
    path = tmp_path / "many.json"
    with path.open("wb") as out:
        out.write(b"[")
        for n in range(20_000):
            out.write((b"," if n else b"") + j({"id": str(n), "memory": "x" * 1_000}))
        out.write(b"]")
    held = 0
    with path.open("rb") as data:
        for element in json_stream.elements(data):
            held = max(held, len(j(element.value)))
            assert not element.reason
    assert element.number == 20_000
    assert held < 2_000


@pytest.mark.parametrize("end", [b"\n", b""])
def test_lines_behind_one_that_is_too_large_are_read(
    monkeypatch: pytest.MonkeyPatch, end: bytes
) -> None:
    monkeypatch.setattr(json_stream, "ELEMENT_BYTES_MAX", 1_000_000)
    large = j({"memory": "x" * 2_000_000})
    lines = (b'{"memory":"one"}', large, b"", b'{"memory":"three"}', large, b'{"memory":"five"}')

    found = list(json_stream.elements(io.BytesIO(b"\n".join(lines) + end)))

    told = [(each.number, each.reason or each.value) for each in found]
    assert told == [
        (1, {"memory": "one"}),
        (2, json_stream.TOO_LARGE),
        (4, {"memory": "three"}),
        (5, json_stream.TOO_LARGE),
        (6, {"memory": "five"}),
    ]


def test_a_folder_of_notes_is_kept_section_by_section_and_settings_are_not(tmp_path: Path) -> None:
    (tmp_path / ".obsidian").mkdir()
    (tmp_path / ".obsidian" / "x.md").write_text("secret settings", encoding="utf-8")
    (tmp_path / "daily").mkdir()
    (tmp_path / "daily" / "2024-02-03.md").write_text(
        "# Morning\nTea with Ann\n```\n# no heading\n```\n## Evening\nJam", encoding="utf-8"
    )
    (tmp_path / "out.md").symlink_to("/etc/hostname")
    memory = world.memory(clock=world.SteppingClock())

    report = imported(memory, tmp_path, "markdown")

    assert report.kept == 2
    lines = list(memory.exchange().records())
    assert [each.at for each in lines] == ["2024-02-03T00:00:00.000Z"] * 2
    assert "# no heading" in lines[0].text
    assert "settings" not in "".join(kept(memory))


@pytest.mark.parametrize(
    ("form", "record"),
    [
        ("mem0", {"results": [{"id": "1", "memory": "Likes tea", "user_id": "mira"}]}),
        ("hindsight", {"items": [{"id": "1", "text": "Likes tea", "fact_type": "world"}]}),
    ],
)
def test_categories_and_tags_of_others_are_what_a_memory_is_found_by(
    tmp_path: Path, form: str, record: dict[str, list[dict[str, object]]]
) -> None:
    (held,) = next(iter(record.values()))
    name = "categories" if form == "mem0" else "tags"
    held[name] = ["food", "food", None, 3, {"a": 1}, " ", "x" * 500, *(f"t{n}" for n in range(99))]
    path = tmp_path / "export.json"
    path.write_bytes(j(record))
    memory = world.memory(clock=world.SteppingClock())

    report = imported(memory, path, form)

    assert (report.kept, report.refused, report.skipped) == (1, {}, {})
    mira = memory.agent("ada", user="mira" if form == "mem0" else "tuff")
    assert [hit.text for hit in mira.recall("tea", where={"tags": "food"}).hits] == ["Likes tea"]
    assert mira.recall("tea", where={"tags": "sport"}).hits == ()
    (episode,) = [each.data for each in memory.exchange().records()]
    assert isinstance(episode, dict)
    assert [*episode["handles"]["tags"][:3]] == ["food", "x" * 128, "t0"]
    assert len(episode["handles"]["tags"]) == 64
