"""`index`: show, build, grade and switch the search embedder of an agent."""

from collections.abc import Sequence
from functools import partial

import click

from muniment.adapters.cli.options import READS, Terminal, command
from muniment.adapters.cli.output import Block, TextTable, say
from muniment.adapters.cli.progress import stages
from muniment.engine.search.embedder_switch import Grade, Status
from muniment.model.errors import InputError

PERCENT = 10_000
ACTIONS = ("status", "build", "grade", "switch")


@command("index", verb="rebuild")
@click.argument("action", type=click.Choice(ACTIONS), metavar="ACTION")
@click.argument("embedder", default="")
@click.option("--reason", default="", metavar="TEXT", help="With switch: why.")
def index(terminal: Terminal, *, action: str, embedder: str, reason: str) -> None:
    """Show the search embedder, or build and switch to the indexes of another EMBEDDER.

    ACTION is one of four: `status` lists those available, `build` makes the
    indexes, `grade` compares both on the questions in the log, `switch` changes over; the
    old indexes are kept, so switching back costs nothing.
    """
    if action != "status" and not embedder:
        raise InputError("name the embedder; `muniment index status` lists those available")
    agent = terminal.options.agent
    with terminal.memory() as memory:
        terminal.agent(memory, verb=READS)  # an agent that has never written has nothing to search
        hands = terminal.hands().administered.indexing()
        match action:
            case "build":
                with stages("Building") as shown:
                    made = hands.build(agent, embedder, progress=partial(shown, ""))
                document: object = {"embedder": embedder, "indexes": made}
                terminal.answer(document, lambda: [say(f"Made: {made} indexes of {embedder}")])
            case "grade":
                grade = hands.grade(agent, embedder)
                terminal.answer(grade, lambda: _grade(grade))
            case "switch":
                digest = hands.switch(agent, embedder, reason=reason)
                document = {"embedder": embedder, "policy": digest}
                terminal.answer(document, lambda: [say(f"Searched with: {embedder}")])
            case _:
                status = hands.status(agent)
                terminal.answer(status, lambda: _status(status))


def _status(status: Status) -> Sequence[Block]:
    rows = tuple(
        (
            name,
            "in use" if name == status.embedder else "at hand",
            str(count),
            str(status.waiting.get(name, 0)),
        )
        for name, count in status.documents.items()
    )
    head = ("embedder", "is", "documents in segments", "texts without vectors")
    return [TextTable(head=head, rows=rows, styles=("name", "", "number", "number"))]


def _grade(grade: Grade) -> Sequence[Block]:
    if not grade.questions:
        return [say("No question has been asked yet.")]
    rows = (
        ("questions", str(grade.questions)),
        ("answers kept", f"{grade.kept_ppm / PERCENT:.1f} %"),
        ("best answer the same", f"{grade.first_ppm / PERCENT:.1f} %"),
        ("would change", ", ".join(map(str, grade.changed)) or "none"),
    )
    told = f"{grade.other} beside {grade.present}"
    return [TextTable(head=(told, ""), rows=rows, styles=("", "number"))]
