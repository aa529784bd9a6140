"""Documents: put is readable at once or after a yes, versions stay, namespaces are one's own."""

import pytest
from tests.world import CountedKeyring, SteppingClock, events, memory, types

from muniment.engine.api.memory import Memory
from muniment.log.reference_store import ScratchStore
from muniment.model.commands.command import TEXT_LENGTH_MAX
from muniment.model.errors import InputError, KeyReusedError, MunimentError, RefusedError
from muniment.model.events import Shredded
from muniment.model.events.documents import DocumentPut
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
    documents = ada.documents()

    first = documents.put(PREFS, "theme", JSON)
    then = ada.seq
    second = documents.put(PREFS, "theme", {"dark": False})

    found = documents.get(PREFS, "theme")
    past = documents.get(PREFS, "theme", at=then)
    assert found is not None
    assert past is not None
    assert (first.version, second.version) == (1, 2)
    assert found.value == {"dark": False}
    assert past.value == JSON
    assert found.created_at == past.created_at < found.updated_at
    assert [each.document.version for each in documents.history(PREFS, "theme")] == [2, 1]
    assert [each.n for each in events(world) if isinstance(each, DocumentPut)] == [1, 2]


def test_a_value_that_is_too_large_is_refused_by_every_way_of_keeping_it() -> None:
    ada = memory(Policy(documents=DocumentPolicy(value_bytes_max=10))).agent("ada")
    documents = ada.documents()
    kept = documents.put(PREFS, "theme", "12345678")  # with its quotes it just fits

    for keep in (
        lambda: documents.put(PREFS, "theme", "123456789"),
        lambda: documents.add(PREFS, ["1", "123456789"]),
    ):
        with pytest.raises(RefusedError) as refused:
            keep()
        assert refused.value.reason == "value_too_large"

    found = documents.get(PREFS, "theme")
    assert found is not None
    assert (found.value, found.version) == ("12345678", kept.version)


def test_a_text_too_long_to_be_screened_is_refused_as_that_and_not_as_private() -> None:
    """Given a page of harmless words, when it is too long, then nobody is told it is private."""
    world = memory()
    ada = world.agent("ada", user="tuff")
    page = {"page": ["x" * TEXT_LENGTH_MAX]}
    longer = {"page": ["x" * (TEXT_LENGTH_MAX + 1)]}

    ada.documents().put(PREFS, "page", page)
    for keep in (
        lambda: ada.documents().put(PREFS, "page", longer),
        lambda: ada.documents().add(PREFS, [longer]),
    ):
        with pytest.raises(RefusedError) as refused:
            keep()
        assert refused.value.reason == "value_too_large"
        assert refused.value.sentence == RefusedError.sentence

    assert all(proof.entries for proof in world.prove())


def test_a_deletion_is_a_tombstone_and_versions_count_on() -> None:
    ada = memory().agent("ada")
    documents = ada.documents()
    documents.put(PREFS, "theme", 1)
    then = ada.seq

    documents.drop(PREFS, "theme")

    assert documents.get(PREFS, "theme") is None
    assert documents.within() == []
    assert documents.get(PREFS, "theme", at=then) is not None
    assert documents.put(PREFS, "theme", 2).version == 2
    with pytest.raises(RefusedError, match="document_unknown"):
        documents.drop(PREFS, "colour")


def test_a_put_may_expect_a_version() -> None:
    documents = memory().agent("ada").documents()

    documents.put(PREFS, "theme", 1, expect=0)

    with pytest.raises(RefusedError) as refused:
        documents.put(PREFS, "theme", 2, expect=0)
    assert refused.value.reason == "document_changed"
    assert documents.put(PREFS, "theme", 2, expect=1).version == 2
    with pytest.raises(RefusedError):
        documents.drop(PREFS, "theme", expect=1)


def test_a_namespace_is_listed_by_any_prefix_in_the_order_things_came() -> None:
    documents = memory().agent("ada").documents()
    for namespace, key in [
        (("a", "b"), "2"),
        (("a",), "1"),
        (("a", "b", "c"), "3"),
        (("ab",), "4"),
    ]:
        documents.put(namespace, key, key)
    documents.put(("a", "b"), "2", "again")

    assert [each.key for each in documents.within()] == ["2", "1", "3", "4"]
    assert [each.key for each in documents.within(("a",))] == ["2", "1", "3"]
    assert [each.key for each in documents.within(("a", "b"))] == ["2", "3"]
    assert [each.key for each in documents.within(("a", "b"), deep=False)] == ["2"]
    assert documents.namespaces() == [("a",), ("a", "b"), ("a", "b", "c"), ("ab",)]


def test_added_documents_have_counted_keys_that_no_two_writers_share() -> None:
    store, keyring = ScratchStore(), CountedKeyring()
    one = memory(store=store, keyring=keyring).agent("ada").documents()
    other = memory(store=store, keyring=keyring).agent("ada").documents()

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
    documents = world.agent("ada", user="tuff").documents()

    kept = documents.put(PREFS, "contact", {"mail": "bob@example.com", "city": "Lisbon"})

    found = documents.get(PREFS, "contact")
    assert kept.redacted == ("email",)
    assert found is not None
    assert "bob@example.com" not in str(found.value)
    assert "Lisbon" in str(found.value)
    for namespace, key in [(PREFS, "AKIA" + "IOSFODNN7EXAMPLQ"), (("ghp_" + "a1B2" * 9,), "k")]:
        with pytest.raises(RefusedError, match="privacy_deny_sensitive"):
            documents.put(namespace, key, 1)
    with pytest.raises(RefusedError, match="privacy_deny_sensitive"):
        documents.put(PREFS, "note", "my password is " + "hunter2" * 2)
    assert "hunter2" not in str(events(world))
    assert "IOSFODNN7" not in str(events(world))


def test_a_governed_put_is_a_request_and_readable_after_the_yes() -> None:
    world = memory()
    documents = world.agent("ada", user="tuff").documents(governed=True)

    asked = documents.put(PREFS, "theme", {"dark": True})

    assert asked.waits
    assert documents.get(PREFS, "theme") is None
    (request,) = world.council().requests()
    assert (request.action, request.key) == ("document_write", "prefs/ui/theme")
    assert world.council().approve(asked.request_id, binding=request.binding) == "executed"
    found = documents.get(PREFS, "theme")
    assert found is not None
    assert (found.value, found.request_id) == ({"dark": True}, asked.request_id)


def test_a_rejected_filing_writes_nothing_and_an_overtaken_one_is_refused_where_it_lands() -> None:
    world = memory()
    governed = world.agent("ada").documents(governed=True)
    direct = world.agent("ada").documents()

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
    world = memory(Policy(documents=DocumentPolicy(governed=True)))
    documents = world.agent("ada").documents(governed=False)

    assert documents.put(PREFS, "theme", 1).waits
    assert documents.add(("turns",), ["a", "b"])[0].waits
    for request in world.council().requests():
        world.council().approve(request.request_id)
    assert [each.value for each in documents.within()] == [1, "a", "b"]
    asked = documents.drop(PREFS, "theme")
    assert documents.get(PREFS, "theme") is not None
    world.council().approve(asked.request_id)
    assert documents.get(PREFS, "theme") is None


def test_two_votes_are_two_where_the_council_wants_two() -> None:
    world = memory(preset("team"))
    asked = world.agent("ada").documents(governed=True).put(PREFS, "theme", 1)

    assert world.council("bea").approve(asked.request_id) == "pending"
    assert world.agent("ada").documents().get(PREFS, "theme") is None
    assert world.council("cyd").approve(asked.request_id) == "executed"
    assert world.agent("ada").documents().get(PREFS, "theme") is not None


def test_a_time_to_live_hides_a_document_and_a_sweep_takes_it_out() -> None:
    clock = SteppingClock()
    world = memory(clock=clock)
    documents = world.agent("ada").documents()
    documents.put(PREFS, "theme", 1, ttl_seconds=3600)
    documents.put(PREFS, "kept", 1)
    assert documents.get(PREFS, "theme") is not None

    clock.later(days=1)

    assert documents.get(PREFS, "theme") is None
    assert [each.key for each in documents.within(PREFS)] == ["kept"]
    assert documents.sweep() == 1
    assert documents.sweep() == 0
    assert types(world).count("documents_dropped") == 1


def namespaces_of(world: Memory) -> dict[str, list[object]]:
    views = {
        "tuff": world.agent("ada", user="tuff"),
        "mia": world.agent("ada", user="mia"),
        "nobody": world.agent("ada"),
        "other": world.agent("bob", user="tuff"),
        "subconscious": world.subconscious("ada"),
    }
    return {name: [p.value for p in view.documents().within()] for name, view in views.items()}


def test_namespaces_belong_to_one_user_of_one_persona_of_one_agent_of_one_tenant() -> None:
    store, keyring = ScratchStore(), CountedKeyring()
    north = memory(store=store, keyring=keyring, tenant="north")
    south = memory(store=store, keyring=keyring, tenant="south")

    north.agent("ada", user="tuff").documents().put(PREFS, "theme", "mine")

    empty: list[object] = []
    assert namespaces_of(north) == {
        "tuff": ["mine"],
        "mia": empty,
        "nobody": empty,
        "other": empty,
        "subconscious": empty,
    }
    assert all(not found for found in namespaces_of(south).values())
    # The same name is another document for someone else, from its first version on.
    assert north.agent("ada", user="mia").documents().put(PREFS, "theme", "hers").version == 1


def test_an_erased_person_has_no_documents_and_the_rest_still_proves() -> None:
    world = memory(clock=SteppingClock())
    tuff, mia = world.agent("ada", user="tuff"), world.agent("ada", user="mia")
    tuff.documents().put(PREFS, "theme", {"tea": "with lemon"})
    waiting = tuff.documents(governed=True).put(PREFS, "later", {"tea": "with milk"})
    world.council().approve(waiting.request_id)
    mia.documents().put(PREFS, "theme", {"tea": "none"})
    request_id = world.eraser("root").request("tuff", reason="the person asked")
    world.council("bea").approve(request_id)

    world.eraser("root").carry_out(request_id)

    told = [event for event in events(world) if isinstance(event, DocumentPut)]
    gone = [e for e in events(world) if isinstance(e, Shredded) and e.wire == "document_put"]
    assert [event.value for event in told] == [{"tea": "none"}]
    assert len(gone) == 2
    assert world.agent("ada", user="tuff").documents().within() == []
    assert len(mia.documents().within()) == 1
    before = {proof.stream: proof.projections for proof in world.prove()}
    world.rebuild()
    assert {proof.stream: proof.projections for proof in world.prove()} == before


def test_documents_move_in_one_append() -> None:
    world = memory()
    documents = world.agent("ada").documents()
    documents.put(("a",), "x", 1)
    documents.put(("a",), "y", 2)

    documents.move({(("a",), "x"): (("b",), "x"), (("a",), "y"): (("b",), "z")})

    assert [(each.namespace, each.key) for each in documents.within()] == [
        (("b",), "x"),
        (("b",), "z"),
    ]


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
    documents = memory().agent("ada").documents()

    with pytest.raises(MunimentError) as told:
        BAD[number](documents)

    assert isinstance(told.value, InputError | RefusedError)
    assert documents.within() == []


def test_a_document_that_is_moved_lives_no_longer_for_it() -> None:
    clock = SteppingClock()
    documents = memory(clock=clock).agent("ada", user="tuff").documents()
    documents.put(("a",), "x", 1, ttl_seconds=3 * 86_400)
    documents.put(("a",), "y", 2)
    until = documents.within(("a",))[0].expires_at
    clock.later(days=1)

    documents.move({(("a",), "x"): (("b",), "x"), (("a",), "y"): (("b",), "y")})

    moved = documents.get(("b",), "x")
    stays = documents.get(("b",), "y")
    assert moved is not None
    assert stays is not None
    assert until[:18] >= moved.expires_at[:18] > ""
    assert stays.expires_at == ""
    clock.later(days=3)
    assert documents.get(("b",), "x") is None
    assert documents.get(("b",), "y") is not None


def test_many_values_are_added_in_one_append_under_keys_that_count_on() -> None:
    of = memory()
    documents = of.agent("ada", user="tuff").documents()
    documents.add(("turns",), ["before"])

    kept = documents.add(("turns",), [f"value {n}" for n in range(450)])

    assert [each.value for each in documents.within(("turns",))] == [
        "before",
        *(f"value {n}" for n in range(450)),
    ]
    assert len({each.key for each in kept}) == 450
    assert documents.add(("turns",), ["after"])[0].key == "000000000452"
    assert of.prove()


def test_of_many_values_all_are_added_or_none() -> None:
    of = memory()
    documents = of.agent("ada", user="tuff").documents()
    values = [f"value {n}" for n in range(300)] + ["my password is correct-horse-77"]

    with pytest.raises(RefusedError, match="privacy_deny_sensitive"):
        documents.add(("turns",), values)

    assert documents.within(("turns",)) == []
    assert "memory_denied" in types(of), "why not stands in the log"
    assert of.prove()


def test_what_is_put_down_together_is_put_down_once_under_its_key() -> None:
    ada = memory().agent("ada", user="tuff")
    documents = ada.documents()
    with ada.keyed("once"):
        kept = documents.add(["list"], ["a", "b"])
    with ada.keyed("once"):
        assert documents.add(["list"], ["a", "b"]) == kept
    with ada.keyed("once"), pytest.raises(KeyReusedError):
        documents.add(["list"], ["a", "c"])

    assert [each.value for each in documents.within(["list"])] == ["a", "b"]


def test_a_lease_that_ran_out_is_free_for_the_next_one_who_asks() -> None:
    """Also when nobody has swept: whoever reads finds no document, and so does whoever writes."""
    clock = SteppingClock()
    documents = memory(clock=clock).agent("ada", user="tuff").documents()
    documents.put(("locks",), "lease", "one", expect=0, ttl_seconds=60)
    with pytest.raises(RefusedError, match="lease"):
        documents.put(("locks",), "lease", "two", expect=0)
    clock.later(days=1)

    with pytest.raises(RefusedError, match="lease"):
        documents.put(("locks",), "lease", "one", expect=1)  # what it knows of is no longer there
    with pytest.raises(RefusedError):
        documents.drop(("locks",), "lease")
    taken = documents.put(("locks",), "lease", "two", expect=0, ttl_seconds=60)

    found = documents.get(("locks",), "lease")
    assert found is not None
    assert (found.value, found.version, found.created_at) == (
        "two",
        taken.version,
        found.updated_at,
    )
    assert documents.sweep() == 0  # the old one went when the new one came


def test_a_clock_that_is_set_back_neither_brings_a_swept_document_back_nor_ends_another() -> None:
    clock = SteppingClock()
    documents = memory(clock=clock).agent("ada", user="tuff").documents()
    documents.put(("locks",), "swept", 1, ttl_seconds=60)
    clock.later(days=1)
    documents.sweep()
    documents.put(("locks",), "kept", 2, ttl_seconds=60)

    clock.later(days=-2)

    assert documents.get(("locks",), "swept") is None
    assert documents.get(("locks",), "kept") is not None
