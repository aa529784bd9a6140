"""A LangGraph graph that remembers: its store is the log, so every item has a past and a proof."""

from typing import TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

import muniment
from muniment.adapters.frameworks.langgraph import MunimentStore

PREFS = ("prefs", "tuff")


class Talk(TypedDict):
    said: str
    answer: str


def listen(state: Talk, *, runtime: Runtime[None]) -> Talk:
    """A node that keeps what it hears, and answers from what was kept."""
    assert runtime.store is not None
    if "like" in state["said"]:
        runtime.store.put(PREFS, "drink", {"text": state["said"]})
        return {**state, "answer": "I will remember that."}
    (found, *_) = runtime.store.search(PREFS, query=state["said"])
    return {**state, "answer": f"You told me: {found.value['text']}"}


memory = muniment.open(":memory:")
ada = memory.agent("ada", user="tuff")
graph = StateGraph(Talk).add_node("listen", listen)
app = graph.add_edge(START, "listen").add_edge("listen", END).compile(store=MunimentStore(ada))

for said in ("I like green tea", "I like coffee, rather", "Which coffee or tea is mine?"):
    print(f"{said} -> {app.invoke({'said': said, 'answer': ''})['answer']}")

print("every version:", [each.document.value for each in ada.documents().history(PREFS, "drink")])
print("decided again, and equal:", [proof.entries for proof in memory.prove()])
