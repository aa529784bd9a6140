"""Questions to the mirror by hand: what is found, in which order, and who is asked for a vector."""

import msgspec
from tests import world

from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.engine.session.loop_reader import Library, MirrorHit, ordered
from muniment.engine.streams.parts import Tools
from muniment.model.kinds.loop import mirror_id
from muniment.model.policy import Policy, RecallPolicy
from muniment.model.scope import Persona, agent_stream
from muniment.retrieval.index.hashing_embedder import HashingEmbedder
from muniment.rules.privacy import screen
from muniment.rules.privacy.rule import PrivacyFinding

ADA = agent_stream("main", "ada")
DAY_MINUTES = 24 * 60


def library(of: Memory, user: str = "tuff") -> Library:
    return Library(world.hub(of), ADA, f"user_{user}" if user else "")


def say(ada: Agent, *tasks: str) -> None:
    """Each a loop of one event."""
    for task in tasks:
        with ada.do(task):
            pass


def texts(hits: list[MirrorHit]) -> list[str]:
    return [each.entry.summary for each in hits]


def lived(*tasks: str, tools: Tools | None = None) -> tuple[Memory, Agent, Library]:
    of = world.memory(tools=tools, clock=world.StillClock())
    ada = of.agent("ada", user="tuff")
    say(ada, *tasks)
    return of, ada, library(of)


TASKS = ("fold the red kite", "light the lamp", "fold the kite and light the lamp")


def test_what_shares_words_is_found_with_the_words_that_it_shares() -> None:
    _, _, mine = lived(*TASKS)

    hits = mine.rag_query("red kite", {})

    assert texts(hits) == ["fold the red kite", "fold the kite and light the lamp"]
    assert [each.matched for each in hits] == [("kite", "red"), ("kite",)]
    assert [each.entry.idetic_id for each in hits] == [mine.events()[n].id for n in (0, 2)]
    assert [each.entry for each in hits] == [mine.mirrored()[n] for n in (0, 2)]
    assert hits[0].score_ppm > hits[1].score_ppm > 0
    assert mine.rag_query("quantum chromodynamics", {}) == []


def test_what_only_resembles_is_found_too() -> None:
    _, _, mine = lived("water the plants", *TASKS)

    (hit,) = mine.rag_query("xwaterx plantsss", {})[:1]

    assert (hit.entry.summary, hit.matched) == ("water the plants", ())


def test_filters_narrow_what_is_found_and_no_more_than_wanted_is_told() -> None:
    of, ada, mine = lived(*TASKS)
    with ada.do("mend the kite") as loop:
        loop.answer("the kite is mended")

    assert len(mine.rag_query("kite", {})) == 4
    assert texts(mine.rag_query("kite", {"kinds": ["actor_output"]})) == ["the kite is mended"]
    assert len(mine.rag_query("kite", {"loop_id": loop.loop_id})) == 2
    best = mine.rag_query("kite", {})
    assert mine.rag_query("kite", {"top_k": 1}) == best[:1]
    assert of.tenant == "main"


def test_each_hit_is_graded_among_all_that_was_said() -> None:
    _, _, mine = lived("fold the kite", "fold the kite", "light the lamp")

    found = {each.entry.summary: each.entry.importance for each in mine.rag_query("the", {})}
    found |= {e.entry.summary: e.entry.importance for e in mine.rag_query("fold lamp", {})}

    assert found == {"fold the kite": 3, "light the lamp": 4}


def test_a_question_of_then_finds_what_there_was() -> None:
    of, ada, mine = lived("fold the red kite")
    then, before = of.head(ADA), mine.rag_query("kite", {})
    say(ada, "fold the blue kite")

    assert mine.rag_query("kite", {}, then) == before
    assert len(mine.rag_query("kite", {})) == 2
    assert mine.rag_query("kite", {}, 2) == []


def test_a_question_about_a_day_finds_what_was_told_by_then() -> None:
    clock = world.StillClock()
    of = world.memory(clock=clock)
    ada = of.agent("ada", user="tuff")
    for each in ("red", "blue"):
        say(ada, f"fold the {each} kite")
        clock.later(minutes=DAY_MINUTES)
    mine = library(of)

    assert texts(mine.rag_query("kite", {}, until="2026-09-21")) == ["fold the red kite"]
    assert mine.rag_query("kite", {}, until="2026-09-20") == []
    assert len(mine.rag_query("kite", {}, until="2026-09-22")) == 2


def test_what_was_forgotten_is_not_found_and_what_came_back_is_found_with_its_words() -> None:
    _, ada, mine = lived(*TASKS)
    name = mirror_id(mine.events()[0].id)
    before = mine.rag_query("red kite", {})

    ada.forget(name)
    assert texts(mine.rag_query("red kite", {})) == ["fold the kite and light the lamp"]
    ada.restore(name)

    again = mine.rag_query("red kite", {})
    assert texts(again) == texts(before)
    assert again[0].entry == before[0].entry


def left_beside(forgotten: str) -> list[MirrorHit]:
    """What is found of a loop whose answer was forgotten, and of others."""
    _, ada, mine = lived(*TASKS)
    with ada.do("look for it") as loop:
        loop.tool_call("look", {"at": "attic"})
        loop.answer(forgotten)
    ada.forget(mirror_id(mine.events()[-1].id))
    return mine.rag_query("look kite", {})


def test_what_was_forgotten_does_not_speak_for_what_stands_beside_it() -> None:
    # Both hold the word, and one of them more often.
    assert left_beside("kite kite kite") == left_beside("kite lamp lamp")


def test_what_tells_of_the_day_that_is_asked_about_comes_first() -> None:
    _, _, mine = lived("yesterday we folded the kite", "today we folded the lamp")

    for day, first in (("20 September", 0), ("21 September", 1)):
        hits = mine.rag_query(f"what did we fold on {day}?", {})
        assert hits[0].entry.idetic_id == mine.events()[first].id


def test_a_question_in_another_language_is_weighed_as_such() -> None:
    class Pieces(HashingEmbedder):
        name = "pieces-x"

    _, _, mine = lived("la cometa está en el desván", *TASKS, tools=Tools(embedder=Pieces()))

    assert texts(mine.rag_query("¿dónde está la cometa?", {}))[0] == "la cometa está en el desván"


def test_nobody_finds_what_another_person_told() -> None:
    of, _, mine = lived(*TASKS)
    say(of.agent("ada", user="mia"), "fold the red kite of mia")

    assert texts(library(of, "mia").rag_query("red kite", {})) == ["fold the red kite of mia"]
    assert "fold the red kite of mia" not in texts(mine.rag_query("red kite", {}))
    assert len(library(of, "").rag_query("red kite", {})) == 3


class Far(HashingEmbedder):
    """An embedder elsewhere: what it is asked leaves the house, and is not the same every day."""

    name, pure = "far", False

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, text: str) -> bytes:
        self.asked.append(text)
        return super().embed(text)


def test_a_question_that_may_not_be_kept_is_told_to_no_embedder_elsewhere() -> None:
    far = Far()
    _, _, mine = lived(*TASKS, tools=Tools(embedder=far))
    far.asked.clear()

    assert texts(mine.rag_query("the kite", {}))[-1] == "light the lamp"  # it only resembles
    assert len(far.asked) == 1
    far.asked.clear()
    found = texts(mine.rag_query("the kite of tuff@example.org", {}))
    assert sorted(found) == ["fold the kite and light the lamp", "fold the red kite"]
    assert far.asked == []


def test_a_question_is_shown_to_the_detector_of_the_store_before_it_leaves() -> None:
    def detect(text: str, regions: tuple[str, ...]) -> tuple[PrivacyFinding, ...]:
        if "between us" in text:
            raise ValueError(text)
        return screen.rules_only(text, regions)

    far = Far()
    of = world.memory(tools=Tools(embedder=far), detector=detect)
    say(of.agent("ada", user="tuff"), *TASKS)
    far.asked.clear()

    for question in ("the kite, between us", "the kite"):
        library(of).rag_query(question, {})

    assert far.asked == ["the kite"]


def test_an_embedder_at_home_is_told_every_question() -> None:
    class Near(Far):
        name, pure = "near", True

    near = Near()
    _, _, mine = lived(*TASKS, tools=Tools(embedder=near))
    near.asked.clear()

    assert len(mine.rag_query("the kite of tuff@example.org", {})) == 2
    assert near.asked[-1] == "the kite of tuff@example.org"


def test_questions_are_asked_with_the_embedder_that_the_policy_names() -> None:
    far, policy = Far(), Policy(recall=RecallPolicy(embedder="far"))
    of = world.memory(policy, tools=Tools(others=(far,)))
    say(of.agent("ada", user="tuff"), *TASKS)
    far.asked.clear()

    library(of).rag_query("the kite", {})

    assert len(far.asked) == 1


def test_of_several_collections_the_best_comes_first_and_of_equals_the_newest() -> None:
    clock = world.StillClock()
    of = world.memory(clock=clock)
    ada = of.agent("ada", user="tuff")
    for _ in range(3):
        say(ada, "fold the kite")
        clock.later(minutes=1)
    hits = library(of).rag_query("kite", {})
    (one, two, three) = hits
    better = msgspec.structs.replace(three, score_ppm=one.score_ppm + 1)

    assert ordered([three, one, two]) == [one, two, three]
    assert ordered([one, better, two]) == [better, one, two]
    assert one.entry.ts > two.entry.ts > three.entry.ts
    assert one.entry.persona is Persona.ACTOR
    twins = [msgspec.structs.replace(e.entry, ts="") for e in (one, two)]
    same = [msgspec.structs.replace(one, entry=each) for each in twins]
    by_id = sorted(same, key=lambda each: each.entry.id, reverse=ordered(same)[0] is same[0])
    assert len(by_id) == 2
    assert ordered(same) == ordered(same[::-1])
