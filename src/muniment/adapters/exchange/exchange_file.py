"""Exchange file: JSON lines with a manifest, one record a line; docs/exchange.md describes it."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

import muniment
from muniment.adapters.exchange.export_views import ExportView, PersonView
from muniment.adapters.system.path_exists import is_there
from muniment.engine.api.memory import Memory
from muniment.engine.audit.stage_progress import Stages, unwatched
from muniment.engine.decide.exchange.carry import CarriedEvent
from muniment.engine.exchange.exchange_line import ExchangeLine
from muniment.engine.exchange.selection import ExportSelection
from muniment.log import signed_notes
from muniment.model.errors import UNREADABLE, InputError
from muniment.model.kinds.carried_record import KIND_OF, KINDS

FORMAT: Final = "muniment-exchange"
VERSION: Final = 1
MANIFEST: Final = ".manifest.json"
LAST: Final = b'{"manifest":'  # what the last line begins with, where it is the manifest
SCHEMA: Final = "https://json-schema.org/draft/2020-12/schema"
LINE_BYTES_MAX: Final = 1 << 20  # no record of ours is longer; what is, is no line of ours


class Manifest(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a file holds: how many of each kind, their digest, and where each log stood."""

    format: str
    version: int
    sha256: str
    muniment: str = ""
    tenant: str = ""
    counts: dict[str, int] = {}
    logs: dict[str, int] = {}
    selection: dict[str, object] = {}
    key: str = ""  # the public key that has signed it
    signature: str = ""  # a signed note over the digest


class ExportedFile:
    """The lines of an export, counted while they are written, and what is to be said of them."""

    def __init__(
        self,
        memory: Memory,
        wanted: ExportSelection,
        *,
        sign: bool = False,
        view: ExportView | None = None,
        who: str = "owner",
        reason: str = "",
        progress: Stages = unwatched,
    ) -> None:
        self._memory = memory
        self._view = view or (PersonView() if wanted.user else ExportView())
        self._exchange, self._reason = memory.exchange(who), reason
        self._progress = progress
        self._wanted = wanted.checked()
        self._sign = sign
        self._digest = hashlib.sha256()
        self._counts: dict[str, int] = {}

    def lines(self) -> Iterator[bytes]:
        found = self._exchange.records(self._wanted, reason=self._reason, progress=self._progress)
        shown = map(self._view.line, found)
        for told in filter(None, shown):
            line = msgspec.json.encode(told, order="sorted")
            self._digest.update(line + b"\n")
            self._counts[told.kind] = self._counts.get(told.kind, 0) + 1
            yield line

    def manifest(self) -> dict[str, object]:
        """After the last line."""
        digest = self._digest.hexdigest()
        chosen = msgspec.to_builtins(self._wanted)
        assert isinstance(chosen, dict)
        told = Manifest(
            format=FORMAT,
            version=VERSION,
            muniment=muniment.__version__,
            tenant=self._memory.tenant,
            counts=dict(sorted(self._counts.items())),
            sha256=digest,
            logs=self._view.heads(self._exchange.heads(self._wanted)),
            selection={name: value for name, value in chosen.items() if value},
        )
        if self._sign:
            notary = self._memory.notary()
            told = msgspec.structs.replace(
                told, key=notary.key, signature=notary.attest(signed_text(digest))
            )
        shown = msgspec.to_builtins(told)
        assert isinstance(shown, dict)
        return shown


def signed_text(digest: str) -> str:
    """What a signature of a file says."""
    return f"{FORMAT} {VERSION}\n{digest}\n"


def checked(path: Path, *, key: str = "") -> Manifest | None:
    """What the manifest of a file says, if the file is what it says; none without one.

    It stands beside the file, or as its last line, as HTTP sends it. With a key, that key must
    have signed it.
    """
    beside = Path(f"{path}{MANIFEST}")
    given, upto = _last_line(path)
    if is_there(beside):
        given, upto = _bytes_of(beside), path.stat().st_size
    if given is None:
        if key:
            raise InputError(f"{beside.name!r} is not there, so the file is not signed")
        return None
    try:
        told = msgspec.json.decode(given, type=Manifest)
    except UNREADABLE as error:
        raise InputError(f"the manifest of {path.name!r} cannot be read: {error}") from None
    if (told.format, told.version) != (FORMAT, VERSION):
        raise InputError(
            f"{path.name!r} is of {told.format!r} {told.version}; this reads {FORMAT} {VERSION}"
        )
    if told.sha256 != digest_of(path, upto):
        raise InputError(f"{path.name!r} does not match its manifest: it was changed or truncated")
    if key:
        _check_signature(told, key)
    return told


def _check_signature(told: Manifest, key: str) -> None:
    if not told.signature:
        raise InputError("the file is not signed")
    said = signed_notes.opened(told.signature, [signed_notes.key_of(key)])
    if said != signed_text(told.sha256):
        raise InputError("the signature belongs to another file")


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path.name!r} cannot be read: {error}") from None


def _last_line(path: Path) -> tuple[bytes | None, int]:
    """The manifest that a file ends with, and where its line begins; nothing where it has none."""
    size = path.stat().st_size
    with path.open("rb") as data:
        data.seek(max(size - LINE_BYTES_MAX, 0))
        end = data.read()
    told = end.rstrip(b"\n")
    last = told.rpartition(b"\n")[2]
    if not last.startswith(LAST):
        return None, size
    return last.removeprefix(LAST).removesuffix(b"}"), size - (len(end) - len(told)) - len(last)


def digest_of(path: Path, upto: int) -> str:
    """Of so many bytes from the beginning."""
    digest = hashlib.sha256()
    with path.open("rb") as data:
        while piece := data.read(min(1 << 20, upto)):
            digest.update(piece)
            upto -= len(piece)
    return digest.hexdigest()


def lines(path: Path) -> Iterator[tuple[int, dict[str, object]]]:
    """The objects of a file of JSON lines, with their numbers, one at a time."""
    with path.open("rb") as data:
        number = 0
        while line := data.readline(LINE_BYTES_MAX + 1):
            number += 1
            if len(line) > LINE_BYTES_MAX:
                raise InputError(f"line {number}: it is longer than {LINE_BYTES_MAX} bytes")
            if line.startswith(LAST):
                if data.read(1):
                    raise InputError(f"line {number}: a manifest is the last line of a file")
            elif line.strip():
                yield number, _object(number, line)


def _object(number: int, line: bytes) -> dict[str, object]:
    try:
        told = msgspec.json.decode(line)
    except UNREADABLE as error:
        raise InputError(f"line {number}: {error}; --from names another format") from None
    if not isinstance(told, dict):
        raise InputError(f"line {number}: expected an object")
    if not isinstance(told.get("kind"), str):
        raise InputError(
            f"line {number}: it has no kind; a line of an export is like"
            ' {"kind": "episode", "text": "…"}, and --from names another format'
        )
    return told


def record(number: int, told: dict[str, object]) -> ExchangeLine:
    """A line that carries a record."""
    try:
        found = msgspec.convert(told, ExchangeLine)
    except msgspec.ValidationError as error:
        raise InputError(f"line {number}: {error}") from None
    if found.event not in KIND_OF:
        raise InputError(f"line {number}: there is no record {found.event!r}")
    return found


def schema() -> dict[str, object]:
    """The JSON schema of one line: what every line says, and the fields of each record."""
    (_, events), defs = msgspec.json.schema_components(
        [ExchangeLine, CarriedEvent], schema_hook=_any_value, ref_template="#/$defs/{name}"
    )
    shape = dict(defs.pop("ExchangeLine"))
    shape["properties"] = dict(shape["properties"]) | {
        "kind": {"enum": list(KINDS)},
        "event": {"enum": list(KIND_OF)},
    }
    rules = []
    for tag in KIND_OF:
        name = events["discriminator"]["mapping"][tag].rpartition("/")[2]
        rules.append(_rule(tag, name))
        defs[name] = _own_fields(defs[name])
    return {
        "$schema": SCHEMA,
        "title": f"{FORMAT} {VERSION}: one line",
        **shape,
        "allOf": rules,
        "$defs": dict(sorted(defs.items())),
    }


def _rule(tag: str, name: str) -> dict[str, object]:
    return {
        "if": {"properties": {"event": {"const": tag}}},
        "then": {"properties": {"data": {"$ref": f"#/$defs/{name}"}}},
    }


def _own_fields(shape: dict[str, object]) -> dict[str, object]:
    """An event's fields without those that are each log's own, and are not carried."""
    left_out = {"type", "ledger", "raw"}
    properties, required = shape["properties"], shape.get("required", [])
    assert isinstance(properties, dict)
    assert isinstance(required, list)
    return shape | {
        "properties": {name: its for name, its in properties.items() if name not in left_out},
        "required": [name for name in required if name not in left_out],
    }


def _any_value(_: type) -> dict[str, object]:
    return {"description": "any JSON value"}
