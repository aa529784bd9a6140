"""The terminal: what is kept, asked back, refused and read, in three forms of one answer."""

import json
from pathlib import Path

import pytest
from tests.terminal import KEY, PHONE, WISH, Shell, contents, said, wishing

from muniment.adapters.cli.errors import Exit
from muniment.adapters.cli.output import TextTable, aligned
from muniment.adapters.rendering import event_summary, plain_text
from muniment.model import errors

REMEMBERED = (
    "stored episodic_id text reason echo_of redacted question seq hash said like request_id ended"
    " next"
)
CONTEXT = "text tokens budget pieces sources left_out receipt"
ENVELOPE = "error_code status severity user_message developer_message retryable outcome meta"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "memory"


@pytest.fixture
def shell(store: Path) -> Shell:
    return Shell("--store", str(store))


@pytest.fixture
def tuff(store: Path) -> Shell:
    return wishing(store)


# ── Remember, confirm, approve ──────────────────────────────────────────────────────────────────


def test_what_was_said_is_kept_and_recalled(shell: Shell) -> None:
    assert shell("remember", "I moved to Lisbon in March").stdout.startswith("Kept: I moved")
    result = shell("recall", "Lisbon?")
    assert "I moved to Lisbon in March" in result.stdout
    assert "receipt" in result.stdout


def test_an_answer_is_one_among_those_that_are_left(shell: Shell) -> None:
    gone = str(shell.document("remember", "My boat is called Petrel")["episodic_id"])
    shell("remember", "My car is called Heron")
    assert "1 of 2 memories;" in shell("recall", "What is my car called?", "--limit", "1").stdout
    shell("forget", gone)
    assert "1 of 1 memory;" in shell("recall", "What is my car called?").stdout


def test_a_pipe_gets_the_commands_to_run_next(shell: Shell) -> None:
    asked = shell("remember", WISH, "--user", "tuff", "--agent", "ada")
    assert "Shall I keep “favorite color: cerulean” as a lasting fact?" in asked.stdout
    confirmed = shell.follow(asked)
    assert confirmed.stdout.startswith("Asked: req:")
    approved = shell.follow(confirmed)
    assert approved.stdout == f"Executed: sem_write {KEY} = cerulean\n"
    context = shell("context", "Which colour?", "--user", "tuff", "--agent", "ada")
    assert "## facts\n- [approved/agent] favorite color: cerulean" in context.stdout


def test_an_approved_fact_that_its_person_has_contradicted_is_told_as_that(shell: Shell) -> None:
    who = ("--user", "tuff", "--agent", "ada")
    shell.follow(shell.follow(shell("remember", WISH, *who)))
    later = shell.document("remember", "My favourite color is red now", *who)["episodic_id"]

    told = shell("recall", "Which favorite color?", *who).stdout

    assert f"{KEY} is contradicted by {later}" in told


def test_no_is_an_answer_too(tuff: Shell) -> None:
    question = tuff.confirmation()
    assert tuff("confirm", question, "--no").stdout == "Not kept as a fact.\n"
    again = tuff("confirm", question)
    assert again.exit_code == Exit.REFUSED
    assert said(again).endswith("[REFUSED: confirmation_unknown]")


def test_a_direct_yes_writes_the_fact(tuff: Shell) -> None:
    assert tuff("confirm", tuff.confirmation(), "--direct").stdout == "Kept as a lasting fact.\n"
    assert "cerulean" in tuff("show", KEY).stdout


def test_a_request_can_be_rejected_once(tuff: Shell) -> None:
    request = tuff.requested()
    assert tuff("reject", request, "--reason", "not yet").stdout.startswith("Rejected: ")
    again = tuff("approve", request)
    assert again.exit_code == Exit.REFUSED
    assert said(again).endswith("[REFUSED: request_unknown]")
    assert tuff("requests").stdout == "No request is pending.\n"


def test_a_request_that_is_not_there_is_not_found(tuff: Shell) -> None:
    for _ in range(2):  # without a council, and with one
        result = tuff("approve", "req:nope")
        assert result.exit_code == Exit.NOT_FOUND
        assert said(result) == (
            "muniment: There is no request 'req:nope'; `muniment requests` lists them. [NOT_FOUND]"
        )
        tuff.requested()
        tuff("remember", WISH)


def test_requests_show_what_they_rest_on(tuff: Shell) -> None:
    request = tuff.requested()
    shown = tuff("requests").stdout
    assert request in shown
    assert "evidence  ep:" in shown
    assert "needs     owner" in shown
    assert tuff.follow(tuff("requests")).stdout.startswith("Executed: ")


def test_text_comes_from_standard_input(shell: Shell) -> None:
    result = shell("remember", "-", typed="from a file\n")
    assert result.stdout.startswith("Kept: from a file\n")


def test_bytes_that_are_no_text_are_bad_input(shell: Shell, store: Path) -> None:
    result = shell("remember", "-", typed=b"\xff\xfe")
    assert result.exit_code == Exit.INPUT
    assert said(result) == "muniment: The text is not valid UTF-8. [INVALID_INPUT]"
    assert not store.exists()


def test_what_is_in_quarantine_is_told_with_the_command_that_releases_it(store: Path) -> None:
    shell = Shell("--store", str(store), "--user", "tuff")
    kept = shell("remember", "The boat is called Petrel", "--origin", "external")
    assert "In quarantine: recall does not find it" in kept.stdout
    assert "Petrel" not in shell("recall", "What is the boat called?").stdout
    assert "Vouched for" in shell.follow(kept).stdout
    assert "Petrel" in shell("recall", "What is the boat called?").stdout


def test_what_recall_finds_is_not_told_to_be_in_quarantine(shell: Shell) -> None:
    def told(*words: str) -> str:
        return shell("remember", "The boat is called Petrel", *words).stdout

    outside = ("--origin", "external", "--source")
    assert "quarantine" not in told("--origin", "tool")
    assert "quarantine" in told(*outside, "one.example.org")
    assert "quarantine" in told(*outside, "example.com")
    assert "quarantine" not in told(*outside, "example.net")  # the third to say so


def test_the_same_key_is_kept_once(shell: Shell) -> None:
    first = shell.document("remember", "once", "--key", "k1")
    assert shell.document("remember", "once", "--key", "k1") == first
    other = shell("remember", "twice", "--key", "k1")
    assert other.exit_code == Exit.INPUT
    assert said(other).endswith("[IDEMPOTENCY_KEY_REUSED]")


# ── Refusals ────────────────────────────────────────────────────────────────────────────────────


def test_a_secret_is_refused_with_its_reason_and_leaves_no_trace(shell: Shell, store: Path) -> None:
    result = shell("remember", "my password is hunter2-vAult-99")
    assert (result.exit_code, result.stdout) == (Exit.REFUSED, "")
    assert said(result).endswith("[REFUSED: privacy_deny_sensitive]")
    assert b"hunter2" not in contents(store)
    assert "memory_denied" in shell("log").stdout


def test_a_refusal_in_json_is_the_envelope(shell: Shell) -> None:
    result = shell("remember", "my password is hunter2-vAult-99", "--json")
    assert (result.exit_code, result.stderr) == (Exit.REFUSED, "")
    envelope = json.loads(result.stdout)
    assert set(envelope) == set(ENVELOPE.split())
    assert envelope["error_code"] == "REFUSED"
    assert envelope["user_message"] == errors.PRIVACY_BLOCKED
    assert envelope["meta"]["reason"] == "privacy_deny_sensitive"
    assert envelope["meta"]["seq"] == "4"


@pytest.mark.parametrize("words", [["--json", "nope"], ["log", "--json"], ["log", "--json", "-x"]])
def test_every_error_in_json_is_one_envelope(shell: Shell, words: list[str]) -> None:
    result = shell(*words)
    assert result.exit_code in {Exit.INPUT, Exit.NOT_FOUND}
    assert result.stderr == ""
    assert set(json.loads(result.stdout)) == set(ENVELOPE.split())


def test_private_data_is_kept_raw_only_with_consent(tuff: Shell) -> None:
    words = ["remember", f"My number is {PHONE}"]
    assert "Redacted: phone" in tuff(*words).stdout
    blocked = tuff(*words, "--keep-raw")
    assert said(blocked).endswith("[REFUSED: PII_BLOCKED]")
    given = tuff("consent", "You may").stdout
    assert given.startswith("Allowed until revoked: consent:")
    assert tuff(*words, "--keep-raw").exit_code == Exit.DONE
    assert tuff("consent", "--revoke", given.split()[-1]).exit_code == Exit.DONE
    assert tuff(*words, "--keep-raw").exit_code == Exit.REFUSED


def test_what_is_kept_raw_is_not_shown(tuff: Shell) -> None:
    tuff("consent", "You may")
    kept = tuff.document("remember", f"My number is {PHONE}", "--keep-raw")
    assert event_summary.WITHHELD in tuff("show", str(kept["episodic_id"])).stdout
    for entry in tuff.listed("entries", "log"):
        for form in ("--json", "--plain"):
            assert PHONE not in tuff("show", str(entry["seq"]), form).stdout
    assert PHONE not in tuff("log", "--json").stdout


# ── Three forms of one answer ───────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("words", "keys"),
    [
        (["log"], "stream entries"),
        (["show", "4"], "stream hash header event"),
        (["requests"], "requests"),
        (["recall", "colour"], "hits receipt considered"),
        (["context", "colour"], CONTEXT),
        (["prove"], "proved streams"),
        (["rebuild"], "streams"),
        (["version"], "muniment python sqlite"),
        (["remember", "x"], REMEMBERED),
    ],
)
def test_json_has_stable_keys(tuff: Shell, words: list[str], keys: str) -> None:
    assert set(tuff.document(*words)) == set(keys.split())


@pytest.mark.parametrize("words", [["log"], ["show", "4"], ["requests"], ["prove"], ["version"]])
def test_plain_is_the_plain_view_of_the_json(tuff: Shell, words: list[str]) -> None:
    tuff.requested()
    expected = plain_text.plain(tuff.document(*words))
    assert tuff(*words, "--plain").stdout == expected


def test_options_stand_before_or_after_and_the_nearest_wins(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def log_of(*words: str) -> object:
        return Shell().document(*words)["stream"]

    here = ("--store", str(store))
    for agent in ("ada", "bob"):
        Shell(*here)("remember", "x", "--agent", agent)
    ada, bob = "main/agent/ada/actor", "main/agent/bob/actor"
    assert log_of(*here, "--agent", "ada", "log") == ada
    assert log_of("log", *here, "--agent", "ada") == ada
    monkeypatch.setenv("MUNIMENT_STORE", str(store))
    monkeypatch.setenv("MUNIMENT_AGENT", "bob")
    assert log_of("log") == bob
    assert log_of("--agent", "ada", "log") == ada
    assert log_of("--agent", "bob", "log", "--agent", "ada") == ada


def test_nothing_that_was_said_steers_the_terminal(shell: Shell) -> None:
    shell("remember", "red \x1b[31m alert\x07 \u202egnihtyna", "--origin", "external")
    asked = (["recall", "alert", "--quarantined"], ["context", "alert", "--quarantined"])
    for words in (["log"], *asked, ["show", "4"]):
        shown = shell(*words).stdout
        assert not {"\x1b", "\x07", "\u202e"} & set(shown)
        assert r"\x1b[31m alert" in shown


def test_columns_line_up_whatever_the_letters() -> None:
    table = TextTable(
        head=("name", "what"), rows=(("日本", "x"), ("e\u0301", "y"), ("long name", "z"))
    )
    assert aligned(table) == [
        "name       what",
        "日本       x",
        "e\u0301          y",
        "long name  z",
    ]
