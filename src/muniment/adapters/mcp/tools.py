"""The tools of the MCP door: six verbs, and a question to a person before anything is approved."""

from collections.abc import Callable
from typing import Annotated, Any, Literal

from mcp.server.elicitation import AcceptedElicitation, ElicitationResult
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.resolve import Elicit, Resolve
from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult, ToolAnnotations
from pydantic import BaseModel, Field, ValidationError

from muniment.adapters.mcp.responses import answer
from muniment.adapters.mcp.session import Seat, When
from muniment.layers.governance.requests import Request
from muniment.model import canonical_json
from muniment.model.errors import (
    InputError,
    MunimentError,
    NotFoundError,
    PermissionDeniedError,
)

Words = Annotated[str, Field(max_length=32_768)]
Id = Annotated[str, Field(max_length=512)]
Speaker = Annotated[str, Field(max_length=200, description="who says it, where several talk")]
Talk = Annotated[str, Field(max_length=128, description="which talk it belongs to")]
Limit = Annotated[int, Field(ge=0, le=500)]
Budget = Annotated[int, Field(ge=0, le=1_000_000)]
Day = Annotated[str, Field(max_length=32, description="what was so on a day: 2026-03-05")]
Place = Annotated[int, Field(ge=-1, description="as of a past entry")]
Act = Annotated[bool, Field(description="only what may be acted on")]
NOW = -1

READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
WRITES = ToolAnnotations(destructive_hint=False, open_world_hint=False)
TAKES_OUT = ToolAnnotations(destructive_hint=True, open_world_hint=False)


class Confirmation(BaseModel):
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
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError):
                raise
            return await answer(_misfit(error.__cause__, list(self.parameters["properties"])))


async def _misfit(error: ValidationError, known: list[str]) -> object:
    """Each argument that does not fit, and how; what was given for it is told back to nobody."""
    wrong = {str(each["loc"][0]): str(each["msg"]) for each in error.errors(include_input=False)}
    told = "; ".join(f"{name}: {wrong[name]}" for name in sorted(wrong))
    takes = f"; there are {', '.join(known)}" if wrong.keys() - {*known} else ""
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
        case dict():
            return {
                key: _short(inner)
                for key, inner in schema.items()
                if key != "title" or not isinstance(inner, str)
            }
        case list():
            return [_short(inner) for inner in schema]
        case _:
            return schema


def _writing(seat: Seat) -> list[Tool]:
    async def remember(
        text: Words, key: Id = "", speaker: Speaker = "", session: Talk = ""
    ) -> CallToolResult:
        """Keep a sentence; private data is redacted, secrets refused. A key makes retries safe."""
        return await answer(seat.remember(text, key, speaker, session))

    async def correct(id: Id, text: Words) -> CallToolResult:  # noqa: A002
        """Put an item right: the text takes its place."""
        return await answer(seat.correct(id, text))

    async def forget(id: Id, reason: Words = "") -> CallToolResult:  # noqa: A002
        """Take an item out of every reading from here on."""
        return await answer(_forgotten(seat, id, reason))

    return [_tool(remember, WRITES), _tool(correct, TAKES_OUT), _tool(forget, TAKES_OUT)]


async def _forgotten(seat: Seat, id: str, reason: str) -> object:  # noqa: A002
    return {"id": id, "seq": await seat.forget(id, reason)}


def _reading(seat: Seat) -> list[Tool]:
    async def recall(
        query: Words, limit: Limit = 0, at: Place = NOW, *, valid_at: Day = "", act: Act = False
    ) -> CallToolResult:
        """What is remembered about a question, best first: now, `at` an entry, of a day."""
        return await answer(seat.recall(query, limit, When(at=_entry(at), day=valid_at), act=act))

    async def context(
        prompt: Words, budget: Budget = 0, at: Place = NOW, valid_at: Day = ""
    ) -> CallToolResult:
        """Text for a prompt that fits a token budget."""
        return await answer(seat.context(prompt, budget, When(at=_entry(at), day=valid_at)))

    return [_tool(recall, READS), _tool(context, READS)]


def _entry(at: int) -> int | None:
    return None if at == NOW else at


def _waiting(seat: Seat) -> Tool:
    async def requests() -> CallToolResult:
        """What you asked for that waits for a person's yes."""
        return await answer(_listed(seat))

    return _tool(requests, READS)


def _deciding(seat: Seat) -> Tool:
    async def put(id: str) -> Elicit[Confirmation] | Confirmation:  # noqa: A002
        """The question, exactly as it will be bound; nothing is asked where nothing waits."""
        try:
            return Elicit(await _question(seat, id), Confirmation)
        except MunimentError:
            return Confirmation(decision="abstain")

    async def requests(
        answered: Annotated[ElicitationResult[Confirmation], Resolve(put)],
        id: Id = "",  # noqa: A002
    ) -> CallToolResult:
        """What waits for a yes. With an id, the person at the client is asked to decide."""
        return await answer(_decided(seat, id, answered) if id else _listed(seat))

    return _tool(requests, TAKES_OUT)


async def _decided(seat: Seat, id: str, answered: ElicitationResult[Confirmation]) -> object:  # noqa: A002
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
