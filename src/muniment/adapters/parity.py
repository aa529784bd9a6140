"""Parity of the doors: every parameter of a public verb is at each door, or says here why not.

A test compares this table with the signatures of the engine, the request structs, the MCP tools
and the commands of the terminal: a new verb or parameter fails it until it has a row.
"""

from typing import Final

import msgspec

# Why a verb has no request of its own: it is for the program that holds the memory open.
OBJECT: Final = "it takes or returns an object of the program that holds the memory open"
VIEW: Final = "it opens a view; the client has it as `job`, `conversation`, `thread`, `documents`"
READER: Final = "an agent's verb that a job has too; over HTTP the agent's own is asked"
MEMOS: Final = "memos are kept through jobs and threads; looking after them is for a program"
RETRY: Final = "HTTP: the header Idempotency-Key; client: `keyed`; terminal: `--key`"
ENGINE: Final = "the engine calls it itself"

# Why a parameter is not there.
CALLBACK: Final = "a callback"
ONE_PART: Final = "one request is one part, which a key can answer for"
CREDENTIAL: Final = "it follows from the credential"
SNAPSHOT: Final = "over HTTP a past entry is named by `at`"
PROGRAMS: Final = "it is for programs: a model reads every word of a tool's schema"
ONE_TOOL: Final = "one tool has three verbs, and `name` is where a path starts"
PEOPLE: Final = "what waits for a yes is shown to people, and a model is none"
JSON_OPTION: Final = "it is a JSON object; programs give it"
SHOWN_FIRST: Final = "the terminal shows the request and binds what it showed"
WORDS: Final = "the terminal says it in its own words; see the command's `--help`"
OPERATOR: Final = "whoever is at the terminal holds the store, and is the operator"

WATCHED: Final = {"progress": CALLBACK}


class Parity(msgspec.Struct, frozen=True, kw_only=True):
    """Where a verb of the engine is, and what a door lacks of it, with the reason."""

    client: bool = True  # it has a request: HTTP and both clients have it by the verb's own name
    tool: str = ""  # of MCP; only these nine are there
    command: str = ""  # of the terminal
    inside: str = ""  # why there is no request
    lacks: dict[str, str] = {}  # parameters that HTTP and the clients lack
    tool_lacks: dict[str, str] = {}
    command_lacks: dict[str, str] = {}


def only(why: str) -> Parity:
    return Parity(client=False, inside=why)


HERE: Final = Parity()

AGENT: Final[dict[str, Parity]] = {
    "remember": Parity(
        tool="remember", command="remember", lacks={"key": RETRY}, tool_lacks={"keep_raw": PROGRAMS}
    ),
    "recall": Parity(
        tool="recall",
        command="recall",
        tool_lacks={"quarantined": PEOPLE, "explain": PROGRAMS},
    ),
    "context": Parity(
        tool="context",
        command="context",
        tool_lacks={"filters": PROGRAMS, "quarantined": PEOPLE},
        command_lacks={"filters": JSON_OPTION},
    ),
    "records": Parity(
        tool="records",
        command="list",
        tool_lacks={"at": PROGRAMS, "valid_at": PROGRAMS, "quarantined": PEOPLE},
    ),
    "correct": Parity(
        tool="correct",
        command="correct",
        tool_lacks={"origin": CREDENTIAL},
        command_lacks={"origin": CREDENTIAL},
    ),
    "forget": Parity(tool="forget", command="forget"),
    "forget_where": Parity(
        tool="forget_where",
        command="forget",
        tool_lacks={"reason": PROGRAMS},
        command_lacks={"preview": WORDS},
    ),
    "restore": Parity(command="unforget"),
    "roll_back": Parity(command="rollback", command_lacks={"preview": WORDS}),
    "undo_rollback": Parity(command="rollback", command_lacks={"first": WORDS}),
    "remember_many": Parity(lacks={"batch": ONE_PART}),
    "why_not": Parity(command="why-not"),
    "confirm": Parity(command="confirm", command_lacks={"yes": WORDS}),
    "consent": Parity(command="consent"),
    "vouch": Parity(command="vouch"),
    "skills": Parity(command="skills"),
    "threads": Parity(command="threads"),
    "turn_trace": Parity(command="turn-trace"),
    "requests": Parity(tool="requests", command="requests", tool_lacks={"settled": PROGRAMS}),
    "used": Parity(command="used", command_lacks={"context": WORDS}),
    "extract_facts": Parity(command="extract", lacks=WATCHED, command_lacks=WATCHED),
    **dict.fromkeys(["about", "entities"], Parity(tool="entities", command="entities")),
    "path_between": Parity(
        tool="entities",
        command="entities",
        tool_lacks={"start": ONE_TOOL},
        command_lacks={"start": WORDS},
    ),
    **dict.fromkeys(
        ["merge_entities", "restore_entity", "split_entity"], Parity(command="entities")
    ),
    "summary": Parity(command="summary"),
    "write_summary": Parity(command="summary", lacks=WATCHED, command_lacks=WATCHED),
    "watch": Parity(command="watch"),
    "what_if": Parity(command="what-if", command_lacks={"changes": WORDS, "limit": WORDS}),
    "episodic_query": Parity(lacks={"snapshot_id": SNAPSHOT}),
    "sem_put": Parity(lacks={"source": CREDENTIAL}),
    **dict.fromkeys(
        [
            "recall_again",
            "episode",
            "extracted_facts",
            "extraction_waiting",
            "fuzzy_query",
            "get",
            "get_by_id",
            "memory_promote_request",
            "propose_coefficients",
            "questions",
            "rag_query",
            "revoke_consent",
            "sem_get",
            "sem_search",
            "set_thread_timeout",
            "undo_extraction",
            "undo_summary",
        ],
        HERE,
    ),
    **dict.fromkeys(["job", "conversation", "documents", "thread", "resume", "do"], only(VIEW)),
    **dict.fromkeys(
        ["assemble_context", "memorize", "outcome", "unused"],
        only("a job has it; `context` and `used` are the agent's own"),
    ),
    **dict.fromkeys(
        [
            "compact",
            "cwm_get",
            "get_range",
            "judged",
            "memory_type",
            "memory_types",
            "pools",
            "preview",
            "read",
            "receipt",
            "regenerate",
            "remember_each",
            "structured",
            "used_in",
            "flush",
        ],
        only(OBJECT),
    ),
    **dict.fromkeys(
        [
            "forget_memos",
            "get_version",
            "mark_memo",
            "memo",
            "memos",
            "restore_memo",
            "sources",
            "thin",
            "transcribe",
            "whole",
        ],
        only(MEMOS),
    ),
    "keyed": only(RETRY),
}

JOB: Final[dict[str, Parity]] = {
    "commit": Parity(lacks={"key": RETRY}),
    "memorize": Parity(lacks={"key": RETRY}),
    **dict.fromkeys(
        [
            "assemble_context",
            "cwm",
            "cwm_find",
            "episodic_write",
            "get_budget_status",
            "goals",
            "memory_promote_request",
            "observe",
            "observe_event",
            "outcome",
            "promote",
            "recall",
            "reference",
            "set_goal",
            "tick",
            "trace",
            "track_tool_invocation",
            "wm_find",
            "wm_insert",
        ],
        HERE,
    ),
    **dict.fromkeys(
        [
            "consent",
            "context",
            "cwm_get",
            "episode",
            "episodic_query",
            "fuzzy_query",
            "get",
            "get_by_id",
            "get_range",
            "judged",
            "pools",
            "preview",
            "propose_coefficients",
            "questions",
            "rag_query",
            "read",
            "recall_again",
            "receipt",
            "records",
            "regenerate",
            "requests",
            "sem_get",
            "sem_search",
            "skills",
            "unused",
            "used",
            "used_in",
            "what_if",
            "why_not",
            "memory_type",
            "memory_types",
        ],
        only(READER),
    ),
    **dict.fromkeys(
        [
            "advance_goal",
            "forget_memos",
            "get_version",
            "mark_memo",
            "memo",
            "memos",
            "observe_mandates",
            "restore_memo",
            "transcribe",
        ],
        only(MEMOS),
    ),
    "hear_neighbours": only(ENGINE),
    "keyed": only(RETRY),
}

CONVERSATION: Final[dict[str, Parity]] = {
    "record": Parity(lacks={"key": RETRY}),
    "items": Parity(command="items"),
    **dict.fromkeys(
        [
            "blame",
            "correct",
            "diff",
            "forget",
            "promote",
            "recall",
            "retired_by",
            "start_phase",
            "traces",
            "undo",
        ],
        HERE,
    ),
    **dict.fromkeys(
        ["imposition", "lifting", "replace", "retract", "retraction", "told", "undoing"],
        only(ENGINE),
    ),
}

DOCUMENTS: Final[dict[str, Parity]] = {
    **dict.fromkeys(
        [
            "add",
            "clear",
            "drop",
            "get",
            "history",
            "namespaces",
            "newest",
            "put",
            "search",
            "within",
        ],
        HERE,
    ),
    **dict.fromkeys(
        ["as_kept", "before", "drop_all", "move", "put_all", "replace", "sweep"], only(OBJECT)
    ),
}

COUNCIL: Final[dict[str, Parity]] = {
    "approve": Parity(command="approve", command_lacks={"binding": SHOWN_FIRST}),
    "reject": Parity(command="reject"),
    "requests": Parity(command="requests"),
    **dict.fromkeys(["abstain", "request", "tick", "vote"], HERE),
    "keyed": only(RETRY),
}

ADMIN: Final[dict[str, Parity]] = {
    "impose": Parity(command="impose"),
    "incidents": Parity(command="incidents"),
    "policy": Parity(command="policy"),
    "what_if_policy": Parity(
        command="policy-what-if",
        lacks=WATCHED,
        command_lacks={"policy": WORDS, "reason": OPERATOR} | WATCHED,
    ),
    "ruled_streams": only(ENGINE),
    "place_hold": Parity(command="hold"),
    "holds": Parity(command="hold"),
    "lift_hold": Parity(command="hold", command_lacks={"hold_id": WORDS}),
    "settle_holds": Parity(command="hold"),
    "due": Parity(command="due", lacks=WATCHED, command_lacks=WATCHED),
    "carry_out_due": Parity(command="due", lacks=WATCHED, command_lacks=WATCHED),
    **dict.fromkeys(
        [
            "apply_policy",
            "delete",
            "facts",
            "lift",
            "policies",
            "read_payload",
            "request_coefficients",
            "request_deletion",
            "request_policy",
        ],
        HERE,
    ),
    **dict.fromkeys(["adopt_policy", "proposal"], only(OBJECT)),
    "keyed": only(RETRY),
}

PARITY: Final[dict[str, dict[str, Parity]]] = {
    "Agent": AGENT,
    "Job": JOB,
    "Conversation": CONVERSATION,
    "Documents": DOCUMENTS,
    "Council": COUNCIL,
    "Admin": ADMIN,
}
