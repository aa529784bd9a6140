"""Driver: one memory behind lines of JSON, in an interpreter that has its package and no other.

`python driver.py NAME FOLDER` reads a request a line and answers with the CPU and wall seconds that
it took. It imports nothing of this repository but Muniment itself, where that is what is measured.
"""

import hashlib
import importlib
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

DIMENSIONS = 128
USER = "tuff"


def embed(texts: Sequence[str]) -> list[list[float]]:
    """Hashed words: the same vectors for every peer that asks for an embedder, and next to free."""
    return [_vector(text) for text in texts]


def _vector(text: str) -> list[float]:
    vector = [0.0] * DIMENSIONS
    for word in text.lower().split():
        place = hashlib.blake2b(word.encode(), digest_size=2).digest()
        vector[int.from_bytes(place, "big") % DIMENSIONS] += 1.0
    length = sum(each * each for each in vector) ** 0.5 or 1.0
    return [each / length for each in vector]


class Raw:
    """Plain SQLite: a durable row for each text, and the words found by its full-text index."""

    def __init__(self, folder: str) -> None:
        self._db = importlib.import_module("sqlite3").connect(f"{folder}/raw.db", timeout=60)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.execute("CREATE VIRTUAL TABLE IF NOT EXISTS item USING fts5(text)")
        self._db.commit()

    def bulk(self, texts: list[str]) -> None:
        self._db.executemany("INSERT INTO item (text) VALUES (?)", [(each,) for each in texts])
        self._db.commit()

    def add(self, text: str) -> None:
        self.bulk([text])

    def recall(self, query: str) -> list[str]:
        words = " OR ".join(f'"{word}"' for word in query.split())
        asked = "SELECT text FROM item WHERE item MATCH ? ORDER BY rank LIMIT 10"
        return [row[0] for row in self._db.execute(asked, (words,))]

    def texts(self) -> list[str]:
        return [row[0] for row in self._db.execute("SELECT text FROM item")]


class Muniment:
    def __init__(self, folder: str) -> None:
        self._memory = importlib.import_module("muniment").open(f"{folder}/memory")
        self._ada = self._memory.agent("ada", user=USER)

    def bulk(self, texts: list[str]) -> None:
        self._ada.remember_many(texts)

    def add(self, text: str) -> None:
        assert self._ada.remember(text).stored

    def recall(self, query: str) -> list[str]:
        return [hit.text for hit in self._ada.recall(query, limit=10).hits]

    def texts(self) -> list[str]:
        found, page = [], self._ada.records(limit=1_000)
        while True:
            found += [each.text for each in page.records]
            if not page.next:
                return found
            page = self._ada.records(limit=1_000, after=page.next)


class LangGraph:
    """Its SQLite store with an index of vectors."""

    def __init__(self, folder: str) -> None:
        kind = importlib.import_module("langgraph.store.sqlite").SqliteStore
        index = {"dims": DIMENSIONS, "embed": embed, "fields": ["text"]}
        self._opened = kind.from_conn_string(f"{folder}/langgraph.db", index=index)
        self._store = self._opened.__enter__()
        self._store.setup()
        self._put = importlib.import_module("langgraph.store.base").PutOp

    def bulk(self, texts: list[str]) -> None:
        rows = [self._put((USER, "memories"), _key(text), {"text": text}) for text in texts]
        self._store.batch(rows)

    def add(self, text: str) -> None:
        self._store.put((USER, "memories"), _key(text), {"text": text})

    def recall(self, query: str) -> list[str]:
        found = self._store.search((USER, "memories"), query=query, limit=10)
        return [each.value["text"] for each in found]

    def texts(self) -> list[str]:
        found = self._store.search((USER, "memories"), limit=1_000_000)
        return [each.value["text"] for each in found]


class Mem0:
    """With its local vector store, and no model that rewrites what it is told."""

    def __init__(self, folder: str) -> None:
        os.environ |= {"OPENAI_API_KEY": "none", "MEM0_TELEMETRY": "False", "MEM0_DIR": folder}
        place = {"path": f"{folder}/qdrant", "on_disk": True, "embedding_model_dims": DIMENSIONS}
        settings = {
            "vector_store": {"provider": "qdrant", "config": place},
            "history_db_path": f"{folder}/history.db",
        }
        self._memory = importlib.import_module("mem0").Memory.from_config(settings)
        self._memory.embedding_model.embed = lambda text, *_, **__: _vector(text)
        if hasattr(self._memory.embedding_model, "embed_batch"):
            self._memory.embedding_model.embed_batch = lambda texts, *_, **__: embed(texts)

    def bulk(self, texts: list[str]) -> None:
        for text in texts:
            self.add(text)

    def add(self, text: str) -> None:
        self._memory.add([{"role": "user", "content": text}], user_id=USER, infer=False)

    def recall(self, query: str) -> list[str]:
        found = self._memory.search(query, filters={"user_id": USER}, top_k=10)
        return [each["memory"] for each in found["results"]]

    def texts(self) -> list[str]:
        found = self._memory.get_all(filters={"user_id": USER}, top_k=1_000_000)
        return [each["memory"] for each in found["results"]]


class Chroma:
    def __init__(self, folder: str) -> None:
        package = importlib.import_module("chromadb")
        settings = package.Settings(anonymized_telemetry=False)
        client = package.PersistentClient(f"{folder}/chroma", settings=settings)
        self._kept = client.get_or_create_collection("memories", embedding_function=None)

    def bulk(self, texts: list[str]) -> None:
        ids = [_key(each) for each in texts]
        self._kept.add(ids=ids, documents=texts, embeddings=embed(texts))

    def add(self, text: str) -> None:
        self.bulk([text])

    def recall(self, query: str) -> list[str]:
        found = self._kept.query(query_embeddings=embed([query]), n_results=10)
        return list(found["documents"][0])

    def texts(self) -> list[str]:
        return list(self._kept.get()["documents"])


PEERS: dict[str, Callable[[str], Any]] = {
    "raw SQLite": Raw,
    "Muniment": Muniment,
    "LangGraph": LangGraph,
    "mem0": Mem0,
    "Chroma": Chroma,
}


def _key(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _resident_mb() -> float:
    told = Path("/proc/self/status").read_text("ascii").splitlines()
    row = next(line for line in told if line.startswith("VmRSS"))
    return int(row.split()[1]) / 1024


def main(name: str, folder: str) -> None:
    cpu, wall = time.process_time(), time.perf_counter()
    peer: Any = None
    for line in chain(["{}"], sys.stdin):
        told = json.loads(line)
        answer: object = None
        if told:
            cpu, wall = time.process_time(), time.perf_counter()
        try:
            if peer is None:
                peer = PEERS[name](folder)
            else:
                answer = getattr(peer, told["do"])(*told["with"])
            failed = ""
        except Exception as error:
            failed = f"{type(error).__name__}: {error}"[:200]
        spent = time.process_time() - cpu, time.perf_counter() - wall
        said = {"cpu": spent[0], "wall": spent[1], "rss": _resident_mb(), "failed": failed}
        print(json.dumps(said | {"answer": answer}), flush=True)
        if peer is None:
            return


if __name__ == "__main__":
    main(*sys.argv[1:3])
