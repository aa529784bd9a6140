"""Question sets: one's own questions, LoCoMo or LongMemEval files, read as the same thing.

One's own file is JSON: {"texts": [{"id": "1", "text": "…", "speaker": "", "at": ""}],
"questions": [{"question": "…", "evidence": ["1"], "answer": "…", "kind": ""}]}, or a list of those.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from muniment.model import ids
from muniment.model.errors import InputError

MONTHS: Final = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
CATEGORIES: Final = {
    1: "multi-hop",
    2: "temporal",
    3: "open-domain",
    4: "single-hop",
    5: "adversarial",
}
_EVIDENCE = re.compile(r"D\s*(\d+)\s*:\s*(\d+)")
_CHAT_TIME = re.compile(r"(\d+):(\d+) ([ap])m on (\d+) (\w+), (\d{4})")
SESSIONS_MAX: Final = 1_000


class SetText(msgspec.Struct, frozen=True, kw_only=True):
    """One text to remember, in the order it was said."""

    id: str
    text: str
    speaker: str = ""
    session: str = ""
    at: str = ""  # fixed-width UTC text, or nothing


class SetQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """One question, what answers it, and which texts it can be answered from."""

    question: str
    evidence: tuple[str, ...] = ()
    answer: str = ""
    kind: str = ""


class QuestionSet(msgspec.Struct, frozen=True, kw_only=True):
    """A memory's worth of texts, and the questions about them."""

    name: str = ""
    texts: tuple[SetText, ...]
    questions: tuple[SetQuestion, ...]


def read(path: Path) -> list[QuestionSet]:
    """The sets of a file; which of the three formats it has, it shows itself."""
    try:
        document = msgspec.json.decode(path.read_bytes())
        entries = document if isinstance(document, list) else [document]
        return [_set(each, place) for place, each in enumerate(entries, start=1)]
    except (OSError, msgspec.MsgspecError, LookupError, TypeError, ValueError) as error:
        raise InputError(f"{path.name!r} is not a file of questions: {error}") from None


def _set(entry: Any, place: int) -> QuestionSet:  # noqa: ANN401 - a stranger's JSON
    if "conversation" in entry:
        return _locomo(entry)
    if "haystack_sessions" in entry:
        return _longmemeval(entry)
    return msgspec.convert({"name": str(place), **entry}, QuestionSet)


def _locomo(entry: Any) -> QuestionSet:  # noqa: ANN401
    chat = entry["conversation"]
    texts = []
    for number in range(1, SESSIONS_MAX):
        for turn in chat.get(f"session_{number}", ()):
            caption = turn.get("blip_caption")
            texts.append(
                SetText(
                    id=turn["dia_id"],
                    text=turn["text"] + (f" [image: {caption}]" if caption else ""),
                    speaker=turn["speaker"],
                    session=str(number),
                    at=_chat_time(chat.get(f"session_{number}_date_time", "")),
                )
            )
    known = {each.id for each in texts}
    asked = (
        SetQuestion(
            question=each["question"],
            evidence=tuple(sorted(known & _cited(each.get("evidence", ())))),
            answer=str(each.get("answer", "")),
            kind=CATEGORIES.get(each.get("category"), ""),
        )
        for each in entry["qa"]
    )
    questions = tuple(each for each in asked if each.evidence)
    return QuestionSet(name=entry["sample_id"], texts=tuple(texts), questions=questions)


def _cited(evidence: Iterable[str]) -> set[str]:
    return {f"D{int(n)}:{int(turn)}" for n, turn in _EVIDENCE.findall(" ".join(evidence))}


def _longmemeval(entry: Any) -> QuestionSet:  # noqa: ANN401
    texts = tuple(_haystack(entry))
    cited = tuple(each.id for each in texts if each.session in set(entry["answer_session_ids"]))
    told = [name for name, answers in _answering(entry) if answers]
    evidence = tuple(each for each in cited if each in set(told)) or cited
    question = SetQuestion(
        question=entry["question"],
        evidence=evidence,
        answer=str(entry["answer"]),
        kind=entry["question_type"],
    )
    return QuestionSet(name=entry["question_id"], texts=texts, questions=(question,))


def _haystack(entry: Any) -> Iterator[SetText]:  # noqa: ANN401
    rows = zip(
        entry["haystack_session_ids"],
        entry["haystack_dates"],
        entry["haystack_sessions"],
        strict=True,
    )
    for session, date, turns in rows:
        for number, turn in enumerate(turns):
            if turn["role"] == "user":
                name = f"{session}:{number}"
                yield SetText(id=name, text=turn["content"], session=session, at=_date(date))


def _answering(entry: Any) -> Iterator[tuple[str, bool]]:  # noqa: ANN401
    sessions = zip(entry["haystack_session_ids"], entry["haystack_sessions"], strict=True)
    for session, turns in sessions:
        for number, turn in enumerate(turns):
            yield f"{session}:{number}", bool(turn.get("has_answer"))


def _date(told: str) -> str:
    year, month, day, hour, minute = map(int, re.findall(r"\d+", told)[:5])
    return _moment(ids.days(year, month, day), hour, minute)


def _chat_time(told: str) -> str:
    found = _CHAT_TIME.fullmatch(told.strip())
    if found is None:
        return ""
    hour, minute, half, day, month, year = found.groups()
    number = MONTHS.index(month.lower()) + 1
    clock = int(hour) % 12 + (12 if half == "p" else 0)
    return _moment(ids.days(int(year), number, int(day)), clock, int(minute))


def _moment(day: int, hour: int, minute: int) -> str:
    return ids.time_text(((day * 24 + hour) * 60 + minute) * 60_000)
