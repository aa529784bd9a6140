"""The council: what awaits a yes, with its evidence, its rivals and its odd characters."""

import unicodedata
from typing import Final

import msgspec

from muniment.adapters.rendering import event_summary, policy_file
from muniment.adapters.studio.known import request_words, wording
from muniment.adapters.studio.known.request_words import NOBODY, RequestWords
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.page_permissions import WORDS
from muniment.adapters.studio.page_request import (
    PagePart,
    PageRequest,
    Redirect,
    RenderedPage,
    insist_on_writing,
    link,
    part,
    stream_link,
)
from muniment.engine.api.policy_admin import CHANGES as RULINGS
from muniment.layers.governance.requests import Request
from muniment.model import canonical_json
from muniment.model.errors import InputError, MunimentError
from muniment.model.kinds.episode import Fact
from muniment.model.scope import council_stream

VOTES: Final = ("approve", "reject", "abstain")
ERASE: Final = "erase"
SAID: Final = {"approve": "yes", "reject": "no", "abstain": "neither yes nor no"}
ODD_MAX: Final = 64
# Letters that look like others or cannot be seen: whoever decides must be shown their names.
PLAIN_CATEGORIES: Final = frozenset({"Ll", "Lu", "Nd", "Zs", "Po", "Pd", "Ps", "Pe", "Sm", "Sc"})
LATIN_END: Final = 0x24F
USUAL: Final = frozenset("_/\u2019\u201c\u201d\u2026")
SIMILAR_MAX: Final = 8
DECIDED: Final = 8  # requests that had their decision, the latest


class Odd(msgspec.Struct, frozen=True, kw_only=True):
    """A character that deserves a second look."""

    place: int
    code: str
    name: str


class RequestRow(msgspec.Struct, frozen=True, kw_only=True):
    """One request on the list."""

    request: Request
    words: RequestWords
    asked_by: str
    approvals: int
    quorum: int
    own: str  # how whoever looks has voted; empty: not yet
    where: str
    state: str = ""


def page(studio: Studio, asked: PageRequest) -> RenderedPage:
    hands = studio.hands(asked, "requests")
    shown = part(asked, hands.requests())
    rows = [_row(studio, asked, each) for each in shown.rows]
    told = PagePart(rows=rows, count=shown.count, more=shown.more)
    decided = [
        _row(studio, asked, each) for each in hands.requests(settled=True)[: -DECIDED - 1 : -1]
    ]
    return RenderedPage(template="council.html", values={"part": told, "decided": decided})


def _row(studio: Studio, asked: PageRequest, each: Request) -> RequestRow:
    quorum = _quorum(studio)
    return RequestRow(
        request=each,
        words=request_words.worded(each, _words(each), quorum),
        asked_by=_title(studio, each.requested_by),
        approvals=_approvals(each),
        quorum=quorum,
        own=_own_vote(studio, asked, each),
        where=link("/request", id=each.request_id),
        state=request_words.STATES.get(each.status, each.status),
    )


def _quorum(studio: Studio) -> int:
    return studio.memory.policy(council_stream(studio.tenant)).governance.quorum


def _approvals(each: Request) -> int:
    return sum(1 for choice in each.votes.values() if choice == "approve")


def _own_vote(studio: Studio, asked: PageRequest, each: Request) -> str:
    """How whoever looks has voted, in a word."""
    found = [choice for member, choice in each.votes.items() if _named(studio, member) == asked.who]
    return SAID.get(found[0], found[0]) if found else ""


def _barred(studio: Studio, asked: PageRequest, each: Request) -> str:
    """Why whoever looks has no vote here; empty for who has one: nobody is refused a button."""
    own = _own_vote(studio, asked, each)
    if own:
        return f"You said {own}."
    rules = studio.memory.policy(council_stream(studio.tenant)).governance
    if not rules.requester_may_vote and _named(studio, each.requested_by) == asked.who:
        return "You asked for it, so others decide."
    return ""


def request(studio: Studio, asked: PageRequest) -> RenderedPage:
    name, knows_words = asked.get("id"), studio.may(asked)(WORDS)
    if not name:
        raise InputError("name a request: id")
    found, status = studio.hands(asked, "requests").request(name)
    words = _words(found)
    return RenderedPage(
        template="request.html",
        values={
            "request": found,
            "status": status,
            "words": words,
            "about": _about(found),
            "erases": found.action == ERASE,
            "row": _row(studio, asked, found),
            "state": request_words.STATES.get(status, status),
            "barred": _barred(studio, asked, found),
            "ruling": found.action in RULINGS,
            "changes": [
                policy_file.changes(now, then)
                for now, then in studio.memory.admin().proposal(found.request_id)
            ],
            "now": _now(studio, found),
            "knows_words": knows_words,
            "similar": _similar(studio, found) if knows_words else [],
            "odd": odd_characters(f"{_about(found)}\n{words}\n{found.justification}"),
            "evidence": [msgspec.to_builtins(each) for each in found.evidence],
            "grounds": _grounds(studio, found) if knows_words and found.evidence else {},
            "votes": sorted(
                (_title(studio, member), SAID.get(choice, choice))
                for member, choice in found.votes.items()
            ),
            "choices": VOTES,
            "is_open": status == "pending",
        },
    )


def vote(studio: Studio, asked: PageRequest) -> Redirect:
    """A vote is bound to what the page showed: of a request that has moved it is no vote."""
    insist_on_writing(studio)
    name, choice = asked.form.get("id", ""), asked.form.get("vote", "")
    if choice not in VOTES:
        raise InputError(f"a vote is one of {', '.join(VOTES)}")
    council = studio.hands(asked, "vote").council
    binding = asked.form.get("binding", "") if choice == "approve" else ""
    council.vote(name, choice, reason=asked.form.get("reason", ""), binding=binding)
    return Redirect(where=link("/request", id=name))


def odd_characters(text: str) -> list[Odd]:
    """What is neither a plain Latin letter, digit nor usual mark: by place, code point and name."""
    found = []
    for place, letter in enumerate(text):
        if letter == "\n" or (
            unicodedata.category(letter) in PLAIN_CATEGORIES and ord(letter) <= LATIN_END
        ):
            continue
        if letter in USUAL:
            continue
        name = unicodedata.name(letter, unicodedata.category(letter))
        found.append(Odd(place=place + 1, code=f"U+{ord(letter):04X}", name=name))
    return found[:ODD_MAX]


def _about(each: Request) -> str:
    """What a request is about; of an erasure the person, for its key is a mere reference."""
    return each.subject or NOBODY if each.action == ERASE else each.key


def _words(each: Request) -> str:
    return "" if each.value is None else canonical_json.text_of(each.value)


def _grounds(studio: Studio, found: Request) -> dict[str, tuple[str, str]]:
    """What a request rests on, in words, by id: with where it can be looked at."""
    try:
        rests = studio.auditor.trail(council_stream(studio.tenant), found.request_id).before
    except MunimentError:
        return {}  # asked of the Subconscious' own docket, or gone
    return {
        each.names: (
            event_summary.gist(each.line),
            stream_link("/item", each.stream, id=each.names),
        )
        for each in rests
        if each.why == "evidence"
    }


def _named(studio: Studio, ref: str) -> str:
    """Who somebody is, in words; of those who were erased, that they are gone."""
    return studio.auditor.named(ref) or NOBODY


def _title(studio: Studio, ref: str) -> str:
    """The same as people write a name."""
    known = studio.auditor.named(ref)
    return wording.named(known) if known else NOBODY


def _now(studio: Studio, found: Request) -> str:
    """The value of the key now, to be compared with the requested one."""
    known = {fact.key: fact for fact in _facts(studio, found)}
    return event_summary.spelled(known[found.key].value) if found.key in known else ""


def _similar(studio: Studio, found: Request) -> list[Fact]:
    """Other facts about the same entity: what people said, so not for who holds a key."""
    return [fact for fact in _facts(studio, found) if fact.key != found.key][:SIMILAR_MAX]


def _facts(studio: Studio, found: Request) -> list[Fact]:
    entity = found.key.rpartition("/")[0]
    if not entity:
        return []
    try:
        return studio.auditor.facts(entity)
    except MunimentError:
        return []
