"""Ranking basis: the versions, settings and counts that a recall receipt needs to be made again."""

from typing import TypedDict

import msgspec


class Basis(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Everything a ranking stood on besides the log: enough to make the same one again."""

    index: str  # the version of the index
    embedder: str
    words: str  # the version of the tokenizer
    recipe: str = ""  # the version of the ranking
    code: bytes = b""  # the question as the embedder gave it
    as_of: str = ""  # when it was asked, where there is a clock
    results_max: int = 0
    considered: int = 0
    dropped: dict[str, int] = {}  # by the stage that dropped them
    valid_at: str = ""
    purpose: str = ""
    quarantined: bool = False  # what awaits a yes was asked for too
    # Names that relations in the question led to, each with the id of what says so.
    bridges: tuple[tuple[str, str], ...] = ()
    # What said a relation of those whom it is about, and what said later that it is over.
    ended: tuple[tuple[str, str], ...] = ()
    rewritten: str = ""  # the question in other words, as it was ranked
    reranker: str = ""  # who gave the answer its order
    reranked: tuple[str, ...] = ()  # which that is
    where: str = ""  # the filter, as it is spelled
    policy: str = ""  # the digest that a read of the past went by; one of now by its entry's


class StatedFilter(TypedDict):
    """How a recall was narrowed, as its basis says it."""

    results_max: int
    valid_at: str
    purpose: str
    quarantined: bool
    where: str
