"""Entry wording: what the fields of an entry say to a person, apart from those for machines."""

import re
from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from muniment.adapters.rendering import command_words
from muniment.adapters.rendering.event_summary import CODES, Named
from muniment.adapters.rendering.refusal_texts import because
from muniment.adapters.studio.known import wording
from muniment.adapters.studio.known.context_words import STAGES
from muniment.model.fact_keys import PERSON

TAG: Final = "type"  # of an event: its kind, which the card says first
COMMAND: Final = "command"  # what was asked for: its fields are told like those of the entry
LABELS: Final = {
    "actor": "who asks",
    "as_of": "as of",
    "asked": "asks to",
    "asker": "who asks",
    "budget_tokens": "tokens it may use",
    "channel": "through",
    "content": "what was said",
    "corrects": "puts right entry",
    "digest": "version",
    "dropped": "left out",
    "item": "what was kept",
    "justification": "because",
    "member": "who votes",
    "origin": "on whose word",
    "query": "question",
    "redaction_reason": "what was taken out",
    "requested_by": "who asks",
    "role": "as",
    "session": "conversation",
    "source": "told by",
    "subject": "about",
    "summary": "what it says",
    "text": "what it says",
    "told": "what it says",
    "yes": "answer",
}
# Names whose values only the engine compares: numbers of its own, recipes, columns.
MACHINE: Final = frozenset(
    {
        *("at", "axis", "binding", "constants", "counter", "dedup_key", "detector", "dims"),
        *("evidence", "expected_head", "form", "filters", "handles", "heads", "layer", "marks"),
        *("meta", "metadata", "n", "number", "numbers", "over", "policy", "raw", "ref", "rows"),
        *("scores", "shelf", "spent", "stream", "tick", "ts", "vector", "version", "window"),
    }
)
ENDINGS: Final = ("_id", "_ids", "_ppm", "_hash", "_seq", "_digest", "_ref", "_seed", "_ts", "_at")
CODE: Final = re.compile(r"[0-9a-f]{64}|[0-9A-HJKMNP-TV-Z]{26}|[a-z]+:[0-9a-f]{8}-[0-9a-f-]{27}.*")
_WORD: Final = re.compile(r"[a-z0-9]+(_[a-z0-9]+)+")
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d.*Z")


class EntryFields(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of an entry that hold anything: in words, and as a machine has them."""

    words: list[tuple[str, str]]
    codes: list[tuple[str, str]]
    empty: int  # how many hold nothing


def fields(event: object, named: Named) -> EntryFields:
    """Each field on one of two lists: of a command those of its own."""
    told = dict(event) if isinstance(event, dict) else {}
    command = told.pop(COMMAND, None)
    if isinstance(command, dict):
        told = {**command, **told}
    pairs = [(name, value) for name, value in sorted(told.items()) if name != TAG]
    full = [(name, value) for name, value in pairs if spelled(value)]
    codes = [name for name, value in full if _is_code(name, spelled(value))]
    return EntryFields(
        words=[
            (LABELS.get(name, _plain(name)), _words(name, value, named))
            for name, value in full
            if name not in codes
        ],
        codes=[(_plain(name), spelled(value)) for name, value in full if name in codes],
        empty=len(pairs) - len(full),
    )


def spelled(value: object) -> str:
    """A value as it is, on one line; empty where it holds nothing."""
    match value:
        case dict():
            inner = [(_plain(str(name)), spelled(each)) for name, each in sorted(value.items())]
            rest = ", ".join(f"{name} {told}" for name, told in inner if told and name != TAG)
            return f"{value[TAG]}: {rest}" if TAG in value else rest
        case list() | tuple():
            return "; ".join(told for told in map(spelled, value) if told)
        case bool():
            return "yes" if value else ""
        case None | 0:
            return ""
        case _:
            return str(value)


def _is_code(name: str, text: str) -> bool:
    return name in MACHINE or name.endswith(ENDINGS) or CODE.fullmatch(text) is not None


def _words(name: str, value: object, named: Named) -> str:
    text = spelled(value)
    if isinstance(value, dict):
        return _told(name, value)
    if name in SAID_AS:
        return SAID_AS[name](text, named)
    if _TIME.fullmatch(text):
        return wording.minute(text)
    if _WORD.fullmatch(text):
        return CODES.get(text) or _plain(text)
    return wording.codeless(CODES.get(text, text))


def _told(name: str, value: dict[str, object]) -> str:
    """Of what was kept its words; of what was left out how many at which stage."""
    if name == "dropped":
        return "; ".join(f"{told} {STAGES.get(each, _plain(each))}" for each, told in value.items())
    words = str(value.get("told") or value.get("text") or "")
    return wording.codeless(words or spelled(value))


def _plain(name: str) -> str:
    return name.replace("_", " ")


def _somebody(ref: str, named: Named) -> str:
    return wording.named(named(ref)) or "somebody who is no longer known"


# Fields whose values have words of their own.
SAID_AS: Final[Mapping[str, Callable[[str, Named], str]]] = {
    "actor": _somebody,
    "member": _somebody,
    "requested_by": _somebody,
    "asked": lambda text, _: command_words.asks(text),
    "origin": lambda text, _: wording.SOURCES.get(text, text),
    "source": lambda text, _: wording.SOURCES.get(text, text),
    "subject": lambda text, _: wording.named(text.removeprefix(PERSON)),
    "reason": lambda text, _: because(text),
}
