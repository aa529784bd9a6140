"""Which lines of a text are memory's own: each form by itself, and what is left of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.layers import handed_out
from muniment.layers.handed_out import HandedOut
from muniment.model.text import fingerprints
from muniment.model.text.fingerprints import fingerprint
from muniment.rules import echoes
from muniment.rules.echoes import Heard

PORTO = "I live in Porto"
DOG = "My dog is called Rex"
VERSE = "Roses are red\nand so is my old bike"
GIVEN = {
    PORTO: "r1",
    DOG: "r2",
    "dogs eat fish": "r3",
    "dogs eat": "r4",
    VERSE: "r5",
    "我住在波尔图": "r6",
    "我住波尔图": "r7",
    "Sure thing: the door is open": "r8",
}
CODES = {fingerprint(text): receipt for text, receipt in GIVEN.items()}
FRAMED = f"[user_asserted/user 2026-03-01] {PORTO}"
OTHERS, OWN = False, True

# What is said, by whom, what is left of it, how many lines went, and the receipt that is named.
HEARD: tuple[tuple[str, bool, str, int, str], ...] = (
    (PORTO, OTHERS, "", 1, "r1"),
    (PORTO, OWN, PORTO, 0, ""),
    (f"> {PORTO}", OWN, "", 1, "r1"),
    (f">{PORTO}", OWN, "", 1, "r1"),
    (f"- {PORTO}", OWN, "", 1, "r1"),
    (f"* {PORTO}", OTHERS, "", 1, "r1"),
    (f"12) {PORTO}", OWN, "", 1, "r1"),
    (f"1. {PORTO}", OWN, "", 1, "r1"),
    (f"“{PORTO}”", OWN, "", 1, "r1"),
    (f'"{PORTO}".', OWN, "", 1, "r1"),
    (f"«{PORTO}», ", OWN, "", 1, "r1"),
    (f"Tuff: {PORTO}", OTHERS, "", 1, "r1"),
    (f"Tuff: {PORTO}", OWN, f"Tuff: {PORTO}", 0, ""),
    ("Sure thing: the door is open", OTHERS, "", 1, "r8"),
    ("- Sure thing: the door is open", OWN, "", 1, "r8"),
    # A line beside words of one's own; the first receipt is named.
    (f"Tea is good\n- {PORTO}", OWN, "Tea is good", 1, "r1"),
    (f"- {PORTO}\n  Tea is good  ", OTHERS, "Tea is good", 1, "r1"),
    (f"{DOG}\nTea is good\n{PORTO}\nSo is milk", OTHERS, "Tea is good\nSo is milk", 2, "r2"),
    # Who pastes several and says nothing else has pasted.
    (f"{PORTO}\n{DOG}", OWN, "", 2, "r1"),
    (f"{PORTO}\n\n{DOG}\n", OWN, "", 2, "r1"),
    (f"{PORTO}\nTea is good", OWN, f"{PORTO}\nTea is good", 0, ""),
    (f"{PORTO}\n", OWN, f"{PORTO}\n", 0, ""),
    # Enough words, or enough letters where none are parted.
    ("dogs eat fish", OTHERS, "", 1, "r3"),
    ("dogs eat", OTHERS, "dogs eat", 0, ""),
    ("我住在波尔图", OTHERS, "", 1, "r6"),
    # A frame is memory's whoever says it, wherever it stands; the name of a kind alone is not.
    (FRAMED, OWN, "", 1, "r1"),
    (f"- {FRAMED}", OWN, "", 1, "r1"),
    (f"Yes: - {FRAMED}", OTHERS, "Yes:", 1, "r1"),
    (f"3. {FRAMED}", OWN, "", 1, "r1"),
    (f"## remembered - {FRAMED} * {FRAMED}", OWN, "", 2, "r1"),
    ("[tool_verified/tool, quarantined] Nobody gave this out", OWN, "", 1, ""),
    ("[short_term] Nobody gave this out", OTHERS, "[short_term] Nobody gave this out", 0, ""),
    (f"[short_term] user: {PORTO}", OWN, "", 1, "r1"),
    (f"[semantic] {PORTO}", OWN, "", 1, "r1"),
    ("[some/thing] I wrote", OTHERS, "[some/thing] I wrote", 0, ""),
    # Headers go with what stood under them, and not by themselves.
    (f"## remembered\n- {FRAMED}\nThanks", OWN, "Thanks", 1, "r1"),
    ("## remembered\nMy own notes", OWN, "## remembered\nMy own notes", 0, ""),
    # Blocks: all that stands in them.
    (f"Hi <memory>\n{PORTO}\nAnd more\n</memory> there", OWN, "Hi  there", 2, "r1"),
    ("<MEMORY day='1'>Nobody gave this out</memory >", OWN, "", 1, ""),
    (f"<memory>{DOG}</memory>\n- {PORTO}", OWN, "", 2, "r1"),
    ("How do I close a <memory> tag?", OWN, "How do I close a <memory> tag?", 0, ""),
    (VERSE, OTHERS, "", 1, "r5"),
    (VERSE, OWN, VERSE, 0, ""),
    ("Tea is good", OTHERS, "Tea is good", 0, ""),
)


@pytest.mark.parametrize(("said", "own", "left", "lines", "receipt"), HEARD)
def test_what_memory_gave_out_is_told_from_what_is_said(
    *, said: str, own: bool, left: str, lines: int, receipt: str
) -> None:
    heard = echoes.heard(said, CODES.get, own=own)

    assert heard == Heard(text=left, lines=lines, receipt=receipt)
    assert heard.is_echo == (bool(lines) and not left)


SAID = st.sampled_from(
    [*(said for said, *_ in HEARD), "I", "[", "]", "<memory>", '"', "\u201e", "-", "3.", " ", "\n",
     "\x85", "\u2028", "\xa0", ">", "#", "user:"]
)  # fmt: skip


@given(parts=st.lists(SAID | st.text(max_size=6), max_size=4), own=st.booleans())
def test_a_quick_look_at_a_plain_sentence_hears_what_a_long_one_does(
    *, parts: list[str], own: bool
) -> None:
    said = "".join(parts)
    quick = echoes.heard(said, CODES.get, own=own)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(echoes, "_is_plain", lambda _: False)
        assert echoes.heard(said, CODES.get, own=own) == quick


def test_a_fingerprint_is_found_among_others_and_not_across_two_of_them() -> None:
    one, other = b"abcdefgh", b"ABCDabcd"
    given = b"".join([other, one, other])

    assert fingerprints.holds(given, one)
    assert fingerprints.holds(given, other)
    assert not fingerprints.holds(given, b"abcdabcd")  # the end of one and the beginning of another
    assert not fingerprints.holds(b"", one)
    assert fingerprints.holds(b"xxxxabcdefgh" + b"xxxx" + b"abcdefgh", one)  # first askew, then not


def test_of_two_receipts_that_gave_a_line_the_last_one_of_mine_is_named() -> None:
    code = fingerprints.fingerprint(PORTO)
    given = tuple(
        HandedOut(receipt=name, about=(whose,), codes=code)
        for name, whose in (("first", "me"), ("second", "me"), ("third", "another"))
    )

    assert handed_out.giver(given, code, lambda about: [*about] == ["me"]) == "second"
    assert handed_out.giver(given, b"12345678", lambda _: True) is None
