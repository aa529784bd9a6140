"""Bugs of the kinds that were really found: where each is planted, and which tests catch it."""

from typing import Final, NamedTuple


class PlantedBug(NamedTuple):
    """One change of one file, and where it must be seen."""

    what: str
    file: str  # under the package
    right: str
    wrong: str
    tests: str  # what pytest is given


ONE = "tests/behaviour/one_memory"
BUGS: Final = (
    PlantedBug(
        "pages are read without their checksums",
        "adapters/storage/sqlite/page_checksums.py",
        "    if vfs() is not None:\n        wanted",
        "    if vfs() is None:\n        wanted",
        "tests/conformance/test_page_checksums.py",
    ),
    PlantedBug(
        "two names are one inside an id",
        "model/scope.py",
        "if each in ending or each.isspace()",
        'if each == "%"',
        "tests/laws/test_names.py",
    ),
    PlantedBug(
        "a grant compares a name that nobody stores",
        "engine/session/fact_access.py",
        "facts = _told_to(reader, readers, self._by_owner(writer, at))",
        "facts = _sorted(f for each in self._by_owner(writer, at).values() for f in each)",
        "tests/behaviour/test_fact_readers.py",
    ),
    PlantedBug(
        "one read has no filter for whom it is about",
        "layers/shelves.py",
        "return mine is None or mine.issuperset(subjects)",
        "return True",
        "tests/behaviour/test_two_users_of_one_agent.py",
    ),
    PlantedBug(
        "an index holds what its reader may not see",
        "retrieval/index/index_feed.py",
        "return mine is None or all(part.subject in mine for part in header.parts)",
        "return True",
        "tests/behaviour/test_two_users_of_one_agent.py",
    ),
    PlantedBug(
        "one door is not screened for what a policy forbids",
        "rules/write_gate.py",
        '    TakeTurn: ("text",),\n',
        "",
        f"{ONE}/test_one_gate.py",
    ),
    PlantedBug(
        "what memory gave out is learned again",
        "rules/echoes.py",
        "return known(fingerprint(text)) if enough else None",
        "return None if enough else None",
        f"{ONE}/test_no_echo.py",
    ),
    PlantedBug(
        "a summary hides what it tells of",
        "layers/memos/memos.py",
        "if isinstance(line.event, MemosCompacted) and line.event.archived:",
        "if not line.event:",
        f"{ONE}/test_compaction_hides_nothing.py",
    ),
    PlantedBug(
        "statements in the first person are passing talk",
        "retrieval/languages/disclosure.py",
        "return any(_tells(sentence) for sentence in sentences(text))",
        "return False",
        f"{ONE}/test_statements_last.py",
    ),
    PlantedBug(
        "a changed entry still verifies",
        "log/chain.py",
        "if link(after.hash, entry.header) != entry.hash:",
        "if not entry.hash:",
        "tests/laws/test_tampering.py",
    ),
    PlantedBug(
        "an approval too few is enough",
        "rules/governance.py",
        "if approvals + rejections < policy.quorum:",
        "if approvals + rejections < policy.quorum - 1:",
        "tests/behaviour/test_council.py",
    ),
    PlantedBug(
        "a revoked key still opens",
        "adapters/gateway/api_keys.py",
        "if known is None or not same or known.revoked or _has_ended(known, now):",
        "if known is None or not same or _has_ended(known, now):",
        "tests/behaviour/doors/test_keys_end.py",
    ),
    PlantedBug(
        "digits of other scripts pass the detector",
        "rules/privacy/fold.py",
        "def fold(text: str) -> FoldedText:\n",
        "def fold(text: str) -> FoldedText:\n    text = text.encode('ascii', 'replace').decode()\n",
        "tests/behaviour/test_detector_folding.py",
    ),
    PlantedBug(
        "what a killed process left is not synced before anybody is answered",
        "adapters/storage/sqlite/connection.py",
        'if _has_content(path, "-wal"):\n        sync_file',
        "if not path:\n        sync_file",
        "tests/simulation/test_power.py",
    ),
)
