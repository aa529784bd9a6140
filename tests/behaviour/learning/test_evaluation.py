"""`muniment eval`: evidence recalled without a model, answers judged with one, and a cassette."""

import json
from pathlib import Path

import pytest
from tests.scripted_model import Asked, scripted
from tests.terminal import Shell

from muniment.adapters.evaluation import question_sets
from muniment.model.errors import InputError

OWN = {
    "texts": [
        {"id": "a", "text": "My wife is Marta"},
        {"id": "b", "text": "Marta works at Siemens"},
        {"id": "c", "text": "I like green tea"},
    ],
    "questions": [
        {"question": "Who is my wife?", "evidence": ["a"], "answer": "Marta", "kind": "kin"},
        {"question": "Which tea do I like?", "evidence": ["c"], "answer": "green", "kind": "taste"},
        {"question": "Zebra crossing?", "evidence": ["b"], "answer": "none", "kind": "taste"},
    ],
}
LOCOMO = {
    "sample_id": "conv-1",
    "conversation": {
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ann", "dia_id": "D1:1", "text": "I adopted a cat named Mimi"},
            {"speaker": "Bob", "dia_id": "D1:2", "text": "Nice!", "blip_caption": "a grey cat"},
        ],
    },
    "qa": [
        {"question": "Which cat has Ann?", "answer": "Mimi", "evidence": ["D1:1"], "category": 4},
        {"question": "Nothing says it", "answer": "", "evidence": [], "category": 5},
    ],
}
LONGMEMEVAL = {
    "question_id": "q1",
    "question_type": "temporal-reasoning",
    "question": "When was my car serviced?",
    "question_date": "2023/04/10 (Mon) 23:07",
    "answer": "March 15th",
    "haystack_session_ids": ["s1", "s2"],
    "haystack_dates": ["2023/04/10 (Mon) 17:50", "2023/04/11 (Tue) 9:00"],
    "haystack_sessions": [
        [
            {"role": "user", "content": "My car was serviced on March 15th", "has_answer": True},
            {"role": "assistant", "content": "Good."},
        ],
        [{"role": "user", "content": "I bought bread"}],
    ],
    "answer_session_ids": ["s1"],
}


def written(folder: Path, document: object) -> Path:
    path = folder / "questions.json"
    path.write_text(json.dumps(document))
    return path


def test_evidence_is_counted_without_a_model(tmp_path: Path) -> None:
    shell = Shell("--store", str(tmp_path / "none"))

    found = shell.document("eval", str(written(tmp_path, OWN)), "--at", "1", "--at", "3")

    kinds = found["kinds"]
    assert isinstance(kinds, dict)
    assert kinds["kin"]["recall"] == {"1": 100.0, "3": 100.0}
    assert kinds["taste"]["recall"]["1"] == 50.0
    assert kinds["all"]["questions"] == 3
    assert kinds["all"]["accuracy"] is None
    assert not (tmp_path / "none").exists()


def test_a_model_answers_and_judges_and_a_cassette_replays_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def script(asked: Asked) -> str:
        if "one word" in asked.system:
            expected, given = asked.user.splitlines()[1:3]
            return "yes" if expected.split()[1] in given else "no"
        return "Marta" if "wife?" in asked.user else "not known"

    path, cassette = written(tmp_path, OWN), tmp_path / "run.json"
    with scripted(script) as server:
        monkeypatch.setenv("OLLAMA_HOST", server.address.removesuffix("/v1"))
        named = Shell("--store", str(tmp_path / "none"), "--model", "ollama:m")
        first = named.document("eval", str(path), "--cassette", str(cassette))
        asked = len(server.asked)
    plain = Shell("--store", str(tmp_path / "none"))
    again = plain.document("eval", str(path), "--cassette", str(cassette))

    assert asked == 6
    assert (first["asked"], again["asked"]) == (6, 0)
    assert isinstance(first["kinds"], dict)
    assert isinstance(again["kinds"], dict)
    assert first["kinds"]["all"]["accuracy"] == again["kinds"]["all"]["accuracy"] == 33.3
    assert first["kinds"]["kin"]["accuracy"] == 100.0


def test_the_files_of_two_benchmarks_are_read_as_the_same_thing(tmp_path: Path) -> None:
    (chat,) = question_sets.read(written(tmp_path, [LOCOMO]))
    (haystack,) = question_sets.read(written(tmp_path, [LONGMEMEVAL]))

    assert [each.id for each in chat.texts] == ["D1:1", "D1:2"]
    assert chat.texts[0].at == "2023-05-08T13:56:00.000Z"
    assert chat.texts[1].text == "Nice! [image: a grey cat]"
    assert [(each.kind, each.evidence) for each in chat.questions] == [("single-hop", ("D1:1",))]
    assert [each.id for each in haystack.texts] == ["s1:0", "s2:0"]
    assert haystack.questions[0].evidence == ("s1:0",)
    assert haystack.texts[0].at == "2023-04-10T17:50:00.000Z"


@pytest.mark.parametrize("document", ["text", [1], {"texts": 5}, {"conversation": {}}])
def test_another_file_is_no_file_of_questions(tmp_path: Path, document: object) -> None:
    with pytest.raises(InputError, match="not a file of questions"):
        question_sets.read(written(tmp_path, document))
