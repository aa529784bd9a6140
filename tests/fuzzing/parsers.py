"""Every parser of what comes from outside: examples of what it reads, and how it is asked."""

import itertools
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import msgspec
from mcp.types import jsonrpc_message_adapter
from pydantic import ValidationError
from tests import forging, world
from tests.foreign_files import FILES
from tests.notarial import INVALID, UNREADABLE

from muniment.adapters.config import read_identity, read_policy
from muniment.adapters.exchange import exchange_file, formats
from muniment.adapters.exchange.source_files import SourceFiles
from muniment.adapters.gateway import api_keys
from muniment.adapters.gateway.api_keys import FileCredentials, Grant, MemoryCredentials
from muniment.adapters.http import parse_request
from muniment.adapters.http.route_table import ROUTES
from muniment.adapters.mcp import misfits
from muniment.adapters.rendering import policy_file
from muniment.engine.evidence import passport
from muniment.log import chain, codec, compression, signed_notes
from muniment.log.entry import Entry, Line
from muniment.log.reference_store import ScratchStore
from muniment.model import canonical_json
from muniment.model.errors import InputError, MunimentError
from muniment.model.events import Shredded
from muniment.model.policy import PRESETS, preset

SOME_ENTRIES: Final = 10
NOW: Final = "2026-01-01T00:00:00.000Z"
JSON: Final = {b"content-type": b"application/json"}


class Parser(NamedTuple):
    """What reads bytes; an error of ours, or one that its caller knows, is an answer too."""

    seeds: Callable[[], list[bytes]]
    read: Callable[[bytes, Path], object]
    answers: tuple[type[Exception], ...] = (MunimentError,)
    refuses: bool = True  # plain text is always read
    whole: bool = True  # its examples are all read; of others' programs there are bad ones too


@cache
def lines() -> list[tuple[Entry, Line]]:
    """Real entries of several kinds, sealed and opened."""
    store = ScratchStore()
    memory = world.memory(store=store)
    ada = memory.agent("ada", user="tuff")
    ada.remember("My name is Ann and I drink tea")
    ada.remember("Remember my favourite colour is blue")
    ada.recall("tea")
    ada.conversation().record(user="hello", ai="good morning")
    ada.forget(ada.remember("soon gone").episodic_id)
    stream = world.stream(memory, "agent")
    (ref,) = (each for each in store.streams() if len([*store.read(each)]) > SOME_ENTRIES)
    return list(zip(store.read(ref), memory.log(stream), strict=True))


def _headers() -> list[bytes]:
    return [entry.header for entry, _ in lines()]


def _entry(data: bytes, _: Path) -> object:
    return chain.glimpse(Entry(seq=1, hash=b"", header=data))


def _bodies() -> list[bytes]:
    """The wire name of an event, a line's end, its open part, another end, its sealed part."""
    known = [line.event for _, line in lines() if not isinstance(line.event, Shredded)]
    return [b"\n".join((codec.wire_name(each).encode(), *codec.split(each))) for each in known]


def _body(data: bytes, _: Path) -> object:
    wire, _end, rest = data.partition(b"\n")
    body, _end, sealed = rest.partition(b"\n")
    return codec.join(wire.decode("latin-1"), body, sealed)


def _notes() -> list[bytes]:
    return [forging.files().head.note.encode()]


def _note(data: bytes, _: Path) -> object:
    return signed_notes.opened(data.decode("utf-8", "replace"), [forging.files().key.public])


def _heads() -> list[bytes]:
    return [signed_notes.parse(forging.files().head.note).text.encode()]


def _handed_out() -> list[bytes]:
    its = forging.files()
    return [its.bundle, its.sealed, its.certificate.encode(), its.link.encode()]


@cache
def _exchanged() -> list[bytes]:
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")
    ada.remember("My name is Ann and I drink tea", tags=("tea",), metadata={"a": 1})
    ada.conversation().record(user="I prefer green tea", ai="good")
    ada.documents().put(("a",), "k", {"x": [1, 2, {"y": None}]})
    told = [msgspec.json.encode(each) for each in memory.exchange().records()]
    return [*told, b"\n".join(told)]


def _exchange(data: bytes, folder: Path) -> object:
    path = _put(folder / "told.jsonl", data)
    return [exchange_file.record(number, told) for number, told in exchange_file.lines(path)]


def _importer(form: str) -> Parser:
    def read(data: bytes, folder: Path) -> object:
        files = SourceFiles(_put(folder / name, data))
        return sum(1 for _ in itertools.islice(formats.read(files, form), 1_000))

    name = next(name for name, (_, its, _) in FILES.items() if its == form)
    seeds = [data for data, its, _ in FILES.values() if its == form and len(data) < 20_000]
    return Parser(lambda: seeds, read, refuses=form != "markdown", whole=False)


def _policies() -> list[bytes]:
    return [policy_file.commented(preset(name)).encode()[:6_000] for name in sorted(PRESETS)]


def _json_policies() -> list[bytes]:
    return [msgspec.json.encode(preset(name)) for name in sorted(PRESETS)]


def _requests() -> list[bytes]:
    """A route's number, a query, and a body."""
    bodies = [b'{"text":"hello","key":"k"}', b'{"query":"tea","limit":3,"where":{"tags":["a"]}}']
    return [
        str(number).encode() + b"\nlimit=3&after=7\n" + bodies[number % 2]
        for number in range(len(ROUTES))
    ]


def _request(data: bytes, _: Path) -> object:
    number, _end, rest = data.partition(b"\n")
    query, _end, body = rest.partition(b"\n")
    digits = bytes(each for each in number if each in b"0123456789")[:4]
    route = ROUTES[int(digits or b"0") % len(ROUTES)]
    values = dict.fromkeys(route.parameters, "x")
    return parse_request.asked(route, values, query, JSON, body)


def _calls() -> list[bytes]:
    call = b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"remember",'
    return [
        call + b'"arguments":{"text":"hello","key":"k"}}}',
        b'{"jsonrpc":"2.0","method":"notifications/initialized"}',
        b'{"jsonrpc":"2.0","id":"a","error":{"code":-32600,"message":"no"}}',
    ]


def _call(data: bytes, _: Path) -> object:
    line = data.replace(b"\n", b" ")
    misfits.has_misfit_id(line)
    if (answer := misfits.misfit(line)) is not None:
        answer.model_dump_json()
    return jsonrpc_message_adapter.validate_json(line)


@cache
def _issued() -> tuple[MemoryCredentials, bytes]:
    """Keys, and the text of one."""
    known = MemoryCredentials()
    text, _ = api_keys.issue(known, Grant(agent="ada", user="tuff"), now=NOW)
    return known, text.encode()


def _key(data: bytes, _: Path) -> object:
    return api_keys.recognise(_issued()[0], data.decode("utf-8", "replace"), now=NOW)


@cache
def _key_files() -> list[bytes]:
    with TemporaryDirectory() as made:
        folder = Path(made)
        keys = FileCredentials(folder)
        api_keys.issue(keys, Grant(agent="ada", user="tuff"), now=NOW)
        return [(folder / api_keys.KEYS / api_keys.FILE).read_bytes()]


def _key_file(data: bytes, folder: Path) -> object:
    (folder / api_keys.KEYS).mkdir(exist_ok=True)
    _put(folder / api_keys.KEYS / api_keys.FILE, data)
    return FileCredentials(folder).known()


@cache
def _passports() -> list[bytes]:
    memory = world.memory()
    memory.agent("ada", user="tuff").remember("My name is Ann and I drink tea")
    return [memory.passports().make("tuff", reason="they asked")]


def _put(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def _verified(data: bytes, folder: Path) -> object:
    told = forging.verdict(folder, data)
    if told.code in {INVALID, UNREADABLE}:
        raise InputError(str(told.told.get("why")))
    return told.code


PARSERS: Final[dict[str, Parser]] = {
    "document": Parser(
        lambda: [b'{"a":[1,2.5,null,true,"x"],"b":{"c":{}}}', b'[0,-1,1e3,"\\u0041\\n"]'],
        lambda data, _: canonical_json.parse(data),
    ),
    "log entry": Parser(_headers, _entry),
    "event": Parser(_bodies, _body),
    "sealed part": Parser(
        lambda: [compression.pack(each) for each in _headers()],
        lambda data, _: compression.unpack(data),
    ),
    "signed note": Parser(_notes, _note),
    "head of a tree": Parser(
        _heads, lambda data, _: signed_notes.head_of(data.decode("utf-8", "replace"))
    ),
    "public key": Parser(
        lambda: [forging.files().head.key.encode()],
        lambda data, _: signed_notes.key_of(data.decode("utf-8", "replace")),
    ),
    "bundle, certificate, link": Parser(_handed_out, _verified),
    "passport": Parser(_passports, lambda data, _: passport.verify(data)),
    "exchange file": Parser(_exchanged, _exchange),
    "policy as TOML": Parser(
        _policies, lambda data, folder: read_policy(_put(folder / "policy.toml", data))
    ),
    "policy as JSON": Parser(
        _json_policies, lambda data, folder: read_policy(_put(folder / "policy.json", data))
    ),
    "identity": Parser(
        lambda: [b'schema_version = "1.0"\n[instructions]\n[tuning_policy]\n[memory]\n'],
        lambda data, folder: read_identity(_put(folder / "ada.identity.toml", data)),
    ),
    "HTTP request": Parser(_requests, _request, whole=False),
    "MCP message": Parser(_calls, _call, (ValidationError,)),
    "API key": Parser(lambda: [_issued()[1]], _key),
    "list of API keys": Parser(_key_files, _key_file),
    **{
        f"import of {form}": _importer(form)
        for form in sorted({its for _, its, _ in FILES.values()})
    },
}
