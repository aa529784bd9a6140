"""Law: a text is read the same, whether or not a process has read anything before it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec

from muniment.model.languages.phrases import correction_words
from muniment.retrieval.index import document_features
from muniment.retrieval.languages import small_talk
from muniment.retrieval.ranking import query
from muniment.rules.conversation import classify, retractions

ROOT = Path(__file__).parents[2]
TALK = ROOT / "bench" / "recall" / "talk.txt"
BY_HAND = (
    "I live in Porto",
    "Ich wohne in Kassel",
    "Vivo en Cádiz",
    "J'habite à Lyon",
    "Abito a Bari",
    "Ik woon in Gent",
    "Я живу в Казани",
    "我住在上海",
    "My sister died in March",
    "I work at Siemens since May 2021",
    "No sorry, 14:30",
    "I no longer use Vim",
)
HERE = "from tests.laws import test_first_readings as here; here.tell()"


class Told(msgspec.Struct):
    text: str
    role: str = "user"


def reading(text: str) -> str:
    """All that is found in a text, for an index, for a question and for a conversation."""
    words, flags = document_features.of(Told(text=text))
    return repr(
        (
            sorted(words.items()),
            flags,
            query.analyse(text, as_of="2026-03-01T10:00:00.000Z"),
            small_talk.is_all(text),
            correction_words.is_bare(text),
            retractions.found(text),
            classify.stated(text),
        )
    )


def in_a_fork(what: Callable[[], str]) -> str:
    out, told = os.pipe()
    child = os.fork()
    if not child:
        with os.fdopen(told, "w") as answer:
            answer.write(what())
            answer.flush()
            os._exit(0)
    os.close(told)
    with os.fdopen(out) as answer:
        found = answer.read()
    os.waitpid(child, 0)
    return found


def tell() -> None:
    """Which texts are read otherwise as the first of a process than later on."""
    texts = [*BY_HAND, *TALK.read_text().splitlines()[::8]]  # a tenth of a second each
    first = [in_a_fork(lambda text=text: reading(text)) for text in texts]  # type: ignore[misc]
    _ = [reading(text) for text in texts]
    print(json.dumps([t for t, was in zip(texts, first, strict=True) if reading(t) != was]))


def test_the_first_text_of_a_process_is_read_as_any_other() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", HERE], check=True, capture_output=True, text=True, cwd=ROOT
    )

    assert json.loads(ran.stdout) == []
