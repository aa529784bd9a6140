"""Try something in a branch of a memory, see what merging it would do, and merge or discard it."""

import muniment

with muniment.open(":memory:") as memory:
    ada = memory.agent("ada", user="tuff")
    ada.remember("I live in Lisbon")

    trial = memory.branch("import-of-may")
    inside = trial.agent("ada", user="tuff")
    inside.remember("My boat is called Petrel")
    print("in the branch:", inside.recall("What is my boat called?").hits[0].text)
    print("outside:", [hit.text for hit in ada.recall("boat Petrel").hits])

    ada.remember("I have a dog called Argos")
    previewed = trial.merge(preview=True)
    print("merging would say", previewed.commands, "again; conflicts:", len(previewed.conflicts))
    trial.merge()
    print("outside:", ada.recall("What is my boat called?").hits[0].text)

    wrong = memory.branch("wrong")
    wrong.agent("ada", user="tuff").remember("I live in Atlantis")
    print("discarded:", wrong.discard() > 0)
    print("proved:", len(memory.prove()), "logs")
