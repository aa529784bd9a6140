"""A newer word takes the place and the score of what it replaces, and the answer says what left."""

from muniment.engine.search.candidate_selection import Drop, Pick, RecallCandidate, Selection
from muniment.engine.search.current_answers import settled
from muniment.engine.search.recall_filter import REPLACED
from muniment.model.kinds.episode import Origin
from muniment.model.text.near_duplicates import saying
from muniment.retrieval.index.document_status import Stands
from muniment.retrieval.ranking import ranker


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
