"""What a question asks for: whom it names, when it means, and how a memory would say it."""

import numpy as np
import pytest

import muniment
from muniment.adapters.embedders.static_embedder import TableEmbedder
from muniment.retrieval.dates import date_mentions
from muniment.retrieval.dates.date_mentions import DayRange, NamedDate
from muniment.retrieval.index.collection import Collection, Document
from muniment.retrieval.languages.detect_language import detect_languages
from muniment.retrieval.ranking import query, ranker
from muniment.retrieval.ranking.features import Mask
from muniment.retrieval.ranking.weights import LEXICAL, STATIC, Weights
from muniment.retrieval.text import sentence_split

FRIDAY = "2023-05-26T09:00:00.000Z"


def test_the_named_speaker_becomes_the_first_person() -> None:
    asks = query.analyse("When did Ann's dog meet ann?", speakers=["Ann", "Bob"])

    assert asks.who == ("Ann",)
    assert asks.meant == "When did my dog meet I?"
    assert asks.words == ("dog", "meet")
    assert asks.wants_time


@pytest.mark.parametrize("apostrophe", ["'", "\u2019", "`", "\u02bc"])
def test_every_apostrophe_makes_it_mine(apostrophe: str) -> None:
    asks = query.analyse(f"Where did Ann{apostrophe}s dog sleep?", speakers=["Ann", "Bob"])

    assert asks.meant == "Where did my dog sleep?"
    assert asks.words == ("dog", "sleep")


def test_her_of_the_one_person_named_is_what_that_person_calls_mine() -> None:
    asks = query.analyse("How did Ann paint her house when she moved?", speakers=["Ann", "Bob"])

    assert asks.meant == "How did I paint my house when I moved?"


def test_with_two_people_named_nobody_can_tell_whom_her_means() -> None:
    asks = query.analyse("What did Ann say of Eve and her house?", speakers=["Ann", "Eve"])

    assert asks.meant == "What did I say of I and her house?"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("What do Ann and Bob have in common?", "What do we have in common?"),
        ("Which films have both Bob and Ann seen?", "Which films have we seen?"),
        ("Where is Ann and Bob's house?", "Where is our house?"),
        ("How did Ann and Bob meet their dog?", "How did we meet our dog?"),
        ("What did Ann, Chris and Bob say of themselves?", "What did we say of ourselves?"),
        ("Is it Ann or Bob who sails to them?", "Is it I or I who sails to them?"),
    ],
)
def test_people_named_together_say_we(text: str, meant: str) -> None:
    assert query.analyse(text, speakers=["Ann", "Bob", "Chris"]).meant == meant


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("What did Ann give Bob?", "Ann"),
        ("What did bob give to Ann?", "Bob"),
        ("Which of Bob's friends did Ann meet?", "Ann"),
        ("Ann's advice to Bob was what?", "Ann"),
        ("Where does Ann live?", "Ann"),
        ("What do Ann and Bob have in common?", ""),
        ("Is it Ann or Bob who sails?", ""),
        ("Which films have both Ann seen and Bob?", ""),
        ("Where is the annual fair?", ""),
    ],
)
def test_a_question_is_about_the_one_whose_doing_it_asks_for(text: str, about: str) -> None:
    assert query.analyse(text, speakers=["Ann", "Bob"]).about == about


def test_what_the_one_who_did_it_told_comes_before_what_the_other_told() -> None:
    told = {"Bob": "A scarf of wool was the gift", "Ann": "The gift was a scarf of wool"}
    collection = Collection.build(
        [
            Document(id=name, seq=number, ts=FRIDAY, text=text, speaker=name, session="1")
            for number, (name, text) in enumerate(told.items())
        ],
        0,
    )

    def first(text: str) -> str:
        asks = query.analyse(text, speakers=collection.speakers)
        return collection.id_of(int(ranker.rank(collection, asks, LEXICAL).order[0]))

    assert first("Which gift did Ann bring to Bob?") == "Ann"
    assert first("Which gift did Bob bring to Ann?") == "Bob"


@pytest.mark.parametrize(
    "text", ["What has Ann painted?", "Which pets does Bob have?", "How often did Ann sail?"]
)
def test_the_perfect_and_a_count_ask_for_all_that_has_been_so(text: str) -> None:
    assert query.analyse(text, speakers=["Ann", "Bob"]).gathers


@pytest.mark.parametrize(
    "text",
    [
        "What did Ann paint?",
        "How long has Ann lived there?",
        "How many weeks has Ann lived there?",
        "What has Ann painted in May 2023?",
        "Who likes the haste of harvest?",
    ],
)
def test_whoever_names_one_time_does_not_ask_for_all(text: str) -> None:
    assert not query.analyse(text, speakers=["Ann", "Bob"]).gathers


def test_what_is_gathered_lies_in_many_places_and_owes_nothing_to_its_neighbours() -> None:
    said = [("Bob", "Sit down."), ("Ann", "I painted a heron."), ("Bob", "Lovely.")]
    collection = Collection.build(
        [
            Document(
                id=str(number),
                seq=number,
                ts=FRIDAY,
                text=f"{text} Last week." if number == 1 else text,
                speaker=name,
                session="1",
                vectors=(bytes([100 - number, number]),),
            )
            for number, (name, text) in enumerate(said)
        ],
        2,
    )

    def terms(text: str) -> dict[str, int]:
        asks = query.analyse(text, speakers=collection.speakers).with_vector(bytes([90, 9]))
        ranking = ranker.rank(collection, asks, STATIC)
        found = ranking.terms(1)
        assert found["like"] > 0
        # Each of them can be had alone, without measuring the others again.
        assert {name: ranking.term(1, name) for name in found} == found
        return found

    once, ever = terms("What did Ann paint?"), terms("What has Ann painted?")
    beside = ("like_before", "like_after", "like_session")
    assert all(once[name] > 0 and ever[name] == 0 for name in beside)
    # A happening is told with its time: that counts half of what it does where a time is asked for.
    assert once["time"] == 0
    assert ever["time"] * 2 == terms("When did Ann paint?")["time"] > 0


def test_a_name_inside_a_word_is_no_name() -> None:
    assert query.analyse("What was the annual plan?", speakers=["Ann"]).who == ()


def test_a_question_of_function_words_keeps_them_all() -> None:
    assert query.analyse("Who are you?").words == ("who", "are", "you")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("on 7 May, 2023", (NamedDate(year=2023, month=5, day=7),)),
        ("on May 7th 2023", (NamedDate(year=2023, month=5, day=7),)),
        ("on 2023-05-07", (NamedDate(year=2023, month=5, day=7),)),
        ("in May 2023", (NamedDate(year=2023, month=5),)),
        ("since June", (NamedDate(month=6),)),
        ("back in 2022", (NamedDate(year=2022),)),
        ("you may march on", ()),
        (
            "the 7th of May and August 2021",
            (NamedDate(month=5, day=7), NamedDate(year=2021, month=8)),
        ),
        ("2023-44-99", (NamedDate(year=2023),)),
    ],
)
def test_dates_are_read_as_far_as_they_are_named(text: str, found: tuple[NamedDate, ...]) -> None:
    assert date_mentions.find_dates(detect_languages(text)) == found


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("yesterday", "2023-05-25", "2023-05-25"),
        ("last week", "2023-05-15", "2023-05-21"),
        ("last friday", "2023-05-19", "2023-05-19"),
        ("last weekend", "2023-05-20", "2023-05-21"),
        ("two weeks ago", "2023-05-09", "2023-05-15"),
        ("a fortnight ago", "2023-05-09", "2023-05-15"),
        ("half a year ago", "2022-08-27", "2023-02-23"),
        ("the day before yesterday", "2023-05-24", "2023-05-24"),
        ("last night", "2023-05-25", "2023-05-25"),
        ("last month", "2023-04-01", "2023-04-30"),
        ("this year", "2023-01-01", "2023-05-26"),
        ("10 days ago", "2023-05-15", "2023-05-17"),
        ("a couple of weeks ago", "2023-05-09", "2023-05-15"),
        ("in the last month", "2023-04-26", "2023-05-26"),
        ("over the past year", "2022-05-26", "2023-05-26"),
        ("in the past few weeks", "2023-05-05", "2023-05-26"),
        ("the last two months", "2023-03-27", "2023-05-26"),
    ],
)
def test_time_is_counted_back_from_the_question(text: str, first: str, last: str) -> None:
    (span,) = date_mentions.counted_back(detect_languages(f"what did I do {text}?"), FRIDAY)

    assert span == DayRange(first=day(first), last=day(last), today=day(FRIDAY[:10]))


@pytest.mark.parametrize("text", ["tonight", "in the last week of May", "at half past three"])
def test_what_lies_ahead_or_is_named_is_not_counted_back(text: str) -> None:
    assert date_mentions.counted_back(detect_languages(f"what do I do {text}?"), FRIDAY) == ()


def test_what_was_told_then_comes_before_what_was_told_since_and_before_what_was_told_earlier() -> (
    None
):
    told = {"earlier": "2023-04-02", "then": "2023-05-20", "since": "2023-05-25"}
    collection = Collection.build(
        [
            Document(id=name, seq=number, ts=f"{on}T09:00:00.000Z", text="A walk with the dog")
            for number, (name, on) in enumerate(told.items())
        ],
        0,
    )

    asks = query.analyse("Where did the dog and I walk last Saturday?", as_of=FRIDAY)
    found = ranker.rank(collection, asks, LEXICAL).order

    assert collection.ids_of(found) == ["then", "since", "earlier"]


def test_what_an_answer_is_counted_in_is_no_word_to_look_for() -> None:
    assert query.analyse("How many weeks did the trip to Norway take?").words == (
        "trip",
        "norway",
        "take",
    )
    assert query.analyse("Which weeks did the trip take?").words == ("week", "trip", "take")
    assert query.analyse("How many weeks?").words == ("how", "mani", "week")


def test_that_it_was_talked_of_before_is_no_word_to_look_for() -> None:
    text = "I was thinking back to our previous conversation about sailing. Can you remind me when?"

    assert query.analyse(text).words == ("sail",)
    assert query.analyse("Which previous conversation?").words == ("previous", "convers")


def test_to_share_a_word_means_less_where_nobody_has_said_the_others() -> None:
    collection = Collection.build(
        [
            Document(id=f"{number}", seq=number, ts=FRIDAY, text=text)
            for number, text in enumerate(["A recipe with rice", "A walk with the dog", "Rain"])
        ],
        0,
    )

    def words_of(text: str) -> int:
        ranking = ranker.rank(collection, query.analyse(text), LEXICAL)
        return ranking.terms(int(ranking.order[0]))["words"]

    whole, part = (
        words_of("Which recipe with rice?"),
        words_of("Which recipe for hazelnut coffee creamer?"),
    )

    assert whole == LEXICAL.words
    assert 0 < part < whole // 2


def test_without_a_clock_nothing_is_counted_back() -> None:
    assert date_mentions.counted_back(detect_languages("what did I do yesterday?"), "") == ()


def day(text: str) -> int:
    named = date_mentions.find_dates(detect_languages(text))
    return named[0].span(0)[0]


YEARS = "I've had them for 3 years!"


@pytest.mark.parametrize(
    "asked_before",
    [
        "How long have you had your dogs?",
        "They look so happy. How long have you had your dogs? [image: three dogs on a couch]",
        "How long have you had your dogs? Mine is a cat.",
    ],
)
def test_an_answer_resembles_what_its_question_resembles(asked_before: str) -> None:
    chat = talk(("Bob", asked_before), ("Ann", YEARS))
    apart = talk(("Bob", asked_before), ("Ann", "Let us walk on."), ("Ann", YEARS))

    assert likeness(chat, 1) > likeness(apart, 2)
    assert likeness(apart, 2) == likeness(talk(("Bob", "Look at that!"), ("Ann", YEARS)), 1)


def test_nobody_answers_oneself_nor_a_question_that_may_not_be_shown() -> None:
    chat = talk(("Bob", "How long have you had your dogs?"), ("Ann", YEARS))
    alone = talk(("Cid", "Hello."), ("Ann", "How long have you had your dogs?"), ("Ann", YEARS))

    assert likeness(alone, 2) < likeness(chat, 1)
    assert likeness(chat, 1, among=np.array([False, True])) == likeness(alone, 2)


def test_what_the_agent_asked_helps_to_find_what_its_user_answered() -> None:
    ada = muniment.open(":memory:").agent("ada", user="tuff")
    talk = ada.conversation(session="s")
    talk.record(user="I was in the park with my dogs.", ai="Fine! How long have you had your dogs?")
    talk.record(user="For three years!", ai="That is great.")

    best = ada.recall("Since when have I owned dogs?").hits[0]

    assert best.text == "For three years!"


def test_a_question_without_sentences_of_its_own_is_read_whole() -> None:
    """Vectors may have been asked for by a version that cut texts elsewhere."""
    short = [vectors[:1] for vectors in (told_vectors("Nice. How old are your dogs?"),)]
    chat = talk(("Bob", "Nice. How old are your dogs?"), ("Ann", YEARS), cut=short)

    assert likeness(chat, 1) > likeness(talk(("Bob", "Nice."), ("Ann", YEARS)), 1)


def told_vectors(text: str) -> tuple[bytes, ...]:
    return tuple(map(TableEmbedder().embed, sentence_split.to_embed(text)))


def talk(*said: tuple[str, str], cut: list[tuple[bytes, ...]] | None = None) -> Collection:
    """One conversation; of the first texts the vectors may be given."""
    vectors = [told_vectors(text) for _, text in said]
    vectors[: len(cut or [])] = cut or []
    documents = [
        Document(
            id=str(number),
            seq=number,
            ts=FRIDAY,
            text=text,
            speaker=speaker,
            session="1",
            vectors=its,
        )
        for number, ((speaker, text), its) in enumerate(zip(said, vectors, strict=True))
    ]
    return Collection.build(documents, TableEmbedder().dims)


def likeness(collection: Collection, number: int, among: "Mask | None" = None) -> int:
    """What the best sentence of a document counts for one question."""
    asks = query.analyse("How many years has Ann had her dogs?", speakers=collection.speakers)
    asks = asks.with_vector(TableEmbedder().embed(asks.meant))
    ranking = ranker.rank(collection, asks, Weights(like_sentence=1_000_000), among=among)
    return ranking.terms(number)["like_sentence"]


def test_a_day_that_a_month_does_not_have_is_its_last_and_not_one_of_the_next() -> None:
    assert NamedDate(month=2, day=30).span(2023) == NamedDate(month=2, day=28).span(2023)
    assert NamedDate(month=2, day=30).span(2024) == NamedDate(month=2, day=29).span(2024)
    assert NamedDate(year=2023, month=12, day=31).span(2024) == NamedDate(month=12, day=31).span(
        2023
    )
