"""A name that is written in one piece is found as it stands, among neighbours of the same parts."""

import pytest

import muniment
from muniment.retrieval.text import code_tokens


@pytest.mark.parametrize(
    ("text", "wholes"),
    [
        ("Released v2.3.1.", ["v2.3.1"]),
        ("See src/a/b.py and books.py", ["src/a/b.py", "books.py"]),
        ("SUP-12-7 at 10.0.1.2", ["sup-12-7", "10.0.1.2"]),
        ("user_name", ["user_name"]),
        ("Wi-Fi, e-mail and a T-shirt", ["wifi", "email", "tshirt"]),
        ("a well-known thing, e.g. this one... or that", []),
        ("plain words", []),
        ("a/" * 150 + "b", []),
    ],
)
def test_what_is_written_in_one_piece(text: str, wholes: list[str]) -> None:
    assert code_tokens.spelled(text) == wholes


NEIGHBOURS = (
    ("Released v2.1.3 with search", "Released v2.3.1 with rounding", "What is in {}?"),
    ("src/a/order.py parses dates", "src/a/orders.py parses sums", "What does {} do?"),
    ("10.0.1.2 is the mail relay", "10.0.2.1 is the builder", "What is {}?"),
    ("SUP-12-7 is about the printer", "SUP-7-12 is about the scanner", "What is {} about?"),
    ("user_name holds the login", "name_user holds a nickname", "What does {} hold?"),
)


@pytest.mark.parametrize(("one", "other", "question"), NEIGHBOURS)
def test_the_one_that_is_named_answers_whichever_is_newer(
    one: str, other: str, question: str
) -> None:
    for older, newer in ((one, other), (other, one)):
        ada = muniment.open(":memory:").agent("ada", user="tuff")
        for line in (older, "The tram was late", newer, "It rains again"):
            ada.remember(line)
        for told in (one, other):
            (name,) = code_tokens.spelled(told)
            assert ada.recall(question.format(name)).hits[0].text == told


def test_a_part_still_finds_the_whole() -> None:
    ada = muniment.open(":memory:").agent("ada", user="tuff")
    ada.remember("ORD-4712 was delivered")
    ada.remember("The tram was late")

    assert ada.recall("Where is 4712?").hits[0].text == "ORD-4712 was delivered"


@pytest.mark.parametrize(
    ("told", "asked"), [("Our wifi is Falkennest", "Wi-Fi"), ("The Wi-Fi is slow", "wifi")]
)
def test_a_hyphen_between_short_parts_does_not_matter(told: str, asked: str) -> None:
    ada = muniment.open(":memory:").agent("ada", user="tuff")
    ada.remember(told)
    best = ada.recall(asked, explain=True).hits[0]

    assert best.terms["words"] > 0
