"""`doctor`: versions, health of the store, and security findings."""

import importlib.metadata
import platform
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import click

import muniment
from muniment.adapters.cli.audit import health_checks
from muniment.adapters.cli.audit.health_checks import HealthFinding, broken
from muniment.adapters.cli.options import SERVER, Terminal, command, is_store
from muniment.adapters.cli.output import Block, TextTable, say
from muniment.adapters.cli.progress import progress
from muniment.adapters.models.usage import MILLION, UsageLedger
from muniment.adapters.system.optional_packages import EXTRAS, is_there
from muniment.engine.api.memory import Memory
from muniment.model import policy as policies
from muniment.model.errors import MunimentError
from muniment.model.scope import Persona, StreamId, StreamKind

PACKAGES: Final = ("apsw", "cryptography", "msgspec", "numpy")
EXEMPT: Final = "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user"
# What only --deep looks at.
UNCHECKED: Final = (
    "entries before the end of each log",
    "sealed parts",
    "what is derived from the logs",
)
# Codes of what breaks no promise yet.
EXEMPT_LOGIN, NO_CHECKSUMS = "ROW_SECURITY_OFF", "NO_CHECKSUMS"
FAILURES, SECRETS, BY_WORDS, NO_PLACE, WAITING = (
    "FAILURES_OPEN",
    "SECRETS_KEPT",
    "SEARCH_BY_WORDS",
    "NO_PLACE",
    "TEXTS_WAITING",
)


@command("doctor", verb="requests")
@click.option("--deep", is_flag=True, help="Verify every entry, and everything derived from it.")
def doctor(terminal: Terminal, *, deep: bool) -> None:
    """Check versions, settings, the health of the store and its security; exit 1 if it is bad.

    Without --deep it checks keys, permissions and the end of each log, which is fast. With
    --deep it verifies every log, and distinguishes damage in a log (restore a backup) from
    damage in what is derived from it (`rebuild` repairs that).
    """
    found = [*_versions(), *_store(terminal, deep=deep)]
    healthy = all(each.state != "bad" for each in found)
    unchecked = () if deep else UNCHECKED
    document = {"findings": found, "healthy": healthy, "deep": deep, "unchecked": unchecked}
    terminal.answer(document, lambda: _blocks(found, deep=deep))
    if not document["healthy"]:
        click.get_current_context().exit(1)


def _versions() -> Iterator[HealthFinding]:
    yield _note("muniment", muniment.__version__)
    yield _note("python", f"{platform.python_version()} on {platform.system()}")
    for name in PACKAGES:
        yield _note(name, importlib.metadata.version(name))
    here = [extra for extra in EXTRAS if is_there(extra)]
    yield _note("extras", ", ".join(here) or "none")


def _store(terminal: Terminal, *, deep: bool) -> Iterator[HealthFinding]:
    try:
        if not is_store(terminal.options.store):
            yield _absent(Path(terminal.options.store), terminal.place)
            return
        if SERVER not in terminal.options.store:
            yield from health_checks.folder(Path(terminal.options.store))
        with terminal.memory() as memory:
            yield from _health(terminal, memory, deep=deep)
        if SERVER in terminal.options.store:
            yield from _server(terminal.options.store)
    except MunimentError as error:
        yield broken("store", error)
    except OSError as error:
        told = f"{error.strerror}: {error.filename}"
        yield HealthFinding(what="store", state="bad", told=told, code=NO_PLACE)


def _absent(place: Path, shown: str) -> HealthFinding:
    """A memory that is not there yet is nothing to worry about, unless it can never be there."""
    for path in (place, *place.parents):
        if path.is_symlink() and not path.exists():
            told = (
                f"{path} is a link to {path.readlink()}, which is not there: is its disk missing?"
            )
            return HealthFinding(what="store", state="bad", told=told, code=NO_PLACE)
        if path.exists():
            if not path.is_dir():
                told = f"{path} is a file: a memory is a folder"
                return HealthFinding(what="store", state="bad", told=told, code=NO_PLACE)
            break
    return _note("store", f"there is none in {shown} yet")


def _server(address: str) -> Iterator[HealthFinding]:
    import psycopg

    from muniment.adapters.storage.postgres.schema import vectors

    with psycopg.connect(address) as link:
        (version,) = link.execute("SHOW server_version").fetchone() or ("",)
        yield _note("server", f"PostgreSQL {version}")
        (exempt,) = link.execute(EXEMPT).fetchone() or (False,)
        if exempt:
            yield HealthFinding(
                what="row security",
                state="warn",
                told="this login is exempt from row security",
                code=EXEMPT_LOGIN,
                do="give it a role of `muniment roles`",
            )
        (checked,) = link.execute("SHOW data_checksums").fetchone() or ("on",)
        if checked != "on":
            yield HealthFinding(
                what="server",
                state="warn",
                told="a damaged block is handed out as it is: data_checksums is off",
                code=NO_CHECKSUMS,
                do="pg_checksums --enable, while the server is down",
            )
        yield _note("pgvector", vectors.report(link).told)


def _health(terminal: Terminal, memory: Memory, *, deep: bool) -> Iterator[HealthFinding]:
    hub = memory._hub  # noqa: SLF001 - an examination works below the views
    yield from health_checks.keys(hub)
    yield from health_checks.holds(hub)
    heads: dict[StreamId, int] = {}
    for stream in memory.streams():
        try:
            heads[stream] = memory.head(stream)
        except MunimentError as error:
            yield broken("logs", error, stream.text)
    streams = list(heads)
    yield from health_checks.desks(hub, streams)
    yield from _logs(memory, heads, deep=deep)
    yield from health_checks.erasures(hub, terminal.options.tenant)
    yield from _due(terminal)
    waiting = len(terminal.hands("requests").requests())
    yield HealthFinding(what="requests", state="note", told=f"{waiting} need a decision")
    yield _failures(terminal)
    yield from _search(terminal, streams)
    yield from _model(memory)
    yield from health_checks.webhooks(terminal.reception.webhooks.known().values())
    for stream in streams:
        policy = memory.policy(stream)
        if policy.privacy.secret != policies.Action.DENY:
            told = f"{stream.text} keeps passwords and keys (privacy.secret)"
            yield HealthFinding(what="privacy", state="warn", told=told, code=SECRETS)


def _logs(memory: Memory, heads: Mapping[StreamId, int], *, deep: bool) -> Iterator[HealthFinding]:
    """How many they are, and with how many entries; all of them read where somebody wants it."""
    damaged: list[HealthFinding] = []
    if deep:
        with progress("Examining", total=lambda: sum(heads.values())) as step:
            damaged = list(health_checks.logs(memory, list(heads), step))
    yield from damaged
    if not damaged:
        looked = "all of them read and proved" if deep else "looked at where they end"
        yield _good("logs", f"{len(heads)} with {sum(heads.values()):,} entries, {looked}")


def _due(terminal: Terminal) -> Iterator[HealthFinding]:
    """What is kept too long; what is wrong with a log was said above."""
    try:
        found = terminal.hands("erasure").admin.due()
    except MunimentError:
        yield _note("retention", "not looked at: not every log can be read")
    else:
        yield from health_checks.due(found)


def _failures(terminal: Terminal) -> HealthFinding:
    failures = terminal.hands("incidents").admin.incidents(queue="admin")
    told = f"{len(failures)} need a hand"
    if not failures:
        return _good("failures", told)
    return HealthFinding(
        what="failures", state="warn", told=told, code=FAILURES, do="muniment incidents"
    )


def _search(terminal: Terminal, streams: Sequence[StreamId]) -> Iterator[HealthFinding]:
    """Whether each agent's memory can be searched as its policy says."""
    indexing = terminal.hands("rebuild").administered.indexing()
    for stream in streams:
        if stream.kind is not StreamKind.AGENT or stream.persona is not Persona.ACTOR:
            continue
        try:
            waiting = indexing.waiting(stream.owner)
        except MunimentError as error:
            yield broken("search", error, stream.owner)
        else:
            if waiting:
                yield HealthFinding(
                    what="search",
                    state="warn",
                    told=f"{waiting} texts of {stream.owner} go by words alone",
                    code=BY_WORDS,
                    do="muniment index build",
                )


def _model(memory: Memory) -> Iterator[HealthFinding]:
    """Which model is named, what it was asked today, and how many texts wait for it."""
    extraction = memory.extraction()
    model = extraction.model
    if model is None:
        return
    usage = getattr(model, "usage", None)
    told = model.name
    if isinstance(usage, UsageLedger):
        today = usage.today()
        told += f", today {today.requests} requests ({today.failures} failed), {_spent(usage)}"
    yield _note("model", told)
    for waiting, what, do in (
        (extraction.waiting(), "wait to be read", "muniment extract --all"),
        (extraction.summaries_waiting(), "came since a summary", "muniment summary --write"),
    ):
        for agent, count in waiting.items():
            told = f"{count} texts of {agent} {what}"
            yield HealthFinding(what="model", state="note", told=told, code=WAITING, do=do)


def _spent(usage: UsageLedger) -> str:
    """What was spent today, each with its budget where there is one."""
    today, budget = usage.today(), usage.budget
    tokens = f" of {budget.tokens_per_day:,}" if budget.tokens_per_day else ""
    money = f" of {budget.micros_per_day / MILLION:.2f}" if budget.micros_per_day else ""
    over = ", the budget of today is spent" if usage.is_spent() else ""
    return f"{today.tokens:,}{tokens} tokens, {today.micros / MILLION:.2f}{money} money{over}"


def _note(what: str, told: str) -> HealthFinding:
    return HealthFinding(what=what, state="note", told=told)


def _good(what: str, told: str) -> HealthFinding:
    return HealthFinding(what=what, state="good", told=told)


def _blocks(found: Sequence[HealthFinding], *, deep: bool) -> Sequence[Block]:
    rows = tuple((each.what, each.state, _line(each)) for each in found)
    table = TextTable(head=("what", "state", ""), rows=rows, styles=("name", "quiet", ""))
    if any(each.state == "bad" for each in found):
        return [table, say(("Not healthy", "bad"))]
    left = f" as far as was looked; not checked: {', '.join(UNCHECKED)} (muniment doctor --deep)"
    rest = "" if deep else left
    return [table, say(("Healthy", "good"), rest)]


def _line(each: HealthFinding) -> str:
    code = f" [{each.code}]" if each.code else ""
    return f"{each.told}{code}{f': {each.do}' if each.do else ''}"
