"""`branch`: open, list, compare, merge and discard branches."""

from collections.abc import Sequence

import click

from muniment.adapters.cli.options import OWNER, Terminal, command
from muniment.adapters.cli.output import Block, TextTable, say
from muniment.engine.evidence.branch_merge import Merge
from muniment.engine.evidence.branches import BranchDiff, Branches, BranchStatus
from muniment.model.errors import InputError

ACTIONS = LIST, OPEN, DIFF, MERGE, DISCARD = ("list", "open", "diff", "merge", "discard")


@command("branch", verb="branches")
@click.argument("action", type=click.Choice(ACTIONS), default=LIST, metavar="[ACTION]")
@click.argument("name", default="", metavar="[NAME]")
@click.option(
    "--from",
    "entries",
    multiple=True,
    metavar="LOG@SEQ",
    help="With open: the log entry to branch from; other logs branch from their end.",
)
@click.option(
    "--dry-run", is_flag=True, help="With merge: show what it would do, and change nothing."
)
@click.option("--as", "admin", default=OWNER, show_default=True, help="Name of the administrator.")
def branch(
    terminal: Terminal,
    *,
    action: str,
    name: str,
    entries: tuple[str, ...],
    dry_run: bool,
    admin: str,
) -> None:
    """Try changes in a branch of the memory, and merge or discard them.

    ACTION is list, open, diff, merge or discard; all but list need a NAME. Every other command
    works in a branch that --branch names, so does this one; `try/deeper` is a branch of a branch.
    """
    if action != LIST and not name:
        raise InputError(f"name the branch: muniment branch {action} NAME")
    with terminal.memory():
        hands = terminal.hands(who=admin).administered.branches(admin)
        match action:
            case "open":
                hands.open(name, at=dict(map(_entry, entries)))
                _show(terminal, hands)
            case "diff":
                told = hands.diff(name)
                terminal.answer(told, lambda: _changes(told))
            case "merge":
                merged = hands.merge(name, preview=dry_run)
                terminal.answer(merged, lambda: _merged(merged, dry_run=dry_run))
            case "discard":
                gone = hands.discard(name)
                told_of = f"Discarded: {name}, with {gone} entries of its own."
                terminal.answer({"entries": gone}, lambda: [say(told_of)])
            case _:
                _show(terminal, hands)


def _entry(text: str) -> tuple[str, int]:
    log, _, seq = text.rpartition("@")
    if not log or not seq.isdecimal():
        raise InputError(f"{text!r} is no entry: LOG@SEQ, as `muniment prove` names the log")
    return log, int(seq)


def _show(terminal: Terminal, hands: Branches) -> None:
    found = hands.list()
    terminal.answer({"branches": found}, lambda: _listed(found))


def _listed(found: Sequence[BranchStatus]) -> Sequence[Block]:
    if not found:
        return [say("No branch is open.")]
    rows = tuple(
        (its.name, its.at, str(sum(its.entries.values())), ", ".join(its.inner)) for its in found
    )
    head = ("branch", "since", "entries", "branches of it")
    return [TextTable(head=head, rows=rows, styles=("name", "", "number", "name"))]


def _changes(told: BranchDiff) -> Sequence[Block]:
    rows = tuple(
        (log, each.change, each.layer, each.text or each.item_id)
        for log, changes in told.changes.items()
        for each in changes
    )
    if not rows:
        return [say(f"Nothing was written in {told.name}.")]
    return [TextTable(head=("log", "change", "layer", "what"), rows=rows, styles=("quiet",))]


def _merged(merged: Merge, *, dry_run: bool) -> Sequence[Block]:
    done = "Would be merged" if dry_run else "Merged"
    commands = f"{merged.commands} command{'s' if merged.commands != 1 else ''}"
    how = "as they are" if merged.appended else "each decided anew"
    told = f"{done}: {merged.name}, {commands}, {how}."
    if not merged.conflicts:
        return [say(told)]
    rows = tuple(
        (str(its.entry), its.asked, its.fate, ", ".join(its.now), ", ".join(its.then))
        for its in merged.conflicts
    )
    head = ("entry", "asked", "came out", "in the memory", "in the branch")
    return [say(told), TextTable(head=head, rows=rows, styles=("number", "name"))]
