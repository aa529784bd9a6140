"""`requests`, `approve`, `reject`: pending requests with their evidence, and votes."""

from collections.abc import Mapping, Sequence
from typing import Final

import click
import msgspec

from muniment.adapters.cli.options import OWNER, Terminal, command
from muniment.adapters.cli.output import Block, pairs, say
from muniment.adapters.cli.request_options import options
from muniment.adapters.rendering import policy_file
from muniment.adapters.rendering.event_summary import spelled
from muniment.adapters.requests.council import ListRequestsRequest
from muniment.engine.api.memory import Memory
from muniment.engine.api.policy_admin import CHANGES as RULINGS
from muniment.layers.governance.requests import Request
from muniment.model.errors import NotFoundError

BY = click.option("--as", "member", default=OWNER, show_default=True, help="Name of the voter.")
REASON = click.option("--reason", default="", help="Why; it is kept with the vote.")
# What an approved request still needs: an administrator's hand.
HANDS: Final = {"erase": "erase", "delete": "forget", "coefficient_change": "propose"}


@command("requests", verb="requests")
@options(ListRequestsRequest, "settled")
def requests(terminal: Terminal, *, settled: bool) -> None:
    """List pending requests, oldest first, each with its evidence."""
    with terminal.memory():
        waiting = terminal.hands().requests(settled=settled)
        document = {"requests": [_document(each) for each in waiting]}
        members = {who for each in waiting for who in each.votes}
        names = {who: terminal.hands("streams").auditor.named(who) or who[:8] for who in members}
        none = "No request is settled yet." if settled else "No request is pending."
        shown = _requests if waiting else lambda *_: [say(none)]
        terminal.answer(document, lambda: shown(terminal, waiting, names))


@command("approve", verb="vote")
@click.argument("request_id", metavar="ID")
@REASON
@BY
def approve(terminal: Terminal, *, request_id: str, reason: str, member: str) -> None:
    """Approve the request ID; the vote is bound to exactly what was requested."""
    _vote(terminal, request_id, "approve", reason, member)


@command("reject", verb="vote")
@click.argument("request_id", metavar="ID")
@REASON
@BY
def reject(terminal: Terminal, *, request_id: str, reason: str, member: str) -> None:
    """Reject the request ID."""
    _vote(terminal, request_id, "reject", reason, member)


def request(terminal: Terminal, memory: Memory, request_id: str) -> Request:
    """The request of that id, open or settled."""
    told = f"there is no request {request_id!r}; `muniment requests` lists them"
    unknown = NotFoundError(told)
    if terminal.council_stream not in memory.streams():
        raise unknown
    try:
        return terminal.hands("requests").request(request_id)[0]
    except NotFoundError:
        raise unknown from None


def _vote(terminal: Terminal, request_id: str, vote: str, reason: str, member: str) -> None:
    with terminal.memory() as memory:
        found = request(terminal, memory, request_id)
        council = terminal.hands(who=member).council
        # The binding says what this member looked at: another request cannot slip in between.
        outcome = council.vote(request_id, vote, reason=reason, binding=found.binding)
        following = _next(terminal, found, outcome)
        document = {"request_id": request_id, "vote": vote, "outcome": outcome, "next": following}
        terminal.answer(document, lambda: _voted(found, outcome, following))


def _next(terminal: Terminal, found: Request, outcome: str) -> str:
    if outcome != "approved" or found.action not in HANDS:
        return ""
    return terminal.command_line(HANDS[found.action], "--carry-out", found.request_id)


def _voted(found: Request, outcome: str, following: str) -> Sequence[Block]:
    style = {"rejected": "bad", "failed": "bad", "pending": "warn"}.get(outcome, "good")
    blocks: list[Block] = [say((outcome.capitalize(), style), f": {_what(found)}")]
    if outcome == "pending":
        blocks.append(say(f"It needs more votes ({found.required_approval})."))
    if following:
        blocks += [say("An administrator carries it out with:"), say("  ", (following, "name"))]
    return blocks


def _document(each: Request) -> dict[str, object]:
    built: dict[str, object] = msgspec.to_builtins(each)
    return built


def _requests(
    terminal: Terminal, waiting: list[Request], names: Mapping[str, str]
) -> Sequence[Block]:
    blocks: list[Block] = []
    for each in waiting:
        blocks += [say((each.request_id, "name"), f"  {_what(each)}"), _details(each, names)]
        blocks += _changes(terminal, each)
        if each.status == "pending":
            following = terminal.command_line("approve", each.request_id)
        else:
            following = _next(terminal, each, each.status)
        blocks += [say("  ", (following, "asked"))] if following else []
    return blocks


def _details(each: Request, names: Mapping[str, str]) -> Block:
    proofs = [one.episodic_id or ", ".join(one.sem_keys) or one.note for one in each.evidence]
    rows = [
        ("why", each.justification),
        ("evidence", ", ".join(proofs)),
        ("since", each.created_seeded_ts),
        ("needs", f"{each.required_approval}, before tick {each.expires_at_tick}"),
        ("votes", ", ".join(sorted(f"{names[who]} {vote}" for who, vote in each.votes.items()))),
        ("status", each.status),
    ]
    return pairs([(name, told) for name, told in rows if told], indent=2)


def _changes(terminal: Terminal, each: Request) -> Sequence[Block]:
    """Of a policy: each field that it would change, as it is and as it would be."""
    if each.action not in RULINGS:
        return []
    return [
        pairs([(field.name, f"{field.now} → {field.then}") for field in told], indent=2)
        for now, then in terminal.hands("policy").admin.proposal(each.request_id)
        if (told := policy_file.changes(now, then))
    ]


def _what(each: Request) -> str:
    """What is asked, and of an erasure whom it is about: its key is a reference."""
    is_told = each.value is not None and each.action not in RULINGS  # a policy is told by field
    value = f" = {spelled(each.value)}" if is_told else ""
    return f"{each.action} {_about(each)}{value}"


def _about(each: Request) -> str:
    return each.subject or each.key if each.action == "erase" else each.key
