"""`watch` and `webhooks`: print changes as they come, or send them to a URL."""

import time
from collections.abc import Mapping, Sequence
from typing import Final

import click
import msgspec

from muniment.adapters.cli import output, request_options
from muniment.adapters.cli.errors import naming
from muniment.adapters.cli.options import Terminal, command
from muniment.adapters.cli.output import Block, TextTable, pairs, say
from muniment.adapters.requests.evidence.watch import CreateWebhookRequest, WatchRequest
from muniment.adapters.webhooks.delivery import Deliverer
from muniment.adapters.webhooks.subscribing import ShownWebhook, WebhookDesk
from muniment.engine.evidence.watch import WatchChange
from muniment.model.errors import InputError

WATCHED: Final = ("key", "entity", "question", "limit", "after")
ACTIONS = LIST, CREATE, RETRY, DELETE, DELIVER = ("list", "create", "retry", "delete", "deliver")


@command("watch")
@request_options.options(WatchRequest, *WATCHED)
@click.option("--once", is_flag=True, help="Print what has changed so far, without waiting.")
def watch(terminal: Terminal, *, once: bool, **given: object) -> None:
    """Follow what is known under a key, about an entity or to a question, as it changes.

    It runs until it is interrupted. Each change has a cursor; --after continues from one.
    With --json each change is one line.
    """
    asked = msgspec.convert(given, WatchRequest)
    with terminal.memory() as memory:
        watched = asked.watched
        found = terminal.agent(memory).watch(**msgspec.structs.asdict(watched), after=asked.after)
        if once:
            change = found.look()
            terminal.answer({"change": change}, lambda: _blocks(change))
            return
        for change in found:
            _tell(terminal, change)


@command("webhooks", verb="webhooks")
@click.argument("action", type=click.Choice(ACTIONS), default=LIST, metavar="[ACTION]")
@click.argument("target", default="", metavar="[TARGET]")
@request_options.options(CreateWebhookRequest, *WATCHED)
@click.option(
    "--webhook-host",
    "hosts",
    multiple=True,
    metavar="NAME",
    help="A private host that it may be sent to.",
)
def webhooks(
    terminal: Terminal, *, action: str, target: str, hosts: tuple[str, ...], **given: object
) -> None:
    """Send changes of what is known to a URL, signed with a secret.

    ACTION is list; create, whose TARGET is an address, with what is watched; retry or delete,
    whose TARGET is the id of one; or deliver, which sends once
    what is due, for where no service is running.
    """
    with terminal.memory(webhook_hosts=frozenset(hosts)) as memory:
        if action == DELIVER:
            told = Deliverer(terminal.reception, seconds=time.time).run_once()
            terminal.answer({"delivered": told}, lambda: _delivered(told))
            return
        terminal.expect_agent(memory)
        desk = WebhookDesk.of(terminal.hands())
        if action == LIST:
            found = desk.all()
            terminal.answer({"webhooks": found}, lambda: _table(found))
            return
        made = _changed(desk, action, target, msgspec.convert(given, WatchRequest))
        terminal.answer(made, lambda: _shown(action, made))


def _changed(desk: WebhookDesk, action: str, target: str, asked: WatchRequest) -> ShownWebhook:
    if not target:
        wanted = "an address" if action == CREATE else "which one"
        raise InputError(f"say {wanted}: muniment webhooks {action} TARGET")
    if action == CREATE:
        return desk.create(target, asked.watched, after=asked.after)
    with naming("there is no such webhook; `muniment webhooks` lists those there are"):
        return desk.retry(target) if action == RETRY else desk.delete(target)


def _tell(terminal: Terminal, change: WatchChange) -> None:
    if terminal.options.json:
        click.echo(msgspec.json.encode(change).decode())
    elif terminal.options.plain:
        click.echo(output.as_plain({"change": change}), nl=False)
    else:
        output.screen().show(_blocks(change))


def _blocks(change: WatchChange | None) -> Sequence[Block]:
    if change is None:
        return [say("Nothing has changed.")]
    told = [say((change.change, "good"), f"  entry {change.seq}, cursor {change.cursor}")]
    return [*told, *(say("  ", each.text) for each in change.items)]


def _delivered(told: Mapping[str, str]) -> Sequence[Block]:
    if not told:
        return [say("Nothing is due.")]
    return [TextTable(head=("webhook", "outcome"), rows=tuple(told.items()))]


def _table(found: Sequence[ShownWebhook]) -> Sequence[Block]:
    if not found:
        return [say("No webhook. Make one: muniment webhooks create URL --question '…'")]
    rows = tuple(
        (each.webhook_id, each.url, _what(each), each.outcome or "new", str(len(each.dead)))
        for each in found
    )
    return [TextTable(head=("webhook", "url", "watched", "outcome", "given up"), rows=rows)]


def _shown(action: str, made: ShownWebhook) -> Sequence[Block]:
    if action != CREATE:
        done = "Deleted" if action == DELETE else "Tried again from now on"
        return [say((done, "good"), f": {made.webhook_id}.")]
    return [
        say(("Made", "good"), ". This is its secret; it is not shown again:"),
        say("  ", (made.secret, "name")),
        pairs(
            [("webhook", made.webhook_id), ("url", made.url), ("watched", _what(made))], indent=2
        ),
    ]


def _what(made: ShownWebhook) -> str:
    return made.watched.key or made.watched.entity or made.watched.question
