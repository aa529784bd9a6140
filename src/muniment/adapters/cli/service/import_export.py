"""`export` and `import`: exchange files, and files of other products."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import click
import msgspec

from muniment.adapters.cli.options import Terminal, command
from muniment.adapters.cli.output import Block, TextTable, say
from muniment.adapters.cli.progress import stages
from muniment.adapters.exchange import file_import
from muniment.adapters.exchange.exchange_file import MANIFEST, ExportedFile
from muniment.adapters.exchange.file_import import ImportOptions
from muniment.adapters.exchange.foreign_record import Found
from muniment.adapters.exchange.formats import FORMATS
from muniment.adapters.exchange.import_run import ImportReport
from muniment.adapters.operations import export as operations_export
from muniment.engine.api.agent import Agent
from muniment.engine.exchange.exchange import NOT_ASKED_FOR
from muniment.engine.exchange.exchange_line import Carried, ExchangeLine
from muniment.engine.exchange.selection import ExportSelection
from muniment.engine.streams import admission
from muniment.model.kinds.carried_record import KINDS
from muniment.model.scope import Persona

AUTO: Final = "auto"


@command("export", verb="streams")
@click.argument("path", metavar="FILE")
@click.option("--kind", "kinds", multiple=True, type=click.Choice(KINDS), help="Only this kind.")
@click.option("--space", default="", metavar="SPACE", help="Only session, user, project or system.")
@click.option("--since", default="", metavar="TIME", help="Only what was told then or later.")
@click.option("--until", default="", metavar="TIME", help="Only what was told before then.")
@click.option("--all-agents", is_flag=True, help="Every agent of the tenant.")
@click.option("--sign", is_flag=True, help="Sign the manifest with the tenant's key.")
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
def export(
    terminal: Terminal, *, path: str, all_agents: bool, sign: bool, force: bool, **narrowed: object
) -> None:
    """Write what the agent remembers to FILE, one JSON object a line, with FILE.manifest.json.

    That is everything that can still be read: episodes, items of conversations, profiles,
    memos, goals, documents, governed facts, loops, skills, summaries, threads, working memory
    and open questions, each with its id, its times, its evidence and the user it is about; and
    consents, legal holds and policies. What was forgotten is not in it, nor a sentence that
    only asks to forget something: it would say that again. With --user, only what is about that
    user; --space, --kind, --since and --until narrow it further. The format is described in
    docs/exchange.md. Everything that any agent keeps about a person, refusals and reads
    included, is written by `about USER --file FILE`.
    """
    wanted = _selection(terminal, narrowed, all_agents=all_agents)
    with terminal.memory(), stages("Exporting", "entries") as shown:
        memory = terminal.house
        if not all_agents:
            terminal.expect_agent(memory)
        told = ExportedFile(memory, wanted, sign=sign, progress=shown)
        manifest = operations_export.write(told, path, force=force)
    terminal.answer({"file": path, "manifest": manifest}, lambda: written(path, manifest))


@command("import", verb="remember")
@click.argument("path", metavar="FILE", type=click.Path(exists=True))
@click.option(
    "--from",
    "form",
    type=click.Choice((AUTO, *FORMATS)),
    default=AUTO,
    show_default=True,
    help="Format of the file.",
)
@click.option("--origin", default="", metavar="WORD", help="Origin of everything in it.")
@click.option("--trust", default="", metavar="KEY", help="Public key that must have signed it.")
@click.option("--rules", is_flag=True, help="Also its consents, legal holds and policies.")
def import_(
    terminal: Terminal, *, path: str, form: str, origin: str, trust: str, rules: bool
) -> None:
    """Import FILE: an export of Muniment, another memory or a messenger; also a folder or zip.

    Every line is screened like any other write: secrets are refused, personal data is
    redacted, and what is not text is skipped. Importing a file twice stores nothing twice, so
    an interrupted import can be run again. It is stored for the user that the file names;
    --user names another, unless the file names several. The report counts what was stored,
    redacted, refused and skipped, with the reasons. docs/exchange.md lists the formats.
    Consents, legal holds and policies of an export say what a memory may do; they are imported
    with --rules only.
    """
    asked = ImportOptions(
        form="" if form == AUTO else form,
        user=terminal.options.user,
        agent=terminal.options.agent,
        origin=origin,
        trust=trust,
        rules=rules,
    )
    with terminal.memory(create=True), stages("Importing", "lines") as shown:
        report = file_import.run(Path(path), asked, _OperatorSeat(terminal), shown)
    told = msgspec.to_builtins(report)
    document = {"file": path, "from": told.pop("format"), **told}
    terminal.answer(document, lambda: _told(report))


def _selection(
    terminal: Terminal, given: dict[str, object], *, all_agents: bool
) -> ExportSelection:
    kinds = given["kinds"]
    assert isinstance(kinds, tuple)
    return ExportSelection(
        agent="" if all_agents else terminal.options.agent,
        persona=None if all_agents else Persona.ACTOR,
        user=terminal.options.user,
        space=str(given["space"]),
        kinds=kinds,
        since=_moment(str(given["since"])),
        until=_moment(str(given["until"])),
    )


class _OperatorSeat:
    """Whoever is at the terminal holds the store: every word and every record may be imported."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal

    def expect(self, people: set[str], *, records: bool) -> None:
        """Nobody is refused here."""

    def said(self, found: Found) -> Found:
        return found

    def turn(self, user: str, work: Callable[[Agent], None]) -> None:
        work(self._terminal.hands(user=user).agent)

    def carry(
        self, lines: Iterable[ExchangeLine], *, source: str, rules: bool
    ) -> Iterator[Carried]:
        exchange = self._terminal.hands("erasure").memory.exchange()
        return exchange.carry(lines, source=source, rules=rules)


def _moment(given: str) -> str:
    if not given:
        return ""
    return admission.moment(given if "T" in given else f"{given}T00:00:00.000Z")


def _told(report: ImportReport) -> Sequence[Block]:
    counted = [
        ("kept", report.kept - report.known),
        ("there already", report.known),
        ("redacted", report.redacted),
    ]
    words = ", ".join(f"{count} {what}" for what, count in counted if count) or "nothing kept"
    lines = f"{report.lines} line{'' if report.lines == 1 else 's'}"
    blocks: list[Block] = [say(("Imported", "good"), f" {lines}: {words}")]
    if NOT_ASKED_FOR in report.skipped:
        blocks.append(say("Consents, legal holds and policies come along with --rules."))
    if report.refused:
        told = ", ".join(f"{count} {reason}" for reason, count in sorted(report.refused.items()))
        blocks.append(say(("Refused", "warn"), f": {told}"))
    if report.skipped:
        told = ", ".join(_placed(report, reason) for reason in sorted(report.skipped))
        blocks.append(say(("Skipped", "warn"), f": {told}"))
    return blocks


def _placed(report: ImportReport, reason: str) -> str:
    """How often something was skipped, and where first: it can be mended there."""
    count, named = report.skipped[reason], report.places.get(reason, [])
    more = ", …" if count > len(named) else ""
    return f"{count} {reason} ({', '.join(named)}{more})"


def written(path: str, manifest: dict[str, object]) -> Sequence[Block]:
    """What was written where, by kind."""
    counts = manifest.get("counts", {})
    assert isinstance(counts, dict)
    rows = tuple((kind, str(count)) for kind, count in counts.items())
    return [
        TextTable(head=("kind", "lines"), rows=rows, styles=("name", "number")),
        say(("Written", "good"), f": {path} and {path}{MANIFEST}"),
    ]
