"""Branches: other lines of the memory, what each did otherwise, and how one is merged or ended."""

from collections.abc import Sequence
from typing import Final

import msgspec

from muniment.adapters.rendering.refusal_texts import because
from muniment.adapters.studio.known import wording
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.page_request import (
    PageRequest,
    Redirect,
    RenderedPage,
    insist_on_writing,
    link,
    part,
)
from muniment.engine.audit.log_statistics import EntryEffect, Touched
from muniment.engine.evidence.branch_merge import Merge, MergedCommand
from muniment.engine.evidence.branches import Branches, BranchStatus
from muniment.model.errors import InputError
from muniment.model.scope import stream_from_text

ON_THE_CARD: Final = 3  # things that a branch did
CARDS: Final = 12
FATES: Final = {
    "otherwise": "it comes out otherwise there",
    "refused": "it would not be taken",
    "erased": "its words have been erased since",
}


class BranchChange(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a branch did: what became of which words."""

    effect: str
    words: str
    before: str = ""  # what it took the place of


class BranchCard(msgspec.Struct, frozen=True, kw_only=True):
    status: BranchStatus
    title: str
    entries: int
    changes: list[BranchChange]
    more: int


class Conflict(msgspec.Struct, frozen=True, kw_only=True):
    """A change of the branch that a merge would not reproduce."""

    words: str
    why: str


def page(studio: Studio, asked: PageRequest) -> RenderedPage:
    branches = studio.memory.branches(asked.who)
    shown = part(asked, branches.list(), CARDS)
    cards = [_card(branches, each) for each in shown.rows]
    return RenderedPage(template="branches.html", values={"part": shown, "cards": cards})


def _card(branches: Branches, status: BranchStatus) -> BranchCard:
    found = [one for _, changes in _changes(branches, status.name) for one in changes]
    return BranchCard(
        status=status,
        title=wording.branch_title(status.name),
        entries=sum(status.entries.values()),
        changes=found[:ON_THE_CARD],
        more=len(found[ON_THE_CARD:]),
    )


def branch(studio: Studio, asked: PageRequest) -> RenderedPage:
    """What a branch holds, and what a merge would do; nothing of the look is kept."""
    name = asked.get("name")
    if not name:
        raise InputError("name a branch: name")
    branches = studio.memory.branches(asked.who)
    status = branches.status(name)
    merge = branches.merge(name, preview=True)
    return RenderedPage(
        template="branch.html",
        values={
            "status": status,
            "title": wording.branch_title(status.name),
            "changes": _changes(branches, name),
            "merge": merge,
            "conflicts": _conflicts(branches, merge),
            "entries": sum(status.entries.values()),
        },
    )


def _changes(branches: Branches, name: str) -> list[tuple[str, list[BranchChange]]]:
    """What a branch did, by log; words that were put right stand beside what they were."""
    return [
        (wording.log_name(stream_from_text(log)), _paired(found))
        for log, found in branches.diff(name).changes.items()
    ]


def _paired(found: Sequence[Touched]) -> list[BranchChange]:
    gone = {
        each.why.rpartition(" ")[2]: each.text
        for each in found
        if each.change is EntryEffect.FORGOTTEN and each.why.startswith("corrected by ")
    }
    return [
        BranchChange(
            effect=wording.EFFECTS.get(each.change, each.change).lower(),
            words=wording.unredacted(each.text),
            before=wording.unredacted(gone.get(each.item_id, "")),
        )
        for each in found
        if not (each.change is EntryEffect.FORGOTTEN and each.text in gone.values())
    ]


def _conflicts(branches: Branches, merge: Merge) -> list[Conflict]:
    """Each command that a merge would not repeat alike, in the words it was said in."""
    found = merge.conflicts
    if not found:
        return []
    said = branches.diff(merge.name).changes
    starts = {log: sorted(each.entry for each in merge.told if each.log == log) for log in said}
    return [
        Conflict(
            words=_said(each, said.get(each.log, []), starts.get(each.log, [])), why=_why(each)
        )
        for each in found
    ]


def _said(each: MergedCommand, touched: Sequence[Touched], starts: Sequence[int]) -> str:
    """The words of a command: what its entries wrote, up to the next command's."""
    ends = next((start for start in starts if start > each.entry), None)
    its = [
        one.text
        for one in touched
        if one.change is EntryEffect.ADDED
        and one.seq >= each.entry
        and (ends is None or one.seq < ends)
    ]
    return wording.unredacted(" · ".join(its)) or each.asked.replace("_", " ").capitalize()


def _why(each: MergedCommand) -> str:
    """What the memory would say to it; that something is not there means that it has changed."""
    told = FATES.get(each.fate, each.fate)
    codes = [event.partition(": ")[2] for event in each.now if ": " in event]
    if "item_unknown" in codes:
        return f"{told}: what it puts right was changed in the memory meanwhile"
    return ": ".join([told, *map(because, codes[:1])])


def start(studio: Studio, asked: PageRequest) -> Redirect:
    """Open a branch from where the logs stand."""
    insist_on_writing(studio)
    name = asked.form.get("name", "").strip()
    studio.memory.branches(asked.who).open(name)
    return Redirect(where=link("/branch", name=name))


def end(studio: Studio, asked: PageRequest) -> Redirect:
    """Merge a branch into the memory, or discard what was written there."""
    insist_on_writing(studio)
    branches, name = studio.memory.branches(asked.who), asked.form.get("name", "")
    if asked.form.get("how") == "merge":
        branches.merge(name)
    else:
        branches.discard(name)
    return Redirect(where="/branches")
