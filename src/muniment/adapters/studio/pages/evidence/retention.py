"""Retention: what the policy keeps no longer, when it goes, and the legal holds that stop it."""

from collections.abc import Iterable
from typing import Final

import msgspec

from muniment.adapters.studio.known import wording
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.page_permissions import WORDS
from muniment.adapters.studio.page_request import (
    PageRequest,
    Redirect,
    RenderedPage,
    insist_on_writing,
    part,
)
from muniment.engine.evidence.retention import DuePeriod
from muniment.model.scope import StreamKind, stream_from_text

WITHIN_DAYS: Final = 90  # what goes until then is shown
SCOPE: Final = ("user", "space", "since", "until", "ends")
HELD, WAITS, DUE = "held", "waiting", "due"
SPACES_MAX: Final = 200  # of a list to choose from
KINDS: Final = {
    "sentences": "what was told",
    "conversations": "conversations",
    "loops": "what tools did",
    "derived": "what was noted of it",
    "reads": "questions and receipts",
    "facts": "approved facts",
    "imports": "imports",
}


class DueRow(msgspec.Struct, frozen=True, kw_only=True):
    """What was told on a day and goes on one, in every log: one line for what stands alike."""

    goes_on: str
    told: str
    kinds: str
    logs: str
    entries: int
    state: str  # held, waiting, due, or kept until then
    held: str  # by which order


def page(studio: Studio, asked: PageRequest) -> RenderedPage:
    admin = studio.hands(asked, "erasure").admin
    now, holds = {_place(each) for each in admin.due()}, admin.holds()
    orders = {each.hold_id: each.reason for each in holds}
    rows = _rows(admin.due(within=WITHIN_DAYS), now, orders)
    return RenderedPage(
        template="retention.html",
        values={
            "part": part(asked, rows),
            "going": sum(row.entries for row in rows if row.state == DUE),
            "holds": holds,
            "days": WITHIN_DAYS,
            **_choices(studio, asked),
        },
    )


def _rows(
    due: list[DuePeriod], now: set[tuple[str, str, str]], orders: dict[str, str]
) -> list[DueRow]:
    """What goes together on one line: of many logs and kinds, but of one day and one state."""
    found: dict[tuple[str, str, str, str], list[DuePeriod]] = {}
    for each in due:
        held = "; ".join(orders.get(name, name) for name in each.held)
        state = HELD if each.held else WAITS if each.waits else DUE if _place(each) in now else ""
        found.setdefault((each.goes_on, each.told, state, held), []).append(each)
    return [
        DueRow(
            goes_on=goes_on,
            told=told,
            kinds=_listed(KINDS.get(each.kind, each.kind) for each in its),
            logs=_listed(wording.log_name(stream_from_text(each.stream)) for each in its),
            entries=sum(each.entries for each in its),
            state=state,
            held=held,
        )
        for (goes_on, told, state, held), its in found.items()
    ]


def _listed(words: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(words))


def _choices(studio: Studio, asked: PageRequest) -> dict[str, object]:
    """Whom and what a hold may name, for who sees what people said; others type it."""
    people = studio.people() if studio.may(asked)(WORDS) else []
    sessions = studio.counting.catalogue()[0].sessions() if people else []
    titles = dict(people)
    spaces = [(f"agent:{each}", wording.named(each)) for each in _agents(studio)] if people else []
    spaces += [
        (f"session:{name}", f"{wording.topic_of_session(name, who)}, {titles.get(who, who)}")
        for name, who in sessions
    ]
    return {"people": people, "titles": titles, "spaces": spaces[:SPACES_MAX]}


def _agents(studio: Studio) -> list[str]:
    return sorted({each.owner for each in studio.streams(StreamKind.AGENT)})


def carry_out(studio: Studio, asked: PageRequest) -> Redirect:
    """Erase what is due; what is held stays."""
    insist_on_writing(studio)
    studio.hands(asked, "erasure").admin.carry_out_due()
    return Redirect(where="/retention")


def hold(studio: Studio, asked: PageRequest) -> Redirect:
    """Place a legal hold by an order."""
    insist_on_writing(studio)
    named = {name: asked.form.get(name, "").strip() for name in SCOPE}
    named |= {name: wording.written_day(named[name]) for name in ("since", "until", "ends")}
    reason = asked.form.get("reason", "").strip()
    studio.hands(asked, "erasure").admin.place_hold(reason=reason, **named)
    return Redirect(where="/retention")


def lift(studio: Studio, asked: PageRequest) -> Redirect:
    """Lift a hold, and carry out what had waited for it."""
    insist_on_writing(studio)
    admin = studio.hands(asked, "erasure").admin
    admin.lift_hold(asked.form.get("id", ""), reason=asked.form.get("reason", ""))
    return Redirect(where="/retention")


def _place(due: DuePeriod) -> tuple[str, str, str]:
    return due.stream, due.kind, due.told
