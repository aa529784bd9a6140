"""Conversations with questions whose evidence is known, read into one shape."""

import gzip
import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from muniment.model import ids

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open", 4: "single", 5: "adversarial"}
HAYSTACK_SESSIONS = 48
LOCOMO = "locomo_tune.json"
LONGMEMEVAL = "longmemeval_oracle_tune.json"
DIALOGUES = "dialogues"  # a folder of others, all in one shape
_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")  # some are written "D:11:26" or "D30:05"
_CHAT_DATE = re.compile(r"(\d+):(\d\d) (am|pm) on (\d+) (\w+), (\d{4})")


@dataclass(frozen=True)
class Turn:
    id: str
    ts: str
    text: str
    speaker: str
    role: str
    session: str


@dataclass(frozen=True)
class Question:
    text: str
    kind: str
    evidence: frozenset[str]  # of turns
    sessions: frozenset[str] = frozenset()
    as_of: str = ""


@dataclass(frozen=True)
class Talk:
    """One memory, and what is asked of it."""

    name: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...] = field(default=())


def locomo(path: Path) -> list[Talk]:
    return [_chat(entry) for entry in json.loads(path.read_text("utf-8"))]


def dialogues(path: Path) -> list[Talk]:
    """One of the sets that are written in the shape of this file."""
    with gzip.open(path) as file:
        return [_dialogue(entry) for entry in json.load(file)]


def _dialogue(entry: dict) -> Talk:  # type: ignore[type-arg]
    turns = tuple(
        Turn(
            id=turn["id"],
            ts=turn["ts"],
            text=turn["text"],
            speaker=turn.get("speaker", ""),
            role=turn.get("role", "user"),
            session=turn.get("session", ""),
        )
        for turn in entry["turns"]
    )
    questions = tuple(
        Question(
            text=asked["text"],
            kind=asked["kind"],
            evidence=frozenset(asked["evidence"]),
            as_of=asked.get("as_of") or "",
        )
        for asked in entry["questions"]
    )
    return Talk(entry["name"], turns, questions)


def longmemeval(path: Path, draw: str = "") -> Iterator[Talk]:
    """For each question its own sessions among those of other questions, drawn by their names.

    Another draw is the same questions among other sessions.
    """
    entries = json.loads(path.read_text("utf-8"))
    sessions: dict[str, tuple[str, list[dict[str, object]]]] = {}
    for entry in entries:
        for name, date, turns in zip(
            entry["haystack_session_ids"],
            entry["haystack_dates"],
            entry["haystack_sessions"],
            strict=True,
        ):
            sessions.setdefault(name, (date, turns))
    for entry in entries:
        if not entry["question_id"].endswith("_abs"):
            yield _haystack(entry, sessions, draw)


def _chat(entry: dict) -> Talk:  # type: ignore[type-arg]
    chat = entry["conversation"]
    turns = []
    for number in range(1, 100):
        for turn in chat.get(f"session_{number}", []):
            caption = turn.get("blip_caption")
            turns.append(
                Turn(
                    id=turn["dia_id"],
                    ts=_chat_time(chat[f"session_{number}_date_time"]),
                    text=turn["text"] + (f" [image: {caption}]" if caption else ""),
                    speaker=turn["speaker"],
                    role="user",
                    session=str(number),
                )
            )
    known = {turn.id for turn in turns}
    questions = []
    for asked in entry["qa"]:
        named = _EVIDENCE.findall(" ".join(asked.get("evidence", [])))
        found = known & {f"D{int(session)}:{int(turn)}" for session, turn in named}
        if found:
            questions.append(
                Question(
                    text=asked["question"],
                    kind=CATEGORIES[asked["category"]],
                    evidence=frozenset(found),
                )
            )
    return Talk(entry["sample_id"], tuple(turns), tuple(questions))


def _haystack(entry: dict, sessions: dict, draw: str) -> Talk:  # type: ignore[type-arg]
    own = set(entry["haystack_session_ids"])
    families = {_family(name) for name in own}
    others = [name for name in sessions if _family(name) not in families]
    seed = f"{draw}{entry['question_id']}"
    others.sort(key=lambda name: hashlib.sha256(f"{seed}/{name}".encode()).digest())
    names = sorted(own) + others[: HAYSTACK_SESSIONS - len(own)]
    names.sort(key=lambda name: (_time(sessions[name][0]), name))
    turns, evidence = [], set()
    for name in names:
        date, said = sessions[name]
        for number, turn in enumerate(said):
            if turn["role"] != "user":
                continue
            identity = f"{name}:{number:03d}"
            turns.append(Turn(identity, _time(date), turn["content"], "", "user", name))
            if turn.get("has_answer") and name in entry["answer_session_ids"]:
                evidence.add(identity)
    question = Question(
        text=entry["question"],
        kind=entry["question_type"],
        evidence=frozenset(evidence),
        sessions=frozenset(entry["answer_session_ids"]),
        as_of=_time(entry["question_date"]),
    )
    return Talk(entry["question_id"], tuple(turns), (question,))


def _family(session: str) -> str:
    return session.removeprefix("answer_").rsplit("_", 1)[0]


def _time(text: str) -> str:
    year, month, day, hour, minute = map(int, re.findall(r"\d+", text)[:5])
    return _moment(ids.days(year, month, day), hour, minute)


def _chat_time(text: str) -> str:
    match = _CHAT_DATE.fullmatch(text.strip())
    assert match is not None, text
    hour, minute, half, day, month, year = match.groups()
    names = [name.lower() for name in MONTHS]
    number = names.index(month.lower()) + 1
    clock = int(hour) % 12 + (12 if half == "pm" else 0)
    return _moment(ids.days(int(year), number, int(day)), clock, int(minute))


def _moment(day: int, hour: int, minute: int) -> str:
    return ids.time_text(((day * 24 + hour) * 60 + minute) * 60_000)


def texts(talks: Sequence[Talk]) -> Iterator[str]:
    for talk in talks:
        for turn in talk.turns:
            yield turn.text


MONTHS = re.findall(
    r"\w+",
    "January February March April May June July August September October November December",
)
