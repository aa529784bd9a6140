"""Recall filter: which documents may not be recalled, by stage."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, TypedDict

import msgspec

from muniment.engine.projections.index_view import IndexView
from muniment.model import ids
from muniment.model.errors import InputError
from muniment.model.kinds.receipts import Basis, StatedFilter
from muniment.model.policy import Trust
from muniment.retrieval import arrays as np
from muniment.retrieval.filters import filter_mask, record_filter
from muniment.retrieval.index.document_status import Mask, Register, day_of

# The stages at which something may be left out, in their order.
NOT_VISIBLE: Final = "not_visible"
NOT_WANTED: Final = "layer_not_asked_for"
FORGOTTEN: Final = "forgotten"
NOT_VALID: Final = "not_valid_then"
EXPIRED: Final = "expired"
FILTERED: Final = "filtered"
UNANSWERED: Final = "wish_to_forget"
QUARANTINED: Final = "quarantined"
NOT_TRUSTED: Final = "not_enough_to_act_on"
NOT_A_CANDIDATE: Final = "not_a_candidate"
SAYS_NOTHING: Final = "says_nothing"
NEAR_DUPLICATE: Final = "near_duplicate"
SOURCE_CAP: Final = "source_cap"
REPLACED: Final = "replaced_by_newer"
RANK: Final = "rank_below_results_max"
TOO_OLD: Final = "outside_the_window"
BUDGET: Final = "did_not_fit_the_budget"
RECALLED: Final = "recalled"

# What is left out at one of these could not have been found, whatever was asked.
BARRED: Final = (
    NOT_VISIBLE,
    NOT_WANTED,
    FORGOTTEN,
    NOT_VALID,
    EXPIRED,
    UNANSWERED,
    FILTERED,
    QUARANTINED,
    NOT_TRUSTED,
)

PURPOSES: Final = ("", "act")


class NarrowingOptions(TypedDict, total=False):
    """What narrows a question beside its count and its time."""

    purpose: str  # `act`: only what may be acted on
    quarantined: bool  # also what waits for somebody's yes
    where: Mapping[str, object] | str | None  # a record filter, before anything is ranked


class RecallFilter(msgspec.Struct, frozen=True, kw_only=True):
    """How a recall is narrowed; nothing here can widen what the reader may see."""

    results_max: int
    valid_at: str = ""
    purpose: str = ""
    quarantined: bool = False
    without: tuple[str, ...] = ()  # layers that somebody else offers
    where: str = ""  # a record filter, as it is spelled
    disclosed: bool = False  # with what people stated of themselves, however it is asked for
    now: str = ""  # the moment of the read: what expired by then is over
    listed: bool = False  # also what is kept and answers nothing: for who reads it all

    @classmethod
    def of(cls, basis: Basis) -> RecallFilter:
        """What a receipt says that was wanted."""
        return cls(
            results_max=basis.results_max,
            valid_at=basis.valid_at,
            purpose=basis.purpose,
            quarantined=basis.quarantined,
            where=basis.where,
        )

    @property
    def stated(self) -> StatedFilter:
        """The same, as a receipt says it."""
        return {
            "results_max": self.results_max,
            "valid_at": self.valid_at,
            "purpose": self.purpose,
            "quarantined": self.quarantined,
            "where": self.where,
        }

    def __post_init__(self) -> None:
        if self.purpose not in PURPOSES:
            raise InputError("the purpose of a recall is empty or `act`")
        # It goes into the receipt, and an entry that cannot be read again ends its stream.
        if not isinstance(self.quarantined, bool):
            raise InputError("quarantined is true or false")


def barred(view: IndexView, wanted: RecallFilter, trust: Trust) -> Iterator[tuple[str, Mask]]:
    """Stage by stage, which documents may not be recalled."""
    register = view.register
    day = day_of(wanted.valid_at) if wanted.valid_at else None
    yield from _outside(view, wanted, day)
    waiting = register.of_origin(trust.quarantined)
    if waiting is None and wanted.purpose != "act":
        return  # nearly always
    vouched = np.zeros(register.count, dtype=bool)
    vouched[register.released()] = True
    if waiting is not None:
        witnesses = waiting & _speaking(register, day)
        vouched[register.corroborated(witnesses, trust.corroborating_sources)] = True
        if not wanted.quarantined:
            yield QUARANTINED, waiting & ~vouched
    if wanted.purpose == "act":
        enough = register.of_origin(trust.act_on)
        yield NOT_TRUSTED, ~(vouched if enough is None else enough | vouched)


def findable(basis: Basis) -> int:
    """How much could have been found of what a ranking went through."""
    return basis.considered - sum(basis.dropped.get(stage, 0) for stage in BARRED)


def _outside(view: IndexView, wanted: RecallFilter, day: int | None) -> Iterator[tuple[str, Mask]]:
    """What is not asked for, has ended, or does not pass the filter, whoever told it."""
    register = view.register
    if wanted.without:
        yield NOT_WANTED, register.of_layer(wanted.without)
    if len(register.notes):
        yield FORGOTTEN, register.ended(valid_at=day)
    if day is not None:
        yield NOT_VALID, ~register.holding(day)
    elif wanted.now and (over := register.expired(ids.time_ms(wanted.now))) is not None:
        yield EXPIRED, over
    if not wanted.listed and (kept := register.unanswered()) is not None:
        yield UNANSWERED, kept
    if where := record_filter.of_text(wanted.where):
        yield FILTERED, ~filter_mask.mask(where, _filtered(view))


def _filtered(view: IndexView) -> filter_mask.Indexed:
    seqs, read = view.register.column("seq"), view.handles
    assert read is not None, "an index is asked through its view"
    return filter_mask.Indexed(
        view.collection, view.register, lambda numbers: read(seqs[numbers].tolist())
    )


def _speaking(register: Register, day: int | None) -> Mask:
    """What has not ended, and had begun on the day: who else says something for nobody."""
    speaking: Mask = ~register.ended(valid_at=day)
    return speaking if day is None else speaking & register.holding(day)
