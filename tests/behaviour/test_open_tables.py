"""Open tables: the redacted episodes as plain rows, for people who ask in SQL."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import psycopg
import pytest
from tests import world
from tests.postgres import fresh_schema, private_server
from tests.terminal import Shell

import muniment
from muniment.adapters.cli.errors import Exit
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.storage.postgres import erasure_scan
from muniment.adapters.storage.postgres.connection import Reach
from muniment.adapters.storage.postgres.dev_server import PostgresServer
from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.engine.search import recall_results
from muniment.layers import episodes
from muniment.model.errors import InputError, StoreError
from muniment.model.text.tokens import sorted_tokens

COLUMNS = [
    "episodic_id",
    "job_seed",
    "created_seeded_ts",
    "summary",
    "payload",
    "evidence",
    "provenance",
]
TYPES = ["text", "text", "text", "text", "jsonb", "jsonb", "jsonb"]
TEA = "tea with lemon every morning"

# Enough rows that an index is worth its while.
FILL = """
WITH filled AS (
  INSERT INTO episode (episodic_id, tenant, stream, hidden, seq, n, subject, job_seed,
    created_seeded_ts, summary, payload, evidence, provenance, tokens)
  SELECT 'ep:' || n, '\\x00', '\\x00', false, n, 1, '', 'seed', '2030-01-' || n, 'word' || n,
    '{}', '[]', '{}', ARRAY['and', 'word' || n] FROM generate_series(1, 5000) AS n RETURNING 1
) SELECT count(*) FROM filled
"""

Rows = list[tuple[Any, ...]]
Ask = Callable[[str], Rows]


class Place:
    """A memory with open tables, and another way in: SQL, past everything of ours."""

    def __init__(self, memory: Memory, ask: Ask, folder: Path) -> None:
        self.memory = memory
        self.ask = ask
        self.folder = folder

    def view(self) -> dict[str, tuple[Any, ...]]:
        return {row[0]: row for row in self.ask("SELECT * FROM episodic_stage1")}


def on_disk(folder: Path) -> Iterator[Place]:
    memory = muniment.open(folder, open_tables=True, seed=b"open", clock=False)

    def ask(query: str) -> Rows:
        rows: Rows = []
        for path in sorted((folder / "streams").glob("*.db")):
            link = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
            rows += link.execute(query).fetchall()
            link.close()
        return rows

    yield Place(memory, ask, folder)
    memory.close()


def on_server(folder: Path, server: PostgresServer) -> Iterator[Place]:
    schema = fresh_schema()
    settings = Settings(
        keys=str(folder), schema=schema, seed=b"open", clock=False, open_tables=True
    )
    memory = open_memory(server.dsn, settings)
    with psycopg.connect(server.dsn, autocommit=True, options=f"-c search_path={schema}") as link:

        def ask(query: str) -> Rows:
            told = link.execute(query.encode())
            while told.nextset():  # the answer is that of the last statement
                pass
            return told.fetchall()

        yield Place(memory, ask, folder)
    memory.close()


@pytest.fixture
def server_place(postgres: PostgresServer, tmp_path: Path) -> Iterator[Place]:
    yield from on_server(tmp_path, postgres)


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    if request.param == "sqlite":
        yield from on_disk(tmp_path)
    else:
        yield from on_server(tmp_path, request.getfixturevalue("postgres"))


def lived_in(memory: Memory) -> Agent:
    tuff, mia = memory.agent("ada", user="tuff"), memory.agent("ada", user="mia")
    tuff.remember(TEA)
    tuff.remember("call me on +1 415 555 2671")
    mia.remember("coffee after lunch")
    with tuff.job("seed-1") as job:
        job.episodic_write("a walk in Lisbon", {"km": 2.5, "who": ["tuff", None], "ok": True})
        job.wm_insert({"type": "fact", "value": TEA})
    with mia.job("seed-2") as job:
        job.episodic_write("nul \x00 and \\u0000 and “quotes”", {"nul\x00": "\x00", "n": 10**15})
    memory.subconscious("ada").remember("a hidden thought")
    return tuff


def engine_view(memory: Memory) -> dict[str, tuple[Any, ...]]:
    """The same rows as the engine reads them: from the sealed log, through the shelves."""
    inside = world.hub(memory)
    found: dict[str, tuple[Any, ...]] = {}
    for stream in memory.streams():
        for its in episodes.entries(list(inside.shelves(stream).newest(episodes.SHELF))):
            told = recall_results.released(its)
            found[told.episodic_id] = (
                told.episodic_id,
                told.job_seed,
                told.created_seeded_ts,
                told.summary,
                told.payload,
                msgspec.to_builtins(told.evidence),
                msgspec.to_builtins(told.provenance),
            )
    return found


def without_nul(value: object) -> object:
    """As text in a database shows it: it has no NUL, so another character stands for it."""
    if isinstance(value, str):
        return value.replace("\x00", "\ufffd")
    if isinstance(value, dict):
        return {without_nul(key): without_nul(inner) for key, inner in value.items()}
    return [without_nul(inner) for inner in value] if isinstance(value, list | tuple) else value


def plain(row: tuple[Any, ...]) -> object:
    """SQLite has no JSON type: there it is text."""
    return [*row[:4], *(json.loads(its) if isinstance(its, str) else its for its in row[4:])]


# ── What was asked for, to the letter ───────────────────────────────────────────────────────────


@pytest.mark.covers("A-112", "A-113", "A-114", "A-115", "A-116", "A-117", "A-118", "A-119")
def test_the_view_has_exactly_the_seven_columns_and_their_types(server_place: Place) -> None:
    told = server_place.ask(
        "SELECT column_name, data_type FROM information_schema.columns"
        " WHERE table_schema = current_schema() AND table_name = 'episodic_stage1'"
        " ORDER BY ordinal_position"
    )
    assert told == list(zip(COLUMNS, TYPES, strict=True))
    key = server_place.ask(
        "SELECT a.attname FROM pg_index AS i JOIN pg_attribute AS a"
        " ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)"
        " WHERE i.indrelid = 'episode'::regclass AND i.indisprimary"
    )
    assert sorted(key) == [("episodic_id",), ("stream",), ("tenant",)]  # by its name, per stream


@pytest.mark.covers("A-113")
def test_the_view_of_a_file_has_the_same_columns(tmp_path: Path) -> None:
    for place in on_disk(tmp_path):
        lived_in(place.memory)
        told = place.ask("SELECT name FROM pragma_table_info('episodic_stage1') ORDER BY cid")
        assert [name for (name,) in told[: len(COLUMNS)]] == COLUMNS
        assert len(told) % len(COLUMNS) == 0
        key = place.ask("SELECT name FROM pragma_table_info('episode') WHERE pk")
        assert set(key) == {("episodic_id",)}


@pytest.mark.covers("A-147", "A-148", "A-151")
def test_time_windows_and_words_are_answered_by_indexes(server_place: Place) -> None:
    lived_in(server_place.memory)
    server_place.ask(FILL)
    server_place.ask("ANALYZE episode; SELECT 1")
    plans = {
        "episode_created": "SELECT * FROM episodic_stage1 WHERE created_seeded_ts"
        " BETWEEN '2027-01-01' AND '2027-02-01' ORDER BY created_seeded_ts DESC LIMIT 8",
        "episode_tokens": "SELECT * FROM episode WHERE died IS NULL"
        " AND tokens && ARRAY['lisbon', 'lemon']",
    }
    for index, query in plans.items():
        plan = "\n".join(line for (line,) in server_place.ask(f"EXPLAIN {query}"))
        assert index in plan, plan
        assert "Seq Scan" not in plan, plan


@pytest.mark.covers("A-147", "A-148", "A-151")
def test_a_file_answers_them_by_indexes_too(tmp_path: Path) -> None:
    for place in on_disk(tmp_path):
        lived_in(place.memory)
        window = "SELECT * FROM episodic_stage1 WHERE created_seeded_ts > '2027' LIMIT 8"
        words = (
            "SELECT * FROM episode JOIN episode_token USING (seq, n)"
            " WHERE died IS NULL AND token IN ('lisbon', 'lemon')"
        )
        plans = [str(place.ask(f"EXPLAIN QUERY PLAN {query}")) for query in (window, words)]
        assert "USING INDEX episode_created" in plans[0]
        assert "SEARCH episode_token USING PRIMARY KEY" in plans[1]
        assert all("SCAN" not in plan for plan in plans)


@pytest.mark.covers("A-148")
def test_the_words_of_a_summary_are_a_sorted_array(server_place: Place) -> None:
    lived_in(server_place.memory)
    rows = server_place.ask("SELECT summary, tokens FROM episode")
    assert len(rows) == 6
    for summary, tokens in rows:
        assert tuple(tokens) == sorted_tokens(summary)


# ── What it shows is what the engine reads ──────────────────────────────────────────────────────


@pytest.mark.covers("A-112", "A-117")
def test_the_view_holds_what_the_engine_reads_and_nothing_that_was_redacted(place: Place) -> None:
    lived_in(place.memory)
    shown = {name: plain(row) for name, row in place.view().items()}
    read = {name: without_nul(row) for name, row in engine_view(place.memory).items()}
    assert shown == read
    assert len(shown) == 6
    assert "555 2671" not in str(shown)


def test_what_is_forgotten_leaves_the_view(place: Place) -> None:
    ada = lived_in(place.memory)
    told = ada.remember("soon to be forgotten")
    assert told.episodic_id in place.view()
    ada.forget(told.episodic_id)
    assert told.episodic_id not in place.view()
    assert place.view().keys() == engine_view(place.memory).keys()


def test_what_is_restored_is_in_the_view_again_and_leaves_it_again(place: Place) -> None:
    ada = lived_in(place.memory)
    told = ada.remember("soon to be forgotten").episodic_id
    row = place.view()[told]
    for _ in range(2):
        ada.forget(told)
        assert told not in place.view()
        ada.restore(told)
        assert place.view()[told] == row
    place.memory.rebuild()
    assert place.view()[told] == row
    ada.forget(told)
    assert told not in place.view()
    assert place.view().keys() == engine_view(place.memory).keys()


def test_a_rebuild_gives_the_same_rows(place: Place) -> None:
    ada = lived_in(place.memory)
    ada.forget(ada.remember("soon to be forgotten").episodic_id)
    before = place.view()
    place.memory.rebuild()
    assert place.view() == before
    for proof in place.memory.prove():
        assert proof.shredded == 0


def test_an_erasure_takes_the_rows_and_every_byte_of_them(place: Place) -> None:
    lived_in(place.memory)
    spoken = {row[3] for row in place.view().values()}
    assert TEA in spoken
    request = place.memory.eraser("root").request("tuff", reason="the person asked")
    place.memory.council("bea").approve(request)
    place.memory.eraser("root").carry_out(request)
    left = {row[3] for row in place.view().values()}
    assert TEA not in left
    assert "a walk in Lisbon" not in left
    assert "coffee after lunch" in left
    assert place.view().keys() == engine_view(place.memory).keys()
    for path in place.folder.rglob("*"):
        if path.is_file():
            held = path.read_bytes()
            for gone in (TEA, "lemon", "a walk in Lisbon", "lisbon"):
                assert gone.encode() not in held, (path.name, gone)


def test_of_many_rows_in_a_file_an_erasure_leaves_no_byte(tmp_path: Path) -> None:
    """Rows move between pages as a file grows and shrinks: copies stay behind unless looked for."""
    for place in on_disk(tmp_path):
        tuff, mia = (place.memory.agent("ada", user=user) for user in ("tuff", "mia"))
        for n in range(30):
            tuff.remember_many([f"zebra{n}x{k} crossed the street at noon" for k in range(10)])
            mia.remember_many([f"heron{n}x{k} stood in the river at dawn" for k in range(10)])
        request = place.memory.eraser("root").request("tuff", reason="the person asked")
        place.memory.council("bea").approve(request)
        place.memory.eraser("root").carry_out(request)
        assert len(place.view()) == 300
        held = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
        assert b"heron" in held
        assert b"zebra" not in held


def test_what_was_erased_is_in_no_table_of_the_server(server_place: Place) -> None:
    lived_in(server_place.memory)
    request = server_place.memory.eraser("root").request("tuff", reason="the person asked")
    server_place.memory.council("bea").approve(request)
    told = server_place.memory.eraser("root").carry_out(request)
    assert told.scanned_files >= 8  # the tables of the schema are looked through, row by row
    for table in ("episode", "entry", "fragment", "shelf_row", "checkpoint", "segment"):
        rows = server_place.ask(f"TABLE {table}")
        for gone in (TEA, "lemon", "lisbon"):
            assert gone not in str(rows), table


def erased(place: Place) -> None:
    request = place.memory.eraser("root").request("tuff", reason="the person asked")
    place.memory.council("bea").approve(request)
    place.memory.eraser("root").carry_out(request)


def holding(folder: Path, *texts: str) -> set[str]:
    """The files below a folder that hold any of the texts, whoever wrote them."""
    return {
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file() and any(text.encode() in path.read_bytes() for text in texts)
    }


def test_what_was_erased_is_in_no_page_of_the_servers_tables(
    postgres: PostgresServer, server_place: Place
) -> None:
    """Deleted rows stay in their pages until somebody writes the table anew: the erasure does."""
    lived_in(server_place.memory).remember("zwieback and quark at Eichhof")
    server_place.ask("ANALYZE episode; SELECT 1")  # what it remembers of a table is a table too
    server_place.ask("CHECKPOINT; SELECT 1")
    before = holding(postgres.folder, "zwieback")
    assert any("base/" in name for name in before), "nothing to be erased"

    erased(server_place)

    server_place.ask("CHECKPOINT; SELECT 1")
    left = holding(postgres.folder, "zwieback", "quark", "Eichhof")
    assert {name for name in left if "pg_wal/" not in name} == set()


def test_what_the_write_ahead_log_keeps_of_it_ends_with_the_commands_of_the_guide(
    postgres: PostgresServer, server_place: Place
) -> None:
    guide = (Path(__file__).parents[2] / "docs" / "operations.md").read_text(encoding="utf-8")
    commands = guide.split("<!-- ends what the write-ahead log keeps -->")[1].split("```")[1]
    lived_in(server_place.memory).remember("a canoe named Walpurga")
    erased(server_place)
    assert holding(postgres.folder, "Walpurga"), "the log keeps it until it is told otherwise"

    with psycopg.connect(postgres.dsn, autocommit=True) as operator:
        for command in commands.removeprefix("sql\n").strip().splitlines():
            operator.execute(command.encode())

    assert holding(postgres.folder, "Walpurga", "walpurga", "canoe") == set()


def test_while_somebody_still_sees_the_rows_an_erasure_is_not_done(
    postgres: PostgresServer, server_place: Place
) -> None:
    lived_in(server_place.memory)
    (schema,) = server_place.ask("SELECT current_schema()")[0]
    reach = Reach(dsn=postgres.dsn, schema=schema, lock_timeout_ms=300)
    with psycopg.connect(postgres.dsn) as reader:
        reader.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        reader.execute("SELECT 1")
        server_place.ask("DELETE FROM episode; SELECT 1")
        with pytest.raises(StoreError, match="not gone yet"):
            erasure_scan.rewrite(reach)
        reader.rollback()

    erasure_scan.rewrite(reach)

    assert erasure_scan.scan(reach, [TEA.encode()]).found == ()


def test_the_scan_finds_what_no_query_shows(postgres: PostgresServer, server_place: Place) -> None:
    lived_in(server_place.memory)
    (schema,) = server_place.ask("SELECT current_schema()")[0]
    server_place.ask("DELETE FROM episode; CHECKPOINT; SELECT 1")
    reach = Reach(dsn=postgres.dsn, schema=schema)
    assert "file of episode" in erasure_scan.scan(reach, [TEA.encode()]).found


# ── Who gets it ─────────────────────────────────────────────────────────────────────────────────


def test_a_folder_shows_nothing_in_plain_text_unless_asked(tmp_path: Path) -> None:
    with muniment.open(tmp_path, seed=b"closed", clock=False) as memory:
        lived_in(memory)
        for path in tmp_path.rglob("*"):
            if path.is_file():
                assert TEA.encode() not in path.read_bytes(), path.name


def test_a_server_shows_nothing_in_plain_text_unless_asked(tmp_path: Path) -> None:
    """Neither in a table nor in a page, nor in its log: with a server that saw nothing else."""
    for server in private_server():
        with open_memory(server.dsn, Settings(keys=str(tmp_path))) as memory:
            lived_in(memory)
        with psycopg.connect(server.dsn, autocommit=True) as link:
            assert link.execute("SELECT count(*) FROM muniment.episode").fetchone() == (0,)
            link.execute("CHECKPOINT")
        assert holding(server.folder, "muniment") != set()
        assert holding(server.folder, TEA, "lemon", "a walk in Lisbon") == set()


def test_a_server_can_be_told_to_show_nothing(postgres: PostgresServer, tmp_path: Path) -> None:
    schema = fresh_schema()
    settings = Settings(keys=str(tmp_path), schema=schema, open_tables=False, seed=b"s")
    with open_memory(postgres.dsn, settings) as memory:
        lived_in(memory)
    with psycopg.connect(postgres.dsn, options=f"-c search_path={schema}") as link:
        assert link.execute("SELECT count(*) FROM episode").fetchone() == (0,)


# ── Who says it once says it for everyone ───────────────────────────────────────────────────────


def told_in(folder: Path) -> list[tuple[Any, ...]]:
    rows: Rows = []
    for path in sorted((folder / "streams").glob("*.db")):
        link = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        rows += link.execute("SELECT * FROM episodic_stage1").fetchall()
        link.close()
    return sorted(rows)


def test_a_rebuild_at_the_terminal_keeps_the_rows_a_program_asked_for(tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    with muniment.open(folder, open_tables=True) as memory:
        lived_in(memory)
    shell = Shell("--store", str(folder), "--agent", "ada", "--user", "tuff")
    said = shell.document("remember", "said at the terminal")
    before = told_in(folder)
    assert said["episodic_id"] in {row[0] for row in before}
    assert len(before) == 7

    shell.document("rebuild")
    assert told_in(folder) == before
    shell.document("rebuild", "--workers", "2")
    assert told_in(folder) == before


def test_a_backup_knows_the_wish(tmp_path: Path) -> None:
    with muniment.open(tmp_path / "memory", open_tables=True) as memory:
        lived_in(memory)
    shell = Shell("--store", str(tmp_path / "memory"))
    shell.document("backup", str(tmp_path / "copy"))
    other = Shell("--store", str(tmp_path / "again"))
    other.document("restore", str(tmp_path / "copy"))
    other.document("rebuild")

    assert told_in(tmp_path / "again") == told_in(tmp_path / "memory") != []


def test_the_last_word_counts_and_no_word_changes_nothing(tmp_path: Path) -> None:
    def kept(wish: bool | None) -> int:  # noqa: FBT001
        with muniment.open(tmp_path, open_tables=wish) as memory:
            memory.agent("ada").remember(TEA)
            memory.rebuild()
        return len(told_in(tmp_path))

    assert [kept(wish) for wish in (None, True, None, False, None)] == [0, 2, 3, 0, 0]
    assert (tmp_path / "open_tables").read_text() == "none\n"


def test_a_folder_that_nobody_told_anything_holds_no_wish(tmp_path: Path) -> None:
    with muniment.open(tmp_path) as memory:
        memory.agent("ada").remember(TEA)
    assert not (tmp_path / "open_tables").exists()


def test_a_no_that_is_usual_in_a_folder_is_a_word_all_the_same(tmp_path: Path) -> None:
    """Given a folder that was told no, when it moves to where yes is usual, then it is no there."""
    muniment.open(tmp_path, open_tables=False).close()
    assert (tmp_path / "open_tables").read_text() == "none\n"


def test_a_wish_that_cannot_be_read_is_no_wish_to_guess(tmp_path: Path) -> None:
    (tmp_path / "open_tables").write_bytes(b"\xff\x00 maybe")
    with pytest.raises(StoreError, match="open_tables"):
        muniment.open(tmp_path)
    assert Shell("--store", str(tmp_path))("remember", "x").exit_code == Exit.STORE


def test_a_server_that_shows_nothing_shows_nothing_to_who_says_no_word(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    settings = Settings(keys=str(tmp_path), schema=fresh_schema(), open_tables=False)
    with open_memory(postgres.dsn, settings) as memory:
        lived_in(memory)
    with open_memory(postgres.dsn, msgspec.structs.replace(settings, open_tables=None)) as memory:
        memory.agent("ada", user="tuff").remember(TEA)
        memory.rebuild()
    with psycopg.connect(postgres.dsn, options=f"-c search_path={settings.schema}") as link:
        assert link.execute("SELECT count(*) FROM episode").fetchone() == (0,)


def test_open_tables_do_not_change_one_byte_of_the_log(tmp_path: Path) -> None:
    heads = []
    for name, shown in (("open", True), ("closed", False)):
        with muniment.open(tmp_path / name, seed=b"s", clock=False, open_tables=shown) as memory:
            lived_in(memory)
            heads.append([proof.head for proof in memory.prove()])
    assert heads[0] == heads[1]


# ── The front door ──────────────────────────────────────────────────────────────────────────────


def test_a_memory_on_a_server_is_opened_by_its_address(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    settings = Settings(keys=str(tmp_path), schema=fresh_schema())
    with open_memory(postgres.dsn, settings) as memory:
        memory.agent("ada", user="tuff").remember(TEA)
    with open_memory(postgres.dsn, settings) as memory:
        (hit,) = memory.agent("ada", user="tuff").recall("lemon").hits
        assert hit.text == TEA
        memory.prove()


def test_a_server_needs_a_folder_for_the_keys() -> None:
    with pytest.raises(InputError, match="keys"):
        muniment.open("postgresql://localhost/memory")


@pytest.mark.covers("A-122")
def test_a_governed_fact_has_one_living_value_and_its_time_on_a_server(
    server_place: Place,
) -> None:
    key = "user/profile/user_tuff/drink"
    ada = server_place.memory.agent("ada", user="tuff")
    ada.sem_put(key, "tea")
    first = ada.sem_get(key)
    ada.sem_put(key, "coffee")
    second = ada.sem_get(key)
    assert (first.value, second.value) == ("tea", "coffee")
    assert second.meta["last_updated"] > first.meta["last_updated"]
    rows = server_place.ask("SELECT died IS NULL FROM shelf_row WHERE shelf = 'sem' ORDER BY born")
    assert rows == [(False,), (True,)]
