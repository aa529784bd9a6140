"""`sign`, `certify`, `bundle`, `verify`: signed heads and proofs for outsiders."""

import hashlib
import os
from argparse import Namespace
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Final

import click
import msgspec

from muniment.adapters import verifier
from muniment.adapters.cli.audit import log
from muniment.adapters.cli.errors import naming
from muniment.adapters.cli.options import Terminal, command
from muniment.adapters.cli.output import Block, TextTable, pairs, say
from muniment.adapters.cli.progress import progress
from muniment.adapters.system import durable_files
from muniment.adapters.system.path_exists import FULL, is_there
from muniment.engine.api.memory import Memory
from muniment.engine.audit.notary import Notary, SignedHead
from muniment.engine.audit.stage_progress import Progress
from muniment.model.errors import InputError, IntegrityError, NotFoundError
from muniment.model.scope import StreamId

OPENS: Final = "payloads"  # the verb of whoever may read what others have said
MODE: Final = 0o600  # what is handed out may hold somebody's words
VERIFIER: Final = Path(verifier.__file__)

STREAM = click.option(
    "--stream", default="", metavar="LOG", help="agent, council, ops, or a log's whole name."
)
OPEN = click.option(
    "--open",
    "why",
    default="",
    metavar="WHY",
    help="Include content, for this reason; it is logged.",
)
FILE = click.option("--file", "path", default="", metavar="FILE", help="Write it to this file.")
FORCE = click.option("--force", is_flag=True, help="Overwrite an existing file.")


@command("sign", verb="prove")
@STREAM
@click.option(
    "--since", default="", metavar="NOTE", help="Prove that it continues a signed head you kept."
)
@click.option("--new-key", is_flag=True, help="Sign with a new key, announced by the old one.")
@click.option(
    "--anew", is_flag=True, help="Start a new epoch of a log that was restored to an earlier state."
)
@FILE
@FORCE
def sign(
    terminal: Terminal,
    *,
    stream: str,
    since: str,
    new_key: bool,
    anew: bool,
    path: str,
    force: bool,
) -> None:
    """Check every log against everything that was signed of it, and sign its head.

    With --stream it prints the signed head of one log, to be kept by somebody who cannot write
    to the memory. With --since it proves that the new head continues an older one.
    """
    if (since or anew or path) and not stream:
        raise InputError("name the log: --stream LOG")
    kept = _read(since) if since else ""
    with terminal.memory():
        notary = terminal.house.notary()
        if new_key:
            notary.renew_key()
        chosen = [_chosen(terminal, terminal.house, stream)] if stream else terminal.house.streams()
        with _counted(terminal, "Signing", chosen) as step:
            heads = [notary.sign(each, anew=anew, progress=step) for each in chosen]
        text = heads[0].note if stream else ""
        if kept:
            with _counted(terminal, "Linking", chosen) as step:
                text = notary.link(chosen[0], kept, progress=step)
    document: dict[str, object] = {"heads": heads} | ({"link": text} if kept else {})
    if stream:
        _hand_out(terminal, document, text, path, force=force)
    else:
        terminal.answer(document, lambda: _heads(heads))


@command("certify", verb="prove")
@click.argument("name", metavar="ID_OR_SEQ")
@STREAM
@OPEN
@FILE
@FORCE
def certify(
    terminal: Terminal, *, name: str, stream: str, why: str, path: str, force: bool
) -> None:
    """Prove one entry to an outsider: the entry, its position in the log, and a signed head.

    ID_OR_SEQ is as for `show`. With --open the proof contains the text of the entry, and nothing
    else about that person; without, only that it exists and its type.
    """
    with terminal.memory():
        chosen, seq = _entry(terminal, name, stream)
        notary = _notary(terminal, why)
        unknown = naming(f"there is no entry {seq} in {chosen.text}")
        with _counted(terminal, "Proving", [chosen]) as step, unknown:
            text = notary.certify(chosen, seq, reason=why, progress=step)
        head = notary.signed(chosen)[-1]
    document = {"stream": chosen.text, "seq": seq, "certificate": text} | _pinned(head)
    _hand_out(terminal, document, text, path, force=force)


@command("bundle", verb="prove")
@click.argument("path", default="", metavar="[FILE]")
@STREAM
@OPEN
@FORCE
@click.option(
    "--verifier", "script", default="", metavar="FILE", help="Write the verifier to this file."
)
def bundle(
    terminal: Terminal, *, path: str, stream: str, why: str, force: bool, script: str
) -> None:
    """Export a whole log for an outsider to FILE, and with --verifier the program that checks it.

    It contains headers, commitments, signed heads and erasure orders; with --open also the
    content of the entries. The verifier is one file for any Python and needs no package.
    """
    if not path and not script:
        raise InputError("name a file to write: FILE, or --verifier FILE")
    document: dict[str, object] = {}
    if script:
        _save(script, [VERIFIER.read_bytes()], force=force)
        document |= {"verifier": script, "sha256": _digest()}
    if path:
        with terminal.memory():
            notary, chosen = _notary(terminal, why), _chosen(terminal, terminal.house, stream)
            with _counted(terminal, "Writing", [chosen]) as step:
                _save(path, notary.bundle(chosen, reason=why, progress=step), force=force)
            document |= {"file": path, "stream": chosen.text} | _pinned(notary.signed(chosen)[-1])
    terminal.answer(document, lambda: _written(document))


@command("verify")
@click.argument("path", metavar="FILE")
@click.option("--origin", required=True, metavar="ORIGIN", help="Log that it must belong to.")
@click.option("--key", required=True, metavar="KEY", help="Public key that must have signed it.")
@click.option("--known", multiple=True, metavar="NOTE", help="A signed head that you kept.")
def verify(terminal: Terminal, *, path: str, origin: str, key: str, known: tuple[str, ...]) -> None:
    """Verify FILE (a bundle, a certificate, a link or a signed head) as an outsider does.

    It opens no memory. The script that `bundle --verifier` writes makes the same checks; its
    exit status is 0 valid, 1 invalid, 2 partly valid, 3 contradictory, 4 unreadable.
    """
    _spelled(key)
    asked = Namespace(file=path, origin=origin, key=key, known=list(known), show=True)
    try:
        told = verifier.check(asked)
    except verifier.FaultError as fault:
        why, code = fault.args
        if code == verifier.UNREADABLE:
            raise InputError(f"{path!r}: {why}") from None
        raise IntegrityError(f"{path!r} is not valid: {why}") from None
    except OSError as error:  # of the file, or of a head that was kept
        raise InputError(f"{error.filename or path!r}: {error.strerror}") from None
    except verifier.UNREAD as error:
        raise InputError(f"{path!r} cannot be read: {error}") from None
    document = {"valid": True} | {name.replace(" ", "_"): its for name, its in told.items()}
    terminal.answer(document, lambda: _verified(told))


def _spelled(key: str) -> None:
    """A key that is none is no fault of the file."""
    try:
        verifier.Keys(key)
    except (verifier.FaultError, *verifier.UNREAD):
        raise InputError("--key is not a public key; `muniment sign` prints one") from None


def _counted(
    terminal: Terminal, what: str, chosen: Sequence[StreamId]
) -> AbstractContextManager[Progress]:
    """How many entries of these logs were read, and how long the rest takes."""
    return progress(what, total=lambda: sum(map(terminal.house.head, chosen)))


def _notary(terminal: Terminal, why: str) -> Notary:
    """Content is opened by whoever may read it, and by nobody else."""
    return terminal.hands(OPENS).memory.notary() if why else terminal.house.notary()


def _chosen(terminal: Terminal, memory: Memory, stream: str) -> StreamId:
    if stream in {"", *log.STREAMS}:
        return log.stream_of(terminal, memory, stream or log.STREAMS[0])
    found = next((each for each in memory.streams() if each.text == stream), None)
    if found is None:
        raise NotFoundError(f"there is no log {stream!r}; `muniment sign` lists them")
    return found


def _entry(terminal: Terminal, name: str, stream: str) -> tuple[StreamId, int]:
    if log.PLACE.fullmatch(name):
        return _chosen(terminal, terminal.house, stream), int(name)
    found = log.find(terminal, terminal.house, name, stream or None)
    if found is None:
        raise NotFoundError(f"there is no entry {name!r}; `muniment log` lists them")
    return found[0], found[1].seq


def _read(path: str) -> str:
    try:
        return Path(path).read_bytes().decode()
    except OSError as error:
        raise InputError(f"{path!r}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path!r} is not a signed head") from None


def _hand_out(
    terminal: Terminal, document: dict[str, object], text: str, path: str, *, force: bool
) -> None:
    """A text to be given away: as it is, for a pipe, or in a file."""
    if path:
        _save(path, [text.encode()], force=force)
        terminal.answer(document | {"file": path}, lambda: [say(("Written", "good"), f": {path}")])
    elif terminal.is_for_people:
        click.echo(text, nl=False)
    else:
        terminal.answer(document, list)


def _save(path: str, chunks: Iterable[bytes], *, force: bool) -> None:
    """A file that is whole or not there, for nobody else to read."""
    target = Path(path)
    if is_there(target) and (target.is_dir() or not force):
        raise InputError(f"{path!r} already exists; --force overwrites it")
    half = target.with_name(f"{target.name}.part")
    try:
        with os.fdopen(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, MODE), "wb") as out:
            out.writelines(chunks)
            out.flush()
            os.fsync(out.fileno())
        half.replace(target)
        with suppress(PermissionError):
            durable_files.sync_folder(target.parent)
    except OSError as error:
        if error.errno in FULL:
            raise
        raise InputError(f"{path!r}: {error.strerror}") from None
    finally:
        with suppress(OSError):
            half.unlink(missing_ok=True)


def _digest() -> str:
    return hashlib.sha256(VERIFIER.read_bytes()).hexdigest()


def _pinned(head: SignedHead) -> dict[str, object]:
    told: dict[str, object] = msgspec.to_builtins(head)
    return {name: told[name] for name in ("origin", "key", "size", "root")}


def _heads(heads: list[SignedHead]) -> Sequence[Block]:
    if not heads:
        return [say("There is no log yet.")]
    rows = tuple((each.stream, str(each.size), each.origin) for each in heads)
    return [
        TextTable(head=("log", "entries", "origin"), rows=rows, styles=("name", "number", "quiet")),
        say(("Signed", "good"), f" with {heads[0].key}"),
        say("Outsiders need an origin and this key, by another way than the files they check."),
    ]


def _written(document: dict[str, object]) -> Sequence[Block]:
    told = [(name, document[name]) for name in ("origin", "key", "size") if name in document]
    blocks: list[Block] = []
    if "file" in document:
        blocks += [say(("Written", "good"), f": {document['file']}"), pairs(told, indent=2)]
    if "verifier" in document:
        digest = [("sha256", document["sha256"])]
        blocks += [say(("Written", "good"), f": {document['verifier']}"), pairs(digest, indent=2)]
    return blocks


def _verified(told: dict[str, object]) -> Sequence[Block]:
    names = ("origin", "size", "root", "heads", "opened", "sealed", "erased", "not compared")
    rows = [(name, _ranges(told[name])) for name in names if told[name]]
    shown = [
        (f"entry {seq}", f"{kind} {msgspec.json.encode(says).decode()}")
        for seq, kind, says in told["shown"]  # type: ignore[attr-defined]
    ]
    return [say(("Valid", "good"), "."), pairs([*rows, *shown], indent=2)]


def _ranges(told: object) -> object:
    if not isinstance(told, list):
        return told
    both = (each if isinstance(each, tuple) else (each, each) for each in told)
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in both)
