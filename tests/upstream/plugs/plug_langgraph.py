"""LangGraph's own store tests, with our store in the place of theirs."""

import langgraph.store.memory

import muniment
from muniment.adapters.frameworks.langgraph import MunimentStore


class InMemoryStore(MunimentStore):
    def __init__(self, **options: object) -> None:
        super().__init__(muniment.open(":memory:").agent("graph", user="tuff"), **options)  # type: ignore[arg-type]


langgraph.store.memory.InMemoryStore = InMemoryStore  # type: ignore[assignment, misc]
