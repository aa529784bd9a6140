"""What a hub makes of its logs, by hand: indexes, vectors, mirrors, and facts by reader."""

import pytest
from tests import world
from tests.behaviour.test_stream_hubs_by_hand import ADA, BEA, COUNCIL, KEY, again, told

from muniment.engine.projections.index import DOCUMENTS, RECALL
from muniment.engine.streams.parts import Tools
from muniment.model.errors import EmbedderError
from muniment.model.events.recalls import VectorsReached
from muniment.model.policy import Policy, RecallPolicy
from muniment.model.policy.fact_readers import FactReader
from muniment.model.scope import collection_stream
from muniment.retrieval.index.hashing_embedder import HashingEmbedder

# ── Embedders and indexes ───────────────────────────────────────────────────────────────────────


class Other(HashingEmbedder):
    name = "other"


class Changing(Other):
    """An embedder whose answers change from day to day."""

    name, pure = "changing", False


class Asked(Changing):
    """The same, which notes what it is asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, text: str) -> bytes:
        self.asked.append(text)
        return super().embed(text)


def named(embedder: str) -> Policy:
    return Policy(recall=RecallPolicy(embedder=embedder))


TOOLS = Tools(others=(Other(), Changing()))


def test_a_stream_is_asked_with_the_embedder_that_its_policy_names() -> None:
    usual, chosen = (told("ada", policy=named(each), tools=TOOLS) for each in ("", "other"))

    assert world.hub(usual).embedder(ADA) is TOOLS.embedder
    assert world.hub(chosen).embedder(ADA) is TOOLS.others[0]
    with pytest.raises(EmbedderError, match="absent"):
        world.hub(told("ada", policy=named("absent"), tools=TOOLS)).embedder(ADA)


def test_two_readers_never_share_an_index() -> None:
    hub = world.hub(told("ada", "bea", tools=TOOLS))
    stream, person = hub.stream(ADA), hub.parts.world.keyring.find("subject", "main/user_tuff")

    mine = hub.index(ADA, "user_tuff", "other")

    assert hub.index(ADA, "user_tuff", "other") is mine
    assert mine is hub.index_of(ADA, str(person), TOOLS.others[0])
    assert (mine.stream, mine.embedder) == (stream, TOOLS.others[0])
    everybodys = hub.index(ADA, "", "other")
    assert everybodys is hub.index_of(ADA, stream.ref, TOOLS.others[0], RECALL)
    assert len({mine, everybodys, hub.index(BEA, "", "other"), hub.index(ADA, "", "")}) == 4


def test_documents_are_found_by_an_embedder_whose_answers_need_not_be_kept() -> None:
    hub = world.hub(told("ada", tools=TOOLS))
    person = str(hub.parts.world.keyring.find("subject", "main/user_tuff"))

    for policy, embedder in (("other", TOOLS.others[0]), ("changing", TOOLS.embedder)):
        found = hub.documents(ADA, "user_tuff", named(policy))
        assert found is hub.index_of(ADA, person, embedder, DOCUMENTS)
        assert found is not hub.index_of(ADA, person, embedder)
        everybodys = hub.documents(ADA, "", named(policy))
        assert everybodys is hub.index_of(ADA, hub.stream(ADA).ref, embedder, DOCUMENTS)


def test_what_is_kept_of_an_index_is_read_from_the_store() -> None:
    hub = world.hub(told("ada"))
    index = hub.index(ADA, "user_tuff", "")

    view = index.view(hub.writer(ADA).head.seq)

    assert view.register.count == 1
    ((_, line),) = index.lines(view.register.column("seq").tolist()).items()
    assert "told to ada" in str(line.event)


# ── What follows an append ──────────────────────────────────────────────────────────────────────


def test_what_an_embedder_says_that_may_say_otherwise_tomorrow_is_kept_with_the_text() -> None:
    tools = Tools(embedder=Changing())
    of = told("ada", tools=tools)

    kept = [each for each in world.events(of) if isinstance(each, VectorsReached)]
    assert [each.upto for each in kept] == [4]
    assert not any(isinstance(each, VectorsReached) for each in world.events(told("ada")))


def test_an_index_asks_nobody_again_for_what_was_kept() -> None:
    embedder = Asked()
    of = told("ada", tools=Tools(embedder=embedder))
    embedder.asked.clear()

    view = again(of).index(ADA, "user_tuff", "").view(of.head(ADA))

    assert view.register.count == 1
    assert embedder.asked == []


def test_what_was_observed_in_a_loop_is_mirrored_at_once() -> None:
    of = world.memory()

    with of.agent("ada", user="tuff").do("fold the kite"):
        pass

    assert of.subconscious_view("ada").coverage().mirror == 1
    assert world.hub(of).exists(collection_stream(ADA))


def test_facts_are_read_for_a_reader_at_an_entry_of_the_council() -> None:
    of = told("ada")
    ada, hub = of.agent("ada", user="tuff"), world.hub(of)
    ada.sem_put(KEY, "tea")

    seen = hub.facts.seen_by(FactReader("ada", "user_tuff"), COUNCIL, 4)

    assert [each.value for each in seen.facts] == ["tea"]
    assert hub.facts.seen_by(FactReader("ada", "user_mia"), COUNCIL, 4).facts == []
    assert hub.holds.of("main") == ()
