"""MCP tools: nine verbs generated from request structs, with a person's confirmation."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Annotated, Any, Literal

from mcp.server.elicitation import AcceptedElicitation, ElicitationResult
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.server.mcpserver.resolve import Elicit, Resolve
from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult, ToolAnnotations
from pydantic import BaseModel, Field, ValidationError

from muniment.adapters.gateway.gateway import Hands
from muniment.adapters.http.routes import memory
from muniment.adapters.mcp import tool_arguments
from muniment.adapters.mcp.plain_answers import PlainAnswer, of_context, of_recall, of_records
from muniment.adapters.mcp.plain_entities import Shown, of_entities, of_entity, of_path
from muniment.adapters.mcp.responses import answer
from muniment.adapters.mcp.session import Seat
from muniment.adapters.mcp.tool_arguments import (
    EntityName,
    Key,
    Lines,
    PathEnd,
    Receipt,
    Sources,
)
from muniment.adapters.requests.learning import EntitiesRequest
from muniment.adapters.requests.memory import (
    CorrectRequest,
    ForgetRequest,
    ForgetWhereRequest,
    PromptContextRequest,
    RecordsRequest,
    RememberRequest,
)
from muniment.adapters.requests.recall import RecallRequest
from muniment.adapters.requests.verb_request import VerbRequest, summary
from muniment.layers.governance.requests import Request
from muniment.model import canonical_json
from muniment.model.canonical_json import INTEGER_MAX
from muniment.model.commands.command import TEXT_LENGTH_MAX
from muniment.model.errors import (
    InputError,
    MunimentError,
    NotFoundError,
    PermissionDeniedError,
)

Id = Annotated[str, Field(max_length=512)]

# What a model may say of each verb; the rest of a request is for programs (see `adapters.parity`).
HANDLES = ("source", "tags", "metadata", "happened_at", "expires")
REMEMBER = ("text", "origin", *HANDLES, "speaker", "session")
CORRECT = ("item_id", "text")
FORGET = ("item_id", "reason")
FORGET_WHERE = ("where", "preview")
RECALL = ("query", "limit", "at", "valid_at", "purpose", "where")
RECORDS = ("where", "limit", "after")
CONTEXT = ("prompt", "budget", "where", "recent", "at", "valid_at")
ENTITIES = ("kind", "at", "valid_at")
OF_ENTITIES = {"name": EntityName, "end": PathEnd, "limit": Lines, "sources": Sources}

# Limits that nobody meets by chance: they hold, and need not be read.
UNMET = (
    ("maximum", INTEGER_MAX),
    ("minimum", 0),
    ("minLength", 1),
    *(("maxLength", each) for each in (256, 512, TEXT_LENGTH_MAX, 100_000)),
    ("additionalProperties", True),
)
NO_DECISION = "the person's answer does not fit: decision is one of approve, reject, abstain"
NONE: Mapping[str, object] = {}
READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
WRITES = ToolAnnotations(destructive_hint=False, open_world_hint=False)
TAKES_OUT = ToolAnnotations(destructive_hint=True, open_world_hint=False)


class PersonsAnswer(BaseModel):
    """What a person says to a question."""

    decision: Literal["approve", "reject", "abstain"] = Field(description="Your decision")
    reason: str = Field(default="", max_length=512, description="Why")


def offered(seat: Seat) -> list[Tool]:
    """The tools of a seat: a council sees requests, and nothing else."""
    speaking = [*_writing(seat), *_reading(seat)] if seat.speaks else []
    return [*speaking, _deciding(seat) if seat.may_answer else _waiting(seat)]


class StrictTool(Tool):
    """A tool whose bad arguments are answered with a code and the names of fields, never values."""

    async def run(
        self,
        arguments: dict[str, Any],
        context: Context[Any, Any],
        convert_result: bool = False,  # noqa: FBT001, FBT002 - as the SDK calls it
    ) -> Any:  # noqa: ANN401
        try:
            return await super().run(arguments, context, convert_result)
        except UnexpectedToolError:  # a mistake of ours, or of the SDK
            return await answer(_failing(MunimentError()))
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                return await answer(_misfit(error.__cause__, list(self.parameters["properties"])))
            return await answer(_failing(InputError(NO_DECISION)))  # the one question of a tool


async def _failing(error: MunimentError) -> object:
    raise error


async def _misfit(error: ValidationError, known: list[str]) -> object:
    """Each argument that does not fit, and how; what was given for it is told back to nobody."""
    wrong = {str(each["loc"][0]): str(each["msg"]) for each in error.errors(include_input=False)}
    told = "; ".join(f"{name}: {wrong[name]}" for name in sorted(wrong))
    takes = f"; there are {', '.join(known) or 'none'}" if wrong.keys() - {*known} else ""
    raise InputError(f"these arguments do not fit: {told}{takes}")


def _tool(work: Callable[..., object], hints: ToolAnnotations) -> Tool:
    """A tool that refuses an argument it does not have: nobody shall think it was heard."""
    made = StrictTool.from_function(work, annotations=hints)
    arguments = made.fn_metadata.arg_model
    arguments.model_config["extra"] = "forbid"
    arguments.model_rebuild(force=True)
    schema = arguments.model_json_schema(by_alias=True)
    return made.model_copy(update={"parameters": _short(schema)})


def _short(schema: object) -> object:
    """A schema without the titles that only repeat its names: a model reads every word of it."""
    match schema:
        case {"anyOf": [dict(one), {"type": "null"}], **rest}:  # it may be left out
            return _short(one | {key: rest[key] for key in rest if key != "default"})
        case dict():
            return {
                key: _short(inner)
                for key, inner in schema.items()
                if not (key == "title" and isinstance(inner, str))
                and not (key == "default" and not inner)  # what is not said
                and (key, inner) not in UNMET
            }
        case list():
            return [_short(inner) for inner in schema]
        case _:
            return schema


def _writing(seat: Seat) -> list[Tool]:
    async def remember(key: str = "", **said: Any) -> CallToolResult:  # noqa: ANN401
        return await answer(seat.remember(RememberRequest(**said), key))

    async def correct(**said: Any) -> CallToolResult:  # noqa: ANN401
        return await answer(seat.send(CorrectRequest(**said), memory.correct))

    async def forget(**said: Any) -> CallToolResult:  # noqa: ANN401
        return await answer(_forgotten(seat, ForgetRequest(**said)))

    async def forget_where(**said: Any) -> CallToolResult:  # noqa: ANN401
        return await answer(seat.send(ForgetWhereRequest(**said), memory.forget_where))

    return [
        _derived(remember, RememberRequest, REMEMBER, WRITES, own={"key": Key}),
        _derived(correct, CorrectRequest, CORRECT, TAKES_OUT),
        _derived(forget, ForgetRequest, FORGET, TAKES_OUT),
        _derived(forget_where, ForgetWhereRequest, FORGET_WHERE, TAKES_OUT),
    ]


async def _forgotten(seat: Seat, asked: ForgetRequest) -> object:
    done = await seat.send(asked, memory.forget)
    return {"item_id": asked.item_id, "seq": done.seq}


def _reading(seat: Seat) -> list[Tool]:
    async def recall(*, receipt: bool = False, **said: Any) -> CallToolResult:  # noqa: ANN401
        """Search the memory, best answer first: a line each, with its day and id."""
        asked = RecallRequest(**said)
        return await answer(
            seat.send(
                asked,
                lambda hands, asked: of_recall(memory.recall(hands, asked), receipt=receipt),
            )
        )

    async def context(*, receipt: bool = False, **said: Any) -> CallToolResult:  # noqa: ANN401
        """Build text for a prompt within a token budget, from what is known."""
        asked = PromptContextRequest(**said)
        return await answer(
            seat.send(
                asked,
                lambda hands, asked: of_context(memory.context(hands, asked), receipt=receipt),
            )
        )

    async def records(**said: Any) -> CallToolResult:  # noqa: ANN401
        asked = RecordsRequest(**said)
        return await answer(
            seat.send(asked, lambda hands, asked: of_records(memory.records(hands, asked)))
        )

    return [
        _derived(recall, RecallRequest, RECALL, READS, own={"receipt": Receipt}),
        _derived(context, PromptContextRequest, CONTEXT, READS, own={"receipt": Receipt}),
        _derived(records, RecordsRequest, RECORDS, READS),
        _knowing(seat),
    ]


def _knowing(seat: Seat) -> Tool:
    async def entities(
        *,
        name: str = "",
        end: str = "",
        limit: int,
        sources: bool = False,
        **said: Any,  # noqa: ANN401
    ) -> CallToolResult:
        """List people, places and organisations; or one by `name`, or how it leads to `end`."""
        asked = EntitiesRequest(**said)
        shown = Shown(limit=limit, sources=sources)
        return await answer(
            seat.send(asked, lambda hands, asked: _entities(hands, asked, (name, end), shown))
        )

    return _derived(entities, EntitiesRequest, ENTITIES, READS, own=OF_ENTITIES)


def _entities(
    hands: Hands, asked: EntitiesRequest, names: tuple[str, str], shown: Shown
) -> PlainAnswer:
    """All of them, one of them, or the way from one to another; of a kind only where all are."""
    name, end = names
    if end and not name:
        raise InputError("end: also say `name`, where the path begins")
    if name and asked.kind:
        raise InputError("kind: it narrows the list of all; leave it out beside a `name`")
    if end:
        return of_path(hands.agent.path_between(name, end, **asked.then), shown)
    if name:
        return of_entity(hands.agent.about(name, **asked.then), shown)
    return of_entities(hands.agent.entities(kind=asked.kind, **asked.then), shown)


def _derived(
    work: Callable[..., object],
    request: type[VerbRequest[Any]],
    fields: tuple[str, ...],
    hints: ToolAnnotations,
    *,
    own: Mapping[str, object] = NONE,
) -> Tool:
    """A tool that takes these fields of a request, with its types, limits and sentence.

    A tool that answers less than the route, or has several verbs, has a sentence of its own.
    """
    sentence = work.__doc__ or summary(request)
    shape = _shape(work.__name__, sentence, request, fields, tuple(own.items()))
    return shape.model_copy(update={"fn": work, "annotations": hints})


@cache
def _shape(
    name: str,
    sentence: str,
    request: type[VerbRequest[Any]],
    fields: tuple[str, ...],
    own: tuple[tuple[str, object], ...],
) -> Tool:
    """What a tool takes, for whichever seat it works: it is derived once in a process."""

    async def unseated(**said: Any) -> CallToolResult:  # noqa: ANN401
        raise NotImplementedError

    named: Any = unseated
    named.__name__, named.__doc__ = name, sentence
    named.__signature__ = tool_arguments.signature(request, fields, dict(own))
    return _tool(named, READS)


def _waiting(seat: Seat) -> Tool:
    async def requests() -> CallToolResult:
        """What you asked for that waits for a person's yes."""
        return await answer(_listed(seat))

    return _tool(requests, READS)


def _deciding(seat: Seat) -> Tool:
    async def put(id: str) -> Elicit[PersonsAnswer] | PersonsAnswer:  # noqa: A002
        """The question, exactly as it will be bound; nothing is asked where nothing waits."""
        try:
            return Elicit(await _question(seat, id), PersonsAnswer)
        except MunimentError:
            return PersonsAnswer(decision="abstain")

    async def requests(
        answered: Annotated[ElicitationResult[PersonsAnswer], Resolve(put)],
        id: Id = "",  # noqa: A002
    ) -> CallToolResult:
        """What needs a decision. With an id, the person at the client is asked to decide."""
        return await answer(_decided(seat, id, answered) if id else _listed(seat))

    return _tool(requests, TAKES_OUT)


async def _decided(seat: Seat, id: str, answered: ElicitationResult[PersonsAnswer]) -> object:  # noqa: A002
    await _question(seat, id)  # what nobody may see is not found, whatever was answered
    if not isinstance(answered, AcceptedElicitation):
        return {"id": id, "outcome": "unanswered"}
    told = answered.data
    if _is_question(id):
        if told.decision == "abstain":
            return {"id": id, "outcome": "unanswered"}
        request_id = await seat.confirm(id, yes=told.decision == "approve")
        return {"id": id, "outcome": "answered", "request_id": request_id}
    outcome = await seat.vote(await seat.request(id), told.decision, told.reason)
    return {"id": id, "outcome": outcome}


async def _question(seat: Seat, id: str) -> str:  # noqa: A002
    if _is_question(id):
        asked = next((q for q in await seat.questions() if q.confirmation_id == id), None)
        if asked is None:
            raise NotFoundError
        return f"Shall this be kept for good? {asked.key} = {canonical_json.readable(asked.value)}"
    if not seat.may_answer:
        raise PermissionDeniedError
    request = await seat.request(id)
    value = "" if request.value is None else f" = {canonical_json.readable(request.value)}"
    shown = f"{request.action} {_about(request)}{value}"
    why = f"\nBecause: {request.justification}" if request.justification else ""
    return f"{request.request_id} asks for: {shown}{why}\nThis vote binds {request.binding[:16]}."


def _about(request: Request) -> str:
    """What a request is about; of an erasure the person, for its key is a mere reference."""
    return request.subject or request.key if request.action == "erase" else request.key


def _is_question(id: str) -> bool:  # noqa: A002
    return id.startswith("confirm:")


async def _listed(seat: Seat) -> dict[str, object]:
    waiting = [
        {
            "id": each.request_id,
            "action": each.action,
            "key": _about(each),
            "value": canonical_json.release(each.value),
            "needs": each.required_approval,
            "status": each.status,
        }
        for each in await seat.requests()
    ]
    asked = [
        {"id": each.confirmation_id, "key": each.key, "value": canonical_json.release(each.value)}
        for each in await seat.questions()
    ]
    return {"requests": waiting, "questions": asked}
