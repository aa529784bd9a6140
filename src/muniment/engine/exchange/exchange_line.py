"""Exchange line: one record of a file, its outcome, and batches of lines."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

import msgspec

from muniment.model import canonical_json, fact_keys
from muniment.model.kinds.carried_record import RULES, STRUCTS, CarriedRecord
from muniment.model.kinds.conversation_item import Space
from muniment.model.scope import Persona
from muniment.model.struct_copy import copied

RECORDS_MAX: Final = 64  # of one command
BYTES_MAX: Final = 96 * 1024  # of one command: what was asked must fit into an entry
TOGETHER_MAX: Final = 64  # commands of one durable append
NAMING_A_PERSON: Final = frozenset({"subject", "user_id"})
OPENS_A_JOB: Final = "job_opened"


class ExchangeLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line of an exchange file: a record, whose it is, and where and when it was written.

    `id` and `text` are for who reads the file; what is carried over stands in `data`.
    """

    kind: str
    event: str
    data: object
    id: str = ""
    text: str = ""
    at: str = ""
    user: str = ""  # whom it is about; nobody where this is empty
    log: str = "agent"  # agent, collection, council, user, project, system
    of: str = ""  # whose log it is: the name of an agent, a person or a project
    persona: Persona = Persona.ACTOR
    space: Space | None = None  # of what belongs to a conversation
    owner: str = ""
    seq: int = 0
    batch: int = 0
    job: int = 0  # in which it was written, of work that is carried

    def carried(self) -> CarriedRecord:
        return copied(CarriedRecord, self)

    def about(self, user: str) -> "ExchangeLine":
        """The same record as one about somebody else, wherever it names the person."""
        if not user or not self.user or user == self.user:
            return self
        old, new = fact_keys.user_entity(self.user), fact_keys.user_entity(user)
        own = self.log == "user" and fact_keys.user_entity(self.of) == old
        data = _renamed(self.data, old, new)
        return msgspec.structs.replace(self, user=user, of=user if own else self.of, data=data)

    @property
    def is_rule(self) -> bool:
        return self.kind in RULES


def _renamed(value: object, old: str, new: str) -> object:
    """Fields of an event that name one person, as those that name another."""
    if isinstance(value, list):
        return [_renamed(each, old, new) for each in value]
    if not isinstance(value, dict):
        return value
    told = dict(value)
    for name, inner in value.items():
        if name in NAMING_A_PERSON and inner == old:
            told[name] = new
        elif name == "key" and isinstance(inner, str):
            told[name] = inner.replace(f"/{old}/", f"/{new}/")  # of a fact about them
        elif name == "pad" and isinstance(inner, str) and inner.startswith(f"{old}/"):
            told[name] = new + inner.removeprefix(old)
        elif name in STRUCTS:
            told[name] = _renamed(inner, old, new)
    return told


class Carried(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one line: carried over, perhaps redacted, or refused with its reason."""

    line: ExchangeLine
    stored: bool
    known: bool = False  # it was carried before
    redacted: bool = False
    reason: str = ""


def together(lines: Iterable[ExchangeLine]) -> Iterator[list[list[ExchangeLine]]]:
    """Neighbours of one log, step by step as they were written, so many as one append takes.

    What a job begins with is carried before what happened in it: by then its number is known.
    """
    held: list[list[ExchangeLine]] = []
    for step in _steps(lines):
        new = held and (log_of(held[0][0]) != log_of(step[0]) or len(held) >= TOGETHER_MAX)
        if new or (held and held[-1][-1].event == OPENS_A_JOB):
            yield held
            held = []
        held.append(step)
    if held:
        yield held


def log_of(line: ExchangeLine) -> tuple[str, ...]:
    return (line.log, line.of, line.persona)


def _steps(lines: Iterable[ExchangeLine]) -> Iterator[list[ExchangeLine]]:
    for _, same in groupby(lines, key=_step):
        part: list[ExchangeLine] = []
        size = 0
        for line in same:
            length = len(canonical_json.encode(msgspec.to_builtins(line)))
            if part and (len(part) >= RECORDS_MAX or size + length > BYTES_MAX):
                yield part
                part, size = [], 0
            part.append(line)
            size += length
        if part:
            yield part


def _step(line: ExchangeLine) -> tuple[object, ...]:
    whose = (line.at, line.user, line.space, line.owner)
    opens = line.event == OPENS_A_JOB
    return (*log_of(line), line.batch, *whose, line.job, line.is_rule, opens)
