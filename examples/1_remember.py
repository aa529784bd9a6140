"""Remember, recall, and a context that fits the budget; everything is on disk when it returns."""

import tempfile

import muniment

with tempfile.TemporaryDirectory() as folder, muniment.open(folder) as memory:
    ada = memory.agent("ada", user="tuff")

    ada.remember("I moved to Lisbon in March")
    ada.remember("My sister Ines plays the cello")
    told = ada.remember("Call me on +1 415 555 2671")
    print("kept as:", told.text)

    for hit in ada.recall("who plays the cello?").hits:
        print(f"{hit.score_ppm / 10_000:.0f} %", hit.text, hit.matched)

    context = ada.context("Where does tuff live, and who plays the cello?", budget=40)
    print(f"{context.tokens} of {context.budget} tokens:")
    print(context.text)
