"""Privacy: what is known about a person, what they allowed, who looked; and how it is destroyed."""

from typing import Final

from muniment.adapters.studio import page_permissions
from muniment.adapters.studio.known import request_words, wording
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.page_progress import PageProgress
from muniment.adapters.studio.page_request import (
    Handed,
    PageRequest,
    Redirect,
    RenderedPage,
    insist_on_writing,
    link,
)
from muniment.engine.audit.auditor import About
from muniment.model.errors import InputError, NotFoundError
from muniment.model.scope import council_stream, stream_from_text

FACTS_MAX: Final = 200  # of one person on the page; the terminal tells all of them
ACCESSES_MAX: Final = 200


def page(studio: Studio, asked: PageRequest) -> RenderedPage:
    user = asked.get("user")
    about: About | None = None
    far = PageProgress(0, 0)
    if user:
        try:
            about, far = studio.counting.about(user)
        except NotFoundError:
            about = None  # absent and erased look alike, here as everywhere
    return RenderedPage(
        template="privacy.html",
        values={
            "user": user,
            "title": studio.counting.catalogue()[0].title(user),
            "people": studio.people(),
            "about": about,
            "far": far,
            "orders": _orders(studio),
            "logs": _logs(about) if about else [],
            "erasures": _erasures(studio),
            "facts_max": FACTS_MAX,
            "docket": council_stream(studio.tenant).text,
            "accesses": studio.auditor.accesses()[-ACCESSES_MAX:],
        },
    )


def ask(studio: Studio, asked: PageRequest) -> Redirect:
    """Ask for everything about a person to be destroyed; the council decides."""
    insist_on_writing(studio)
    user, reason = asked.form.get("user", ""), asked.form.get("reason", "")
    if not user or not reason:
        raise InputError("an erasure needs a person and a reason")
    request_id = studio.hands(asked, "erasure_request").eraser.request(user, reason=reason)
    return Redirect(where=link("/request", id=request_id))


def passport(studio: Studio, asked: PageRequest) -> Handed:
    """What is known about a person as a signed file that they take along; it is written down."""
    insist_on_writing(studio)
    user, reason = asked.form.get("user", ""), asked.form.get("reason", "")
    if not user or not reason:
        raise InputError("a passport needs a person and a reason")
    hands = studio.hands(asked, "passports")
    made = hands.administered.passports(hands.grant.who).make(user, reason=reason)
    return Handed(name="person.passport", data=[made])


def carry_out(studio: Studio, asked: PageRequest) -> Redirect:
    """Carry out an approved erasure; its receipt stays in the council's log."""
    insist_on_writing(studio)
    request_id = asked.form.get("id", "")
    studio.hands(asked, "erasure").erase(request_id)
    seen = page_permissions.is_shown("/privacy", studio.may(asked))
    return Redirect(where="/privacy" if seen else link("/request", id=request_id))


def _logs(about: About) -> list[tuple[str, int, str]]:
    """The logs that hold something of a person, and where it can be read in their own words."""
    return [
        (
            wording.log_name(stream_from_text(name)),
            count,
            link("/log", stream=name, about=about.user),
        )
        for name, count in about.entries.items()
    ]


def _orders(studio: Studio) -> list[tuple[str, str, str]]:
    """Erasures that wait to be decided or carried out, and of whom."""
    council = studio.memory.council()
    found = [each for each in council.requests() if each.action == "erase"]
    return [
        (
            each.request_id,
            wording.named(request_words.person_of(each)),
            request_words.STATES.get(each.status, each.status),
        )
        for each in found
    ]


def _erasures(studio: Studio) -> list[dict[str, object]]:
    """The receipts of what was destroyed, newest first."""
    docket = council_stream(studio.tenant)
    if docket not in studio.streams():
        return []
    found = studio.auditor.page(docket, limit=50, sought=studio.of_type("erasure_completed"))
    return [
        {
            "seq": line.seq,
            "time": line.header.ts,
            "request_id": getattr(line.event, "request_id", ""),
            "fragments": getattr(line.event, "fragments", 0),
            "files": getattr(line.event, "scanned_files", 0),
            "digest": getattr(line.event, "scan_digest", ""),
        }
        for line in found.lines
    ]
