"""Every Python reads a text alike: what its Unicode knows more than ours changes nothing."""

import re
from collections.abc import Callable, Iterator
from hashlib import sha256

import pytest
from tests.rendering import render
from tests.world import memory

from muniment.adapters.embedders import wordpiece
from muniment.model import canonical_json, fact_keys, unicode14
from muniment.model.errors import InputError
from muniment.model.scope import name
from muniment.model.text import near_duplicates
from muniment.model.text import sentences as text_sentences
from muniment.model.text.tokens import tokens
from muniment.retrieval.context import render_line
from muniment.retrieval.dates import date_mentions
from muniment.retrieval.languages.detect_language import detect_languages
from muniment.retrieval.ranking import query
from muniment.retrieval.text import sentence_split, tokenizer
from muniment.rules.conversation import classify
from muniment.rules.memos import chunks
from muniment.rules.privacy.detect import detect

Golden = Callable[[str, str], None]

# Of Unicode 15.0, 15.1 and 16.0: none of them was there in 14.0.
HAN = "\U00031350"  # an ideograph of 15.0
HAN_LATER = "\U0002ebf0"  # and one of 15.1
DIGIT = "\U00011f54"  # Kawi four, of 15.0
MARK = "\u0897"  # an Arabic mark, of 16.0
CAPITAL, SMALL = "\u1c89", "\u1c8a"  # a Cyrillic letter with a case, of 16.0
PAIR, COMPOSED = "\U000105d2\u0307", "\U000105c9"  # Todhri: one letter in two spellings, of 16.0
OUTLINED = "\U0001ccd6"  # an A in outline, of 16.0
PICTURE = "\U0001fa77"  # a pink heart, of 15.0
CONTROL = "\U00013440"  # a mirror sign of hieroglyphs, of 15.0
NEWER = (HAN, HAN_LATER, DIGIT, MARK, CAPITAL, SMALL, COMPOSED, OUTLINED, CONTROL)

# All that is, or may soon be, anything but empty or private.
PLACES = (*range(0xD800), *range(0xE000, 0x33500), *range(0xE0000, 0xE0200))
# Everything that is asked of a character anywhere: the same on every Python. If this fails on a
# new one, it says something else of an old character: `characters` must say what 14.0 said.
TOLD = "efca83ce96699ca760e6ffe6a1f25c7a04c1b61d23b77d59af3e5d01530f344e"


def answers() -> Iterator[str]:
    every = "".join(map(chr, PLACES))
    seen = unicode14.known(every)
    apart = "\n".join(every)
    yield seen
    yield from map(unicode14.category, every)
    for asks in (str.isalnum, str.isalpha, str.isdigit, str.isdecimal, str.isupper, str.isspace):
        yield "".join(filter(asks, seen))
    for said in (unicode14.is_small, unicode14.is_printable, unicode14.has_no_case):
        yield "".join(filter(said, seen))
    for pattern in (r"\w", r"\d", r"\s", r"[^\W\d_a-z]", r"(?i)[a-z]"):
        yield "".join(re.findall(pattern, seen))
    yield from (unicode14.known(apart).lower(), unicode14.known(apart).casefold())
    yield unicode14.normalised("NFC", apart)
    yield unicode14.normalised("NFD", apart)
    yield unicode14.normalised("NFKC", apart)
    yield unicode14.normalised("NFKD", apart)


def test_of_every_character_the_same_is_said_on_every_python() -> None:
    assert sha256("\0".join(answers()).encode()).hexdigest() == TOLD


@pytest.mark.parametrize("letter", NEWER, ids=ascii)
def test_a_newer_character_is_no_letter_no_digit_and_no_mark(letter: str) -> None:
    text = f"Ann went{letter}Home on May 4, 2024. {letter}So did Bob, ago {letter}last week"

    assert tokens(text)[:4] == ("ann", "went", "home", "on")
    assert tokenizer.spelled(text)[:4] == ["ann", "went", "home", "on"]
    assert text_sentences.names(text) == ("ann", "home", "may", "so", "bob")
    assert "home" in near_duplicates.saying(text).values
    assert fact_keys.slug(f"{letter}Home{letter}4") == "home4"
    assert list(wordpiece.split(f"went{letter}home")) == ["wenthome"]
    assert date_mentions.counted_back(detect_languages(text), "2024-05-06T00:00:00.000Z") != ()
    assert query.analyse(f"When did{letter}Ann go?", speakers=["Ann"]).who == ("Ann",)
    assert render_line.plain(letter) == letter.encode("unicode_escape").decode()
    with pytest.raises(InputError, match="invisible character"):
        name(f"Ann{letter}", "user")


@pytest.mark.parametrize("letter", NEWER, ids=ascii)
def test_nothing_of_a_newer_character_is_lost_where_a_text_is_cut_or_quoted(letter: str) -> None:
    text = f"Dr. {letter}Ann said “{letter} is mine”. {letter}Then she left for the old harbour."

    assert "".join(text_sentences.sentences(text)) == text
    assert chunks.joined(chunks.cut(text * 20, 8)) == text * 20
    assert "".join(sentence_split.split(text)).count(letter) == text.count(letter)
    assert text_sentences.values(text)[-1] == f"{letter} is mine"
    assert near_duplicates.saying(text).values[-1] == f"{letter} is mine"
    assert [each.value for each in classify.profile_facts(f"my name is A{letter}n")] == [
        f"A{letter}n"
    ]
    stated = classify.lasting_fact(f"Remember that my cat is {letter}om")
    assert stated is not None
    assert stated.value == f"{letter}om"


def test_a_newer_character_composes_with_nothing() -> None:
    assert canonical_json.admit_text(f"e\u0301{PAIR}e\u0301") == f"\u00e9{PAIR}\u00e9"
    assert canonical_json.admit_text(f"{COMPOSED}e\u0301") == f"{COMPOSED}\u00e9"
    assert canonical_json.admit_text(f"a{MARK}\u0323") == f"a{MARK}\u0323"


def test_two_ids_that_differ_in_a_newer_letter_are_two() -> None:
    assert fact_keys.entity_slug("Li") == "li"
    found = {fact_keys.entity_slug(f"Li{letter}") for letter in ("", *NEWER)}
    assert len(found) == len(NEWER) + 1


def test_what_is_private_is_found_beside_a_newer_letter() -> None:
    for letter in NEWER:
        text = f"write to{letter}ann@example.org or{letter}192.0.2.7{letter}, please"
        found = [(each.kind, text[each.start : each.end]) for each in detect(text)]
        assert found == [("email", "ann@example.org"), ("ip", "192.0.2.7")]


def test_an_address_that_stands_for_another_is_judged_alike() -> None:
    for told in ("2001:db8::7", "0:0:0:0:0:ffff:127.0.0.1", "0:0:0:0:0:ffff:0:0"):
        assert [each.kind for each in detect(f"it runs on {told} now")] == ["ip"]
    assert detect("it runs on 0:0:0:0:0:0:0:1 now") == ()


def test_a_newer_picture_is_shown_and_may_be_part_of_a_name() -> None:
    assert render_line.plain(f"I love it {PICTURE}") == f"I love it {PICTURE}"
    assert name(f"Ann {PICTURE}", "user") == f"Ann {PICTURE}"
    assert tokens(f"love{PICTURE}it") == ("love", "it")


def test_a_memory_of_newer_characters_has_the_same_log_and_receipts(golden: Golden) -> None:
    of = memory()
    ada = of.agent("ada", user="tuff")
    for letter in (*NEWER, PICTURE, PAIR):
        ada.remember(f"My friend A{letter}n lives in {letter}Bern{letter} since May{letter} 2024.")
    ada.remember(f"my name is {CAPITAL}uff{PICTURE}")
    told = ada.recall(f"Where does A{HAN}n live{PICTURE}?")
    job = ada.job("seed-newer")
    job.wm_insert({"type": "fact", "value": {f"n{PAIR}": f"e\u0301{PAIR}"}, "ttl_ticks": 4})

    logs = [render(of.log(each), heading=f"# {each.text}") for each in of.streams()]
    answer = canonical_json.encode(told).decode()
    golden("newer_characters.log", "\n".join([answer, "", *logs]))
    assert of.prove()
