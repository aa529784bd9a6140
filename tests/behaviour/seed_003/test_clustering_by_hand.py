"""Which texts are one cluster: all that say what its first says, however many others there are."""

from hypothesis import given
from hypothesis import strategies as st

from muniment.model.text.near_duplicates import same, saying
from muniment.rules.memos import clustering
from muniment.rules.memos.clustering import ClusterText

ALIKE = 600_000
WORDS = st.lists(st.sampled_from(["we", "sail", "west", "at", "dawn", "7", "not", "Faro"]))
TEXTS = st.builds(
    lambda words, kind: ClusterText(id="", text=" ".join(words), kind=kind),
    WORDS,
    st.sampled_from(["fact", "fact", "plan"]),
)


def numbered(texts: list[ClusterText]) -> dict[str, ClusterText]:
    return {f"m{n}": ClusterText(id=f"m{n}", text=e.text, kind=e.kind) for n, e in enumerate(texts)}


def clusters(*texts: str) -> list[list[str]]:
    told = numbered([ClusterText(id="", text=each) for each in texts])
    return [list(each) for each in clustering.clusters(told.values(), ALIKE)]


@given(st.lists(TEXTS, max_size=16))
def test_every_text_is_with_one_that_says_the_same_and_no_two_first_ones_do(
    texts: list[ClusterText],
) -> None:
    told = numbered(texts)

    def alike(one: str, other: str) -> bool:
        mine, theirs = saying(told[one].text), saying(told[other].text)
        equal = mine.values == theirs.values and told[one].kind == told[other].kind
        return equal and same(mine, theirs, ALIKE)

    found = clustering.clusters(told.values(), ALIKE)

    followers = {each for group in found for each in group[1:]}
    leaders = [each for each in told if each not in followers]
    assert all(alike(group[0], each) for group in found for each in group[1:])
    assert not any(alike(one, other) for one in leaders for other in leaders if one < other)
    assert [group[0] for group in found] == [n for n in leaders if n in {g[0] for g in found}]
    assert all(len(group) > 1 and list(group) == [n for n in told if n in group] for group in found)
    assert len(followers) == sum(len(group) - 1 for group in found)


def test_what_comes_after_a_repetition_is_read_as_well() -> None:
    assert clusters("sail west", "sail west", "sail east", "sail east", "sail west") == [
        ["m0", "m1", "m4"],
        ["m2", "m3"],
    ]


def test_texts_without_a_word_are_one_cluster_where_they_are_the_same() -> None:
    assert clusters("!?", "sail", "!?", "…") == [["m0", "m2"]]


def test_a_text_is_found_among_a_hundred_that_share_its_common_words() -> None:
    """A text meets a bounded number of others, and its rare words choose which."""
    common = "after all boats came back every sailor was asked to bring"
    texts = [f"{common} zinc{chr(97 + n // 26)}{chr(97 + n % 26)} home" for n in range(100)]

    assert clusters(*texts, texts[0]) == [["m0", "m100"]]
