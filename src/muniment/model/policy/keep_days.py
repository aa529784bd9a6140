"""Retention by days: for how many days each kind of record is kept, before its words are erased."""

from typing import Annotated, Final

import msgspec

Days = Annotated[int, msgspec.Meta(ge=0, le=100_000)]  # 0: for good


class KeepDays(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Days from when something was told; 0 keeps a kind for good."""

    sentences: Days = 0  # what was told by `remember`, and every episode
    conversations: Days = 0
    memos: Days = 0
    documents: Days = 0
    facts: Days = 0  # governed ones, with their requests and votes
    loops: Days = 0  # what tools, models and people did while an agent worked
    jobs: Days = 0  # working memory and goals
    reads: Days = 0  # questions, and the receipts of what was answered
    imports: Days = 0
    derived: Days = 0  # summaries, vectors, extracted facts; 0: as the kind that is kept shortest

    def of(self, kind: str) -> int:
        """How long a kind is kept; what is derived, no longer than what it may rest on."""
        told: int = getattr(self, kind)
        if kind != DERIVED or told:
            return told
        return min((days for each in KINDS if (days := getattr(self, each))), default=0)


DERIVED: Final = "derived"
KINDS: Final = tuple(field.name for field in msgspec.structs.fields(KeepDays))
