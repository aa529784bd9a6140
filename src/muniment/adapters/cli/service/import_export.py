"""In and out: `export` writes an exchange file, `import` keeps what any program wrote."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final

import click
import msgspec

from muniment.adapters.cli.options import Terminal, command
from muniment.adapters.cli.output import Block, TextTable, say
from muniment.adapters.cli.progress import progress
from muniment.adapters.exchange import exchange_file, formats, import_run
from muniment.adapters.exchange.exchange_file import MANIFEST, ExportedFile
from muniment.adapters.exchange.foreign_record import Found, Skipped, texts
from muniment.adapters.exchange.formats import FORMATS, OURS
from muniment.adapters.exchange.import_run import Report
from muniment.adapters.exchange.source_files import SourceFiles
from muniment.adapters.operations import export as operations_export
from muniment.engine.audit.replay import Progress
from muniment.engine.exchange.exchange import NOT_ASKED_FOR
from muniment.engine.exchange.exchange_line import Carried, ExchangeLine
from muniment.engine.exchange.selection import ExportSelection
from muniment.engine.streams import admission
from muniment.model.errors import InputError
from muniment.model.kinds.carried_record import KINDS
from muniment.model.scope import Persona

AUTO: Final = "auto"
OF_AGENTS: Final = frozenset({"agent", "collection"})  # the logs that an agent has of its own


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

    That is everything that can still be read: episodes, items of conversations, profiles, memos,
    goals, documents, governed facts, loops, skills, summaries, threads, working memory and open
    questions, each with its id, its times, its evidence and the user it is about; and consents,
    legal holds and policies. What was forgotten is not in it. With --user, only what is
    about that user; --space, --kind, --since and --until narrow it further. The format is described
    in docs/exchange.md. Everything that any agent keeps about a person, refusals and reads
    included, is written by `about USER --file FILE`.
    """
    wanted = _selection(terminal, narrowed, all_agents=all_agents)
    with terminal.memory(), progress("Exporting", unit="lines") as step:
        memory = terminal.house
        if not all_agents:
            terminal.expect_agent(memory)
        told = ExportedFile(memory, wanted, sign=sign)
        manifest = operations_export.write(told, path, step, force=force)
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
    source = Path(path)
    form = _form(source, form)
    given = _Given(origin=origin, trust=trust, rules=rules)
    with terminal.memory(create=True), progress("Importing", unit="lines") as step:
        if form == OURS:
            report = _ours(terminal, source, given, step)
        else:
            report = _foreign(terminal, SourceFiles(source), form, origin, step)
    document = {"file": path, "from": form, **_document(report)}
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


def _form(source: Path, form: str) -> str:
    if form != AUTO:
        return form
    found = formats.detect(SourceFiles(source))
    if not found:
        raise InputError(f"{source.name!r} looks like no format there is: --from names it")
    return found


def _foreign(
    terminal: Terminal, files: SourceFiles, form: str, origin: str, step: Progress
) -> Report:
    user = terminal.options.user
    _expect_one(import_run.survey(formats.read(files, form)), user)
    return import_run.run(
        formats.read(files, form),
        lambda whose: terminal.hands(user=whose).agent,
        user=user,
        origin=origin,
        step=step,
    )


class _Given(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked for beside the file."""

    origin: str
    trust: str
    rules: bool


def _ours(terminal: Terminal, source: Path, given: _Given, step: Progress) -> Report:
    """Records are carried as they are; a line with nothing but words is remembered."""
    manifest = exchange_file.checked(source, key=given.trust)
    people, agents = _named(_lines(source))
    _expect_one(people, terminal.options.user)
    as_named = len(agents) > 1  # of several agents each keeps its own; of one, whoever is asked
    whole = Report()
    digest = manifest.sha256 if manifest else ""
    for carried, same in groupby(_lines(source), key=lambda line: isinstance(line, ExchangeLine)):
        if carried:
            records = (each for each in same if isinstance(each, ExchangeLine))
            carrying = (_given(terminal, each, as_named=as_named) for each in records)
            exchange = terminal.hands("erasure").memory.exchange()
            _count(exchange.carry(carrying, source=digest, rules=given.rules), whole)
        else:
            words = (found for each in same if not isinstance(each, ExchangeLine) for found in each)
            part = import_run.run(
                words,
                lambda whose: terminal.hands(user=whose).agent,
                user=terminal.options.user,
                origin=given.origin,
                step=step,
            )
            whole.add(part)
        step(whole.lines)
    return whole


def _count(answers: Iterator[Carried], report: Report) -> None:
    for told in answers:
        place = f"{told.line.kind} {told.line.id}"
        if told.reason == NOT_ASKED_FOR:
            report.skip(place, told.reason)
            continue
        report.lines += 1
        if told.stored:
            report.keep(known=told.known, redacted=told.redacted)
        elif told.reason == "record_is_there":
            report.keep(known=True, redacted=False)
        else:
            report.refuse(place, told.reason)


def _lines(source: Path) -> Iterator[ExchangeLine | list[Found]]:
    for number, told in exchange_file.lines(source):
        if "event" in told:
            yield exchange_file.record(number, told)
        elif told["kind"] == "episode":
            yield list(texts(f"line {number}", told.get("text"), **_fields(number, told)))
        else:
            raise InputError(f"line {number}: a record of the kind {told['kind']!r} says its event")


def _fields(number: int, told: dict[str, object]) -> dict[str, object]:
    named = ("user", "source", "speaker", "session", "at")
    given = {name: told.get(name) for name in named}
    return given | {
        "origin": told.get("origin") or "user",
        "id": told.get("id") or f"line {number}",
    }


def _named(lines: Iterator[ExchangeLine | list[Found]]) -> tuple[set[str], set[str]]:
    """Whom a file is about, and whose memory it is; every line is looked at before one is kept."""
    people: set[str] = set()
    agents: set[str] = set()
    for line in lines:
        if isinstance(line, ExchangeLine):
            people.add(line.user)
            agents |= {line.of} if line.log in OF_AGENTS else set()
        else:
            people |= {each.user for each in line if not isinstance(each, Skipped)}
    return people - {""}, agents


def _given(terminal: Terminal, line: ExchangeLine, *, as_named: bool) -> ExchangeLine:
    """A record as it is to be carried: for the agent and the user that were asked for."""
    user, agent = terminal.options.user, terminal.options.agent
    told = line.about(user)
    own = line.log in OF_AGENTS and not as_named
    return msgspec.structs.replace(told, of=agent) if own else told


def _expect_one(people: set[str], user: str) -> None:
    """What several people said is not made one person's by an option, or by the environment."""
    if user and len(people) > 1:
        told = "each keeps its own without --user (and MUNIMENT_USER)"
        raise InputError(f"the lines are about {len(people)} users; {told}")


def _moment(given: str) -> str:
    if not given:
        return ""
    return admission.moment(given if "T" in given else f"{given}T00:00:00.000Z")


def _document(report: Report) -> dict[str, object]:
    return {
        "lines": report.lines,
        "kept": report.kept,
        "known": report.known,
        "redacted": report.redacted,
        "refused": report.refused,
        "skipped": report.skipped,
        "places": report.places,
    }


def _told(report: Report) -> Sequence[Block]:
    counted = [
        ("kept", report.kept),
        ("there already", report.known),
        ("redacted", report.redacted),
    ]
    words = ", ".join(f"{count} {what}" for what, count in counted if count) or "nothing kept"
    blocks: list[Block] = [say(("Imported", "good"), f" {report.lines} lines: {words}")]
    if NOT_ASKED_FOR in report.skipped:
        blocks.append(say("Consents, legal holds and policies come along with --rules."))
    for what, reasons in (("Refused", report.refused), ("Skipped", report.skipped)):
        if reasons:
            told = ", ".join(f"{count} {reason}" for reason, count in sorted(reasons.items()))
            blocks.append(say((what, "warn"), f": {told}"))
    return blocks


def written(path: str, manifest: dict[str, object]) -> Sequence[Block]:
    """What was written where, by kind."""
    counts = manifest.get("counts", {})
    assert isinstance(counts, dict)
    rows = tuple((kind, str(count)) for kind, count in counts.items())
    return [
        TextTable(head=("kind", "lines"), rows=rows, styles=("name", "number")),
        say(("Written", "good"), f": {path} and {path}{MANIFEST}"),
    ]
