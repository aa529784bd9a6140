"""Echo decisions: text that memory returned and that comes back is not stored again."""

from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from muniment.engine.decide.decision_context import ECHO, DecisionContext
from muniment.layers import handed_out
from muniment.model import canonical_json
from muniment.model.commands import AnyCommand, Remember, RememberMany, WriteEpisode
from muniment.model.commands.conversation import RecordInteraction
from muniment.model.commands.memos import Memorize
from muniment.model.commands.threads import TakeTurn
from muniment.model.events import AnyEvent, WriteDenied
from muniment.model.events.recalls import EchoHeard
from muniment.model.kinds.conversation_item import Source
from muniment.model.kinds.episode import Origin, Value
from muniment.model.kinds.memo import MemoSource
from muniment.rules import echoes
from muniment.rules.echoes import Heard


def _is_witness(said: AnyCommand) -> bool:
    """Whether a person or a source with a name of its own speaks: what these say again counts."""
    return getattr(said, "origin", "") == Origin.USER or bool(getattr(said, "source", ""))


# The words of a command, and whether a person says them in their own name.
SAID: Final[dict[type, tuple[str, Callable[[AnyCommand], bool]]]] = {
    Remember: ("text", _is_witness),
    WriteEpisode: ("summary", lambda _: False),
    Memorize: ("text", lambda said: getattr(said, "source", "") == MemoSource.USER),
    TakeTurn: ("text", lambda said: getattr(said, "source", "") == MemoSource.USER),
}


def without(now: DecisionContext) -> tuple[DecisionContext, list[AnyEvent]]:
    """The same command without what memory gave out, and what of it that was."""
    command = now.received.command
    if type(command) in SAID:
        field, own = SAID[type(command)]
        heard = _heard(now, getattr(command, field), own=own(command))
        return _with(now, {field: heard.text}, [(field, heard)])
    match command:
        case RecordInteraction(messages=messages, replaces=""):
            found = [
                (str(each.source), _heard(now, each.text, own=each.source is Source.USER))
                for each in messages
            ]
            left = tuple(
                msgspec.structs.replace(each, text=heard.text)
                for each, (_, heard) in zip(messages, found, strict=True)
                if not heard.is_echo
            )
            return _with(now, {"messages": left}, found)
        case RememberMany(texts=texts):
            found = [
                (str(n), _heard(now, text, own=_is_witness(command)))
                for n, text in enumerate(texts, start=1)
            ]
            return _with(now, {"texts": tuple(heard.text for _, heard in found)}, found)
        case _:
            return now, []


def of_value(now: DecisionContext, content: Value, *, own: bool) -> Heard:
    """The same of what an event of a loop says."""
    return _heard(now, canonical_json.text_of(content), own=own)


def is_refusal(command: AnyCommand, told: Sequence[AnyEvent]) -> bool:
    """Whether a text was nothing but an echo: the refusal names its receipt, and says it alone."""
    return type(command) in SAID and any(
        isinstance(each, WriteDenied) and each.reason == ECHO for each in told
    )


def entry(heard: Heard, where: str) -> EchoHeard:
    return EchoHeard(lines=heard.lines, where=where, receipt_id=heard.receipt)


def _heard(now: DecisionContext, text: str, *, own: bool) -> Heard:
    return echoes.heard(text, _lookup(now), own=own)


def _lookup(now: DecisionContext) -> echoes.Known:
    """Looked up where a line asks for it: most texts do not."""
    return lambda code: handed_out.giver(now.desk.handed_out, code, now.shelves.is_ours)


def _with(
    now: DecisionContext, changed: dict[str, object], found: list[tuple[str, Heard]]
) -> tuple[DecisionContext, list[AnyEvent]]:
    echoed = tuple([(where, heard) for where, heard in found if heard.lines])
    if not echoed:
        return now, []
    command = msgspec.structs.replace(now.received.command, **changed)
    received = msgspec.structs.replace(now.received, command=command)
    said = msgspec.structs.replace(now, received=received, echoes=echoed)
    return said, [entry(heard, where) for where, heard in echoed]
