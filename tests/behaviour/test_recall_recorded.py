"""Vectors that nobody can ask for again: kept in the log once, in order, and searched by."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

import msgspec
import pytest
from tests.terminal import Shell
from tests.world import CountedKeyring, hub, memory

import muniment
from muniment.adapters.embedders.openai_embedder import EndpointEmbedder
from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.engine.streams.parts import Tools
from muniment.engine.streams.ports import Neighbours
from muniment.log.reference_store import ScratchStore
from muniment.model.commands.recalls import RecordVectors
from muniment.model.errors import EmbedderError, InputError
from muniment.model.events import Recalled
from muniment.model.events.recalls import VectorsReached, VectorsRecorded
from muniment.model.scope import Channel, Principal, Role, agent_stream
from muniment.retrieval.index import segments
from muniment.retrieval.index.hashing_embedder import HashingEmbedder

MEANINGS = (
    "pupils youngsters offspring",
    "auto car vehicle",
    "lute strings",
    "physician doctor",
    "tea brew",
)
NAME = "moody-1"
ADA = agent_stream("main", "ada")


class Moody:
    """A server of meanings: counted, sometimes away, and of another opinion every day."""

    name, dims, pure = NAME, 8, False

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.away = False
        self.day = 0
        self.refuses = ""

    def embed(self, text: str) -> bytes:
        if self.away or (self.refuses and self.refuses in text):
            raise EmbedderError("nobody is there")
        self.asked.append(text)
        words = {word.strip(".,?!").lower() for word in text.split()}
        codes = [1 + self.day] * self.dims
        for n, meaning in enumerate(MEANINGS):
            codes[n] += 100 * bool(words & set(meaning.split()))
        return bytes(codes)


class Place:
    """A store, its keys and its embedder, opened as often as a test likes."""

    def __init__(self, policy: str = NAME) -> None:
        self.store, self.keyring = ScratchStore(), CountedKeyring()
        self.moody = Moody()
        self._policy = policy

    def open(self) -> Memory:
        tools = Tools(embedder=HashingEmbedder(), others=(self.moody,))
        opened = memory(store=self.store, keyring=self.keyring, tools=tools)
        if self._policy:
            opened.agent("ada")
            opened.indexing().switch("ada", self._policy)
            self._policy = ""
        return opened

    def forget_indexes(self) -> None:
        """As if somebody had deleted every segment."""
        self.open().rebuild()


def found(ada: Agent, question: str, at: int | None = None) -> list[str]:
    return [hit.text for hit in ada.recall(question, at=at).hits]


def recorded(of: Memory) -> list[VectorsRecorded]:
    lines = hub(of).writer(ADA).lines()
    return [line.event for line in lines if isinstance(line.event, VectorsRecorded)]


def receipts(of: Memory) -> list[int]:
    lines = hub(of).writer(ADA).lines()
    return [line.seq for line in lines if isinstance(line.event, Recalled)]


def test_a_text_is_found_by_what_the_embedder_said_and_it_is_asked_once() -> None:
    place = Place()
    ada = place.open().agent("ada", user="tuff")

    ada.remember("The pupils sleep early")
    ada.remember("A car is in the yard")

    assert found(ada, "youngsters") == ["The pupils sleep early"]
    assert place.moody.asked.count("The pupils sleep early") == 1
    place.forget_indexes()
    place.moody.day = 9  # whatever it would say today, it is not asked
    assert found(place.open().agent("ada", user="tuff"), "youngsters") == ["The pupils sleep early"]
    assert place.moody.asked.count("The pupils sleep early") == 1


@pytest.mark.covers("C-034")
def test_the_mirror_is_searched_by_what_the_embedder_said_too() -> None:
    place = Place()
    ada = place.open().agent("ada", user="tuff")
    for task in ("The pupils sleep early", "A car is in the yard"):
        with ada.do(task):
            pass

    assert [hit.entry.summary for hit in ada.rag_query("youngsters")] == ["The pupils sleep early"]
    assert "youngsters" in place.moody.asked


def test_a_question_that_may_not_be_kept_is_told_to_no_server() -> None:
    place = Place()
    ada = place.open().agent("ada", user="tuff")
    with ada.do("The pupils sleep early"):
        pass

    ada.rag_query("my password is correct-horse-77 and the pupils")

    assert not [text for text in place.moody.asked if "horse" in text]


def test_the_same_receipts_come_from_the_log_whatever_the_embedder_says_today() -> None:
    place = Place()
    ada = place.open().agent("ada", user="tuff")
    ada.remember_many(f"The pupils see car number {n}. The doctor has tea {n}." for n in range(40))
    ada.recall("offspring and vehicle", explain=True)
    ada.remember("and so on")
    (seq,) = receipts(place.open())
    before = msgspec.to_builtins(ada.recall_again(seq))

    place.forget_indexes()
    place.moody.away = True

    again = place.open().agent("ada", user="tuff").recall_again(seq)
    assert msgspec.to_builtins(again) == before
    assert again.receipt.basis is not None
    assert again.receipt.basis.embedder == NAME
    assert place.open().prove()


def test_a_read_of_the_past_takes_no_vector_from_who_reads_next() -> None:
    """Given a segment that ends inside an entry, when an earlier one is read first, then the rest
    of that entry is still found by its vectors.
    """
    place = Place()
    ada = place.open().agent("ada", user="tuff")
    ada.remember("A first word")
    then = ada.seq
    ada.remember_many([f"A train is late, number {n}" for n in range(33)] + ["The pupils sleep"])
    before = ada.recall("offspring")  # and 32 of the texts are in a segment
    assert before.hits[0].text == "The pupils sleep"

    later = place.open().agent("ada", user="tuff")
    assert found(later, "word", at=then) == ["A first word"]

    assert later.recall("offspring").hits == before.hits


@pytest.mark.parametrize("then", ["there", "away"])
def test_the_same_contexts_come_from_the_log_whatever_the_embedder_says_today(then: str) -> None:
    """Given a context by an embedder's word, when that has changed, then it is the same context."""
    place = Place()
    ada = place.open().agent("ada", user="tuff")
    ada.remember_many(f"The pupils see car number {n}. The doctor has tea {n}." for n in range(9))
    ada.remember_many(f"The train number {n} is late" for n in range(9))
    for n in range(4):
        fact = {"type": "fact", "text": f"Kids of house {n} may vote", "key": f"project:{n}"}
        ada.memorize(fact | {"importance": 0.9})
    job = ada.job("one")
    job.set_goal("g1", "find a vehicle")
    place.moody.away = then == "away"
    told, past = job.context("offspring", budget=200), ada.context("brew", at=ada.seq)
    job.commit()
    asked = len(place.moody.asked)

    assert ("may vote" in told.text) == (then == "there")
    place.moody.day, place.moody.away = 99, then != "away"
    later = place.open().agent("ada", user="tuff")

    assert later.regenerate(told.receipt.receipt_id) == told
    assert later.regenerate(past.receipt) == past
    assert len(place.moody.asked) == asked


def test_a_secret_in_a_question_is_told_to_no_embedder_and_leaves_no_vector() -> None:
    """Given a server of vectors, when a question holds a secret, then its words alone decide."""
    place = Place()
    ada = place.open().agent("ada", user="tuff")
    kept = ada.remember("The pupils sleep early").episodic_id
    job = ada.job("one")
    job.set_goal("g1", "find a vehicle")
    asked = "when do pupils sleep? my password is correct-horse-77"
    place.moody.asked.clear()

    assert [hit.id for hit in ada.recall(asked).hits] == [kept]
    assert ada.why_not(kept, asked).stage == "recalled"
    told = job.context(asked)
    ada.memory_type("semantic").remember(asked)
    job.commit()

    assert not any("correct-horse" in each for each in place.moody.asked)
    assert ada.receipt(told.receipt.receipt_id).codes == ()
    assert ada.regenerate(told.receipt) == told


def test_while_the_embedder_is_away_words_decide_and_what_is_owed_is_made_good_in_order() -> None:
    place = Place()
    ada = place.open().agent("ada", user="tuff")
    place.moody.away = True

    ada.remember("The pupils sleep early")
    ada.remember("The pupils sing")
    assert found(ada, "youngsters") == []
    assert found(ada, "pupils") != []
    place.moody.away = False
    ada.remember("A physician came")

    assert sorted(found(ada, "youngsters")) == ["The pupils sing", "The pupils sleep early"]
    told = [text for text in place.moody.asked if text.endswith(("early", "sing", "came"))]
    assert told == ["The pupils sleep early", "The pupils sing", "A physician came"]


def test_an_answer_given_by_words_stays_that_answer() -> None:
    place = Place()
    ada = place.open().agent("ada", user="tuff")
    place.moody.away = True
    ada.remember("The pupils sleep early")
    ada.remember("All youngsters sing")
    by_words = msgspec.to_builtins(ada.recall("youngsters").hits)
    at = hub(place.open()).writer(ADA).head.seq
    place.moody.away = False
    ada.remember("and so on")
    (seq,) = receipts(place.open())

    assert set(found(ada, "youngsters")) > {"The pupils sleep early", "All youngsters sing"}
    assert msgspec.to_builtins(ada.recall_again(seq).hits) == by_words
    assert found(ada, "youngsters", at=at) == ["All youngsters sing"]


def test_a_text_that_the_embedder_refuses_holds_up_nobody() -> None:
    place = Place()
    place.moody.refuses = "unspeakable"
    ada = place.open().agent("ada", user="tuff")

    ada.remember("An unspeakable car")
    ada.remember("The pupils sing")

    assert found(ada, "youngsters") == ["The pupils sing"]
    assert found(ada, "unspeakable") == ["An unspeakable car"]
    assert 0 in [count for each in recorded(place.open()) for count in each.counts]


def test_a_vector_of_another_size_is_no_answer() -> None:
    place = Place()
    place.moody.dims = 9
    embed, place.moody.embed = place.moody.embed, lambda text: embed(text)[:8]  # type: ignore[method-assign]
    ada = place.open().agent("ada", user="tuff")

    ada.remember("The pupils sing")

    assert found(ada, "pupils") == ["The pupils sing"]
    assert recorded(place.open()) == []


def test_what_is_told_again_needs_no_second_answer_and_what_another_says_does() -> None:
    place = Place()
    opened = place.open()
    for user in ("tuff", "tuff", "mia"):
        opened.agent("ada", user=user).remember("The pupils sing")
    opened.agent("ada", user="tuff").remember("A car")

    assert place.moody.asked.count("The pupils sing") == 2
    for user in ("tuff", "mia"):
        assert "The pupils sing" in found(opened.agent("ada", user=user), "youngsters")


def test_erasing_somebody_takes_their_vectors_along_and_moves_nobody_elses_answer() -> None:
    place = Place()
    opened = place.open()
    mia, tuff = (opened.agent("ada", user=user) for user in ("mia", "tuff"))
    tuff.remember("The pupils sing")
    mia.remember("My offspring sleep early")
    before = msgspec.to_builtins(tuff.recall("youngsters").hits)
    assert len(recorded(opened)) == 2

    eraser = opened.eraser()
    request = eraser.request("mia", reason="she asked for it")
    opened.council().approve(request)
    eraser.carry_out(request)

    later = place.open()
    assert len(recorded(later)) == 1
    assert msgspec.to_builtins(later.agent("ada", user="tuff").recall("youngsters").hits) == before
    assert later.prove()
    place.forget_indexes()
    again = place.open().agent("ada", user="tuff")
    assert msgspec.to_builtins(again.recall("youngsters").hits) == before


def test_another_embedder_is_asked_about_the_whole_log_graded_and_switched_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(segments, "BLOCK", 4)
    place = Place(policy="")
    opened = place.open()
    ada = opened.agent("ada", user="tuff")
    ada.remember_many(f"The pupils see room {n}" for n in range(40))
    ada.remember("Some strings by the river")
    ada.recall("lute by the river")
    ada.remember("and so on")
    indexing, told = opened.indexing(), list[tuple[int, int]]()
    assert indexing.status("ada").waiting == {NAME: 42}

    place.moody.refuses, place.moody.away = "", False
    indexing.build("ada", NAME, progress=lambda *at: told.append(at))

    assert told[-3:-2] == [(42, 42)]
    assert told[-2:] == [(1, 2), (2, 2)]
    assert indexing.status("ada").waiting == {NAME: 0}
    assert indexing.grade("ada", NAME).questions == 1
    assert found(ada, "lute") == []
    indexing.switch("ada", NAME)
    assert found(ada, "lute")[0] == "Some strings by the river"
    assert indexing.status("ada").documents[NAME] >= 40
    assert opened.prove()


def test_a_build_that_is_cut_short_goes_on_where_it_stopped() -> None:
    place = Place(policy="")
    opened = place.open()
    ada = opened.agent("ada", user="tuff")
    ada.remember_many(f"The pupils see room {n}" for n in range(60))

    def leave(done: int, of: int) -> None:
        del of
        place.moody.away = done >= 20

    with pytest.raises(EmbedderError, match=r"for 28 texts: try again; nobody is there"):
        opened.indexing().build("ada", NAME, progress=leave)
    place.moody.away = False
    place.open().indexing().build("ada", NAME)

    asked = [text for text in place.moody.asked if text.startswith("The pupils")]
    assert len(asked) == len(set(asked)) == 60


def test_the_first_word_about_a_text_counts_when_two_ask_at_once(tmp_path: Path) -> None:
    first, second = Moody(), Moody()
    with (
        muniment.open(tmp_path, neighbours=Neighbours(embedders=(first,))) as one,
        muniment.open(tmp_path, neighbours=Neighbours(embedders=(second,))) as other,
    ):
        one.agent("ada", user="tuff").remember("The pupils sing")
        original, stepped = first.embed, list[str]()

        def slow(text: str) -> bytes:
            if not stepped:  # while the first waits for its answer, the second has it
                stepped.append(text)
                other.indexing().build("ada", NAME)
            return original(text)

        first.embed = slow  # type: ignore[method-assign]
        one.indexing().build("ada", NAME)
        one.indexing().switch("ada", NAME)

        assert found(other.agent("ada", user="tuff"), "youngsters") == ["The pupils sing"]
        assert len(recorded(one)) == 1
        assert one.prove()


def test_a_build_is_done_although_others_write_and_build_meanwhile(tmp_path: Path) -> None:
    first, second = Moody(), Moody()
    with (
        muniment.open(tmp_path, neighbours=Neighbours(embedders=(first,))) as one,
        muniment.open(tmp_path, neighbours=Neighbours(embedders=(second,))) as other,
    ):
        one.agent("ada", user="tuff").remember_many(f"The pupils see room {n}" for n in range(40))
        original, stepped = first.embed, list[str]()

        def slow(text: str) -> bytes:
            stepped.append(text)
            if len(stepped) == 3:  # somebody else is faster with these, and stops halfway
                second.away = False
                with pytest.raises(EmbedderError):
                    other.indexing().build("ada", NAME, progress=leave)
            if len(stepped) == 30:
                other.agent("ada", user="tuff").remember("A vehicle by the river")
            return original(text)

        def leave(done: int, of: int) -> None:
            del of
            second.away = done >= 16

        first.embed = slow  # type: ignore[method-assign]
        one.indexing().build("ada", NAME)

        assert one.indexing().status("ada").waiting[NAME] <= 1  # what was told since it began
        one.indexing().build("ada", NAME)
        one.indexing().switch("ada", NAME)
        assert found(one.agent("ada", user="tuff"), "car")[0] == "A vehicle by the river"
        assert one.prove()


def test_no_word_and_no_vector_lies_open_in_the_store(tmp_path: Path) -> None:
    moody = Moody()
    with muniment.open(tmp_path, neighbours=Neighbours(embedders=(moody,))) as opened:
        opened.agent("ada")
        opened.indexing().switch("ada", NAME)
        opened.agent("ada", user="tuff").remember("The pupils sing")
        (kept,) = recorded(opened)
        assert kept.codes == moody.embed("The pupils sing")
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert kept.codes not in path.read_bytes()
            assert kept.names[0].encode() not in path.read_bytes()


def test_how_far_it_has_come_never_goes_back() -> None:
    place = Place()
    ada = place.open().agent("ada", user="tuff")
    for n in range(5):
        ada.remember(f"The pupils see room {n}")

    lines = hub(place.open()).writer(ADA).lines()
    reached = [line.event.upto for line in lines if isinstance(line.event, VectorsReached)]

    assert len(reached) == 5
    assert reached == sorted(reached)


def test_who_has_come_less_far_than_others_is_refused() -> None:
    place = Place()
    opened = place.open()
    ada = opened.agent("ada", user="tuff")
    for n in range(3):
        ada.remember(f"The pupils see room {n}")
    before = found(ada, "youngsters")
    engine = Principal(name="engine", role=Role.ENGINE, tenant="main", channel=Channel.ENGINE)
    late = RecordVectors(model=NAME, dims=Moody.dims, upto=1)

    (told,) = hub(opened).append(ADA, [hub(opened).prepare(late, engine)])

    assert told.refusal is not None
    assert told.refusal.reason == "vectors_known"
    assert sorted(found(place.open().agent("ada", user="tuff"), "youngsters")) == sorted(before)
    assert len(before) == 3


class Server(BaseHTTPRequestHandler):
    """A server of vectors that speaks OpenAI's words."""

    moody: ClassVar[Moody]

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        vectors = [
            {"index": n, "embedding": list(self.moody.embed(text))}
            for n, text in enumerate(asked["input"])
        ]
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({"data": vectors}).encode())

    def log_message(self, *args: object) -> None:
        del args


@pytest.fixture
def server() -> Iterator[str]:
    Server.moody = Moody()
    with ThreadingHTTPServer(("127.0.0.1", 0), Server) as serving:
        thread = Thread(target=serving.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{serving.server_address[1]}/v1 meanings 8"
        serving.shutdown()
        thread.join()


def test_the_terminal_searches_with_a_server_of_vectors(tmp_path: Path, server: str) -> None:
    shell = Shell("--store", str(tmp_path / "m"), "--user", "tuff", "--embeddings", server)
    shell("remember", "The pupils sleep early")
    assert "meanings-8" in shell("index", "status").stdout
    shell("index", "build", "meanings-8")
    shell("index", "switch", "meanings-8")
    shell("remember", "A vehicle in the yard")

    assert "The pupils sleep early" in shell("recall", "youngsters").stdout
    assert "A vehicle" in shell("recall", "car").stdout
    assert Server.moody.asked.count("The pupils sleep early") == 1
    elsewhere = Shell("--store", str(tmp_path / "m"), "--user", "tuff")
    assert "meanings-8" in elsewhere("recall", "car").output
    assert elsewhere("remember", "The doctor is in").exit_code == 0
    assert ("search", "bad") in {(each["what"], each["state"]) for each in seen(elsewhere)}
    assert ("search", "warn") in {(each["what"], each["state"]) for each in seen(shell)}
    shell("index", "build", "meanings-8")
    assert "search" not in {each["what"] for each in seen(shell)}


def seen(shell: Shell) -> list[dict[str, object]]:
    """What the doctor found; it may well be bad."""
    findings: list[dict[str, object]] = json.loads(shell("doctor", "--json").stdout)["findings"]
    return findings


def test_a_server_is_named_by_address_model_and_dimensions() -> None:
    for wrong in ("http://127.0.0.1/v1", "http://127.0.0.1/v1 m x", "http://127.0.0.1/v1 m 0", "a"):
        with pytest.raises(InputError, match="address model dimensions"):
            EndpointEmbedder.from_text(wrong)
