"""Which files of tests take long: they begin first, so that no worker waits for the last of them.

Seconds as last measured, beside other work (2026-11-20); only their order matters. Workers that
run out of tests take some that others still have (`--dist worksteal`).
"""

from typing import Final

import pytest

SECONDS: Final = {
    "tests/simulation/test_worlds.py": 218,
    "tests/browser/test_studio.py": 169,
    "tests/lives/test_short_lives.py": 133,
    "tests/laws/test_names.py": 122,
    "tests/simulation/test_power.py": 81,
    "tests/laws/test_non_interference.py": 70,
    "tests/behaviour/test_interrupted.py": 61,
    "tests/behaviour/doors/test_description.py": 57,
    "tests/browser/test_live.py": 50,
    "tests/docs/test_first_hour.py": 48,
    "tests/upstream/test_frameworks.py": 45,
    "tests/behaviour/doors/test_mcp_over_pipes.py": 39,
    "tests/laws/test_needed_words.py": 38,
    "tests/planted/test_planted_bugs.py": 32,
    "tests/behaviour/doors/test_secrets_by_kind.py": 31,
    "tests/behaviour/evidence/test_leak_fuzzer.py": 31,
    "tests/browser/test_hands.py": 30,
    "tests/behaviour/one_memory/test_compaction_hides_nothing.py": 29,
    "tests/behaviour/test_chores.py": 28,
    "tests/laws/test_exchange.py": 26,
    "tests/browser/test_evidence_pages.py": 25,
    "tests/docs/test_examples.py": 25,
    "tests/behaviour/test_foreign_files.py": 25,
    "tests/behaviour/doors/test_isolation.py": 24,
    "tests/behaviour/studio/test_no_counter_tells.py": 24,
    "tests/conformance/test_proxy.py": 23,
    "tests/lives/test_two_hundred_turns.py": 21,
    "tests/docs/test_readme.py": 21,
    "tests/conformance/test_stores_agree.py": 20,
    "tests/browser/test_memory_pages.py": 20,
    "tests/laws/test_collections.py": 20,
    "tests/browser/test_long_use.py": 20,
    "tests/behaviour/test_imports_are_killed.py": 19,
    "tests/behaviour/recall/test_why_not_in_contexts.py": 19,
    "tests/tidy/test_tidy.py": 18,
    "tests/laws/test_histories.py": 17,
    "tests/behaviour/recall/test_learned_order.py": 16,
    "tests/docs/test_package.py": 16,
    "tests/behaviour/doors/test_typescript_client.py": 16,
    "tests/behaviour/test_terminal_signals.py": 16,
    "tests/behaviour/test_golden_memory_tests.py": 16,
    "tests/laws/test_conversations.py": 15,
    "tests/simulation/test_failing_calls.py": 15,
    "tests/conformance/test_row_security.py": 14,
    "tests/simulation/test_bit_flips.py": 14,
    "tests/upstream/test_apart.py": 13,  # 67, after what it needs was installed beside the others
    "tests/behaviour/doors/test_servers_die.py": 13,
    "tests/behaviour/test_memory_kit.py": 13,
    "tests/conformance/test_postgres_faults.py": 12,
    "tests/behaviour/studio/test_start.py": 12,
}


def longest_first(items: list[pytest.Item]) -> None:
    """Sort in place; tests of one file stay together, and so do those that are not named."""
    items.sort(key=lambda item: -SECONDS.get(item.nodeid.partition("::")[0], 0))
