"""`remember`, `vouch`, `confirm`, `consent`: store text, and what people decide about it."""

import sys
from collections.abc import Sequence
from typing import Any, Final

import click
import msgspec

from muniment.adapters.cli.options import Terminal, command
from muniment.adapters.cli.output import Block, is_terminal, say
from muniment.adapters.cli.request_options import options
from muniment.adapters.rendering.event_summary import spelled
from muniment.adapters.requests.memory import ConfirmRequest, RememberRequest, VouchRequest
from muniment.engine.api.agent import Agent
from muniment.engine.api.remember import ConfirmationQuestion, Remembered
from muniment.engine.search.recall_filter import QUARANTINED
from muniment.model.canonical_json import SIZE_BYTES_MAX
from muniment.model.commands.command import TEXT_LENGTH_MAX
from muniment.model.errors import InputError, RefusedError
from muniment.model.kinds.episode import Origin

STDIN: Final = "-"


@command("remember", verb="remember")
@click.argument("text")
@options(RememberRequest, "origin", "source", "speaker", "session", "keep_raw")
@options(RememberRequest, "tags", "metadata", "happened_at", "expires")
@click.option("--key", default="", metavar="KEY", help="Makes a retry safe: same key, kept once.")
@click.option(
    "--direct",
    is_flag=True,
    help="A confirmation writes the fact directly, where the policy allows it.",
)
def remember(terminal: Terminal, *, text: str, origin: str, direct: bool, **how: Any) -> None:  # noqa: ANN401
    """Store TEXT (`-` reads it from standard input).

    Personal data is redacted, secrets are refused. A wish such as "remember my favourite colour
    is cerulean" has to be confirmed before it becomes a lasting fact.
    """
    words = _stdin() if text == STDIN else text
    if not words.strip():
        raise InputError("there is nothing to remember")
    with terminal.memory(create=True) as memory:
        agent = terminal.agent(memory, create=True)
        whose = origin or Origin.USER
        kept = agent.remember(words, origin=whose, **how)
        if not kept.stored:
            refused = RefusedError(kept.reason)
            refused.meta["seq"] = str(kept.seq)
            raise refused
        terminal.answer(
            _document(terminal, kept),
            lambda: [
                *_kept(terminal, kept),
                *_forgotten(agent, kept, whose),
                *_quarantine(terminal, agent, kept, whose),
            ],
        )
        if kept.question and _may_ask(terminal):
            _ask(terminal, agent, kept.question, direct=direct)


@command("confirm", verb="confirm")
@click.argument("confirmation_id", metavar="ID")
@click.option("--no", is_flag=True, help="Answer no: do not store it as a fact.")
@options(ConfirmRequest, "direct")
def confirm(terminal: Terminal, *, confirmation_id: str, no: bool, direct: bool) -> None:
    """Confirm the question ID that `remember` asked; this makes a request for approval."""
    terminal.user("answers")
    with terminal.memory() as memory:
        agent = terminal.agent(memory)
        request = agent.confirm(confirmation_id, yes=not no, direct=direct)
        _answered(terminal, confirmation_id, request, yes=not no)


@command("vouch", verb="vouch")
@click.argument("item_id", metavar="ID")
@options(VouchRequest, "reason")
def vouch(terminal: Terminal, *, item_id: str, reason: str) -> None:
    """Release ID from quarantine: from now on it is recalled."""
    terminal.user("vouches")
    with terminal.memory() as memory:
        seq = terminal.agent(memory).vouch(item_id, reason=reason)
        document = {"vouched": item_id, "seq": seq}
        terminal.answer(document, lambda: [say(f"Vouched for: {item_id}")])


@command("consent", verb="consent")
@click.argument("text", default="")
@click.option("--revoke", default="", metavar="ID", help="Revoke a consent.")
def consent(terminal: Terminal, *, text: str, revoke: str) -> None:
    """Allow personal data to be stored unredacted until revoked; TEXT is what the user said."""
    terminal.user("consents")
    if bool(text) == bool(revoke):
        raise click.UsageError("Give the text of the consent, or --revoke ID.")
    with terminal.memory(create=bool(text)) as memory:
        agent = terminal.agent(memory, create=bool(text))
        if revoke:
            agent.revoke_consent(revoke)
        given = revoke or agent.consent(text)
        document = {"consent_id": given, "revoked": bool(revoke), "seq": agent.seq}
        word = "Revoked" if revoke else "Allowed until revoked"
        terminal.answer(document, lambda: [say((word, "good"), ": ", given)])


def _stdin() -> str:
    """All of standard input, but no more than could ever be kept."""
    data = sys.stdin.buffer.read(SIZE_BYTES_MAX + 1)
    if len(data) > SIZE_BYTES_MAX:
        most = f"{TEXT_LENGTH_MAX:,} characters"  # which is less than was read, and what holds
        raise InputError(f"remember: text may have at most {most}: divide it")
    return data.decode().removesuffix("\n").removesuffix("\r")


def _may_ask(terminal: Terminal) -> bool:
    return terminal.is_for_people and is_terminal(sys.stdin) and is_terminal(sys.stdout)


def _ask(terminal: Terminal, agent: Agent, question: ConfirmationQuestion, *, direct: bool) -> None:
    asked = f"Shall I keep {_fact(question)} as a lasting fact?"
    try:
        yes = click.confirm(asked, default=False)
    except click.Abort:
        # No answer is no answer: the sentence is kept, the question stays open.
        click.echo()
        click.echo(f"Answer later: {_how_to_confirm(terminal, question)}")
        return
    request = agent.confirm(question.confirmation_id, yes=yes, direct=direct)
    _answered(terminal, question.confirmation_id, request, yes=yes)


def _kept(terminal: Terminal, kept: Remembered) -> Sequence[Block]:
    blocks: list[Block] = [say(("Kept", "good"), f": {kept.text}")]
    if kept.redacted:
        blocks.append(say(("Redacted", "warn"), f": {', '.join(kept.redacted)}"))
    blocks.append(say((f"{kept.episodic_id}, entry {kept.seq}", "quiet")))
    if kept.question and not _may_ask(terminal):
        blocks.append(say(f"Shall I keep {_fact(kept.question)} as a lasting fact? Then run:"))
        blocks.append(say("  ", (_how_to_confirm(terminal, kept.question), "name")))
    return blocks


def _forgotten(agent: Agent, kept: Remembered, origin: str) -> Sequence[Block]:
    """What these words asked to forget, as it stood before them; or that nothing came of it."""
    from muniment.adapters.cli import forgotten

    before = agent.get(kept.episodic_id).seq - 1 if kept.ended else 0
    said = kept.text if origin == Origin.USER else ""
    return forgotten.told(agent, said, kept.ended, before)


def _quarantine(terminal: Terminal, agent: Agent, kept: Remembered, origin: str) -> Sequence[Block]:
    """That nobody finds it yet, by the policy and by who else says the same."""
    if origin == Origin.USER:
        return []
    if agent.why_not(kept.episodic_id, kept.text).stage != QUARANTINED:
        return []
    following = terminal.command_line("vouch", kept.episodic_id)
    return [
        say(("In quarantine", "warn"), ": recall does not find it until you vouch for it. Run:"),
        say("  ", (following, "name")),
    ]


def _document(terminal: Terminal, kept: Remembered) -> dict[str, object]:
    document: dict[str, object] = msgspec.to_builtins(kept)
    question = kept.question
    return document | {"next": _how_to_confirm(terminal, question) if question else ""}


def _answered(terminal: Terminal, confirmation_id: str, request: str, *, yes: bool) -> None:
    following = terminal.command_line("approve", request) if request else ""
    document = {
        "confirmation_id": confirmation_id,
        "yes": yes,
        "request_id": request,
        "next": following,
    }
    terminal.answer(document, lambda: _outcome(request, following, yes=yes))


def _outcome(request: str, following: str, *, yes: bool) -> Sequence[Block]:
    if not yes:
        return [say("Not kept as a fact.")]
    if not request:
        return [say(("Kept", "good"), " as a lasting fact.")]
    return [
        say(("Asked", "good"), f": {request} needs approval. Then run:"),
        say("  ", (following, "name")),
    ]


def _fact(question: ConfirmationQuestion) -> str:
    attribute = question.key.rpartition("/")[2].replace("_", " ")
    return f"“{attribute}: {spelled(question.value)}”"


def _how_to_confirm(terminal: Terminal, question: ConfirmationQuestion) -> str:
    return terminal.command_line("confirm", question.confirmation_id)
