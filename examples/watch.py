"""Be told when an answer changes: to a question, of an entity, and that it ended."""

import muniment

with muniment.open(":memory:") as memory:
    ada = memory.agent("ada", user="tuff")
    home = ada.watch(question="Where do I live?")
    mona = ada.watch(entity="Mona")

    ada.remember("I live in Lisbon. My sister Mona works at Siemens")
    print("home:", next(home).change, "| Mona:", [each.text for each in next(mona).items])

    moved = ada.remember("I live in Porto now")
    changed = next(home)
    print("home:", changed.change, changed.items[0].text)
    print("Mona: unchanged" if mona.look() is None else "Mona: changed")

    ada.forget(moved.episodic_id)
    back = next(ada.watch(question="Where do I live?", after=changed.cursor))
    print("after a restart:", back.change, [each.text for each in back.items])
