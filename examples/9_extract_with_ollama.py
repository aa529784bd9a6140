"""Facts from what was said, with a model of Ollama on this machine: ollama pull qwen3."""

import muniment
from muniment import Neighbours

with muniment.open(":memory:", neighbours=Neighbours(model="ollama:qwen3")) as memory:
    ada = memory.agent("ada", user="tuff")
    ada.remember("I moved to Lisbon in March")
    ada.remember("My sister Ines plays the cello")

    for done in ada.extract_facts():
        print(f"{done.sources} texts, {len(done.facts)} facts, dropped: {done.dropped}")
    for fact in ada.extracted_facts():
        print(fact.key, "|", fact.text, "|", fact.metadata)
