"""Event summaries: one line of plain words for each event type."""

import re
from collections.abc import Callable, Mapping, Sequence
from string import Formatter
from typing import Final

import msgspec

from muniment.adapters.rendering import command_words
from muniment.log.entry import Line
from muniment.model.events import Received, Shredded
from muniment.model.scope import Role

ERASED: Final = "erased"
GAP: Final = "…"  # stands where something was
# Kept under consent for administrators, whose reads are written down; this is not such a read.
WITHHELD: Final = "(kept under consent, for administrators only)"
EMPTY: Final[tuple[object, ...]] = ("", None, [], {})
TAG_CHARACTERS: Final = 8  # of a hash or a reference: enough to tell two apart

# What people said stands last: words that run from right to left would turn what follows around.
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
    "episodes_written": "{summaries:many} at once: {summaries}",
    "confirmation_asked": "{confirmation_id}: shall {key} be {value}?",
    "confirmation_answered": "{confirmation_id}: {yes}",
    "request_forwarded": "to the council: {action} {key} = {value}",
    "memory_forget": "{item_id} is forgotten",
    "content_expired": "the days of {period} are over: {entries} entries",
    "hold_placed": "{hold_id} is placed: {hold.reason}",
    "hold_lifted": "{hold_id} is lifted: {reason}",
    "source_rolled_back": "{what} is rolled back: {records}",
    "records_revived": "what was forgotten or taken back stands again",
    "memory_echo": "{lines} lines that {receipt_id} gave out, told again as {where}",
    "memory_recall": "{call}, {ids:many} found: {query}",
    "outcome_recorded": "{operation} ended with {code}",
    "action_request": "{action} {request_id}, needs {required_approval}: {key} = {value}",
    "vote_cast": "{member:tag}: {vote} {request_id}",
    "request_settled": "{request_id} is {outcome}",
    "sem_put": "{key} = {value}",
    "sem_delete": "{key} is retired",
    "deletion_event": "everything about {subject_ref:tag} is to be destroyed ({basis})",
    "erasure_completed": "{fragments} fragments destroyed, {scanned_files} files scanned",
    "incident": "{kind}, attempt {attempt}, for {queue}",
    "admin_access_event": "{what}: {reason}",
    "branch_opened": "the branch {name} was opened",
    "branch_closed": "the branch {name} was {outcome}",
    # Conversations.
    "ledger_opened": "{space} {owner} is at hand",
    "ledger_shelved": "{kept.space} {kept.owner} makes room",
    "item_written": "{item.source}, {kind}: {item.told}",
    "item_denied": "{item.source}, not kept as {kind} ({reason}): {item.told}",
    "item_conflict": "{winner_id} stands, {loser_id} does not ({rule}): {dedup_key}",
    "item_expired": "{item_id} is over: {reason}",
    "items_archived": "no longer at hand, still recalled: {item_ids}",
    "item_deleted": "{item_id} leaves: {reason}{replaced_by:+, for }",
    "border_checked": "{action} from {from_space}{to_space:+ to }: {reason}",
    "forwarded": "told on to another log ({to:tag})",
    "item_promoted": "{from_id} goes from {from_space} to {to_space}: {reason}",
    "promotion_denied": "{item_id} stays in {from_space}: {reason}",
    "phase_started": "phase {n} of {space} {owner} begins{name:+: }{reason:+, }",
    "phase_dropped": "phase {n} of {space} {owner} is compared with no more",
    "phase_diffed": (
        "phases {from_n} and {to_n} of {space} {owner}: "
        "{added_count} added, {deleted_count} gone, {replaced_count} replaced"
    ),
    "items_recalled": "{recalled:many} given: {query}",
    # Recall and contexts.
    "memory_released": "{item_id} is vouched for{reason:+: }",
    "vectors_recorded": "{names:many} texts have vectors of {model}",
    "vectors_reached": "every text up to entry {upto} has vectors of {model}",
    "context_assembled": "{ids:many} items, {tokens} of {budget_tokens} tokens: {query}",
    "context_used": "of a context {used_count} proved useful, {unused_count} did not",
    "task_ended": "the task ended in {outcome}{detail:+: }",
    # Loops and what is derived from them.
    "idetic_event": "{kind}: {content}",
    "ltm_mirrored": "{kind}: {summary}",
    "ltm_deferred": "the mirror of {source_id} is owed: {reason}",
    "ltm_embedded": "{source_id} has its vector of {model}",
    "ltm_regraded": "{source_id} weighs {importance}: {reasons}",
    "stm_summarised": "{loop_id} in short: {summary}",
    "stm_digested": "{loop_ids:many} loops in short: {summary}",
    "skill_extracted": "done {frequency} times: {name}",
    "identity_patch_proposed": "{paths} might change by {rubric}",
    # Turns: memos, goals, exports.
    "memo_kept": "{kind} in {places}: {memo.text}",
    "memo_declined": "{kind} is kept nowhere: {reasons}",
    "memos_evicted": "{memo_ids} left {place}: {reason}",
    "memo_shelved": "{memo_id} is found in {places}: {reason}",
    "memos_forgotten": "{memo_ids} left {place}, as was asked: {phrase}",
    "memo_marked": "{memo_id} weighs {importance_ppm} millionths{reason:+: }",
    "goal_advanced": "goal {goal_id} is at {progress_ppm} millionths{note:+: }",
    "mandates_observed": "{mandates:many} mandates, {templates:many} templates",
    "export_recorded": "turn {turn}: handed on to {delivered}; owed to {failed}",
    "memos_compacted": (
        "{sources:many} memos of {place} are told by {told_by}: "
        "{tokens_after} tokens for {tokens_before}"
    ),
    "external_output": "{model} for {purpose}: {text}",
    "facts_extracted": (
        "{model} read {sources} texts of {origin}: {kept:many} facts kept{reason:+, because }"
    ),
    "extraction_undone": (
        "{request} is undone: {forgotten:many} facts left, {restored:many} are back"
    ),
    "summary_worded": (
        "{model} read {sources} texts for a {kind}: {sentences:many} sentences"
        "{reason:+, those of before, because }"
    ),
    "summary_undone": "{request} is undone",
    # Threads and documents.
    "thread_opened": "{thread_id} on {channel} begins: {reason}",
    "turn_taken": "turn {turn} of {thread_id}",
    "link_decided": "{thread_id} goes on with {other_id}: {link.linked}, by {link.by}",
    "link_settled": "decision {decision}, the two belong together: {related}",
    "links_retuned": "the threshold of links is {after_ppm} for {before_ppm} millionths",
    "episode_opened": "{episode_id} of {thread_id} begins: {reason}",
    "episode_closed": "{episode_id} ends after {turns} turns: {reason}",
    "thread_closed": "{thread_id} ends: {reason}",
    "thread_timeout_set": "a thread rests after {minutes} minutes",
    "document_put": "{key} in {namespace}, version {version}: {value}",
    "documents_dropped": "{keys} in {namespace}: {reason}",
}
MANY: Final = "many"  # how many there are, where naming them would hide the rest
LEAF: Final = "leaf"  # the last word of a path
WORDS: Final = "words"  # what an id stands for, where somebody knows it
NAME: Final = "name"  # whom a reference stands for, as people write a name
COMMAND: Final = "command"  # what a command asks for
PLAIN: Final = "plain"  # a code as words
BRIEF: Final = "brief"  # a value of few words, after a sign; of a long one nothing
WHERE_ANY: Final = "+"  # words to be said before a value, where there is one

# Codes that are no words of their own, in the words of who decides.
CODES: Final[Mapping[str, str]] = {
    "approve": "yes",
    "reject": "no",
    "abstain": "neither yes nor no",
    "executed": "done",
    "sem_write": "keep",
    "delete": "forget",
    "erase": "destroy everything about",
    "policy_change": "change the policy of",
    "coefficient_change": "change the weights of",
    "identity_patch": "change what is told to be",
}


Named = Callable[[str], str]  # whom a reference stands for; empty: that is not known here
Worded = Callable[[str], str]  # what an id stands for, in the words it has; empty: not known here


def nobody(ref: str) -> str:
    """Whoever reads a log without its keys knows no name."""
    del ref
    return ""


def _name(value: object, named: Named) -> str:
    name = named(str(value))
    if name == Role.ENGINE:
        return "The engine"
    return re.sub(r"[_-]+", " ", name).title() if name else "Somebody"


def _brief(value: object, named: Named) -> str:
    del named
    return f" = {spelled(value)}" if isinstance(value, str | int) else ""


# How a value is told where a person reads it; by whom a reference is known.
SPOKEN: Final[Mapping[str, Callable[[object, Named], str]]] = {
    NAME: _name,
    COMMAND: lambda value, _: command_words.asks(str(value)),
    PLAIN: lambda value, _: CODES.get(str(value)) or re.sub(r"[_-]+", " ", str(value)),
    BRIEF: _brief,
}


class _Words(Formatter):
    """Fills a gist: lists are joined or counted, hashes cut; what was erased leaves a mark.

    A reference is told by the name it stands for, where somebody knows it. What is optional
    brings the words before it along (`{reason:+, because }`).
    """

    def __init__(self, named: Named, worded: Worded) -> None:
        self._named, self._worded = named, worded

    def get_field(
        self, field_name: str, args: Sequence[object], kwargs: Mapping[str, object]
    ) -> tuple[object, str]:
        del args
        first, *inner = field_name.split(".")
        found: object = kwargs.get(first, GAP)
        for name in inner:
            found = getattr(found, name, GAP)
        return found, first

    def format_field(self, value: object, format_spec: str) -> str:
        if format_spec == MANY:
            return str(len(value)) if isinstance(value, (tuple, list)) else GAP
        if format_spec.startswith(WHERE_ANY):
            return "" if value in EMPTY else format_spec.removeprefix(WHERE_ANY) + spelled(value)
        if format_spec == "who":
            name = self._named(str(value))
            return "" if name == Role.ENGINE else name  # its role says it already
        if format_spec in SPOKEN:
            return SPOKEN[format_spec](value, self._named)
        if format_spec == WORDS:
            words = self._worded(str(value))
            return f"“{words}”" if words else spelled(value)
        if format_spec == LEAF:
            return str(value).rpartition("/")[2].replace("_", " ")
        if format_spec == "tag":
            return self._named(str(value)) or str(value)[:TAG_CHARACTERS]
        return spelled(value)


def gist(line: Line, named: Named = nobody, template: str = "", worded: Worded = nobody) -> str:
    """What an entry says, on one line; of an erased one, what is left."""
    event, template = line.event, template or GISTS[line.header.type]
    if isinstance(event, Shredded):
        left = _words(template, event.public, named, worded)
        return f"{ERASED}: {left}" if left.strip(f"{GAP} :=?") else ERASED
    fields = {name: getattr(event, name) for name in event.__struct_fields__}
    return _words(template, fields, named, worded)


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


def _words(template: str, fields: Mapping[str, object], named: Named, worded: Worded) -> str:
    return " ".join(_Words(named, worded).vformat(template, (), fields).split())


def _told(line: Line) -> dict[str, object]:
    built: dict[str, object] = msgspec.to_builtins(line.event)
    if built.get("raw") is not None:
        built["raw"] = WITHHELD
    command = built.get("command")
    if isinstance(line.event, Received) and isinstance(command, dict) and command.get("raw"):
        built["command"] = command | {"raw": WITHHELD}
    return built
