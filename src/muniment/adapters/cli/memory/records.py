"""Record list: `list` shows everything that is remembered, newest first, page by page."""

from collections.abc import Mapping, Sequence

from muniment.adapters.cli.options import Terminal, command
from muniment.adapters.cli.output import Block, TextTable, say
from muniment.adapters.cli.request_options import given, options
from muniment.adapters.requests.memory import RecordsRequest
from muniment.engine.search.recall_results import Record
from muniment.engine.search.record_list import RecordPage

MINUTES = len("2026-03-05T10:20")
CHARACTERS = 120  # of a text in a row; --json has all of it


@command("list", verb="recall")
@options(RecordsRequest, "where", "limit", "after", "at", "valid_at", "quarantined")
def list(  # noqa: A001 - the word of the terminal
    terminal: Terminal,
    *,
    where: Mapping[str, object] | None,
    limit: int,
    after: str,
    at: int | None,
    valid_at: str,
    quarantined: bool,
) -> None:
    """List everything that is remembered, of every kind, newest first, one page at a time."""
    with terminal.memory() as memory:
        page = terminal.agent(memory).records(
            where=where,
            limit=limit,
            after=after,
            at=at,
            valid_at=valid_at,
            quarantined=quarantined,
        )
        terminal.answer(page, lambda: _shown(terminal, page))


def _shown(terminal: Terminal, page: RecordPage) -> Sequence[Block]:
    if not page.records:
        return [say("Nothing is remembered yet.")]
    rows = tuple(
        (each.created[:MINUTES].replace("T", " "), _kind(each), each.id, _short(each.told))
        for each in page.records
    )
    table = TextTable(head=("told", "kind", "id", "text"), rows=rows, styles=("quiet", "quiet"))
    if not page.next:
        return [table]
    following = terminal.command_line("list", *given("after"), "--after", page.next)
    return [table, say("More: ", (following, "name"))]


def _kind(record: Record) -> str:
    return f"{record.layer}, held" if record.held else record.layer


def _short(text: str) -> str:
    return f"{text[:CHARACTERS]}…" if len(text) > CHARACTERS else text
