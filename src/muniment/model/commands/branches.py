"""Commands about branches: open one at the heads of the logs, close it."""

from typing import Literal

from muniment.model.commands.command import Command, Name


class OpenBranch(Command, tag="open_branch", frozen=True, kw_only=True):
    """Logs of their own that go on from where a tenant's logs stand."""

    name: Name
    heads: dict[str, int]  # by reference: the last entry of each log that is seen in the branch


class CloseBranch(Command, tag="close_branch", frozen=True, kw_only=True):
    """A branch is over: what was written there has been merged, or is discarded."""

    name: Name
    outcome: Literal["merged", "discarded"]
    commands: int = 0  # that were carried over
    holds: tuple[Name, ...] = ()  # legal holds that cover something that would be gone
    inner: tuple[Name, ...] = ()  # branches of it that are open, and would be gone


BranchCommand = OpenBranch | CloseBranch
