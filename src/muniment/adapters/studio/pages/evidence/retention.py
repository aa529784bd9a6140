"""Retention: what the policy keeps no longer, when it goes, and the legal holds that stop it."""

from typing import Final

import msgspec

from muniment.adapters.studio.known import wording
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.page_request import (
    PageRequest,
    Redirect,
    RenderedPage,
    insist_on_writing,
    part,
)
from muniment.engine.evidence.retention import DuePeriod
from muniment.model.scope import stream_from_text

WITHIN_DAYS: Final = 90  # what goes until then is shown
SCOPE: Final = ("user", "space", "since", "until", "ends")


class DueRow(msgspec.Struct, frozen=True, kw_only=True):
    """One kind and day of one log, as a person reads it."""

    due: DuePeriod
    log: str
    is_due: bool


def page(studio: Studio, asked: PageRequest) -> RenderedPage:
    admin = studio.hands(asked, "erasure").admin
    now = {_place(each) for each in admin.due()}
    rows = [
        DueRow(
            due=each,
            log=wording.log_name(stream_from_text(each.stream)),
            is_due=_place(each) in now,
        )
        for each in admin.due(within=WITHIN_DAYS)
    ]
    return RenderedPage(
        template="retention.html",
        values={
            "part": part(asked, rows),
            "going": [row for row in rows if row.is_due and not row.due.stays],
            "holds": admin.holds(),
            "days": WITHIN_DAYS,
        },
    )


def carry_out(studio: Studio, asked: PageRequest) -> Redirect:
    """Erase what is due; what is held stays."""
    insist_on_writing(studio)
    studio.hands(asked, "erasure").admin.carry_out_due()
    return Redirect(where="/retention")


def hold(studio: Studio, asked: PageRequest) -> Redirect:
    """Place a legal hold by an order."""
    insist_on_writing(studio)
    named = {name: asked.form.get(name, "").strip() for name in SCOPE}
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
