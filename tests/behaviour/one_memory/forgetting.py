"""Every way to tell a memory something, and every door that could tell it again."""

from collections.abc import Callable, Iterable, Iterator

from muniment.engine.api.agent import Agent
from muniment.model.kinds.memo import Memo, MemoPlace

PLANTED = "fourteen"  # in one word of what is told, and nowhere else
TOLD = f"The harbour wall is {PLANTED} metres wide"
QUESTIONS = ("How wide is the harbour wall?", "lookup", PLANTED)

Way = Callable[[Agent], None]


def by_remember(ada: Agent) -> None:
    ada.remember(TOLD)


def by_remember_many(ada: Agent) -> None:
    ada.remember_many(["The ferry sails at noon", TOLD])


def by_user_message(ada: Agent) -> None:
    ada.conversation(session="talk", project="port").record(user=TOLD, ai="Noted")


def by_ai_message(ada: Agent) -> None:
    ada.conversation(session="talk").record(user="How wide is the wall?", ai=TOLD)


def by_task(ada: Agent) -> None:
    with ada.do(TOLD) as loop:
        loop.answer("Done")


def by_tool_of_a_loop(ada: Agent) -> None:
    with ada.do("Measure it") as loop:
        loop.tool_result(loop.tool_call("lookup", {"q": "harbour"}), TOLD)


def by_note(ada: Agent) -> None:
    with ada.do("Measure it") as loop:
        loop.note(TOLD)


def by_answer(ada: Agent) -> None:
    with ada.do("Measure it") as loop:
        loop.answer(TOLD)


def by_observing(ada: Agent) -> None:
    with ada.job(session="work") as job:
        call = job.observe_event("tool_call", "lookup")
        job.observe_event("tool_result", TOLD, {"tool_call_id": call})


def by_tracked_result(ada: Agent) -> None:
    with ada.job(session="work") as job:
        job.track_tool_invocation("lookup", {"q": "harbour"}, TOLD)


def by_tracked_value(ada: Agent) -> None:
    with ada.job(session="work") as job:
        job.track_tool_invocation("lookup", {"q": "harbour"}, {"width": TOLD, "unit": "m"})


def by_tracked_error(ada: Agent) -> None:
    with ada.job(session="work") as job:
        job.track_tool_invocation("lookup", {"q": "harbour"}, error=TOLD)


def by_tracked_parameters(ada: Agent) -> None:
    with ada.job(session="work") as job:
        job.track_tool_invocation("lookup", {"q": TOLD}, "found nothing")


def by_memo(ada: Agent) -> None:
    with ada.job(session="work") as job:
        job.memorize({"type": "observation", "text": TOLD})


def by_memo_in(store: str) -> Way:
    def told(ada: Agent) -> None:
        with ada.job(session="work") as job:
            job.memorize({"type": "fact", "text": TOLD}, store=store)

    told.__name__ = f"by_memo_in_{store}"
    return told


def by_turn(ada: Agent) -> None:
    ada.thread("slack").turn(TOLD)


def by_transcript(ada: Agent) -> None:
    ada.transcribe("call", [{"speaker": "user", "text": TOLD}])


def by_document(ada: Agent) -> None:
    ada.documents().put(("notes",), "wall", {"text": TOLD})


def by_episode(ada: Agent) -> None:
    with ada.job(session="work") as job:
        job.episodic_write(TOLD)


WAYS: tuple[Way, ...] = (
    by_remember,
    by_remember_many,
    by_user_message,
    by_ai_message,
    by_task,
    by_tool_of_a_loop,
    by_note,
    by_answer,
    by_observing,
    by_tracked_result,
    by_tracked_value,
    by_tracked_error,
    by_tracked_parameters,
    by_memo,
    by_memo_in("EM"),
    by_memo_in("SM"),
    by_turn,
    by_transcript,
    by_document,
    by_episode,
)


def doors(ada: Agent) -> Iterator[tuple[str, str]]:
    """Each way to read what is known now, and all that it tells."""
    for question in QUESTIONS:
        yield "recall", " ".join(hit.text for hit in ada.recall(question).hits)
        yield "context", str(ada.context(question, budget=1_000))
        for session in ("talk", "another"):
            talk = ada.conversation(session=session, project="port")
            yield f"conversation {session}", talk.recall(question).text
    with ada.job(session="work") as job:
        yield "context of a job", job.assemble_context(TOLD, 1_000).text
        for place in MemoPlace:
            yield f"memos of a job in {place}", _texts(job.memos(place))
    for place in MemoPlace:
        yield f"memos in {place}", _texts(ada.memos(place))
    yield "records", str(ada.records(limit=50))
    yield "documents", str(ada.documents().search(("notes",), query=TOLD))
    yield "items", str(ada.conversation(session="talk", project="port").items())


def _texts(found: Iterable[Memo]) -> str:
    return " ".join(each.text for each in found)


def telling(ada: Agent) -> set[str]:
    """The doors at which the secret is still told."""
    return {door for door, told in doors(ada) if PLANTED in told}


def ids_of(ada: Agent) -> list[str]:
    """Each id under which a read shows it."""
    hits = [hit for question in QUESTIONS for hit in ada.recall(question).hits]
    found = [(hit.id, hit.text) for hit in hits]
    found += [(memo.id, memo.text) for place in MemoPlace for memo in ada.memos(place)]
    talk = ada.conversation(session="talk", project="port")
    found += [(item.id, item.text) for item in talk.items()]
    return list(dict.fromkeys(named for named, text in found if PLANTED in text))
