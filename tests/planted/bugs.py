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
        "return self._subjects is None or self._subjects.issuperset(subjects)",
        "return True",
        "tests/behaviour/test_two_users_of_one_agent.py",
    ),
    PlantedBug(
        "an index holds what its reader may not see",
        "engine/projections/index.py",
        "        self._subjects = subjects\n",
        "        self._subjects = None\n",
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
    PlantedBug(
        "a sync that failed is passed over",
        "adapters/system/durable_files.py",
        "    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)\n"
        "    try:\n        os.fsync(descriptor)\n",
        "    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)\n"
        "    try:\n        with contextlib.suppress(OSError):\n            os.fsync(descriptor)\n",
        "tests/simulation/test_failing_calls.py",
    ),
    PlantedBug(
        "the new name of a file is not durable",
        "adapters/system/durable_files.py",
        "        raise\n    sync_folder(path.parent)\n",
        "        raise\n",
        "tests/simulation/test_power.py -k handing",
    ),
    PlantedBug(
        "a key opens for good",
        "adapters/gateway/api_keys.py",
        "return bool(key.expires) and not (now and now <= key.expires)",
        "return bool(key.expires) and not now",
        "tests/behaviour/doors/test_keys_end.py",
    ),
    PlantedBug(
        "a member who changes their mind has two votes",
        "rules/governance.py",
        "if member in votes:",
        "if votes.get(member) == vote:",
        "tests/behaviour/test_council.py::test_a_member_votes_once",
    ),
    PlantedBug(
        "an approval binds no value",
        "rules/governance.py",
        "parts = [action, key, value, expected_head, expires_at_tick]",
        "parts = [action, key, expected_head, expires_at_tick]",
        "tests/behaviour/test_council.py::test_other_bytes_have_another_binding",
    ),
    PlantedBug(
        "a desk is folded from one entry too late",
        "engine/streams/desk_cache.py",
        "writer.heard(after=desk.seq, upto=seq)",
        "writer.heard(after=desk.seq + 1, upto=seq)",
        "tests/behaviour/test_reading_at_a_past_entry.py",
    ),
    PlantedBug(
        "a page of anywhere may ask in a browser",
        "adapters/gateway/allowed_origins.py",
        "if origin is not None and not self.is_page(origin):",
        "if origin and origin.startswith('file') and not self.is_page(origin):",
        "tests/behaviour/doors/test_guards.py -k three_hundred_hosts",
    ),
    PlantedBug(
        "a head that comes at once may be of any length",
        "adapters/gateway/request_limits.py",
        "(before is None or before.response_complete) and self._head_bytes(data) > HEAD",
        "before is self and self._head_bytes(data) > HEAD",
        "tests/behaviour/doors/test_guards.py -k 64_kib",
    ),
    PlantedBug(
        "the name of a request counts everybody's",
        "adapters/http/app.py",
        "return secrets.token_hex(8)",
        "self.count = getattr(self, 'count', 0) + 1\n        return f'{self.count:016x}'",
        "tests/behaviour/doors/test_guards.py::test_the_name_of_a_request_counts_nothing",
    ),
    PlantedBug(
        "two commands of one call share its key",
        "engine/streams/idempotency.py",
        'return self._key if self._told == 1 else f"{self._key}\\x00{self._told}"',
        "return self._key",
        "tests/behaviour/doors/test_every_write_again.py",
    ),
    PlantedBug(
        "whoever guesses at keys is never told to wait",
        "adapters/gateway/rate_limits.py",
        "        if left < 1:\n",
        "        if left < -1_000_000:\n",
        "tests/behaviour/doors/test_guards.py -k guesses_at_keys",
    ),
)
