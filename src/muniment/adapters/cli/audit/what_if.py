"""`policy-what-if` and `gate`: the effect of another policy, and a check for builds."""

from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict, Unpack

import click

from muniment.adapters import config
from muniment.adapters.cli.audit.prove import RAY, WORKERS
from muniment.adapters.cli.options import PERSONA, Terminal, command
from muniment.adapters.cli.output import Block, TextTable, say
from muniment.adapters.cli.progress import stages
from muniment.adapters.operations import policy_trial
from muniment.adapters.operations.executors import Executor, WatchedExecutor, executor
from muniment.adapters.testing import answer_gate
from muniment.engine.what_if.report import WhatIf
from muniment.model.errors import InputError
from muniment.model.policy import Policy

SHOWN_MAX = 20
POLICY = click.option(
    "--policy", "path", default="", metavar="FILE", help="Another policy; without one, this build."
)
AGENT = click.option("--only", default="", metavar="AGENT", help="Of this agent alone.")
SPACE = click.option("--space", default="", metavar="SPACE", help="Of this shared space alone.")


class WhatIfOptions(TypedDict):
    """Under which policy, where, and by how many."""

    path: str
    only: str
    space: str
    persona: str
    workers: int
    ray: bool


@command("policy-what-if", verb="policy")
@POLICY
@AGENT
@SPACE
@PERSONA
@WORKERS
@RAY
def policy_what_if(terminal: Terminal, **options: Unpack[WhatIfOptions]) -> None:
    """Decide the real log again under another policy, and ask its recorded questions again.

    Nothing is written. Without --policy each log keeps its own policy: differences then come from
    this version of the program.
    """
    found = _report(terminal, options)
    terminal.answer(found, lambda: _blocks(found))


@command("gate", verb="policy")
@POLICY
@AGENT
@SPACE
@PERSONA
@click.option(
    "--allow", multiple=True, metavar="FATE=NUMBER", help="So many may differ: refused=3."
)
@click.option("--junit", default="", metavar="FILE", help="Write a report for a build server.")
@WORKERS
@RAY
def gate(
    terminal: Terminal, *, allow: tuple[str, ...], junit: str, **options: Unpack[WhatIfOptions]
) -> None:
    """Fail if a recorded question gets another answer, or a command another result.

    It compares with another policy or, without --policy, with this version of the program. Exit 1
    if more differs than --allow permits, or if no question was recorded: then nothing is tested.
    """
    allowed = dict(_allowed(each) for each in allow)
    verdict = answer_gate.judged(_report(terminal, options), allowed)
    if junit:
        Path(junit).write_bytes(answer_gate.junit(verdict))
    lines = [say(line) for line in answer_gate.sentences(verdict)]
    asked = verdict.report.questions
    same = say(("Same", "good"), f": {asked:,} question{'s' * (asked != 1)} asked again")
    changed = say((verdict.outcome.capitalize(), "bad"))
    terminal.answer(verdict, lambda: [same] if verdict.outcome == "same" else [changed, *lines])
    if verdict.outcome != "same":
        click.get_current_context().exit(1)


def _report(terminal: Terminal, options: WhatIfOptions) -> WhatIf:
    policy = config.read_policy(Path(options["path"])) if options["path"] else None
    where = {
        "agent": options["only"],
        "space": options["space"],
        "persona": options["persona"],
    }
    if options["workers"] > 1 or options["ray"]:
        with terminal.memory():  # a memory that is not there is said so at once
            terminal.hands()
        engine = executor(options["workers"], ray=options["ray"])
        return _spread(terminal, policy, engine, where)
    with terminal.memory(), stages("Deciding again") as shown:
        return terminal.hands().admin.what_if_policy(policy, progress=shown, **where)


def _spread(
    terminal: Terminal, policy: Policy | None, engine: Executor, where: dict[str, str]
) -> WhatIf:
    with stages("Deciding again", "logs") as shown:
        watched = WatchedExecutor(engine, shown)
        settings = terminal.settings()
        return policy_trial.run(terminal.options.store, settings, watched, policy, **where)


def _allowed(text: str) -> tuple[str, int]:
    fate, _, number = text.partition("=")
    if not number.isdecimal():
        raise InputError(f"{text!r}: an example is refused=3")
    return fate, int(number)


def _blocks(found: WhatIf) -> Sequence[Block]:
    seen = f"{found.entries} entries, {found.commands} commands, {found.questions} questions"
    if found.is_same:
        return [say(("Nothing would be otherwise", "good"), f": {seen}")]
    counts = ", ".join(f"{count} {fate}" for fate, count in found.counts.items())
    rows = tuple(
        (each.log, str(each.entry), str(each.fate), " | ".join(each.then), " | ".join(each.now))
        for each in found.examples[:SHOWN_MAX]
    )
    answers = tuple(
        (each.log, str(each.entry), each.question, " | ".join(each.lost), " | ".join(each.gained))
        for each in found.answers[:SHOWN_MAX]
    )
    blocks: list[Block] = [say(("Otherwise", "bad"), f": {counts}; of {seen}")]
    if rows:
        blocks.append(TextTable(head=("log", "entry", "", "then", "under it"), rows=rows))
    if answers:
        head = ("log", "entry", "question", "no longer", "newly")
        blocks.append(TextTable(head=head, rows=answers))
    return blocks
