"""Papers: put is readable at once or after a yes, versions stay, and drawers are one's own."""

import pytest
from tests.world import CountedKeyring, SteppingClock, events, memory, types

from muniment.engine.api.memory import Memory
from muniment.log.reference_store import ScratchStore
from muniment.model.errors import InputError, KeyReusedError, MunimentError, RefusedError
from muniment.model.events import Shredded
from muniment.model.events.documents import PaperPut
from muniment.model.policy import DocumentPolicy, Policy, preset

PREFS = ("prefs", "ui")
JSON: dict[str, object] = {
    "dark": True,
    "size": 12,
    "ratio": 1.5,
    "none": None,
    "list": [1, [2, "naïve"]],
    "$x": {},
}


def test_what_is_put_is_read_exactly_and_every_version_stays() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")
    papers = ada.papers()

    first = papers.put(PREFS, "theme", JSON)
    then = ada.seq
    second = papers.put(PREFS, "theme", {"dark": False})

    found = papers.get(PREFS, "theme")
    past = papers.get(PREFS, "theme", at=then)
    assert found is not None
    assert past is not None
    assert (first.version, second.version) == (1, 2)
    assert found.value == {"dark": False}
    assert past.value == JSON
    assert found.created_at == past.created_at < found.updated_at
    assert [each.paper.version for each in papers.history(PREFS, "theme")] == [2, 1]
    assert [each.n for each in events(world) if isinstance(each, PaperPut)] == [1, 2]


def test_a_value_that_is_too_large_is_refused_by_every_way_of_keeping_it() -> None:
    ada = memory(Policy(papers=DocumentPolicy(value_bytes_max=10))).agent("ada")
    papers = ada.papers()
    kept = papers.put(PREFS, "theme", "12345678")  # with its quotes it just fits

    for keep in (
        lambda: papers.put(PREFS, "theme", "123456789"),
        lambda: papers.add(PREFS, ["1", "123456789"]),
    ):
        with pytest.raises(RefusedError) as refused:
            keep()
        assert refused.value.reason == "value_too_large"

    found = papers.get(PREFS, "theme")
    assert found is not None
    assert (found.value, found.version) == ("12345678", kept.version)


def test_a_deletion_is_a_tombstone_and_versions_count_on() -> None:
    ada = memory().agent("ada")
    papers = ada.papers()
    papers.put(PREFS, "theme", 1)
    then = ada.seq

    papers.drop(PREFS, "theme")

    assert papers.get(PREFS, "theme") is None
    assert papers.within() == []
    assert papers.get(PREFS, "theme", at=then) is not None
    assert papers.put(PREFS, "theme", 2).version == 2
    with pytest.raises(RefusedError, match="paper_unknown"):
        papers.drop(PREFS, "colour")


def test_a_put_may_expect_a_version() -> None:
    papers = memory().agent("ada").papers()

    papers.put(PREFS, "theme", 1, expect=0)

    with pytest.raises(RefusedError) as refused:
        papers.put(PREFS, "theme", 2, expect=0)
    assert refused.value.reason == "paper_changed"
    assert papers.put(PREFS, "theme", 2, expect=1).version == 2
    with pytest.raises(RefusedError):
        papers.drop(PREFS, "theme", expect=1)


def test_a_drawer_is_listed_by_any_prefix_in_the_order_things_came() -> None:
    papers = memory().agent("ada").papers()
    for drawer, key in [(("a", "b"), "2"), (("a",), "1"), (("a", "b", "c"), "3"), (("ab",), "4")]:
        papers.put(drawer, key, key)
    papers.put(("a", "b"), "2", "again")

    assert [each.key for each in papers.within()] == ["2", "1", "3", "4"]
    assert [each.key for each in papers.within(("a",))] == ["2", "1", "3"]
    assert [each.key for each in papers.within(("a", "b"))] == ["2", "3"]
    assert [each.key for each in papers.within(("a", "b"), deep=False)] == ["2"]
    assert papers.drawers() == [("a",), ("a", "b"), ("a", "b", "c"), ("ab",)]


def test_added_papers_have_counted_keys_that_no_two_writers_share() -> None:
    store, keyring = ScratchStore(), CountedKeyring()
    one = memory(store=store, keyring=keyring).agent("ada").papers()
    other = memory(store=store, keyring=keyring).agent("ada").papers()

    one.add(("turns",), ["a", "b"])
    other.add(("turns",), ["c"])
    one.add(("turns",), ["d"])

    assert [each.value for each in one.within(("turns",))] == ["a", "b", "c", "d"]
    assert len({each.key for each in one.within(("turns",))}) == 4
    assert [each.value for each in other.newest(("turns",), 2)] == ["c", "d"]
    one.clear(("turns",))
    assert other.within(("turns",)) == []
    assert one.clear(("turns",)) is None


def test_personal_data_is_redacted_and_a_secret_is_refused() -> None:
    world = memory()
    papers = world.agent("ada", user="tuff").papers()

    kept = papers.put(PREFS, "contact", {"mail": "bob@example.com", "city": "Lisbon"})

    found = papers.get(PREFS, "contact")
    assert kept.redacted == ("email",)
    assert found is not None
    assert "bob@example.com" not in str(found.value)
    assert "Lisbon" in str(found.value)
    for drawer, key in [(PREFS, "AKIA" + "IOSFODNN7EXAMPLQ"), (("ghp_" + "a1B2" * 9,), "k")]:
        with pytest.raises(RefusedError, match="privacy_deny_sensitive"):
            papers.put(drawer, key, 1)
    with pytest.raises(RefusedError, match="privacy_deny_sensitive"):
        papers.put(PREFS, "note", "my password is " + "hunter2" * 2)
    assert "hunter2" not in str(events(world))
    assert "IOSFODNN7" not in str(events(world))


def test_a_governed_put_is_a_request_and_readable_after_the_yes() -> None:
    world = memory()
    papers = world.agent("ada", user="tuff").papers(governed=True)

    asked = papers.put(PREFS, "theme", {"dark": True})

    assert asked.waits
    assert papers.get(PREFS, "theme") is None
    (request,) = world.council().requests()
    assert (request.action, request.key) == ("paper_write", "prefs/ui/theme")
    assert world.council().approve(asked.request_id, binding=request.binding) == "executed"
    found = papers.get(PREFS, "theme")
    assert found is not None
    assert (found.value, found.request_id) == ({"dark": True}, asked.request_id)


def test_a_rejected_filing_writes_nothing_and_an_overtaken_one_is_refused_where_it_lands() -> None:
    world = memory()
    governed = world.agent("ada").papers(governed=True)
    direct = world.agent("ada").papers()

    world.council().reject(governed.put(PREFS, "theme", 1).request_id)
    assert governed.get(PREFS, "theme") is None

    late = governed.put(PREFS, "theme", "late")
    direct.put(PREFS, "theme", "first")
    world.council().approve(late.request_id)

    found = direct.get(PREFS, "theme")
    assert found is not None
    assert found.value == "first"
    assert types(world)[-1] == "memory_denied"


def test_the_policy_governs_whatever_the_caller_says() -> None:
    world = memory(Policy(papers=DocumentPolicy(governed=True)))
    papers = world.agent("ada").papers(governed=False)

    assert papers.put(PREFS, "theme", 1).waits
    assert papers.add(("turns",), ["a", "b"])[0].waits
    for request in world.council().requests():
        world.council().approve(request.request_id)
    assert [each.value for each in papers.within()] == [1, "a", "b"]
    asked = papers.drop(PREFS, "theme")
    assert papers.get(PREFS, "theme") is not None
    world.council().approve(asked.request_id)
    assert papers.get(PREFS, "theme") is None


def test_two_votes_are_two_where_the_council_wants_two() -> None:
    world = memory(preset("team"))
    asked = world.agent("ada").papers(governed=True).put(PREFS, "theme", 1)

    assert world.council("bea").approve(asked.request_id) == "pending"
    assert world.agent("ada").papers().get(PREFS, "theme") is None
    assert world.council("cyd").approve(asked.request_id) == "executed"
    assert world.agent("ada").papers().get(PREFS, "theme") is not None


def test_a_time_to_live_hides_a_paper_and_a_sweep_takes_it_out() -> None:
    clock = SteppingClock()
    world = memory(clock=clock)
    papers = world.agent("ada").papers()
    papers.put(PREFS, "theme", 1, ttl_seconds=3600)
    papers.put(PREFS, "kept", 1)
    assert papers.get(PREFS, "theme") is not None

    clock.later(days=1)

    assert papers.get(PREFS, "theme") is None
    assert [each.key for each in papers.within(PREFS)] == ["kept"]
    assert papers.sweep() == 1
    assert papers.sweep() == 0
    assert types(world).count("papers_dropped") == 1


def drawers_of(world: Memory) -> dict[str, list[object]]:
    views = {
        "tuff": world.agent("ada", user="tuff"),
        "mia": world.agent("ada", user="mia"),
        "nobody": world.agent("ada"),
        "other": world.agent("bob", user="tuff"),
        "subconscious": world.subconscious("ada"),
    }
    return {name: [p.value for p in view.papers().within()] for name, view in views.items()}


def test_drawers_belong_to_one_user_of_one_persona_of_one_agent_of_one_tenant() -> None:
    store, keyring = ScratchStore(), CountedKeyring()
    north = memory(store=store, keyring=keyring, tenant="north")
    south = memory(store=store, keyring=keyring, tenant="south")

    north.agent("ada", user="tuff").papers().put(PREFS, "theme", "mine")

    empty: list[object] = []
    assert drawers_of(north) == {
        "tuff": ["mine"],
        "mia": empty,
        "nobody": empty,
        "other": empty,
        "subconscious": empty,
    }
    assert all(not found for found in drawers_of(south).values())
    # The same name is another paper for someone else, from its first version on.
    assert north.agent("ada", user="mia").papers().put(PREFS, "theme", "hers").version == 1


def test_an_erased_person_has_no_papers_and_the_rest_still_proves() -> None:
    world = memory(clock=SteppingClock())
    tuff, mia = world.agent("ada", user="tuff"), world.agent("ada", user="mia")
    tuff.papers().put(PREFS, "theme", {"tea": "with lemon"})
    waiting = tuff.papers(governed=True).put(PREFS, "later", {"tea": "with milk"})
    world.council().approve(waiting.request_id)
    mia.papers().put(PREFS, "theme", {"tea": "none"})
    request_id = world.eraser("root").request("tuff", reason="the person asked")
    world.council("bea").approve(request_id)

    world.eraser("root").carry_out(request_id)

    told = [event for event in events(world) if isinstance(event, PaperPut)]
    gone = [e for e in events(world) if isinstance(e, Shredded) and e.wire == "paper_put"]
    assert [event.value for event in told] == [{"tea": "none"}]
    assert len(gone) == 2
    assert world.agent("ada", user="tuff").papers().within() == []
    assert len(mia.papers().within()) == 1
    before = {proof.stream: proof.projections for proof in world.prove()}
    world.rebuild()
    assert {proof.stream: proof.projections for proof in world.prove()} == before


def test_papers_move_in_one_append() -> None:
    world = memory()
    papers = world.agent("ada").papers()
    papers.put(("a",), "x", 1)
    papers.put(("a",), "y", 2)

    papers.move({(("a",), "x"): (("b",), "x"), (("a",), "y"): (("b",), "z")})

    assert [(each.drawer, each.key) for each in papers.within()] == [(("b",), "x"), (("b",), "z")]


BAD = [
    lambda p: p.put("prefs", "k", 1),
    lambda p: p.put(("",), "k", 1),
    lambda p: p.put(("a",) * 17, "k", 1),
    lambda p: p.put(("a",), "", 1),
    lambda p: p.put(("a",), 7, 1),
    lambda p: p.put(("a",), "k" * 513, 1),
    lambda p: p.put(("a",), "k", float("nan")),
    lambda p: p.put(("a",), "k", 2**60),
    lambda p: p.put(("a",), "k", object()),
    lambda p: p.put(("a",), "k", "x" * 200_000),
    lambda p: p.put(("a",), "k", 1, expect=-2),
    lambda p: p.put(("a",), "k", 1, ttl_seconds=-1),
    lambda p: p.add(("a",), []),
]


@pytest.mark.parametrize("number", range(len(BAD)))
def test_bad_input_changes_nothing(number: int) -> None:
    papers = memory().agent("ada").papers()

    with pytest.raises(MunimentError) as told:
        BAD[number](papers)

    assert isinstance(told.value, InputError | RefusedError)
    assert papers.within() == []


def test_a_paper_that_is_moved_lives_no_longer_for_it() -> None:
    clock = SteppingClock()
    papers = memory(clock=clock).agent("ada", user="tuff").papers()
    papers.put(("a",), "x", 1, ttl_seconds=3 * 86_400)
    papers.put(("a",), "y", 2)
    until = papers.within(("a",))[0].expires_at
    clock.later(days=1)

    papers.move({(("a",), "x"): (("b",), "x"), (("a",), "y"): (("b",), "y")})

    moved = papers.get(("b",), "x")
    stays = papers.get(("b",), "y")
    assert moved is not None
    assert stays is not None
    assert until[:18] >= moved.expires_at[:18] > ""
    assert stays.expires_at == ""
    clock.later(days=3)
    assert papers.get(("b",), "x") is None
    assert papers.get(("b",), "y") is not None


def test_many_values_are_added_in_one_append_under_keys_that_count_on() -> None:
    of = memory()
    papers = of.agent("ada", user="tuff").papers()
    papers.add(("turns",), ["before"])

    kept = papers.add(("turns",), [f"value {n}" for n in range(450)])

    assert [each.value for each in papers.within(("turns",))] == [
        "before",
        *(f"value {n}" for n in range(450)),
    ]
    assert len({each.key for each in kept}) == 450
    assert papers.add(("turns",), ["after"])[0].key == "000000000452"
    assert of.prove()


def test_of_many_values_all_are_added_or_none() -> None:
    of = memory()
    papers = of.agent("ada", user="tuff").papers()
    values = [f"value {n}" for n in range(300)] + ["my password is correct-horse-77"]

    with pytest.raises(RefusedError, match="privacy_deny_sensitive"):
        papers.add(("turns",), values)

    assert papers.within(("turns",)) == []
    assert "memory_denied" in types(of), "why not stands in the log"
    assert of.prove()


def test_what_is_put_down_together_is_put_down_once_under_its_key() -> None:
    ada = memory().agent("ada", user="tuff")
    papers = ada.papers()
    with ada.keyed("once"):
        kept = papers.add(["list"], ["a", "b"])
    with ada.keyed("once"):
        assert papers.add(["list"], ["a", "b"]) == kept
    with ada.keyed("once"), pytest.raises(KeyReusedError):
        papers.add(["list"], ["a", "c"])

    assert [each.value for each in papers.within(["list"])] == ["a", "b"]


def test_a_lease_that_ran_out_is_free_for_the_next_one_who_asks() -> None:
    """Also when nobody has swept: whoever reads finds no paper, and so does whoever writes."""
    clock = SteppingClock()
    papers = memory(clock=clock).agent("ada", user="tuff").papers()
    papers.put(("locks",), "lease", "one", expect=0, ttl_seconds=60)
    with pytest.raises(RefusedError, match="lease"):
        papers.put(("locks",), "lease", "two", expect=0)
    clock.later(days=1)

    with pytest.raises(RefusedError, match="lease"):
        papers.put(("locks",), "lease", "one", expect=1)  # what it knows of is no longer there
    with pytest.raises(RefusedError):
        papers.drop(("locks",), "lease")
    taken = papers.put(("locks",), "lease", "two", expect=0, ttl_seconds=60)

    found = papers.get(("locks",), "lease")
    assert found is not None
    assert (found.value, found.version, found.created_at) == (
        "two",
        taken.version,
        found.updated_at,
    )
    assert papers.sweep() == 0  # the old one went when the new one came


def test_a_clock_that_is_set_back_neither_brings_a_swept_paper_back_nor_ends_another() -> None:
    clock = SteppingClock()
    papers = memory(clock=clock).agent("ada", user="tuff").papers()
    papers.put(("locks",), "swept", 1, ttl_seconds=60)
    clock.later(days=1)
    papers.sweep()
    papers.put(("locks",), "kept", 2, ttl_seconds=60)

    clock.later(days=-2)

    assert papers.get(("locks",), "swept") is None
    assert papers.get(("locks",), "kept") is not None
