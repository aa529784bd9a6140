"""What somebody says again with another word in it leaves room for the rest of their life."""

from muniment.adapters.config import Settings, open_memory
from muniment.adapters.system.clock import ToldClock
from muniment.retrieval.text.sentence_frame import SentenceFrames
from muniment.retrieval.text.speaker_prefix import speaker_of

THINGS = ("ladder", "pigeon", "lantern", "teaspoon", "hailstorm", "receipt", "wardrobe", "fog")
DAYS = [f"I dreamt of a {thing} last night, {n} times" for n in range(8) for thing in THINGS]


def test_many_nights_alike_do_not_crowd_out_what_one_told_once() -> None:
    clock = ToldClock()
    ada = open_memory(":memory:", Settings(clock=clock, seed=b"lives")).agent("ada", user="tuff")
    ada.remember("Beetroot never gets past my lips.")
    for n, text in enumerate(DAYS):
        clock.set(f"2026-03-{2 + n // 8:02}T{8 + n % 8:02}:00:00.000Z")
        ada.remember(text)

    context = str(ada.context("Which food do I hate?", budget=800))

    assert "Beetroot" in context
    assert context.partition("## recent")[0].count("I dreamt of") <= 2


def test_a_frame_begins_and_ends_alike_and_a_short_liking_is_its_own() -> None:
    frames = SentenceFrames()
    frames.add("a", "So the pigeon won again")
    frames.add("b", "I love pasta")
    frames.add("c", "昨晚梦见鸽子了")

    assert frames.like("So the hailstorm won again") == ["a"]
    assert frames.like("I love curry") == []
    assert frames.like("昨晚梦见灯笼了") == ["c"]
    assert frames.like("The pigeon sat on the wall") == []


def test_a_beginning_in_small_letters_is_no_speaker_in_any_script() -> None:
    assert speaker_of("Даже запах: оливки — и я ухожу из кухни.") == ""
    assert speaker_of("Анна Петрова: я переехала.") == "Анна Петрова"
    assert speaker_of("Ann: I moved") == "Ann"
