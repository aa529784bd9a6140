"""Which files of tests take long: they begin first, so that no worker waits for the last of them.

Seconds of CPU as last measured, or reckoned from a twelfth of their tests (2026-11-19); only their
order matters. Workers that run out of tests take some that others still have (`--dist worksteal`).
"""

from typing import Final

import pytest

SECONDS: Final = {
    "tests/upstream/test_apart.py": 13,  # 40, after what it needs was installed beside the others
    "tests/upstream/test_frameworks.py": 56,
    "tests/laws/test_non_interference.py": 32,
    "tests/behaviour/test_terminal_signals.py": 12,
    "tests/behaviour/test_interrupted.py": 36,
    "tests/behaviour/test_chores.py": 30,
    "tests/docs/test_first_hour.py": 20,
    "tests/laws/test_histories.py": 12,
    "tests/docs/test_readme.py": 18,
    "tests/behaviour/test_detector_laws.py": 11,
    "tests/behaviour/test_imports_are_killed.py": 14,
    "tests/docs/test_examples.py": 12,
    "tests/behaviour/doors/test_isolation.py": 12,
    "tests/simulation/test_power.py": 20,
    "tests/browser/test_studio.py": 140,  # Chromium takes most of it
    "tests/browser/test_hands.py": 76,
    "tests/behaviour/doors/test_description.py": 41,
    "tests/simulation/test_worlds.py": 32,
    "tests/laws/test_names.py": 52,
    "tests/lives/test_short_lives.py": 38,
    "tests/laws/test_exchange.py": 15,
    "tests/simulation/test_bit_flips.py": 8,
    "tests/conformance/test_damage.py": 15,
    "tests/browser/test_memory_pages.py": 30,
    "tests/behaviour/evidence/test_leak_fuzzer.py": 25,
    "tests/conformance/test_postgres_faults.py": 26,
    "tests/conformance/test_proxy.py": 23,
    "tests/browser/test_long_use.py": 20,
    "tests/simulation/test_killing.py": 8,
    "tests/behaviour/test_mcp.py": 15,
    "tests/upstream/test_mcp_conformance.py": 14,
    "tests/planted/test_planted_bugs.py": 12,
    "tests/conformance/test_stores.py": 11,
    "tests/tidy/test_tidy.py": 9,
    "tests/conformance/test_sqlite_guards.py": 8,
    "tests/conformance/test_row_security.py": 8,
    "tests/simulation/test_failing_calls.py": 8,
}


def longest_first(items: list[pytest.Item]) -> None:
    """Sort in place; tests of one file stay together, and so do those that are not named."""
    items.sort(key=lambda item: -SECONDS.get(item.nodeid.partition("::")[0], 0))
