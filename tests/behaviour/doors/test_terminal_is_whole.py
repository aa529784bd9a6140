"""The terminal is whole: every verb of the engine has a command, and every command three forms."""

import json
from pathlib import Path
from typing import Any

import click
import pytest
from tests.terminal import WISH, Shell, wishing

from muniment.adapters.cli.errors import Exit
from muniment.adapters.cli.main import FILES, cli
from muniment.adapters.gateway import permissions
from muniment.engine.api.admin import Admin
from muniment.engine.api.agent import Agent
from muniment.engine.api.council import Council
from muniment.engine.api.documents import Documents
from muniment.engine.api.identity_admin import Identities
from muniment.engine.api.memory import Memory
from muniment.engine.api.subconscious import Subconscious
from muniment.engine.audit.erasure import Eraser
from muniment.engine.audit.notary import Notary
from muniment.engine.conversation.conversation import Conversation
from muniment.engine.evidence.branches import Branches

# Which command does what a method does. What is only for programs has none, and says why.
PROGRAM = "it hands something to a program: an object, a callback, the text of an AI call"
JOB = "a step of a loop that a program runs"
COMMAND_OF = {
    Agent: {
        "remember": "remember", "remember_many": "import", "remember_each": PROGRAM,
        "recall": "recall", "recall_again": "recall", "records": "list", "get": PROGRAM,
        "context": "context", "why_not": "why-not",
        "forget": "forget", "correct": "correct", "vouch": "vouch", "confirm": "confirm",
        "consent": "consent", "revoke_consent": "consent", "sem_get": "facts",
        "sem_search": "facts", "sem_put": "confirm", "skills": "skills", "threads": "threads",
        "compact": "compact", "thin": "compact", "what_if": "what-if",
        "propose_coefficients": "propose", "used": "used", "unused": "used",
        "turn_trace": "turn-trace", "conversation": "turn", "documents": "documents",
        "rag_query": "loops", "fuzzy_query": "loops", "questions": "log", "requests": "requests",
        "episode": "show", "get_by_id": "show", "get_range": "log", "policy": "policy",
        "seq": "log", "name": "log", "episodic_query": "recall", "watch": "watch",
    },
    Conversation: {
        "record": "turn", "traces": "trace", "retired_by": "retired", "undo": "retired",
        "items": "items", "start_phase": "phase", "diff": "diff", "blame": "blame",
        "session": "turn", "correct": "turn", "forget": "turn", "promote": PROGRAM,
        "recall": PROGRAM, "imposition": PROGRAM, "lifting": PROGRAM, "retraction": PROGRAM,
        "told": PROGRAM, "undoing": PROGRAM, "replace": PROGRAM, "retract": PROGRAM,
    },
    Documents: {
        "put": "documents", "get": "documents", "drop": "documents", "within": "documents",
        "namespaces": "documents", "history": "documents", "put_all": PROGRAM, "add": PROGRAM,
        "move": PROGRAM, "clear": PROGRAM, "before": PROGRAM, "newest": PROGRAM,
        "drop_all": PROGRAM, "replace": PROGRAM, "as_kept": PROGRAM,
        "search": "documents", "sweep": PROGRAM,
    },
    Council: {
        "requests": "requests", "request": "requests", "vote": "approve", "approve": "approve",
        "reject": "reject", "abstain": PROGRAM, "tick": PROGRAM, "keyed": PROGRAM,
    },
    Admin: {
        "read_payload": "payload", "facts": "facts", "request_deletion": "forget",
        "delete": "forget", "adopt_policy": "init", "request_policy": "policy",
        "request_coefficients": "propose", "apply_policy": "policy", "policy": "policy",
        "policies": "policy", "proposal": "requests", "impose": "impose",
        "lift": "impose", "incidents": "incidents", "keyed": PROGRAM,
        "place_hold": "hold", "holds": "hold", "lift_hold": "hold", "settle_holds": "hold",
        "due": "due", "carry_out_due": "due",
        "what_if_policy": "policy-what-if", "ruled_streams": PROGRAM,
    },
    Identities: {"of": "identity", "adopt": "identity", "apply": "identity", "keyed": PROGRAM},
    Eraser: {
        "request": "erase", "carry_out": "erase", "person": PROGRAM, "completed": PROGRAM,
        "keyed": PROGRAM,
    },
    Notary: {
        "sign": "sign", "link": "sign", "renew_key": "sign", "key": "sign", "signed": "certify",
        "certify": "certify", "bundle": "bundle", "keyed": PROGRAM, "attest": "export",
        "read_through": "passport",
    },
    Branches: {
        "open": "branch", "list": "branch", "status": "branch", "hub": PROGRAM, "diff": "branch",
        "merge": "branch", "discard": "branch", "keyed": PROGRAM,
    },
    Subconscious: {"dream": "dream", "learn": "learn"},
    Memory: {
        "prove": "prove", "prove_stream": "prove", "rebuild": "rebuild",
        "rebuild_stream": "rebuild", "streams": "doctor", "log": "log", "head": "doctor",
        "policy": "policy", "indexing": "index", "auditor": "about", "notary": "sign",
        "branch": "branch", "branches": "branch", "prove_branches": "prove",
        "what_if_stream": "policy-what-if",
    },
}  # fmt: skip
# Of these nothing is left out.
WHOLE = (Conversation, Documents, Council, Admin, Identities, Eraser, Notary, Branches)
SERVE = {"studio", "serve", "mcp", "dev-postgres", "demo", "completion"}  # they go on, or are text
ELSEWHERE = {
    "copy-store", "roles", "shards", "move-stream", "restore",  # they need a second store
    # A model's server, an agent's files, a change to take back, a person: each has its own tests.
    "eval", "extract", "connect", "hook", "unforget", "passport", "rollback", "fuzz-leaks",
}  # fmt: skip
LINES = [
    "remember hello", "confirm {question}", "consent yes", "vouch {item}", "correct {item} hi",
    "documents put notes/a k 7", "documents list", "documents get notes/a k",
    "documents history notes/a k",
    "documents search notes 7",
    "documents drop notes/a k", "turn tea", "phase two", "items", "compact", "dream", "learn brief",
    "facts", "skills", "recall tea", "why-not {item} tea", "context tea", "threads",
    "loops tea", "list",
    "log", "show 1", "retired 3", "trace", "blame {item}", "impact {item}", "diff 0", "about tuff",
    "requests", "what-if", "propose", "used ctx:9 {item}", "turn-trace 1", "identity",
    "impose calm", "hold", "due --within 9", "payload {item} --reason see",
    "forget {item}", "erase tuff", "approve req:9", "reject req:9", "incidents", "doctor",
    "metrics", "policy", "branch list", "branch open try", "policy-what-if",
    "gate --allow answered=9",
    "summary", "entities", "index status", "prove", "rebuild", "keys list", "webhooks list",
    "version",
    "watch --question tea --once", "export {file}", "import {file}",
    "backup {copy}", "rekey --yes", "init", "chat", "sign", "sign --stream agent",
    "certify 4 --open see",
    "bundle {file} --force", "bundle --verifier {file} --force", "verify {file} --origin x --key y",
]  # fmt: skip


def public(kind: type) -> set[str]:
    return {name for name in dir(kind) if not name.startswith("_")}


def test_every_verb_of_the_engine_has_a_command_or_is_for_programs() -> None:
    for kind, known in COMMAND_OF.items():
        assert {*known} <= public(kind), kind
        assert {its for its in known.values() if its not in {PROGRAM, JOB}} <= {*FILES}, kind
    for kind in WHOLE:
        assert public(kind) == {*COMMAND_OF[kind]}, kind


def test_the_help_of_every_command_tells_all_its_options() -> None:
    context = click.Context(cli)
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        assert command is not None
        own = [option for option in command.params if isinstance(option, click.Option)]
        # One named like a shared option would be left out of the help as if it were that one.
        assert len({option.name for option in own}) == len(own), name


def test_every_command_is_tried_here_or_named_as_one_that_cannot_be() -> None:
    tried = {line.split()[0] for line in LINES}

    assert tried | SERVE | ELSEWHERE == {*FILES}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("whole") / "memory"


@pytest.fixture(scope="module")
def ids(store: Path) -> dict[str, str]:
    tuff = Shell("--store", str(store), "--user", "tuff")
    kept = tuff.document("remember", "I drink tea")
    assert tuff("remember", WISH).exit_code == 0
    return {
        "item": str(kept["episodic_id"]),
        "question": tuff.confirmation(),
        "file": str(store.with_name("out.jsonl")),
        "copy": str(store.with_name("copy")),
    }


@pytest.mark.parametrize("form", ["--json", "--plain"])
def test_every_command_answers_in_the_form_that_was_asked_for(
    store: Path, ids: dict[str, str], form: str
) -> None:
    tuff = Shell("--store", str(store), "--user", "tuff")
    for line in LINES:
        result = tuff(*line.format(**ids).split(), form)
        told = (line, form, result.exit_code, result.stdout, result.stderr)
        assert not isinstance(result.exception, Exception), told
        if form == "--json":
            assert isinstance(json.loads(result.stdout), dict), told
        elif result.exit_code == 0:
            lines = result.stdout.splitlines()
            assert all(": " in each or each.endswith(":") for each in lines), told


@pytest.mark.parametrize(
    ("words", "verb"),
    [
        ("log", "streams"),
        ("show 1", "streams"),
        ("export {out}", "streams"),
        ("prove", "prove"),
        ("rebuild", "rebuild"),
        ("sign", "prove"),
        ("certify 4", "prove"),
        ("bundle {out}", "prove"),
        ("bundle {out} --open see", "payloads"),
        ("certify 4 --open see", "payloads"),
    ],
)
def test_what_looks_at_the_whole_house_passes_the_table_of_verbs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, verb: str
) -> None:
    shell = wishing(tmp_path / "memory")
    passed: list[str] = []
    permit = permissions.permit

    def noted(verb: str, *who: Any) -> None:  # noqa: ANN401
        passed.append(verb)
        permit(verb, *who)

    monkeypatch.setattr(permissions, "permit", noted)

    done = shell(*words.format(out=tmp_path / "out").split())

    assert done.exit_code == Exit.DONE, done.output
    assert verb in passed
