"""The gist of an entry: one line of plain words for each thing that can happen."""

from collections.abc import Callable, Mapping, Sequence
from string import Formatter
from typing import Final

import msgspec

from muniment.log.entry import Line
from muniment.model.events import Received, Shredded

ERASED: Final = "erased"
GAP: Final = "…"  # stands where something was
# Kept under consent for administrators, whose reads are written down; this is not such a read.
WITHHELD: Final = "(kept under consent, for administrators only)"
LINE_CHARACTERS_MAX: Final = 200
EMPTY: Final[tuple[object, ...]] = ("", None, [], {})
TAG_CHARACTERS: Final = 8  # of a hash or a reference: enough to tell two apart

GISTS: Final[Mapping[str, str]] = {
    "received": "{role} {actor:who} asks: {asked}",
    "policy_adopted": "policy {digest:tag} is in force",
    "memory_denied": "no to {asked}: {reason}",
    "PII_REDACTED": "{count} redacted: {redaction_reason}",
    "PII_CONSENT": "{subject} allows: {text}",
    "PII_CONSENT_REVOKE": "{subject} revokes {consent_id}",
    "job_opened": "job {number} begins, seed {job_seed}",
    "job_closed": "job {number} ends",
    "ticked": "tick {tick}",
    "goal_set": "goal {goal_id} ({status}): {text}",
    "wm_inserted": "{wm_id} ({kind}): {value}",
    "wm_expired": "{wm_id} leaves working memory: {reason}",
    "referenced": "{item_id} is used",
    "promotion_event": "{wm_id} becomes {cwm_id_item} after {references} references",
    "cwm_recomputed": "{cwm_id} holds {kept}, {token_estimate} tokens",
    "cwm_expired": "{cwm_id_item} leaves: {reason}",
    "episodic_written": "{summary}",
    "confirmation_asked": "{confirmation_id}: shall {key} be {value}?",
    "confirmation_answered": "{confirmation_id}: {yes}",
    "request_forwarded": "to the council: {action} {key} = {value}",
    "memory_forget": "{item_id} is forgotten",
    "memory_recall": "{call} {query}: {ids}",
    "outcome_recorded": "{operation} ended with {code}",
    "action_request": "{request_id} {action} {key} = {value}, needs {required_approval}",
    "vote_cast": "{vote} {request_id} by {member:tag}",
    "request_settled": "{request_id} is {outcome}",
    "sem_put": "{key} = {value}",
    "sem_delete": "{key} is retired",
    "deletion_event": "everything about {subject_ref:tag} is to be destroyed ({basis})",
    "erasure_completed": "{fragments} fragments destroyed, {scanned_files} files scanned",
    "incident": "{kind}, attempt {attempt}, for {queue}",
    "admin_access_event": "{what}: {reason}",
}


Named = Callable[[str], str]  # whom a reference stands for; empty: that is not known here


def nobody(ref: str) -> str:
    """Whoever reads a log without its keys knows no name."""
    del ref
    return ""


class _Words(Formatter):
    """Fills a gist: lists are joined, hashes cut; what was erased leaves a mark.

    A reference is told by the name it stands for, where somebody knows it.
    """

    def __init__(self, named: Named) -> None:
        self._named = named

    def get_value(
        self, key: int | str, args: Sequence[object], kwargs: Mapping[str, object]
    ) -> object:
        del args
        return kwargs.get(str(key), GAP)

    def format_field(self, value: object, format_spec: str) -> str:
        if format_spec == "who":
            return self._named(str(value))
        if format_spec == "tag":
            return self._named(str(value)) or str(value)[:TAG_CHARACTERS]
        return spelled(value)


def gist(line: Line, named: Named = nobody) -> str:
    """What an entry says, on one line; of an erased one, what is left."""
    event, template = line.event, GISTS.get(line.header.type, "")
    if isinstance(event, Shredded):
        left = _words(template, event.public, named)
        return f"{ERASED}: {left}" if left.strip(f"{GAP} :=?") else ERASED
    fields = {name: getattr(event, name) for name in event.__struct_fields__}
    return _words(template, fields, named)


def document(line: Line) -> dict[str, object]:
    """An entry as it is stored: header, hash and event; raw private data is withheld."""
    header = msgspec.json.decode(msgspec.json.encode(line.header))
    return {"hash": line.hash.hex(), "header": header, "event": _told(line)}


def is_erased(line: Line) -> bool:
    return isinstance(line.event, Shredded)


def spelled(value: object) -> str:
    """A value in few words: text as it is, everything else as short JSON."""
    match value:
        case str():
            return value
        case bool() | None:
            return {True: "yes", False: "no", None: "nothing"}[value]
        case tuple() | list():
            return ", ".join(spelled(inner) for inner in value) or "nothing"
        case dict():
            return ", ".join(f"{name} {spelled(inner)}" for name, inner in sorted(value.items()))
        case _:
            return str(value)


def _words(template: str, fields: Mapping[str, object], named: Named) -> str:
    """The template filled; an event that has none is told by what it holds."""
    if template:
        return " ".join(_Words(named).vformat(template, (), fields).split())
    built = {name: told for name, told in msgspec.to_builtins(fields).items() if told not in EMPTY}
    line = " ".join(spelled(built).split())
    return line if len(line) <= LINE_CHARACTERS_MAX else f"{line[:LINE_CHARACTERS_MAX]}{GAP}"


def _told(line: Line) -> dict[str, object]:
    built: dict[str, object] = msgspec.to_builtins(line.event)
    if built.get("raw") is not None:
        built["raw"] = WITHHELD
    command = built.get("command")
    if isinstance(line.event, Received) and isinstance(command, dict) and command.get("raw"):
        built["command"] = command | {"raw": WITHHELD}
    return built
