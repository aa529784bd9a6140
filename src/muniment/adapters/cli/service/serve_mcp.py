"""`mcp`: start the MCP server."""

import click

from muniment.adapters.cli.options import PERSONA, Terminal, acting, command, listening
from muniment.adapters.gateway.gateway import Gateway
from muniment.adapters.system import optional_packages
from muniment.adapters.system.clock import SystemClock
from muniment.model.scope import Channel, Role

SEATS = (Role.AGENT, Role.USER, Role.COUNCIL)


@command("mcp")
@acting(SEATS, "Role of the client.")
@PERSONA
@click.option("--http", "over_http", is_flag=True, help="Serve HTTP instead of stdio.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@listening(0)
@click.option(
    "--origin", "origins", multiple=True, metavar="URL", help="A web origin that may call it."
)
@click.option(
    "--behind", "hosts", multiple=True, metavar="HOST", help="Host name of the proxy in front."
)
@click.option(
    "--oauth-issuer", default="", metavar="URL", help="Issuer whose access tokens are accepted."
)
@click.option("--oauth-jwks", default="", metavar="URL", help="URL of the issuer's keys.")
@click.option(
    "--oauth-resource", default="", metavar="URL", help="This resource, as tokens name it."
)
def mcp(terminal: Terminal, *, role: str, persona: str, over_http: bool, **given: object) -> None:
    """Serve this memory over MCP until the client disconnects.

    On stdio it serves the agent and user of the options, in one role: `agent` writes and reads;
    `user` means that a person uses the client, so confirmations count; `council` only votes.
    Over HTTP it serves holders of an API key; on this machine a temporary key for the options'
    agent and user is created and printed. With the three --oauth options it also accepts access
    tokens of an issuer for this resource.
    """
    optional_packages.expect("mcp")
    from muniment.adapters.gateway import allowed_origins, api_keys
    from muniment.adapters.mcp import access_tokens, serve
    from muniment.adapters.mcp.session import of_words

    options = terminal.options
    who = of_words(options.tenant, options.agent, options.user, role=role, persona=persona)
    issuer = access_tokens.issuer(over_http=over_http, **_named(given))
    asked = serve.Listening(**given, issuer=issuer)  # type: ignore[arg-type]
    with terminal.memory(create=True, channel="mcp") as memory:
        passing = api_keys.MemoryCredentials()
        reception = Gateway(
            memory,
            api_keys.TogetherWith(terminal.reception.credentials, passing),
            channel=Channel.MCP,
            now=SystemClock().now,
        )
        tools = serve.digests(reception)
        for each in tools if over_http else (who.role,):
            # Told where a client's log keeps it: on stdio, standard output is the client's.
            click.echo(f"muniment mcp: the tools of {each} are {tools[each]}", err=True)
        if not over_http:
            serve.over_stdio(reception, who)
        else:
            if allowed_origins.is_loopback(asked.host):
                click.echo(f"token: {api_keys.issue(passing, who)[0]}")
            serve.over_http(reception, who, asked, lambda address: click.echo(f"url: {address}"))
        reception.close()


def _named(given: dict[str, object]) -> dict[str, str]:
    """The options of OAuth, taken out of those that say where to listen."""
    return {name: str(given.pop(f"oauth_{name}")) for name in ("issuer", "jwks", "resource")}
