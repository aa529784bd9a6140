"""`forget` and `erase`: an item, a fact or a person, with the approvals they need."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

import click
import msgspec

from muniment.adapters.cli.admin.council import request
from muniment.adapters.cli.errors import Exit
from muniment.adapters.cli.options import OWNER, Terminal, command
from muniment.adapters.cli.output import Block, TextTable, is_terminal, pairs, say
from muniment.adapters.cli.progress import stages
from muniment.adapters.cli.request_options import options
from muniment.adapters.requests.memory import RestoreRequest
from muniment.adapters.requests.recall import RecallRequest
from muniment.engine.api.memory import Memory
from muniment.engine.audit.erasure import Eraser, Erasure
from muniment.layers.governance.requests import Request
from muniment.model import fact_keys
from muniment.model.errors import InputError, NotFoundError, RefusedError

CARRY_OUT = click.option(
    "--carry-out", default="", metavar="ID", help="Carry out the approved request ID."
)
REASON = click.option("--reason", default="", help="Why; it is kept with the request.")
BY = click.option(
    "--as", "admin", default=OWNER, show_default=True, help="Name of the administrator."
)
ASKED: Final = "asked at the terminal"
STAYS: Final = "Not this user's to forget, as what is about nobody is: {}"


@command("forget", verb="forget")
@click.argument("item_id", default="", metavar="[ITEM_ID]")
@options(RecallRequest, "where")
@click.option("--dry-run", is_flag=True, help="With --where: only show what would be forgotten.")
@CARRY_OUT
@REASON
@BY
def forget(
    terminal: Terminal,
    *,
    item_id: str,
    where: Mapping[str, object] | None,
    dry_run: bool,
    carry_out: str,
    reason: str,
    admin: str,
) -> None:
    """Stop recalling ITEM_ID; reads of an earlier entry still find it.

    An episode (ep:…) is forgotten at once. A governed fact (scope/type/id/attribute) needs the
    council: this makes a request, and --carry-out ID does it once it is approved.
    With --where, everything that matches a filter is forgotten in one change;
    `unforget` brings it back.
    """
    if where is not None:
        if item_id or carry_out:
            raise click.UsageError("Name an item, --where or --carry-out ID.")
        _forget_where(terminal, where, reason=reason, dry_run=dry_run)
        return
    _one_of(item_id, carry_out, "an item")
    with terminal.memory() as memory:
        if carry_out:
            request(terminal, memory, carry_out)
            seq = terminal.hands("deletion", who=admin).admin.delete(carry_out)
            _forgotten(terminal, carry_out, seq)
        elif _is_key(item_id):
            waiting = _deletion(terminal, memory, item_id, reason=reason or ASKED, admin=admin)
            _requested(terminal, waiting)
        else:
            with _there(item_id):
                seq = terminal.agent(memory).forget(item_id, reason=reason)
            _forgotten(terminal, item_id, seq)


def _forget_where(
    terminal: Terminal, where: Mapping[str, object], *, reason: str, dry_run: bool
) -> None:
    with terminal.memory() as memory:
        found = terminal.agent(memory).forget_where(where, reason=reason, preview=dry_run)
        rows = tuple((each.kind, each.id, each.text) for each in found.records)
        stays = tuple((each.kind, each.id, each.text) for each in found.governed)
        back = terminal.command_line("unforget", f"--first={found.first}", f"--last={found.last}")
        told = "Nothing was changed." if dry_run else f"Forgotten; to bring it back: {back}"
        terminal.answer(
            found,
            lambda: [
                TextTable(head=("kind", "id", "text"), rows=rows, styles=("name", "quiet", "")),
                say(told if rows else "The filter names nothing that goes."),
                *(say(f"It waits for the legal hold {each}.") for each in found.held),
                *([say(STAYS.format(len(found.refused)))] if found.refused else []),
                *_staying(stays),
            ],
        )


def _staying(rows: tuple[tuple[str, str, str], ...]) -> Sequence[Block]:
    if not rows:
        return []
    table = TextTable(head=("kind", "key", "fact"), rows=rows, styles=("name", "quiet", ""))
    return [say("These facts are governed: each needs a request and a yes."), table]


@command("unforget", verb="forget")
@click.argument("item_id", default="", metavar="[ITEM_ID]")
@options(RestoreRequest, "first", "last")
def unforget(terminal: Terminal, *, item_id: str, first: int, last: int) -> None:
    """Bring back what was forgotten: ITEM_ID, or all between the entries --first and --last."""
    with terminal.memory() as memory, _there(item_id):
        count = terminal.agent(memory).restore(item_id, first=first, last=last)
        terminal.answer({"restored": count}, lambda: [say(f"Brought back: {count}")])


@command("erase", verb="erasure")
@click.argument("person", default="", metavar="[USER]")
@CARRY_OUT
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@REASON
@BY
def erase(
    terminal: Terminal, *, person: str, carry_out: str, yes: bool, reason: str, admin: str
) -> Exit:
    """Erase everything about USER, for good: a request, an approval, then --carry-out ID.

    With --carry-out, USER must be the person that the request names.
    """
    if not (person or carry_out):
        raise click.UsageError("Name a user, or --carry-out ID.")
    with terminal.memory() as memory:
        hands = terminal.hands(who=admin)
        if not carry_out:
            _requested(terminal, _erasure(hands.eraser, person, reason or ASKED))
            return Exit.DONE
        found = request(terminal, memory, carry_out)
        _must_be_about(found, person)
        if found.status == "approved" and not (yes or _is_meant(terminal)):
            click.echo("Nothing was destroyed.")
            return Exit.REFUSED
        with stages("Erasing", "entries") as shown:
            done = hands.erase(carry_out, progress=shown)
        terminal.answer(done, lambda: _erased(done))
        return Exit.DONE


def _one_of(subject: str, carry_out: str, what: str) -> None:
    if bool(subject) == bool(carry_out):
        raise click.UsageError(f"Name {what}, or --carry-out ID.")


def _deletion(terminal: Terminal, memory: Memory, key: str, *, reason: str, admin: str) -> str:
    if terminal.council_stream not in memory.streams():
        raise NotFoundError(f"there is no fact {key!r}")
    return terminal.hands("deletion", who=admin).admin.request_deletion(key, reason=reason)


def _erasure(eraser: Eraser, person: str, reason: str) -> str:
    try:
        return eraser.request(person, reason=reason)
    except NotFoundError:
        raise NotFoundError(f"nothing is known about {person!r}") from None


def _must_be_about(found: Request, person: str) -> None:
    """Whoever names a person beside a request means nobody else; who is gone has no name."""
    if person and found.subject and found.subject != fact_keys.user_entity(person):
        raise InputError(f"{found.request_id} is about {found.subject}, not about {person!r}")


@contextmanager
def _there(item_id: str) -> Iterator[None]:
    """What is not there is said by its name: a person has typed one."""
    try:
        yield
    except RefusedError as refused:
        if refused.reason != "item_unknown":
            raise
        told = f"there is no item {item_id!r}; `muniment list` shows what there is"
        raise NotFoundError(told) from None


def _is_key(item_id: str) -> bool:
    """Whether it is spelled as the key of a governed fact."""
    try:
        return bool(fact_keys.canonical(item_id))
    except InputError:
        return False


def _requested(terminal: Terminal, waiting: str) -> None:
    following = terminal.command_line("approve", waiting)
    terminal.answer(
        {"request_id": waiting, "next": following},
        lambda: [
            say(("Asked", "good"), f": {waiting} needs approval. Then run:"),
            say("  ", (following, "name")),
        ],
    )


def _forgotten(terminal: Terminal, item_id: str, seq: int) -> None:
    terminal.answer(
        {"forgotten": item_id, "seq": seq},
        lambda: [say(("Forgotten", "good"), f": {item_id}, from entry {seq} on.")],
    )


def _erased(done: Erasure) -> Sequence[Block]:
    rows = [(name.replace("_", " "), value) for name, value in msgspec.to_builtins(done).items()]
    return [say(("Erased", "good"), ". This is the receipt:"), pairs(rows, indent=2)]


def _is_meant(terminal: Terminal) -> bool:
    """Somebody who looks is asked once more; a script has said what it means."""
    looks = is_terminal(sys.stdin) and is_terminal(sys.stdout)
    if not (terminal.is_for_people and looks):
        return True
    return click.confirm("This cannot be undone. Destroy it?", default=False)
