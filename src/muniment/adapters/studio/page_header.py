"""Page header: menu, pending items, and how far the logs are proved."""

import msgspec

from muniment.adapters.studio import page_permissions
from muniment.adapters.studio.page_context import Studio, Visitor
from muniment.adapters.studio.page_permissions import AUDIT, MEMORY, May

MINUTE = 60


class ProofBadge(msgspec.Struct, frozen=True, kw_only=True):
    """What the badge says, in which colour."""

    words: str
    tone: str  # good, warn, bad, quiet


class PageHeader(msgspec.Struct, frozen=True, kw_only=True):
    memory: list[tuple[str, str]]
    audit: list[tuple[str, str]]
    waiting: int
    proof: ProofBadge | None
    can_search: bool


def header(studio: Studio, asked: Visitor) -> PageHeader:
    may = studio.may(asked)
    return PageHeader(
        memory=page_permissions.shown(MEMORY, may),
        audit=page_permissions.shown(AUDIT, may),
        waiting=waiting(studio, asked, may),
        proof=proof(studio) if page_permissions.is_shown("/prove", may) else None,
        can_search=page_permissions.is_shown("/search", may),
    )


def waiting(studio: Studio, asked: Visitor, may: May) -> int:
    """How many requests wait for a vote; what a role may not see is not counted."""
    return len(studio.hands(asked, "requests").requests()) if may("requests") else 0


def proof(studio: Studio) -> ProofBadge:
    """How far the logs were proved since the start, how long ago, and whether that failed."""
    work = studio.works.find("prove")
    if work and work.is_over and work.error:
        return ProofBadge(words="The proof failed", tone="bad")
    if work and not work.is_over:
        return ProofBadge(words=f"Proving, {work.percent} %", tone="quiet")
    if not studio.proved:
        return ProofBadge(words="Not proved yet", tone="quiet")
    since = ago(studio.seconds() - studio.proved_at)
    lengths = studio.auditor.lengths()
    behind = sum(
        max(length - studio.proved.get(each.text, 0), 0) for each, length in lengths.items()
    )
    if behind:
        return ProofBadge(words=f"Proved {since}, {behind} entries since", tone="warn")
    return ProofBadge(words=f"Proved up to now, {since}", tone="good")


def ago(seconds: float) -> str:
    minutes = int(seconds) // MINUTE
    if minutes < 1:
        return "just now"
    many = minutes if minutes < MINUTE else minutes // MINUTE
    unit = "minute" if minutes < MINUTE else "hour"
    return f"{many} {unit}{'' if many == 1 else 's'} ago"
