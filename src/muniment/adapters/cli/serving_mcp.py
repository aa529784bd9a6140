"""The command that opens the MCP door: `muniment mcp`."""

from pathlib import Path

import click

from muniment.adapters.cli.options import Terminal, command
from muniment.model.errors import InputError
from muniment.model.scope import Persona, Role


@command("mcp")
@click.option("--role", type=click.Choice(["agent", "user", "council"]), default="agent")
@click.option("--persona", type=click.Choice(["actor", "subconscious"]), default="actor")
@click.option("--http", "over_http", is_flag=True, help="Serve HTTP instead of stdio.")
@click.option("--host", default="127.0.0.1", help="Where to listen. [127.0.0.1]")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="0 takes a free one.")
@click.option("--token-file", type=click.Path(path_type=Path), help="A file with the token.")
@click.option("--origin", multiple=True, metavar="URL", help="A web page that may call.")
@click.option("--behind", multiple=True, metavar="HOST", help="The name a trusted proxy sends.")
def mcp(
    terminal: Terminal,
    *,
    role: str,
    persona: str,
    over_http: bool,
    token_file: Path | None,
    **listening: object,
) -> None:
    """Serve this memory over MCP, as one agent, user and role, until the client hangs up.

    `agent` speaks and reads; `user` says that a person sits at the client, whose answers count;
    `council` only decides.
    """
    try:
        from muniment.adapters.mcp import serving
        from muniment.adapters.mcp.seat import Credential
        from muniment.adapters.mcp.server import build
    except ImportError as error:
        raise InputError("MCP needs the package mcp: pip install 'muniment[mcp]'") from error
    import muniment

    options = terminal.options
    who = Credential(
        agent=options.agent, user=options.user, persona=Persona(persona), role=Role(role)
    )
    with terminal.memory(create=True, channel="mcp") as memory:
        server = build(memory, who, version=muniment.__version__)
        if not over_http:
            serving.over_stdio(server)
            return
        asked = serving.Listening(
            host=str(listening["host"]),
            port=int(str(listening["port"])),
            token=serving.read_token(token_file) if token_file else "",
            origins=_texts(listening["origin"]),
            hosts=_texts(listening["behind"]),
        )
        serving.over_http(server, asked, lambda address, token: _say(address, token, token_file))


def _say(address: str, token: str, token_file: Path | None) -> None:
    """The address, and the token that was drawn; one that came from a file is not repeated."""
    click.echo(f"url: {address}")
    if token_file is None:
        click.echo(f"token: {token}")


def _texts(given: object) -> tuple[str, ...]:
    return tuple(str(each) for each in given) if isinstance(given, tuple) else ()
