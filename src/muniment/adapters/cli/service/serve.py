"""The HTTP door, opened from a terminal: `muniment serve`."""

import click

from muniment.adapters.cli.options import Terminal, command, listening

HOST = "127.0.0.1"
PORT = 8600
RATE = 100.0


@command("serve")
@click.option("--host", default=HOST, show_default=True, help="The address to listen at.")
@listening(PORT)
@click.option(
    "--allow-host", "hosts", multiple=True, metavar="NAME", help="A name it is called by."
)
@click.option(
    "--allow-origin", "origins", multiple=True, metavar="URL", help="A page that may call it."
)
@click.option("--certificate", default="", metavar="FILE", help="TLS: the certificate chain.")
@click.option("--private-key", default="", metavar="FILE", help="TLS: its key.")
@click.option("--behind-proxy", is_flag=True, help="A trusted proxy in front speaks TLS.")
@click.option(
    "--rate",
    type=click.FloatRange(min=0),
    default=RATE,
    show_default=True,
    help="Calls a second of one key.",
)
def serve(terminal: Terminal, *, rate: float, hosts: tuple[str, ...], **given: object) -> None:
    """Serve this memory over HTTP, on this machine unless told otherwise."""
    from muniment.adapters.http import serve as http_serve

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
        ready=lambda url: click.echo(f"Serving {terminal.place} at {url}", err=True),
    )
