"""A newer word takes the place and the score of what it replaces, and the answer says what left."""

import msgspec

from muniment.engine.search.candidate_selection import Selection
from muniment.engine.search.current_answers import settled
from muniment.engine.search.diversification import Drop, Pick, RecallCandidate
from muniment.engine.search.recall_filter import REPLACED
from muniment.model.kinds.episode import Authority, Origin
from muniment.model.text.near_duplicates import saying
from muniment.retrieval.index.document_status import Stands
from muniment.retrieval.ranking import ranker
from muniment.retrieval.ranking.current_answer import (
    AnswerClaim,
    ClaimSource,
    Standing,
    attribute,
    claim,
    settle,
    standing,
)


def pick(name: str, text: str, *, score: int, moment: int, speaker: str = "") -> Pick:
    candidate = RecallCandidate(
        score_ppm=score,
        moment=moment,
        id=name,
        number=0,
        ranking=NOTHING,
        stands=Stands(1, 0, 0, "episodic", Origin.USER),
        said=1,
        speaker=speaker,
    )
    return Pick(candidate, saying(text))


NOTHING = ranker.Ranking.__new__(ranker.Ranking)  # these never look at it
RAIN = pick("a", "It rained", score=900, moment=5)
BEA = pick("b", "My name is Bea", score=800, moment=1)
TEA = pick("c", "I like tea", score=700, moment=2)
CARL = pick("d", "My name is Carl", score=300, moment=3)
NORA = pick("e", "My name is Nora", score=200, moment=4, speaker="Nora")


def test_a_newer_word_has_the_place_and_score_of_the_older_one() -> None:
    found = Selection((RAIN, BEA, TEA, CARL, NORA), (), {"walked": 5})

    told, standing = settled(found, {})

    assert standing.replaced == {"b": "d"}
    assert [(each.candidate.id, each.candidate.score_ppm) for each in told.picks] == [
        ("a", 900),
        ("d", 800),
        ("c", 700),
        ("e", 200),
    ]
    assert told.drops == (Drop(BEA.candidate, REPLACED, 2, "d"),)
    assert told.counts == {REPLACED: 1, "walked": 5}


def test_what_stood_higher_by_itself_keeps_its_own_score() -> None:
    lower = pick("b", "My name is Bea", score=100, moment=1)

    told, _ = settled(Selection((RAIN, CARL, lower), (), {}), {})

    assert [(each.candidate.id, each.candidate.score_ppm) for each in told.picks] == [
        ("a", 900),
        ("d", 300),
    ]


def test_where_nothing_is_replaced_the_answer_is_what_was_found() -> None:
    found = Selection((RAIN, BEA, TEA, NORA), (), {})

    assert settled(found, {})[0] is found


def word(
    name: str,
    attribute: str,
    value: str,
    moment: str,
    *,
    keyed: bool = True,
    governed: bool = False,
) -> AnswerClaim:
    return AnswerClaim(
        id=name, attribute=attribute, value=value, moment=moment, keyed=keyed, governed=governed
    )


OLD, NEW = "2026-01-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z"


def test_each_attribute_has_an_answer_of_its_own() -> None:
    told = settle(
        [
            word("a", "pets", "a cat", OLD, keyed=False),
            word("b", "name", "bea", OLD),
            word("c", "city", "porto", OLD),
            word("d", "name", "carl", NEW),
            word("e", "city", "faro", NEW),
        ]
    )

    assert told.replaced == {"b": "d", "c": "e"}
    assert told.contradicted == {}


def test_what_was_said_before_a_governed_fact_or_with_it_is_replaced_by_it() -> None:
    fact = word("f", "name", "tuff", NEW, governed=True)

    before = settle([word("a", "name", "bea", OLD), fact])
    together = settle([word("a", "name", "bea", NEW), fact])

    assert before.replaced == together.replaced == {"a": "f"}
    assert before.contradicted == together.contradicted == {}


def test_what_is_said_after_a_governed_fact_contradicts_it_and_replaces_nothing() -> None:
    fact, later = word("f", "name", "tuff", OLD, governed=True), word("a", "name", "bea", NEW)

    told = settle([fact, later])

    assert (told.replaced, told.contradicted) == ({}, {"f": later})
    assert told.contradicting == {"a": "f"}


def test_words_that_name_no_key_replace_one_another_only_where_a_profile_has_one() -> None:
    first, then = (
        word("a", "boat", "blue", OLD, keyed=False),
        word("b", "boat", "red", NEW, keyed=False),
    )
    profile = word("user:tuff:profile:1", "boat", "green", OLD)

    assert settle([first, then]).replaced == {}
    assert settle([first, then, profile]).replaced == {"a": "b", profile.id: "b"}


ALIASES = {"favourite": "favorite", "town": "city"}


def read(text: str, **told: object) -> AnswerClaim | None:
    source = {"id": "a", "origin": "user", "moment": OLD, **told}
    return claim(msgspec.convert({"text": text, **source}, ClaimSource), ALIASES)


def test_a_record_claims_its_value_since_its_moment_in_its_own_name() -> None:
    assert read("My name is Bea Bauer") == AnswerClaim(
        id="a", attribute="name", value="bea bauer", moment=OLD
    )
    assert read("It rained") is None
    assert read("My name is Bea", origin="tool") is None
    assert read("My name is Bea", speaker="Nora") is None


def test_a_record_that_says_more_is_not_replaced_as_a_whole() -> None:
    assert read("My boat is red. It leaks.") == AnswerClaim(
        id="a", attribute="boat", value="red", moment=OLD, keyed=False, whole=False
    )


def test_of_favourites_there_is_one_however_they_are_spelled() -> None:
    assert read("My favourite colour is green") == AnswerClaim(
        id="a", attribute="favorite_colour", value="green", moment=OLD
    )
    assert read("My preferred colour is green") == AnswerClaim(
        id="a", attribute="preferred_colour", value="green", moment=OLD
    )
    assert read("My colour is green") == AnswerClaim(
        id="a", attribute="colour", value="green", moment=OLD, keyed=False
    )


def test_a_governed_fact_and_a_profile_are_read_as_key_and_value() -> None:
    fact = read("town: Porto: the old one", governed=True, authority="tool_verified")
    unknown = read("name: Bea", governed=True, authority="somebody", origin="tool")
    profile = read("name: Bea", id="user:tu:ff:profile:1", speaker="Nora")

    assert fact == AnswerClaim(
        id="a",
        attribute="city",
        value="porto the old one",
        moment=OLD,
        authority=Authority.TOOL_VERIFIED,
        governed=True,
    )
    assert unknown == AnswerClaim(id="a", attribute="name", value="bea", moment=OLD, governed=True)
    assert profile == AnswerClaim(
        id="user:tu:ff:profile:1", attribute="name", value="bea", moment=OLD
    )


def test_an_attribute_that_no_key_can_hold_is_spelled_as_near_as_it_goes() -> None:
    assert [attribute(each, ALIASES) for each in ("Home Town", "???", "a/b")] == [
        "home_city",
        "",
        "a_b",
    ]


def weighed(name: str, moment: str, authority: Authority) -> AnswerClaim:
    return AnswerClaim(id=name, attribute="name", value=name, moment=moment, authority=authority)


def test_a_greater_authority_stands_above_the_time_and_the_time_above_the_id() -> None:
    first = weighed("b", OLD, Authority.TOOL_VERIFIED)
    then = weighed("a", NEW, Authority.USER_ASSERTED)
    guess = weighed("c", NEW, Authority.AI_INFERRED)
    twin = weighed("z", NEW, Authority.USER_ASSERTED)

    assert settle([then, first, guess]).replaced == {"a": "b", "c": "b"}
    assert settle([guess, then]).replaced == {"c": "a"}
    assert settle([twin, then]).replaced == {"a": "z"}


def test_what_says_the_same_or_more_stays_beside_the_newest() -> None:
    same = word("a", "name", "carl", OLD)
    more = msgspec.structs.replace(word("b", "name", "bea", OLD), whole=False)

    assert settle([same, more, word("c", "name", "carl", NEW)]).replaced == {}


def test_a_fact_that_is_said_again_is_not_contradicted() -> None:
    fact = word("f", "name", "tuff", OLD, governed=True)

    told = settle([fact, word("a", "name", "bea", OLD), word("b", "name", "tuff", NEW)])

    assert (told.replaced, told.contradicted) == ({"a": "b"}, {})


def test_one_claim_alone_replaces_nothing_and_two_do() -> None:
    bea, carl = (
        ClaimSource(id=each, text=f"My name is {each}", origin="user", moment=moment)
        for each, moment in (("Bea", OLD), ("Carl", NEW))
    )
    rain = ClaimSource(id="r", text="It rained", origin="user", moment=OLD)

    assert standing([bea, rain], ALIASES) == Standing()
    assert standing([bea, rain, carl], ALIASES).replaced == {"Bea": "Carl"}
