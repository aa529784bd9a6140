"""`serve`: start the HTTP service."""

import click

from muniment.adapters.cli.options import Terminal, command, listening
from muniment.adapters.gateway import api_keys
from muniment.adapters.gateway.api_keys import Credentials, Grant
from muniment.model.scope import Role

HOST = "127.0.0.1"
PORT = 8600
RATE = 100.0
RETENTION_HOURS = 24.0  # days are what policies count in


@command("serve")
@click.option("--host", default=HOST, show_default=True, help="Address to listen on.")
@listening(PORT)
@click.option(
    "--allow-host",
    "hosts",
    multiple=True,
    metavar="NAME",
    help="A host name that requests may use.",
)
@click.option(
    "--allow-origin", "origins", multiple=True, metavar="URL", help="A web origin that may call it."
)
@click.option(
    "--webhook-host",
    "webhook_hosts",
    multiple=True,
    metavar="NAME",
    help="A private host that webhooks may be sent to.",
)
@click.option("--learn", is_flag=True, help="Ask the model of --model for facts as texts come in.")
@click.option(
    "--retention-hours",
    type=click.FloatRange(min=0),
    metavar="N",
    default=RETENTION_HOURS,
    show_default=True,
    help="Hours between two sweeps of what policies (keep_days) keep no longer; 0: none.",
)
@click.option("--certificate", default="", metavar="FILE", help="TLS: the certificate chain.")
@click.option("--private-key", default="", metavar="FILE", help="TLS: its key.")
@click.option("--behind-proxy", is_flag=True, help="A trusted proxy in front speaks TLS.")
@click.option(
    "--new-key", is_flag=True, help="Create a key if there is none, and print a curl command."
)
@click.option(
    "--rate",
    type=click.FloatRange(min=0),
    metavar="N",
    default=RATE,
    show_default=True,
    help="Requests per second for each key.",
)
def serve(
    terminal: Terminal, *, rate: float, hosts: tuple[str, ...], new_key: bool, **given: object
) -> None:
    """Serve this memory over HTTP, on this machine unless told otherwise."""
    from muniment.adapters.http import serve as http_serve

    key = _first_key(terminal) if new_key else ""
    has_key = bool(key or _keys(terminal).known())
    chosen = http_serve.HttpServing(
        **given,  # type: ignore[arg-type]
        hosts=hosts,
        per_second=rate,
        burst=max(int(rate * 2), 1),
    )
    settings = terminal.settings()
    http_serve.serve(
        terminal.options.store,
        settings,
        chosen,
        ready=lambda url: click.echo(
            _told(terminal.place, url, key, new_key=new_key, has_key=has_key), err=True
        ),
    )


def _keys(terminal: Terminal) -> Credentials:
    from muniment.adapters.door_files import open_credentials

    return open_credentials(terminal.options.store, terminal.settings())


def _first_key(terminal: Terminal) -> str:
    """A key for the agent and user of this command; a memory that has one already gets none."""
    from muniment.adapters.system.clock import SystemClock

    known = _keys(terminal)
    if known.known():
        return ""
    its = terminal.options
    grant = Grant(tenant=its.tenant, role=Role.AGENT, agent=its.agent, user=its.user or "me")
    return api_keys.issue(known, grant, label="first", now=SystemClock().now())[0]


def _told(place: str, url: str, key: str, *, new_key: bool, has_key: bool = True) -> str:
    from muniment.adapters.http import docs_page

    lines = [f"Serving {place} at {url}", f"Every route: {url}/docs"]
    if new_key and not key:
        lines += ["There is a key already. To make another one: muniment keys create"]
    if not has_key:
        lines += ["There is no key yet, and every call needs one: muniment serve --new-key"]
    if key:
        say = docs_page.EXAMPLE.format(where=url).replace("$MUNIMENT_KEY", key)
        lines += [f"A key, shown once: {key}", "Try it:", say.replace("recall", "remember", 1)]
        lines[-1] = lines[-1].replace('"query": "Where do I live?"', '"text": "I live in Lisbon"')
        lines += ["Then:", say]
    return "\n".join(lines)
