"""Context policy: the coefficients, the pools, the shares, and what a caller asks for."""

from collections.abc import Collection
from typing import Annotated, Final, Literal

import msgspec

from muniment.model.errors import InputError, PolicyError

ONE: Final = 1_000_000
Weight = Annotated[int, msgspec.Meta(ge=0, le=ONE)]  # millionths
Percent = Annotated[int, msgspec.Meta(ge=0, le=100)]
Many = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
Word = Annotated[str, msgspec.Meta(min_length=1, max_length=128)]
Id = Annotated[str, msgspec.Meta(max_length=256)]
FilterText = Annotated[str, msgspec.Meta(max_length=16_384)]
Place = Literal["WM", "EM", "SM"]

EVERYWHERE: Final[tuple[Place, ...]] = ("WM", "EM", "SM")

# What changes least stands first, so that a provider's prompt cache stays warm; what is newest
# stands last. A type that is not named here (a guest) has its section in between.
STABLE: Final = ("consciousness", "facts", "profile", "semantic", "skills")
TOLD: Final = ("summary", "threads", "episodic", "remembered")
RECENT: Final = "recent"  # the section of what was said last
AT_HAND: Final = ("goals", "consolidated", "working", RECENT)


class Coefficients(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The four weights of the score, in millionths: the last one is taken away.

    Relevance weighs most; recency and importance are balanced; redundancy is penalised.
    """

    similarity_ppm: Weight = 400_000
    recency_ppm: Weight = 250_000
    importance_ppm: Weight = 250_000
    duplication_ppm: Weight = 100_000


class Share(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Of the budget: what a memory type is sure of, and what it never exceeds."""

    min_percent: Percent = 5
    max_percent: Percent = 30

    def __post_init__(self) -> None:
        if self.min_percent > self.max_percent:
            raise PolicyError("Expected `min_percent` of at most `max_percent`")


class ContextFilters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an assembly may be narrowed by; there is no field that widens one."""

    include: tuple[Place, ...] = EVERYWHERE
    types: tuple[Word, ...] = ()  # only these memory types; none named means all
    task_id: Id = ""  # what belongs to another task stays away
    agent_id: Id = ""  # and what another agent made
    tags: tuple[Word, ...] = ()  # at least one of these
    origins: tuple[Word, ...] = ()
    importance_min_ppm: Weight = 0
    recent: bool = True  # what was said last, whatever is asked; a chat program has it itself
    top_k: Annotated[int, msgspec.Meta(ge=0, le=1_000)] = (
        0  # of what is searched; 0 is the policy's
    )
    where: FilterText = ""  # a record filter, as JSON


def _shares() -> dict[Word, Share]:
    return {
        "consciousness": Share(min_percent=10, max_percent=30),
        "facts": Share(min_percent=20, max_percent=60),
        "profile": Share(min_percent=10, max_percent=60),
        "semantic": Share(min_percent=15, max_percent=80),
        "skills": Share(min_percent=5, max_percent=30),
        "episodic": Share(min_percent=15, max_percent=80),
        "remembered": Share(min_percent=25, max_percent=100),
        "goals": Share(min_percent=5, max_percent=30),
        "consolidated": Share(min_percent=5, max_percent=40),
        "working": Share(min_percent=10, max_percent=60),
        "conversation": Share(min_percent=10, max_percent=60),
    }


class Assembly(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the pools are filled, how candidates are scored, and how the budget is shared out."""

    coefficients: Coefficients = Coefficients()
    working_recent: Many = 20  # N: the newest of working memory
    episodic_candidates: Many = 50  # k1
    semantic_candidates: Many = 50  # k2
    recent_turns: Many = 8
    top_k: Many = 100  # of what is searched; the budget is mostly the harder limit
    # One parameter: λ = ln 2 / half-life. The half-life is so many times the memory's own span,
    # so that age tells near-equals apart and never buries what is old.
    half_life_span_percent: Many = 400
    importance_spread_percent: Percent = 25  # how much of its scale importance may use
    near_duplicate_percent: Percent = 90  # of words in common, where no value differs
    shares: dict[Word, Share] = msgspec.field(default_factory=_shares)
    guest_share: Share = Share()
    default_filters: ContextFilters = ContextFilters()
    use_overlap_percent: Percent = 50  # of an item's distinctive words in an answer: it was used


class ReadContext(msgspec.Struct, frozen=True, kw_only=True):
    """One reading of memory: what for, for whom, how much, and from where."""

    query_text: str
    task_id: str = ""
    agent_id: str = ""
    top_k: int = 0
    budget_tokens: int = 0
    include: tuple[Place, ...] = EVERYWHERE


class Spent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What became of a memory type's part of a budget."""

    type: str
    allocated: int = 0
    used: int = 0
    considered: int = 0
    taken: int = 0
    failed: str = ""  # why it could not be asked; empty where it could


class ContextReceipt(msgspec.Struct, frozen=True, kw_only=True):
    """Enough to assemble the same context again: what was asked, where the heads stood, what came.

    `receipt_id` follows from the rest, so what is said later about its items is tied to it.
    """

    receipt_id: str
    query: str
    budget_tokens: int
    filters: ContextFilters
    at: int  # the entry of this log after which it was read
    job: int
    reads: dict[str, int]
    policy: str
    ids: tuple[str, ...]
    types: tuple[str, ...]  # of each id
    scores_ppm: tuple[int, ...]
    tokens: int
    digest: str  # of the text
    dropped: dict[str, int]
    spent: tuple[Spent, ...]
    call: str = "assemble_context"
    whole: bool = True  # the question may be kept, so that it can be asked again
    quarantined: bool = False
    valid_at: str = ""
    as_of: str = ""
    codes: tuple[bytes, ...] = ()  # of its questions, where their embedder cannot be asked again
    counter: str = ""  # whose tokenizer counted; the estimate has no name
    excerpts: tuple[tuple[int, int], ...] = ()  # which items are told in an excerpt, and in which


def filters(raw: object, defaults: ContextFilters) -> ContextFilters:
    """What a caller narrows by, over the defaults of the policy."""
    if raw is None:
        return defaults
    if isinstance(raw, ContextFilters):
        return raw
    try:
        return msgspec.convert(msgspec.to_builtins(defaults) | dict(raw), ContextFilters)  # type: ignore[call-overload]
    except (msgspec.ValidationError, TypeError, ValueError) as error:
        raise InputError(f"filters: {error}") from None


def order(sections: Collection[str]) -> tuple[str, ...]:
    """These sections in the order in which every context has them."""
    guests = sorted(each for each in sections if each not in {*STABLE, *TOLD, *AT_HAND})
    whole = (*STABLE, *TOLD, *guests, *AT_HAND)
    return tuple(each for each in whole if each in sections)
