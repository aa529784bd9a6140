"""`init` and `policy`: a commented policy file; show or change the policy in force."""

import getpass
import sys
from pathlib import Path
from typing import TypedDict, Unpack

import click
import msgspec

from muniment.adapters.cli.options import PERSONA, SERVER, Terminal, command
from muniment.adapters.cli.output import TextTable, is_terminal, say
from muniment.adapters.system.path_exists import is_there
from muniment.engine.api.admin import Admin
from muniment.engine.api.policy_admin import InForce
from muniment.model import policy as policies
from muniment.model.errors import InputError

PEOPLE = ("solo", "team", "council")  # the presets that a person begins with


class PolicyTarget(TypedDict):
    """What the options say a policy is for."""

    space: str
    council: bool
    persona: str


class PolicyScope(TypedDict):
    """The same, as an administrator's hands take it."""

    agent: str
    space: str
    persona: str


@command("init")
@click.option(
    "--preset",
    type=click.Choice(list(policies.PRESETS)),
    help="Who must approve a governed fact: you (solo), two people, or a council of three.",
)
@click.option("--yes", "-y", is_flag=True, help="Ask nothing; use the given options and defaults.")
@click.option("--force", is_flag=True, help="Overwrite an existing policy file.")
def init(terminal: Terminal, *, preset: str | None, yes: bool, force: bool) -> None:
    """Create the memory's folder, and in it a commented policy file to read and change.

    At a terminal it asks three questions; Enter takes the default.
    """
    from muniment.adapters.rendering import policy_file
    from muniment.adapters.system.durable_files import put_file

    if not yes and terminal.is_for_people and is_terminal(sys.stdin):
        terminal, preset = _asked(terminal, preset)
    preset = preset or "solo"
    if SERVER in terminal.options.store:
        raise InputError("a policy file belongs to a folder; a memory on a server has none")
    folder = Path(terminal.options.store)
    path = folder / policy_file.NAME
    if is_there(path) and not force:
        raise InputError(f"{str(path)!r} already exists; --force overwrites it")
    text = policy_file.commented(policies.preset(preset))
    with terminal.memory(create=True):
        # Whole or not at all: half a policy is another policy.
        put_file(path, text.encode(), fresh=path.with_suffix(".new"))
    document = {"folder": str(folder), "policy": str(path), "preset": preset}
    following = terminal.command_line("remember", "I moved to Lisbon in March")
    terminal.answer(
        document,
        lambda: [
            say(("Ready", "good"), f": {folder}"),
            say("Every setting is explained in ", (str(path), "name")),
            say("Next: ", (following, "name")),
        ],
    )


def _asked(terminal: Terminal, preset: str | None) -> tuple[Terminal, str]:
    """Where, on whose word, and for whom: three questions, each with the usual answer."""
    its = terminal.options
    store = click.prompt("Where shall the memory be?", default=its.store)
    choices = click.Choice([each for each in policies.PRESETS if each in PEOPLE])
    word = click.prompt(
        "Who must approve a lasting fact? you (solo), two people (team), three (council)",
        default=preset or "solo",
        type=choices,
        show_choices=False,
    )
    user = click.prompt("Who are you?", default=its.user or getpass.getuser())
    return Terminal(msgspec.structs.replace(its, store=store, user=user)), word


@command("policy", verb="policy")
@click.option("--file", "path", default="", metavar="PATH", help="Request the policy in this file.")
@click.option("--reason", default="", metavar="TEXT", help="Why it should change.")
@click.option(
    "--apply", "request_id", default="", metavar="ID", help="Put an approved policy in force."
)
@click.option(
    "--space",
    default="",
    metavar="SPACE",
    help="Of a shared space: user:NAME, project:NAME or system; user or project is every one.",
)
@click.option("--council", is_flag=True, help="The policy of the council.")
@click.option("--all", "every", is_flag=True, help="List the policy of every log.")
@PERSONA
def policy(
    terminal: Terminal,
    *,
    path: str,
    reason: str,
    request_id: str,
    every: bool,
    **named: Unpack[PolicyTarget],
) -> None:
    """Show the agent's policy; with --file request another, with --apply put it in force.

    It changes between jobs, never inside one.
    """
    where = _where(terminal, named)
    with terminal.memory():
        admin = terminal.hands().admin
        if request_id:
            digest = admin.apply_policy(request_id)
            told = {"policy": digest, "in_force": True, "request_id": request_id}
            terminal.answer(told, lambda: [say(("In force", "good"), f": {digest}")])
        elif every:
            _list(terminal, admin.policies())
        elif path:
            _request(terminal, admin, Path(path), reason, where)
        else:
            now = admin.policy(**where)
            shown = {"digest": policies.digest(now), "policy": msgspec.to_builtins(now)}
            terminal.answer(shown, lambda: [say(line) for line in _lines(now)])


def _where(terminal: Terminal, named: PolicyTarget) -> PolicyScope:
    if named["space"] and named["council"]:
        raise InputError("--space and --council name two policies: give one of them")
    apart = named["space"] or named["council"]
    agent = "" if apart else terminal.options.agent
    return {"agent": agent, "space": named["space"], "persona": named["persona"]}


def _request(terminal: Terminal, admin: Admin, path: Path, reason: str, where: PolicyScope) -> None:
    from muniment.adapters import config

    wanted = config.read_policy(path)
    request = admin.request_policy(wanted, reason=reason or path.name, **where)
    following = terminal.command_line("approve", request)
    told = {"request_id": request, "in_force": False, "next": following}
    terminal.answer(
        told,
        lambda: [
            say(("Asked", "good"), f": {request} needs approval. Then run:"),
            say("  ", (following, "name")),
            say("  ", (terminal.command_line("policy", "--apply", request), "name")),
        ],
    )


def _list(terminal: Terminal, known: list[InForce]) -> None:
    rows = tuple((_of(each), str(each.persona), each.digest) for each in known)
    told = {"policies": msgspec.to_builtins(known)}
    terminal.answer(told, lambda: [TextTable(head=("policy of", "persona", "digest"), rows=rows)])


def _of(each: InForce) -> str:
    return each.space or (f"agent {each.agent}" if each.agent else "the council")


def _lines(now: policies.Policy) -> list[str]:
    from muniment.adapters.rendering import policy_file

    return policy_file.commented(now).splitlines()
