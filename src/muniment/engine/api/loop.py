"""A loop: one task from its input to its answer, every step of it kept literally."""

from types import TracebackType

from muniment.engine.api.job import Job
from muniment.model import canonical_json
from muniment.model.kinds.loop import EventKind


class Loop(Job):
    """What `do(task)` opens. Leaving its `with` block ends it; an exception is kept as an error."""

    def tool_call(self, name: str, arguments: object = None) -> str:
        """Keep a call; returns the id that its result answers to."""
        content = (
            name
            if arguments is None
            else f"{name} {canonical_json.readable(canonical_json.admit(arguments))}"
        )
        metadata = {"tool_name": name, "tool_args": arguments}
        return self.observe_event(EventKind.TOOL_CALL, content, metadata)

    def tool_result(self, call_id: str, result: object) -> str:
        metadata = {"tool_call_id": call_id}
        return self.observe_event(EventKind.TOOL_RESULT, result, metadata)

    def note(self, content: object, metadata: object = None) -> str:
        """Keep something that neither a person nor a tool said."""
        return self.observe_event(EventKind.SYSTEM_EVENT, content, metadata)

    def answer(self, content: object) -> str:
        """Keep the final output; after it only errors and notes may follow."""
        return self.observe_event(EventKind.ACTOR_OUTPUT, content)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if isinstance(error, Exception) and self.is_open:
            told = f"{type(error).__name__}: {error}"
            self.observe_event(EventKind.ERROR, told)
        super().__exit__(kind, error, trace)
