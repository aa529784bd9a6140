"""Any function of instructions and a text is a model; what has no quote is dropped."""

import json

import muniment
from muniment import Neighbours


def model(instructions: str, text: str) -> str:
    first = json.loads(text)["texts"][0]
    told = {"statement": "The user lives in Lisbon", "quote": "moved to Lisbon"}
    invented = {"statement": "The user lives in Paris", "quote": "I love Paris"}
    return json.dumps({"facts": [each | {"source": first["id"]} for each in (told, invented)]})


with muniment.open(":memory:", neighbours=Neighbours(model=model)) as memory:
    ada = memory.agent("ada", user="tuff")
    ada.remember("I moved to Lisbon in March")

    (done,) = ada.extract_facts()
    print("kept:", [fact.text for fact in done.facts], "dropped:", done.dropped)
