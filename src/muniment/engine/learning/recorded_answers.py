"""Recorded answers: a model is asked once, and its answer is logged before it is used."""

from collections.abc import Callable, Iterator
from typing import Final

from muniment.engine.decide.memos.extraction import offered
from muniment.engine.session.agent_session import AgentSession
from muniment.engine.streams.append_result import AppendResult
from muniment.engine.streams.ports import Model
from muniment.layers import model_outputs
from muniment.layers.shelves import Shelves
from muniment.log import sealing
from muniment.log.entry import Header
from muniment.model.commands.learning import ExtractFacts, WordSummary
from muniment.model.commands.threads import RecordOutput
from muniment.model.errors import InputError, MunimentError, RefusedError
from muniment.model.events import Received
from muniment.model.policy.learning import Learning
from muniment.model.text.tokens import tokens_by_length
from muniment.retrieval.index.index_feed import TELLING, Offered
from muniment.rules.privacy import screen

MODEL_FAILED: Final = "model_failed"
NO_MODEL: Final = "no model is named: open the memory with model=…, or say --model"
TOKEN_DIGITS: Final = 16
RECEIVED: Final = "received"  # says when the entries of its batch came
BATCHES_MAX: Final = 1_000  # of one call, whatever waits


def model_of(session: AgentSession, brought: Model | None = None) -> Model:
    """The model that a caller brings or that is named, or it is said how to name one."""
    model = brought or session.hub.tools.model
    if model is None:
        raise InputError(NO_MODEL)
    return model


def token(session: AgentSession, named: str) -> str:
    """A part of a request's name; what it stands for only the log's key can tell."""
    return sealing.token(session.writer.stream.key, named).hex()[:TOKEN_DIGITS]


def ask_once(
    session: AgentSession, model: Model, request: str, purpose: str, ask: Callable[[], str]
) -> bool:
    """Have an answer in the log, asked for now or before; whether there is one."""
    if model_outputs.is_answered(session.shelves(None), request):
        return True
    try:
        answer = ask()
    except MunimentError:
        raise
    except Exception:  # whatever a model does wrong, what was asked about waits
        return False
    _record(session, model, request, purpose, answer)
    return True


def decide_once(
    session: AgentSession, command: ExtractFacts | WordSummary, exists: str
) -> AppendResult | None:
    """Have the log decide from an answer; None where somebody else had it decided meanwhile."""
    try:
        with session.calls.under(""):  # its request is its key
            return session.append_or_raise(command)
    except RefusedError as refused:
        if refused.reason != exists:
            raise
        return None


def texts_between(
    session: AgentSession, shelves: Shelves, after: int, upto: int | None, *, ever: bool = False
) -> Iterator[Offered]:
    """What the user was told or said between two entries, in order; `ever`: also what ended."""
    observed = ""

    def tells(header: Header) -> bool:  # what is about others is not even opened
        ours = header.type == RECEIVED or shelves.is_ours(part.subject for part in header.parts)
        return header.type in TELLING and ours

    for line in session.writer.lines(after=after, upto=upto, wanted=tells):
        if isinstance(line.event, Received):
            observed = line.event.at
        else:
            yield from offered(shelves, line, session.subject, observed, ever=ever)


def limited(texts: Iterator[Offered], learning: Learning) -> Iterator[Offered]:
    """The first of some texts that fit one request, whole entries at a time."""
    count, tokens, last = 0, 0, 0
    for each in texts:
        count, tokens = count + 1, tokens + tokens_by_length(each.text)
        over = count > learning.batch_entries or tokens > learning.batch_tokens
        if over and last and each.seq != last:
            return
        last = each.seq
        yield each


def _record(session: AgentSession, model: Model, request: str, purpose: str, answer: str) -> None:
    """Keep an answer; one that no entry may hold is kept as refused, so that it is not asked again.

    That somebody else was answered at the same time is no fault.
    """
    for text in (answer, screen.REFUSED_TEXT):
        command = RecordOutput(
            request=request, purpose=purpose, model=model.name, text=text, subject=session.subject
        )
        try:
            with session.calls.under(""):  # its request is its key
                session.append_or_raise(command)
        except RefusedError as refused:
            if refused.reason == "output_exists":
                return
        except InputError:  # no entry could hold it
            continue
        else:
            return
