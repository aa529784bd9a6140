"""At the terminal, too, what is somebody else's and what does not exist answer alike."""

import re
from pathlib import Path

import click
import pytest
from tests.terminal import WISH, Shell

import muniment
from muniment.adapters.cli.main import FILES, cli
from muniment.adapters.cli.shared_options import AGENT

ABSENT = {
    "item": "ep:00000000-0000-8000-8000-000000000000",
    "question": "confirm:00000000:7",
    "consent": "consent:00000000:7",
    "request": "req:01M7EX0ESV0000000000000077",
    "entry": "01M7EX0ESV7NZ8107000000777",
    "key": "00000007",
    "fact": "user/profile/user_nobody/favorite_color",
    "person": "nobody",
    "receipt": "ctx:0000000000000007",
    "turn": "777",
    "branch": "never-was",
}
# Every argument and option that takes the name of something, and how it is said.
ROWS = {
    "confirm": ["confirm {question}"],
    "vouch": ["vouch {item}"],
    "consent": ["consent --revoke {consent}"],
    "forget": ["forget {item}", "forget {fact}", "forget --carry-out {request}"],
    "why-not": ["why-not {item} tea"],
    "show": ["show {entry}"],
    "certify": ["certify {entry}", "certify {entry} --open see"],
    "blame": ["blame {item}", "blame {fact}"],
    "impact": ["impact {item}"],
    "about": ["about {person}"],
    "entities": [
        "entities {person}",
        "entities user --path {person}",
        "entities {person} --restore",
    ],
    "approve": ["approve {request}"],
    "reject": ["reject {request}"],
    "propose": ["propose --carry-out {request}"],
    "erase": ["erase {person}", "erase --carry-out {request} --yes"],
    "policy": ["policy --apply {request}"],
    "keys": ["keys revoke {key}"],
    "correct": ["correct {item} hello"],
    "payload": ["payload {item} --reason see"],
    "identity": ["identity --carry-out {request}"],
    "used": ["used {receipt} {item}", "used {receipt} --unused {item}"],
    "turn-trace": ["turn-trace {turn}"],
    "extract": ["extract --undo {request}"],
    "summary": ["summary --undo {request}"],
    "rollback": ["rollback item {item}"],
    "webhooks": ["webhooks retry {request}", "webhooks delete {request}"],
    "branch": ["branch diff {branch}", "branch merge {branch}", "branch discard {branch}"],
    "unforget": ["unforget {item}"],
}
# Of what these take nothing is anybody's: sentences, files, numbers of one's own log, places.
NAMES_NOTHING = {
    "remember", "turn", "compact", "dream", "facts", "skills", "recall", "context",
    "threads", "log", "retired", "trace", "diff", "studio", "requests", "what-if", "serve", "mcp",
    "init", "doctor", "import", "export", "backup", "restore", "completion", "prove",
    "index", "rebuild",
    "documents", "items", "list", "phase", "loops", "incidents", "impose", "learn",
    "sign", "bundle", "verify",
    "demo", "dev-postgres", "copy-store", "roles", "shards", "move-stream", "version",
    "rekey", "hold", "due", "chat", "hook", "eval", "connect",
    "watch", "fuzz-leaks", "passport", "metrics", "policy-what-if", "gate",
}  # fmt: skip
# With nothing, or with a request to the council.
ANSWERED = ("about", "entities", "why-not", "erase {person}")
# What one's own agent holds about another of its users is the operator's to see.
OPERATORS_OWN = {"payload", "identity", "approve", "reject", "propose", "erase", "about",
                 "policy", "keys", "certify", "forget {fact}",
                 "forget --carry-out {request}", "branch"}  # fmt: skip


@pytest.fixture(scope="module")
def lived_in(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """What belongs to tuff, in the tenant `main`; mia and the tenant `south` live there as well."""
    store = tmp_path_factory.mktemp("isolation") / "memory"
    tuff = Shell("--store", str(store), "--user", "tuff")
    kept = tuff.document("remember", "I drink tea with lemon")
    assert tuff("remember", WISH).exit_code == 0
    foreign = {
        "item": str(kept["episodic_id"]),
        "question": tuff.confirmation(),
        "consent": str(tuff.document("consent", "you may keep it")["consent_id"]),
        "request": tuff.requested(),
        "entry": str(tuff.listed("entries", "log")[-1]["id"]),
        "key": str(tuff.document("keys", "create", "--role", "user")["key_id"]),
        "fact": "user/profile/user_tuff/favorite_color",
        "person": "tuff",
        "branch": "trial-of-tea",
    } | turned(store)
    assert tuff("branch", "open", foreign["branch"]).exit_code == 0
    for other in (Shell("--store", str(store), "--user", "mia"), south(store)):
        assert other("remember", "I drink coffee").exit_code == 0
        assert other("remember", "Remember my favourite colour is green").exit_code == 0
        other.requested()
    return store, foreign


def turned(store: Path) -> dict[str, str]:
    """A turn of tuff's and the receipt of its context; to tuff both are there."""
    with muniment.open(store) as memory, memory.agent(AGENT, user="tuff").job() as job:
        context = job.assemble_context("What do I drink?", 100)
        found = {"receipt": context.receipt.receipt_id, "turn": str(job.number)}
    tuff = Shell("--store", str(store), "--user", "tuff")
    assert tuff("used", found["receipt"], context.pieces[0].id).exit_code == 0
    assert tuff("turn-trace", found["turn"]).exit_code == 0
    return found


def south(store: Path) -> Shell:
    return Shell("--store", str(store), "--tenant", "south", "--user", "mia")


def answer(shell: Shell, line: str, ids: dict[str, str]) -> tuple[int, str, str]:
    result = shell(*line.format(**ids).split())
    told = [result.stdout, result.stderr]
    for name in sorted(ids.values(), key=len, reverse=True):
        told = [text if name.isdigit() else text.replace(name, "ID") for text in told]
    told = [re.sub(r"\bep:[0-9a-f-]+|\breq:[0-9A-Z]+", "ID", text) for text in told]
    out, err = (re.sub(r"\d+", "N", text) for text in told)
    return result.exit_code, out, err


@pytest.mark.parametrize("form", ["", " --json", " --plain"])
def test_another_tenants_id_answers_as_one_that_never_was(
    lived_in: tuple[Path, dict[str, str]], form: str
) -> None:
    store, foreign = lived_in
    for line in (each + form for rows in ROWS.values() for each in rows):
        told = [answer(south(store), line, ids) for ids in (foreign, ABSENT)]
        assert told[0] == told[1], line
        assert told[0][0] != 0 or line.startswith(ANSWERED), (line, told)
        assert "lemon" not in "".join(told[0][1:])


def test_another_users_id_answers_as_one_that_never_was(
    lived_in: tuple[Path, dict[str, str]],
) -> None:
    store, foreign = lived_in
    mia = Shell("--store", str(store), "--user", "mia")
    lines = [
        each for name, rows in ROWS.items() for each in rows if not {name, each} & OPERATORS_OWN
    ]
    assert lines
    for line in lines:
        told = [answer(mia, line, ids) for ids in (foreign, ABSENT)]
        assert told[0] == told[1], line
        assert told[0][0] != 0 or line.startswith(("entities", "why-not")), line


LOGS = ("log --limit 0", "log --after 0", "log --stream council --limit 0", "diff 0",
        "blame {item}", "impact {item}", "show {entry}", "show {item}",
        "show {request} --stream council")  # fmt: skip
WORDLESS = ("impact", "show {entry}")  # entries that followed, and a receipt: ids alone
SECRETS = ("lemon", "cerulean", "user_tuff")


@pytest.mark.parametrize("form", ["", " --json", " --plain"])
@pytest.mark.parametrize("line", LOGS)
def test_what_is_read_from_a_log_for_one_user_tells_nothing_of_another(
    lived_in: tuple[Path, dict[str, str]], line: str, form: str
) -> None:
    """An operator who names nobody sees all of it; so does the user whose it is."""
    store, foreign = lived_in
    every, tuff, mia = (
        Shell("--store", str(store), *user) for user in ((), ("--user", "tuff"), ("--user", "mia"))
    )
    told = {who: "".join(answer(shell, line + form, foreign)[1:]) for who, shell in
            (("all", every), ("tuff", tuff), ("mia", mia))}  # fmt: skip

    assert not any(word in told["mia"] for word in SECRETS)
    for who in ("all", "tuff"):
        assert answer(every if who == "all" else tuff, line + form, foreign)[0] == 0
    if not line.startswith(WORDLESS):
        assert any(word in told["all"] for word in SECRETS), line
        assert any(word in told["tuff"] for word in SECRETS), line


def test_a_refusal_of_one_user_is_not_in_the_log_of_another(tmp_path: Path) -> None:
    nell, omar, every = (
        Shell("--store", str(tmp_path / "memory"), *user)
        for user in (("--user", "nell"), ("--user", "omar"), ())
    )
    omar("remember", "I keep bees")
    nell("remember", "my password is hunter2hunter2")

    logs = {who: shell("log").stdout for who, shell in
            (("nell", nell), ("omar", omar), ("every", every))}  # fmt: skip

    assert [who for who, told in logs.items() if "memory_denied" in told] == ["nell", "every"]
    assert "bees" in logs["omar"]
    assert "bees" not in logs["nell"]
    for line in ("diff 0", "show 4", "show 5"):
        assert "privacy_deny" not in omar(*line.split()).output
    assert "privacy_deny" in every("diff", "0").output + nell("log").output


def test_what_an_agent_keeps_for_nobody_is_shown_to_each(tmp_path: Path) -> None:
    every, omar = (
        Shell("--store", str(tmp_path / "memory"), *user) for user in ((), ("--user", "omar"))
    )
    kept = every.document("remember", "The office closes at six")["episodic_id"]
    omar("remember", "I keep bees")

    assert "six" in omar("blame", str(kept)).stdout
    assert "six" in omar("log", "--limit", "0").stdout
    assert "six" in omar("diff", "0").stdout


def test_every_command_has_its_row_or_names_nothing() -> None:
    """A new command that takes an id fails here until it stands in the matrix."""
    assert {*ROWS} | NAMES_NOTHING == {*FILES}
    assert not {*ROWS} & NAMES_NOTHING
    context = click.Context(cli)
    for name in NAMES_NOTHING - {"move-stream"}:
        command = cli.get_command(context, name)
        assert command
        taken = {part for each in command.params for part in str(each.name).split("_")}
        assert name == "phase" or not taken & {"id", "ids", "name", "request", "entry"}, name
