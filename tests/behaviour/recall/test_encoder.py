"""The encoder that ships: it reads words in their order, and its bytes are the same everywhere."""

import hashlib
import os
import platform
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.world import hub

import muniment
from muniment.adapters import config
from muniment.adapters.embedders import encoder_embedder, exact_transformer
from muniment.adapters.embedders.encoder_embedder import EncoderEmbedder
from muniment.adapters.embedders.static_embedder import TableEmbedder
from muniment.model.errors import EmbedderError
from muniment.model.events import Recalled
from muniment.model.policy import Policy, RecallPolicy
from muniment.model.scope import agent_stream
from muniment.retrieval.index import int8_vectors

TEXTS = ("I live in Porto", "the dentist is now on the 22nd", "Straße 12, Köln", "a b " * 300)
DIGEST = "17bea57cedba95bc1fce49ba2427d3cd104f7297e3c37e294a09fe78bdc931a9"
EXACT_BELOW = 1 << 24  # every whole number up to here is a float32
# Routines for older processors of the same make: other orders of adding, other widths.
OTHER_ROUTINES = {"aarch64": "ARMV8", "arm64": "ARMV8", "x86_64": "PRESCOTT", "AMD64": "PRESCOTT"}
CHOSEN = Policy(recall=RecallPolicy(embedder=EncoderEmbedder.name))


def alike(one: bytes, other: bytes) -> int:
    codes = int8_vectors.as_codes(other)
    product = int8_vectors.cosines(
        codes[None], int8_vectors.norms(codes[None]), int8_vectors.QueryVector(one)
    )
    return int(product[0])


def digest() -> str:
    return hashlib.sha256(b"".join(map(EncoderEmbedder().embed, TEXTS))).hexdigest()


def test_the_encoder_knows_what_words_mean() -> None:
    embed = EncoderEmbedder().embed
    dog = embed("My dog is ill")

    assert alike(dog, embed("the puppy was sick")) > 2 * abs(alike(dog, embed("stocks fell today")))


def test_the_encoder_tells_who_did_what_to_whom_where_the_table_cannot() -> None:
    one, other = "the dog bit the man", "the man bit the dog"

    assert TableEmbedder().embed(one) == TableEmbedder().embed(other)
    assert EncoderEmbedder().embed(one) != EncoderEmbedder().embed(other)


def test_the_encoder_has_the_same_bytes_on_every_machine() -> None:
    assert digest() == DIGEST


@pytest.mark.parametrize("threads", ["1", "3"])
def test_other_routines_and_other_threads_give_the_same_bytes(threads: str) -> None:
    told = ["env", f"OPENBLAS_NUM_THREADS={threads}", f"PYTHONPATH={os.pathsep.join(sys.path)}"]
    if platform.machine() in OTHER_ROUTINES:
        told.append(f"OPENBLAS_CORETYPE={OTHER_ROUTINES[platform.machine()]}")
    script = f"from {__name__} import digest; print(digest())"
    command = [*told, sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True)

    assert done.stdout.strip() == DIGEST


def test_no_sum_of_a_matrix_product_leaves_what_a_float_counts_exactly() -> None:
    model = encoder_embedder._model()
    assert isinstance(model, exact_transformer.ExactTransformer)
    grid, head_grid = int(exact_transformer.GRID), int(exact_transformer.HEAD_GRID)
    widths = [linear._columns.shape[0] for layer in model._layers for linear in layer.values()]
    width = model._rows.shape[1]
    shares = int(exact_transformer.SHARES) + exact_transformer.PIECES_MAX  # each may be rounded up

    assert len(widths) == 4 * len(model._layers) > 4
    assert grid * 127 * max(widths) < EXACT_BELOW
    assert grid * grid * width < EXACT_BELOW
    assert head_grid * head_grid * (width // model._heads) < EXACT_BELOW
    assert shares * head_grid < EXACT_BELOW
    assert int(model._exponential.max()) * exact_transformer.PIECES_MAX < EXACT_BELOW
    assert np.array_equal(model._exponential, np.rint(model._exponential))


def test_weights_that_are_not_installed_are_named_by_what_installs_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A policy that names the encoder is not taken for one that searches by words."""
    monkeypatch.setitem(sys.modules, encoder_embedder.PACKAGE, None)  # as if it were not there
    encoder_embedder._model.cache_clear()
    file = tmp_path / "policy.toml"
    file.write_text(f'[recall]\nembedder = "{EncoderEmbedder.name}"\n')
    memory = muniment.open(":memory:")
    memory.agent("ada").remember("I adopted a puppy in May")

    for ask in (
        lambda: muniment.open(":memory:", policy=config.read_policy(file)),
        lambda: muniment.open(":memory:", policy=CHOSEN),
        lambda: memory.indexing().build("ada", EncoderEmbedder.name),
        lambda: memory.admin("otto").request_policy(CHOSEN, agent="ada", reason="meaning"),
        lambda: memory.admin("otto").adopt_policy(CHOSEN, agent="ada"),
    ):
        with pytest.raises(EmbedderError, match="pip install muniment-encoder"):
            ask()


def test_the_encoder_is_silent_where_the_table_is() -> None:
    assert EncoderEmbedder().embed("我住在北京") == b""
    assert EncoderEmbedder().embed("") == bytes(EncoderEmbedder.dims)


def test_a_policy_chooses_the_encoder_and_its_answers_are_made_again() -> None:
    memory = muniment.open(":memory:", policy=CHOSEN)
    ada = memory.agent("ada", user="tuff")
    for text in ("I adopted a puppy in May", "The rent is due on Friday", "My desk is in room 12"):
        ada.remember(text)

    answer = ada.recall("Do I have a dog?")
    ada.remember("I like tea")  # a receipt joins the log with the next append
    lines = hub(memory).writer(agent_stream("main", "ada")).lines()
    (seq,) = (line.seq for line in lines if isinstance(line.event, Recalled))

    assert answer.hits[0].text == "I adopted a puppy in May"
    assert EncoderEmbedder.name in str(answer.receipt)
    assert [hit.text for hit in ada.recall_again(seq).hits] == [hit.text for hit in answer.hits]
