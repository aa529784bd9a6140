"""CrewAI: its memory lies in the log, and each user of a crew has their own."""

from contextvars import ContextVar

from crewai.memory.unified_memory import Memory

import muniment
from muniment.adapters.frameworks.crewai import MunimentStorage

WORDS = ("tea", "coffee", "drink", "live", "lisbon")
CALLER: ContextVar[str] = ContextVar("caller", default="")


def embed(texts: list[str]) -> list[list[float]]:
    """A model of this file: which of five words a text has."""
    return [[float(word in text.lower()) + 0.01 for word in WORDS] for text in texts]


with muniment.open(":memory:") as house:
    storage = MunimentStorage(lambda user: house.agent("crew", user=user), user=CALLER.get)
    memory = Memory(storage=storage, embedder=embed, llm=None)
    for user, said in (("alice", "I drink green tea"), ("bob", "I drink black coffee")):
        CALLER.set(user)
        memory.remember(said, scope="/drinks", categories=["taste"], importance=0.5)
        memory.remember("I live in Lisbon", scope="/home", categories=["place"], importance=0.5)
    for user in ("alice", "bob"):
        CALLER.set(user)
        found = memory.recall("What do I drink?", depth="shallow", limit=1)
        print(f"{user}: {found[0].record.content}; {storage.list_scopes()}")
    print([len(house.agent("crew", user=name).documents().within()) for name in ("alice", "bob")])
    print("decided again, and equal:", [proof.entries for proof in house.prove()])
