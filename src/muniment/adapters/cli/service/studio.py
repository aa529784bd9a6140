"""`studio`: start the local web application."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from muniment.adapters.cli.errors import no_memory
from muniment.adapters.cli.options import Terminal, command, is_store, listening
from muniment.model.scope import Channel

PORT = 7333


@command("studio")
@listening(PORT)
@click.option("--write", is_flag=True, help="Allow changes: vote, undo, erase.")
@click.option("--token", default="", metavar="TEXT", help="A fixed token instead of a fresh one.")
@click.option("--demo", is_flag=True, help="Show a made-up month of two people.")
@click.option("--open/--no-open", "show", default=None, help="Open it in a browser.")
def studio(terminal: Terminal, *, demo: bool, **given: object) -> None:
    """Serve the studio on this machine and print its address; Ctrl-C ends it.

    Only this machine can reach it, with the token that the address carries. It reads; with
    --write it also votes, undoes and erases. With --demo it shows a made-up month in a
    temporary folder, which is deleted afterwards.
    """
    if demo:
        with _month() as folder:
            _serve(terminal, str(folder), "the demonstration's month", **given)  # type: ignore[arg-type]
        return
    if not is_store(terminal.options.store):
        raise no_memory(terminal.place)
    _serve(terminal, terminal.options.store, terminal.place, **given)  # type: ignore[arg-type]


@contextmanager
def _month() -> Iterator[Path]:
    from muniment.adapters.cli.progress import progress
    from muniment.adapters.operations import demo_month

    with tempfile.TemporaryDirectory(prefix="muniment-") as scratch:
        folder = Path(scratch, "memory")
        with progress("Living a month", "days", lambda: demo_month.DAYS) as step:
            for day in demo_month.live(folder):
                step(day)
        yield folder


def _serve(
    terminal: Terminal,
    store: str,
    place: str,
    *,
    port: int,
    write: bool,
    token: str,
    show: bool | None,
) -> None:
    from muniment.adapters.config import open_memory
    from muniment.adapters.door_files import open_credentials
    from muniment.adapters.studio import serve
    from muniment.engine.api.memory import Memory

    settings = terminal.settings(Channel.HTTP)

    def opener() -> Memory:
        return open_memory(store, settings)

    asked = serve.StudioServing(
        place=place,
        port=port,
        may_write=write,
        token=token,
        show=show is True,
        credentials=open_credentials(store, settings),
    )
    serve.serve(opener, asked, lambda address: _told(terminal, address, write=write))


def _told(terminal: Terminal, address: str, *, write: bool) -> None:
    from muniment.adapters.cli.output import say

    document = {"address": address, "may_write": write}
    terminal.answer(
        document,
        lambda: [
            say(("Studio", "good"), ": ", (address, "name")),
            say(("Only this machine can reach it. Ctrl-C ends it.", "quiet")),
        ],
    )
