"""A lasting fact: the user asks, the system asks back, somebody answers for it, agents read it.

Nothing becomes a governed fact by being said often. It takes a confirmed wish and a yes.
"""

import muniment

COLOUR = "user/profile/user_tuff/favorite_color"

with muniment.open(":memory:") as memory:
    ada = memory.agent("ada", user="tuff")

    # The user speaks. The sentence is kept, and the wish in it is asked back.
    kept = ada.remember("Remember my favourite colour is cerulean.")
    assert kept.question is not None
    print(f"Shall I keep for good: {kept.question.key} = {kept.question.value}?")

    # The user confirms; that makes a request, not yet a fact.
    request_id = ada.confirm(kept.question.confirmation_id)
    print("known so far:", ada.sem_get(COLOUR).exists)

    # The council looks at exactly what is asked, and says yes to exactly that.
    (request,) = memory.council("tuff").requests()
    print(f"{request.request_id} asks for {request.key}: {request.justification}")
    print("the council:", memory.council("tuff").approve(request_id, binding=request.binding))

    # From here on every agent that speaks for tuff reads it, by its exact key.
    print("known now:", memory.agent("bob", user="tuff").sem_get(COLOUR).value)
