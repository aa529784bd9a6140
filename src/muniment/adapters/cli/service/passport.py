"""`passport`: make, verify and import a signed export of one person."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click
import msgspec

from muniment.adapters.cli.errors import naming
from muniment.adapters.cli.options import Terminal, command
from muniment.adapters.cli.output import Block, pairs, say
from muniment.adapters.system import durable_files
from muniment.adapters.system.path_exists import is_there
from muniment.engine.evidence import passport as passports
from muniment.engine.evidence.passport import VerifiedPassport
from muniment.engine.evidence.passports import PassportReport
from muniment.model.errors import InputError

ACTIONS = MAKE, VERIFY, IMPORT = ("make", "verify", "import")
BYTES_MAX: Final = 1 << 30
BY_ITS_OWN_KEY: Final = (
    "By the key it names itself: nobody changed it since. --trust KEY checks who made it."
)


@command("passport", verb="passports")
@click.argument("action", type=click.Choice(ACTIONS), metavar="ACTION")
@click.argument("path", metavar="FILE")
@click.option("--reason", default="", metavar="TEXT", help="Why it is made; it is logged.")
@click.option("--trust", default="", metavar="KEY", help="Public key that must have signed it.")
@click.option("--quarantine", is_flag=True, help="Quarantine everything, whoever signed it.")
@click.option("--all-agents", is_flag=True, help="Every agent; on import, each by its own name.")
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
def passport(
    terminal: Terminal, *, action: str, path: str, reason: str, force: bool, **given: object
) -> None:
    """Make, verify or import a signed export of one person, each record with its proof.

    ACTION is make, which writes everything known about --user to FILE; verify, which checks
    that FILE is what was signed; or import, which stores it here once, under this memory's own
    policy. Without --trust, verify shows only that it was not changed since it was signed.
    """
    whole, trust = bool(given["all_agents"]), str(given["trust"])
    agent = "" if whole else terminal.options.agent
    if action == VERIFY:
        found = passports.verify(_read(path), key=trust, person=terminal.options.user)
        by = () if trust else (say(BY_ITS_OWN_KEY),)
        terminal.answer(_document(found), lambda: (*_told("Verified", found), *by))
        return
    user = terminal.user("it is about")
    if action == MAKE:
        if not reason:
            raise InputError("give a reason: --reason TEXT")
        with terminal.memory(), naming(f"nothing is known about {user!r}"):
            data = terminal.hands().administered.passports().make(user, reason=reason, agent=agent)
        _write(Path(path), data, force=force)
        made = passports.verify(data)
        terminal.answer({"file": path} | _document(made), lambda: _told("Written", made))
        return
    with terminal.memory(create=True):
        report = (
            terminal.hands()
            .administered.passports()
            .take_in(
                _read(path), user=user, key=trust, agent=agent, quarantine=bool(given["quarantine"])
            )
        )
    terminal.answer(report, lambda: _taken(report))


def _read(path: str) -> bytes:
    try:
        with Path(path).open("rb") as file:
            return file.read(BYTES_MAX)
    except OSError as error:
        raise InputError(f"{path!r}: {error.strerror}") from None


def _write(path: Path, data: bytes, *, force: bool) -> None:
    if is_there(path) and not force:
        raise InputError(f"{str(path)!r} already exists; --force overwrites it")
    try:
        durable_files.put_file(path, data, fresh=path.with_name(f"{path.name}.part"))
    except OSError as error:
        raise InputError(f"{str(path)!r}: {error.strerror}") from None


def _document(found: VerifiedPassport) -> dict[str, object]:
    told = msgspec.structs.asdict(found.head)
    named = ("serial", "person", "issued", "key", "lines")
    return {name: told[name] for name in named} | {"proved": found.proved}


def _told(done: str, found: VerifiedPassport) -> Sequence[Block]:
    rows = [(name, str(value)) for name, value in _document(found).items()]
    return [say((done, "good"), ":"), pairs(rows, indent=2)]


def _taken(report: PassportReport) -> Sequence[Block]:
    words = f"{report.carried} records carried over, {report.known} of them were here already"
    blocks: list[Block] = [say(("Taken in", "good"), f": {words}")]
    if report.quarantined:
        blocks.append(say(("Quarantined", "warn"), f": {report.quarantined}, until you vouch"))
    if report.refused:
        told = ", ".join(f"{count} {reason}" for reason, count in sorted(report.refused.items()))
        blocks.append(say(("Refused", "warn"), f": {told}"))
    return blocks
