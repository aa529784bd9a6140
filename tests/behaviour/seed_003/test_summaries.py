"""Summaries at three resolutions: chosen sentences, word for word, never longer than the source."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.model.policy.maintenance import Compaction, Limit, Resolution
from muniment.model.text import sentences as text_sentences
from muniment.model.text.tokens import tokens_by_length
from muniment.rules.memos import chunks, summarise

POLICY = Compaction()
TRIP = (
    "Hello there! Nice weather today, is it not?",
    "My flight to Lisbon is on 14 March at 08:35. I am so excited about it.",
    "Thanks, that is great. Really great.",
    "The hotel is called Casa Azul and costs 120 euros per night. It has a pool, I think.",
    "She said “bring the blue folder” and left.",
)

# Any script, marks and joiners included; what the door admits is NFC and holds no lone surrogate.
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=400)
scripts = st.text(st.sampled_from("Aa é.!? \n。！東京ไทย।हि؟عر3\u0301\u200d👩🗼“”"), max_size=300)


@pytest.mark.covers("D-040")
@pytest.mark.parametrize("resolution", list(Resolution))
def test_each_resolution_has_its_limit(resolution: Resolution) -> None:
    long = [f"Order {n} of {n * 7} boxes goes to Harbour {n} before noon." for n in range(400)]

    summary = summarise.summarise(long, POLICY.limit(resolution))

    assert summary.tokens <= {"micro": 100, "meso": 500, "macro": 1000}[resolution]
    assert summary.tokens > {"micro": 20, "meso": 400, "macro": 900}[resolution]
    assert resolution != "micro" or len(text_sentences.sentences(summary.text)) <= 3


@pytest.mark.covers("D-040")
def test_numbers_names_and_quotes_come_first_and_greetings_last() -> None:
    micro = summarise.summarise(TRIP, POLICY.limit(Resolution.MICRO))

    for value in (
        "Lisbon",
        "14 March",
        "08:35",
        "Casa Azul",
        "120 euros",
        "“bring the blue folder”",
    ):
        assert value in micro.text
    for filler in ("Hello", "Thanks", "weather"):
        assert filler not in micro.text
    assert micro.sources == (1, 3, 4)


def test_quality_is_how_much_of_what_is_distinctive_is_still_said() -> None:
    whole = "\n".join(TRIP)

    assert summarise.quality_ppm(TRIP, whole) == 1_000_000
    assert summarise.quality_ppm(TRIP, "Hello there!") < 100_000
    kept = summarise.summarise(TRIP, POLICY.limit(Resolution.MESO)).quality_ppm
    assert kept >= POLICY.quality_min_ppm
    assert summarise.quality_ppm(TRIP, whole.replace("08:35", "")) < 1_000_000


def test_what_keeps_coming_up_stands_in_a_macro_summary() -> None:
    days = [f"The deploy on day {n} failed because the certificate expired." for n in range(5)]
    other = [f"Lunch number {n} was soup." for n in range(200)]

    macro = summarise.patterns([*other[:100], *days, *other[100:]], POLICY.limit(Resolution.MACRO))

    assert "certificate expired" in macro.text
    assert macro.tokens <= 1_000


def test_what_keeps_coming_up_goes_before_what_is_worth_more_alone() -> None:
    often = ["The backup failed again.", "On Monday the backup failed.", "Alas, the backup failed."]
    once = [
        "Room 512 of the Casa Azul costs 90 EUR.",
        "Invoice 4711 of ACME is due on 14 March.",
        "The train to Faro leaves at 08:35.",
        "Dr. Silva moved 31 boxes to Porto.",
    ]
    one = Limit(sentences_max=1, tokens_max=60)

    assert "backup failed" in summarise.patterns([*once, *often], one).text
    assert "backup failed" not in summarise.summarise([*once, *often], one).text


def test_a_sentence_that_fits_nowhere_is_begun() -> None:
    summary = summarise.summarise(["word " * 500], Limit(sentences_max=1, tokens_max=10))

    assert summary.text.startswith("word word")
    assert summary.text.endswith("…")
    assert summary.tokens > 8
    assert summary.sources == (0,)


@pytest.mark.parametrize(
    "text",
    [
        "会議は3月14日に東京で開かれます。天気がいいですね。参加費は五千円です。ありがとう。",
        "Встреча состоится 14 марта в Москве. Спасибо. Погода хорошая.",
        "बैठक 14 मार्च को दिल्ली में है। धन्यवाद। मौसम अच्छा है।",
        "الاجتماع يوم 14 مارس في القاهرة. شكرا. الطقس جميل اليوم؟",
    ],
)
def test_other_scripts_are_read_too(text: str) -> None:
    summary = summarise.summarise([text], Limit(sentences_max=1, tokens_max=100))

    assert "14" in summary.text
    assert summary.text == text_sentences.sentences(text)[0].strip()


@given(st.lists(texts | scripts, max_size=6), st.integers(1, 4), st.integers(1, 60))
def test_a_summary_quotes_its_source_and_is_never_longer(
    told: list[str], sentences: int, tokens: int
) -> None:
    summary = summarise.summarise(told, Limit(sentences_max=sentences, tokens_max=tokens))

    assert summary.tokens == tokens_by_length(summary.text) <= tokens
    assert len(summary.text) <= len("\n".join(told))
    assert 0 <= summary.quality_ppm <= 1_000_000
    spoken = {each.strip() for text in told for each in text_sentences.sentences(text.strip())}
    for line in text_sentences.sentences(summary.text):
        quoted = line.strip().removesuffix("…")
        assert any(quoted in sentence for sentence in spoken) or any(quoted in t for t in told)


@given(st.lists(texts | scripts, max_size=5))
def test_the_same_texts_give_the_same_summary(told: list[str]) -> None:
    limit = POLICY.limit(Resolution.MICRO)

    assert summarise.summarise(told, limit) == summarise.summarise(list(told), limit)
    assert summarise.patterns(told, limit).tokens <= limit.tokens_max


# ── Chunks ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("D-106", "D-107")
@given(texts | scripts, st.integers(1, 40))
def test_chunks_put_together_are_the_text_byte_for_byte(text: str, size: int) -> None:
    cut = chunks.cut(text, size)

    assert chunks.joined(cut).encode() == text.encode()
    assert all(tokens_by_length(chunk) <= size for chunk in cut)
    assert cut == ("",) or all(cut)


def test_a_chunk_ends_where_a_sentence_does() -> None:
    text = "".join(f"Sentence number {n} has a few words. " for n in range(200))

    cut = chunks.cut(text, 100)

    assert all(chunk.endswith("words. ") for chunk in cut)
    # None could have taken the first sentence of the next.
    sentences = [chunk.index("words. ") + len("words. ") for chunk in cut]
    assert all(len(a) + first > 400 for a, first in zip(cut, sentences[1:], strict=False))


def test_an_over_long_sentence_is_cut_at_a_space_and_no_letter_loses_its_mark() -> None:
    spaced = chunks.cut("word " * 100, 10)
    marked = chunks.cut("e\u0301" * 100 + "👩\u200d👩\u200d👧" * 20, 5)

    assert all(chunk.endswith(" ") for chunk in spaced)
    assert not any(chunk.startswith(("\u0301", "\u200d")) for chunk in marked)


@given(texts | scripts)
def test_sentences_put_together_are_the_text(text: str) -> None:
    assert "".join(text_sentences.sentences(text)) == text


def test_a_full_stop_inside_a_name_or_a_number_ends_nothing() -> None:
    told = 'Dr. J. Smith paid 3.50 EUR, e.g. in coins. He said "No." Then he left!'

    assert [each.strip() for each in text_sentences.sentences(told)] == [
        "Dr. J. Smith paid 3.50 EUR, e.g. in coins.",
        'He said "No."',
        "Then he left!",
    ]


def test_how_many_of_a_texts_own_words_a_summary_has_is_counted() -> None:
    told = "ferry island harbour storm"

    assert summarise.keeps_words_ppm(told, "a storm at the harbour") == 500_000
    assert summarise.keeps_words_ppm(told, "tea at noon") == 0
    assert summarise.keeps_words_ppm("", "tea at noon") == 1_000_000
