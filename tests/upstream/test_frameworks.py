"""The frameworks' own tests pass on our classes: every one that is not about their storage."""

import pytest
from tests.upstream.archives import Archive, Tally, run

LANGGRAPH = Archive(
    name="langgraph-checkpoint",
    version="4.3.1",
    sha256="625e7c78a72b33e7c47f7e87ca051060fb90aa66f5fd551c472c08376fb669cb",
)
OPENAI_AGENTS = Archive(
    name="openai-agents",
    version="0.24.0",
    sha256="4b4b285f4fed81fdf1b4ac426a9101658d9cd29b4fb1aaeee18f639b77e704e3",
)
ANTHROPIC = Archive(
    name="anthropic",
    version="2.8.0",
    sha256="d34e389ba0544cd64e033eb7475f46cc1ac6f2a388cdcd472b33ad4ac29ef40c",
)

CLAUDE_AGENT = Archive(
    name="claude-agent-sdk",
    version="0.2.183",
    sha256="6e40affc389a5adf08a86796eb75629b6314ba3ea9fd0e6018916182114f02a5",
)

SESSIONS = "tests/memory/test_session.py::"
# Tests that reach into SQLite: its connections, threads, locks, rollbacks, and rows that they
# spoil by hand. Our log has none of those to reach into.
OF_SQLITE = tuple(
    f"{SESSIONS}test_sqlite_session_{name}"
    for name in (
        "close_closes_worker_thread_connections",
        "reaps_connections_from_exited_worker_threads",
        "closes_retired_connections_before_the_next_allocation",
        "keeps_connections_of_live_worker_threads",
        "closed_rejects_empty_add_items",
        "pop_item_skips_corrupt_most_recent",
        "pop_item_returns_none_after_dropping_only_corrupt_rows",
        "get_items_limit_skips_corrupt_newest_rows",
        "get_items_session_settings_limit_skips_corrupt_rows",
        "file_lock_is_shared_across_instances",
        "failed_add_items_releases_write_lock",
        "failed_clear_session_rolls_back",
        "failed_pop_item_releases_write_lock",
        "rollback_failure_evicts_connection",
        "close_retries_quarantined_connection",
        "post_commit_cancellation_propagates_after_known_outcome",
    )
)

FILES = "tests/lib/tools/memory_tools/test_filesystem.py::"
# Tests about a file system: modes of folders, symbolic links. A namespace has neither. And a file
# of five megabytes, which is refused when it is created and not when it is read.
OF_A_FILE_SYSTEM = tuple(
    f"{FILES}{kind}::{name}"
    for kind in ("TestBetaLocalFilesystemMemoryTool", "TestBetaAsyncLocalFilesystemMemoryTool")
    for name in (
        "test_mkdir_parents_not_world_writable_under_permissive_umask",
        "test_symlink_validation_reject_symlink_pointing_outside_memories",
        "test_symlink_validation_reject_creating_files_through_symlink_pointing_outside",
        "test_symlink_validation_reject_parent_directory_that_is_symlink_pointing_outside",
        "test_validate_path_returns_resolved_path_not_symlink_target",
        "test_view_error_for_files_with_too_many_lines",
    )
)


RESUMING = "tests/test_session_resume.py::TestHappyPath::"
# Tests that set the times of sessions by hand, in a table of the SDK's own store.
OF_A_TABLE = tuple(
    f"{RESUMING}test_continue_{name}"
    for name in (
        "picks_most_recent",
        "skips_sidechain_sessions",
        "tie_break_is_deterministic",
    )
)


def all_passed(tally: Tally, at_least: int, capsys: pytest.CaptureFixture[str], what: str) -> None:
    with capsys.disabled():
        print(f"\n{what}: {tally.passed} passed, {tally.failed} failed")
    assert tally.failed == 0, tally.text
    assert tally.passed >= at_least, tally.text


def test_langgraphs_store_tests_pass(capsys: pytest.CaptureFixture[str]) -> None:
    tally = run(LANGGRAPH, "plug_langgraph", "tests/test_store.py")

    all_passed(tally, 114, capsys, "langgraph-checkpoint 4.3.1, tests/test_store.py")


def test_the_session_tests_of_openai_agents_pass(capsys: pytest.CaptureFixture[str]) -> None:
    files = (SESSIONS.removesuffix("::"), "tests/memory/test_session_limit.py")
    tally = run(OPENAI_AGENTS, "plug_openai_agents", *files, skipping=OF_SQLITE)

    all_passed(tally, 53, capsys, "openai-agents 0.24.0, tests/memory")


def test_the_memory_tool_tests_of_anthropic_pass(capsys: pytest.CaptureFixture[str]) -> None:
    file = FILES.removesuffix("::")
    tally = run(ANTHROPIC, "plug_anthropic", "--noconftest", file, skipping=OF_A_FILE_SYSTEM)

    all_passed(tally, 72, capsys, "anthropic 2.8.0, memory tools")


def test_the_session_store_tests_of_the_claude_agent_sdk_pass(
    capsys: pytest.CaptureFixture[str],
) -> None:
    kinds = ("store_conformance", "helpers_store", "resume", "store_anyio", "import")
    files = [f"tests/test_session_{kind}.py" for kind in kinds]
    words = ("--noconftest", "-p", "anyio", *files)
    tally = run(CLAUDE_AGENT, "plug_claude_agent", *words, skipping=OF_A_TABLE)

    all_passed(tally, 134, capsys, "claude-agent-sdk 0.2.183, session stores")
