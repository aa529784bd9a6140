"""A newer word takes the place and the score of what it replaces, and the answer says what left."""

from muniment.engine.search.candidate_selection import Drop, Pick, RecallCandidate, Selection
from muniment.engine.search.current_answers import settled
from muniment.engine.search.recall_filter import REPLACED
from muniment.model.kinds.episode import Origin
from muniment.model.text.near_duplicates import saying
from muniment.retrieval.index.document_status import Stands
from muniment.retrieval.ranking import ranker
from muniment.retrieval.ranking.current_answer import AnswerClaim, settle


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
