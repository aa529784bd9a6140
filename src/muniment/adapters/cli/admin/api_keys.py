"""`keys`: create, list and revoke API keys."""

from collections.abc import Sequence
from typing import Final

import click

from muniment.adapters.cli.errors import naming
from muniment.adapters.cli.options import PERSONA, Terminal, acting, command
from muniment.adapters.cli.output import Block, TextTable, pairs, say
from muniment.adapters.door_files import open_credentials
from muniment.adapters.gateway import api_keys
from muniment.adapters.gateway.api_keys import ANY, DAYS, Grant, Key
from muniment.model.errors import InputError
from muniment.model.scope import Persona, Role

ROLES = [each for each in Role if each is not Role.ENGINE]
ACTIONS = LIST, CREATE, REVOKE = ("list", "create", "revoke")
UNLISTED: Final = ("projects", "created")  # in the list for people; a line has an end


@command("keys")
@click.argument("action", type=click.Choice(ACTIONS), default=LIST, metavar="[ACTION]")
@click.argument("key_id", default="")
@acting(ROLES, "Role of the key.")
@PERSONA
@click.option("--any-user", is_flag=True, help="Each request names its user.")
@click.option("--who", default="", metavar="NAME", help="The council member or administrator.")
@click.option(
    "--project",
    "projects",
    multiple=True,
    metavar="NAME",
    help="A project that it may read and write.",
)
@click.option("--verb", "verbs", multiple=True, metavar="VERB", help="Allow only this operation.")
@click.option("--label", default="", help="What it is for.")
@click.option(
    "--days",
    type=click.IntRange(min=0),
    metavar="N",
    default=DAYS,
    show_default=True,
    help="Days until it expires; 0 for never.",
)
def keys(
    terminal: Terminal,
    *,
    action: str,
    key_id: str,
    label: str,
    days: int,
    **given: object,
) -> None:
    """Create, list and revoke API keys. A key is shown once, when it is created.

    ACTION is list, create, or revoke, which takes a KEY_ID. --agent and --user say whose memory
    a key opens.
    """
    from muniment.adapters.system.clock import SystemClock

    settings = terminal.settings()
    known = open_credentials(terminal.options.store, settings)
    now = SystemClock().now()
    if action == LIST:
        _list(terminal, [each for each in known.known().values() if _is_ours(terminal, each)])
    elif action == REVOKE:
        if not key_id:
            raise InputError("name the key: muniment keys revoke KEY_ID")
        with naming("there is no such key; `muniment keys` lists those there are"):
            gone = api_keys.revoke(known, key_id, now=now, tenant=terminal.options.tenant)
        terminal.answer(_shown(gone), lambda: [say(("Revoked", "good"), f": {key_id}.")])
    else:
        grant = _grant(terminal, **given)
        text, made = api_keys.issue(known, grant, label=label, now=now, days=days)
        terminal.answer({"key": text} | _shown(made), lambda: _made(text, made))


def _grant(terminal: Terminal, **given: object) -> Grant:
    role = Role(str(given["role"]))
    speaks = role in {Role.AGENT, Role.USER}
    projects, verbs = given["projects"], given["verbs"]
    assert isinstance(projects, tuple)
    assert isinstance(verbs, tuple)
    return Grant(
        tenant=terminal.options.tenant,
        role=role,
        agent=terminal.options.agent if speaks else "",
        user=ANY if given["any_user"] else terminal.options.user,
        persona=Persona(str(given["persona"])),
        projects=projects,
        verbs=verbs,
        who=str(given["who"]) or ("" if speaks else "owner"),
    )


def _is_ours(terminal: Terminal, key: Key) -> bool:
    return key.grant.tenant == terminal.options.tenant


def _shown(key: Key) -> dict[str, object]:
    grant = key.grant
    return {
        "key_id": key.key_id,
        "role": grant.role.value,
        "agent": grant.agent,
        "user": grant.user,
        "persona": grant.persona.value,
        "who": grant.who,
        "projects": grant.projects,
        "verbs": grant.verbs,
        "label": key.label,
        "created": key.created,
        "expires": key.expires,
        "revoked": key.revoked,
    }


def _list(terminal: Terminal, found: list[Key]) -> None:
    rows = [_shown(each) for each in sorted(found, key=lambda each: (each.created, each.key_id))]
    terminal.answer({"keys": rows}, lambda: _table(rows, terminal.options.tenant))


def _table(rows: list[dict[str, object]], tenant: str) -> Sequence[Block]:
    if not rows:
        return [say(f"The tenant {tenant} has no keys. Make one: muniment keys create")]
    head = tuple(name for name in rows[0] if name not in UNLISTED)
    return [
        TextTable(head=head, rows=tuple(tuple(_words(row[name]) for name in head) for row in rows))
    ]


def _words(value: object) -> str:
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def _made(text: str, made: Key) -> Sequence[Block]:
    told = [(name, _words(value)) for name, value in _shown(made).items() if value]
    return [
        say(("Made", "good"), ". This is the key; it is not shown again:"),
        say("  ", (text, "name")),
        pairs(told, indent=2),
    ]
