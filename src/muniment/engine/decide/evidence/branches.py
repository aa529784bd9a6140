"""Branch decisions: a name belongs to one open branch, and is free after it."""

from typing import Final

from muniment.engine.decide.decision_context import DecisionContext
from muniment.engine.decide.evidence.holds import refusal
from muniment.layers.governance import branches
from muniment.model.commands.branches import CloseBranch, OpenBranch
from muniment.model.events import AnyEvent
from muniment.model.events.operations import BranchClosed, BranchOpened

HAS_BRANCHES: Final = "branch_has_branches"


def open_branch(now: DecisionContext, command: OpenBranch) -> list[AnyEvent]:
    if now.shelves.has(branches.SHELF, command.name):
        return now.deny("branch_exists")
    return [BranchOpened(name=command.name, heads=command.heads)]


def close_branch(now: DecisionContext, command: CloseBranch) -> list[AnyEvent]:
    line = now.shelves.get(branches.SHELF, command.name)
    if line is None:
        return now.deny("branch_not_open")
    if command.inner:
        return now.deny(HAS_BRANCHES, ", ".join(command.inner))
    if command.holds:
        return refusal(now, command.holds[0])
    return [
        BranchClosed(
            name=command.name, opened=line.seq, outcome=command.outcome, commands=command.commands
        )
    ]
