"""An agent acts in loops; its Subconscious dreams and learns, and the Actor can tell neither."""

import muniment

with muniment.open(":memory:") as memory:
    ada = memory.agent("ada", user="tuff")

    # One task, one loop: the input, a tool call with its result, the answer.
    with ada.do("Find us a table for two in Lisbon") as loop:
        call = loop.tool_call("search", {"city": "Lisbon", "seats": 2})
        loop.tool_result(call, ["Taberna", "Cervejaria"])
        loop.answer("Taberna has a table at eight.")

    (hit, *_) = ada.rag_query("a table in Lisbon")  # long-term: the mirror, by words and likeness
    print("mirror: ", hit.entry.summary, f"({hit.score_ppm / 10_000:.0f} %)")
    (found,) = ada.fuzzy_query("tables lisbon taberna", {"threshold": 40})  # short-term: the loops
    print("loop:   ", found.summary.summary.splitlines()[-1])
    print("literal:", memory.actor_view("ada").get_by_id(hit.entry.idetic_id).content)

    # The Subconscious maintains what is derived, and proposes; it applies nothing by itself.
    below = memory.subconscious("ada")
    print("dream:  ", below.dream(progress=lambda at: print("        ", at)).done or "nothing owed")
    lesson = below.learn("Always say what a table costs")
    print("learn:  ", lesson.score_before_ppm, "->", lesson.score_after_ppm, lesson.request_id)
    memory.council().approve(lesson.request_id)
    identity = memory.identities().apply(lesson.request_id)
    print("notes:  ", *identity.instructions.operational_notes)

    # It sees both personas; the Actor sees its own, and everything it is told stays the same.
    print("below:  ", [event.kind.value for event in below.view.get_range()][-3:])
    print("above:  ", [event.kind.value for event in memory.actor_view("ada").get_range()])
