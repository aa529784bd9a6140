"""Sentence senses: what a vector tells of whether a sentence states, changes or only mentions."""

import numpy as np

from muniment.adapters.embedders.static_embedder import TableEmbedder
from muniment.retrieval.index.collection import Collection, Document
from muniment.retrieval.ranking import sentence_sense

# Of each language what states, what changes it, and what only names the same.
SENTENCES = {
    "English": (
        "My piano teacher is Mrs Aldous",
        "Mrs Aldous gave up teaching, I practise with Ramon now",
        "Mrs Aldous sat behind us on the ferry",
        "I keep the bees at Hollow Farm",
        "Moved the bees from Hollow Farm to the orchard",
        "There was a fire near Hollow Farm on the radio",
    ),
    "German": (
        "Mein Klavierlehrer ist Herr Brandt",
        "Herr Brandt hat aufgehört, ich habe jetzt Unterricht bei Ramon",
        "Herr Brandt saß auf der Fähre hinter uns",
        "Ich spiele im Verein Blau-Gelb",
        "Bei Blau-Gelb bin ich ausgetreten",
        "Im Radio lief etwas über Blau-Gelb",
    ),
    "Spanish": (
        "Mi profesora de piano es la señora Rivas",
        "La señora Rivas lo dejó, ahora voy con Ramón",
        "Vi a la señora Rivas en el tren",
        "Juego en el club Atlas",
        "Me di de baja del club Atlas",
        "En la radio hablaron del club Atlas",
    ),
}


def senses(texts: tuple[str, ...], space: str = "pieces-4-128") -> dict[str, np.ndarray]:
    embedder = TableEmbedder()
    told = [
        Document(id=str(n), seq=n, ts="", text=text, vectors=(embedder.embed(text),))
        for n, text in enumerate(texts)
    ]
    collection = Collection.build(told, embedder.dims)
    return sentence_sense.senses_of(collection, np.arange(len(texts)), space)


def test_most_of_what_changes_something_is_told_from_what_states_or_mentions_it() -> None:
    told = [senses(texts) for texts in SENTENCES.values()]

    changes, states = (
        np.concatenate([each[name].reshape(-1, 3) for each in told])
        for name in sentence_sense.SENSES
    )
    right = [changes[:, 1] > changes[:, 0], changes[:, 1] > changes[:, 2]]
    right += [states[:, 0] > states[:, 1], states[:, 0] > states[:, 2]]
    assert np.mean(right) > 3 / 4


def test_vectors_of_another_space_have_no_sense() -> None:
    found = senses(SENTENCES["English"], "encoder-1-128")

    assert not any(each.any() for each in found.values())


def test_senses_are_whole_numbers_and_the_file_has_a_direction_for_each() -> None:
    known = sentence_sense.table()

    assert set(known.directions) == set(sentence_sense.SENSES)
    assert {len(each) for each in known.directions.values()} == {TableEmbedder().dims}
    assert known.space == TableEmbedder().name
    assert all(each.dtype == np.int64 for each in senses(SENTENCES["English"]).values())
