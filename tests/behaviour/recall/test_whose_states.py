"""Where somebody lives or works, and that they have died, is told and asked of somebody."""

from itertools import permutations

import pytest

from muniment import Agent
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.system.clock import ToldClock
from muniment.retrieval.index.collection import Collection, Document
from muniment.retrieval.index.hashing_embedder import HashingEmbedder
from muniment.retrieval.languages import state_phrases
from muniment.retrieval.languages.detect_language import detect_languages
from muniment.retrieval.ranking import query, ranker
from muniment.retrieval.ranking.weights import HASHING


def told(*lines: str) -> Agent:
    clock = ToldClock()
    ada = open_memory(":memory:", Settings(clock=clock, seed=b"states")).agent("ada", user="tuff")
    for day, line in enumerate(lines, 10):
        clock.set(f"2026-03-{day}T09:00:00.000Z")
        ada.remember(line)
    return ada


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I live in Hamburg and work at Siemens", ["home of i", "work of i"]),
        ("We've just moved to a flat in Bremen", ["home of i"]),
        ("Our new address is Hafenweg 12", ["home of i"]),
        ("My brother Karl lives in Munich", ["home of brother", "home of karl"]),
        ("Ruth moved to Hull to be nearer to Eva", ["home of ruth"]),
        ("I started a new job at Airbus", ["work of i"]),
        ("I quit my job at Siemens", ["work of i"]),
        ("I'm a nurse at Saint Luke's", ["work of i"]),
        ("I gave notice there and start at the Harbour Clinic in May", ["work of i"]),
        ("Noor quit welding and is training as a paramedic", ["trade of noor"]),
        ("Mateo changed careers and became an actuary", ["trade of mateo"]),
        ("Mateo retrained, he is an actuary now", ["trade of mateo"]),
        ("Mateo likes tea and a biscuit", []),
        ("My dad lives in Hull", ["home of father"]),
        ("My dog Rex passed away", ["death of dog", "death of rex"]),
        ("Ich wohne in Hamburg, Lindenstraße 5", ["home of i"]),
        ("Meine Schwester Ruth wohnt jetzt in Ulm", ["home of schwester", "home of ruth"]),
        ("Ich habe bei Airbus angefangen", ["work of i"]),
        ("Nos mudamos a Gijón", ["home of i"]),
        ("Mi abuelo murió ayer", ["death of grandfather"]),
        ("J'habite à Lyon avec mon chat", ["home of i"]),
        ("Mon père est mort hier", ["death of pere"]),
        ("Unsere neue Wohnung liegt in Jena", ["home of i"]),
        ("Meine Firma heißt Bosch", ["work of i"]),
        ("Ich bin im Mai zu Bosch gewechselt", ["work of i"]),
        ("Nos fuimos a vivir a Vigo", ["home of i"]),
        ("Mi casa está en Cádiz", ["home of i"]),
        ("Me contrataron en Iberia", ["work of i"]),
        ("我们刚搬到青岛", ["home of i"]),
        ("我姐姐住在西安", ["home of 姐姐"]),
        ("我的公司是华为", ["work of i"]),
        ("我在北城医院当助产士", ["work of i"]),
        ("現在は京都で暮らしています", ["home of i"]),
        ("兄は福岡に住んでいます", ["home of 兄"]),
        ("私の勤め先は任天堂です", ["work of i"]),
    ],
)
def test_a_state_is_told_of_whom_it_is(text: str, words: list[str]) -> None:
    assert state_phrases.stated_terms(detect_languages(text)) == words


@pytest.mark.parametrize(
    "text",
    [
        "We moved to Postgres in March",
        "I moved to Vim",
        "We moved to Thursday",
        "I'm a big fan at Anfield",
        "I'm a member at Gold's Gym",
        "We started at Gate 4",
        "I live in fear",
        "I work at night",
        "He moved to Rome",
        "The meeting was moved to Rome",
        "If we moved to Rome we would be happy",
        "Do I live in Rome?",
        "When I was ten we moved to Rome",
        '"I live in Rome," she said',
        "Karl nearly died laughing",
        "Karl's phone died",
        "Did Karl die?",
        "Ich bin nach Hause gezogen",
        "Als Kind bin ich nach Rom gezogen",
        "Trabajo en equipo",
        "Quand j'étais petit, j'habite à Lyon dans mes rêves",
        "她住在北京",
        "我今天在家工作",
        "我在北京当时很忙",
        "我住在哪里？",
        "小时候我住在重庆",
        "京都に引っ越したいです",
        "子供の頃は京都に住んでいました",
    ],
)
def test_what_only_looks_like_a_state_is_none(text: str) -> None:
    assert state_phrases.stated_terms(detect_languages(text)) == []


def test_the_latest_word_about_oneself_stands_before_everybody_elses() -> None:
    ada = told("I live in Hamburg", "We moved to Bremen", "My brother Karl lives in Munich")

    (first, *_) = ada.recall("Where do I live?", explain=True).hits
    assert first.text == "We moved to Bremen"
    assert first.terms["state"] > 0


def test_what_was_long_ago_is_no_news_however_late_it_is_told() -> None:
    ada = told("I live in Hamburg", "I moved to Berlin ten years ago")

    assert ada.recall("Where do I live?").hits[0].text == "I live in Hamburg"


def test_who_is_forgotten_or_not_yet_there_settles_nothing() -> None:
    ada = told("I live in Hamburg", "We moved to Bremen")
    early = ada.recall("Where do I live?", valid_at="2026-03-10").hits[0]
    ada.forget(ada.recall("Where do I live?").hits[0].id)

    assert early.text == "I live in Hamburg"
    assert ada.recall("Where do I live?").hits[0].text == "I live in Hamburg"


def test_what_a_machine_or_a_named_speaker_says_of_itself_is_not_the_users_state() -> None:
    ada = told("I live in Hamburg")
    ada.remember("I live in Rome now", speaker="Ann")
    ada.remember("I live in Oslo now", origin="tool")

    assert "state" not in {
        term
        for hit in ada.recall("Where do I live?", explain=True).hits
        for term in hit.terms
        if "Hamburg" not in hit.text
    }


# ── Codes ───────────────────────────────────────────────────────────────────────────────────────

ORDERS = (
    "The order ORD-4711 has shipped",
    "The status of ORD-4713 is paid",
    "Orders ship within two days",
)


def found(ada: Agent, question: str) -> list[str]:
    return [hit.text for hit in ada.recall(question).hits]


def test_a_code_that_nobody_has_said_is_not_answered_by_its_neighbours() -> None:
    ada = told(*ORDERS)

    assert found(ada, "What is the status of ORD-9999?") == []
    assert not {*ORDERS[:2]} & {*found(ada, "Has the order ORD-9999 shipped?")}


@pytest.mark.parametrize(
    "question",
    [
        "What is the status of ORD-4713?",
        "What is the status of order 4713?",
        "What is the status of ORD-4713 and ORD-9999?",
        "What is the status of ORD_4713?",
    ],
)
def test_a_code_that_somebody_has_said_is_found_however_it_is_written(question: str) -> None:
    assert found(told(*ORDERS), question)[0] == ORDERS[1]


def test_a_name_with_a_short_number_is_no_code() -> None:
    ada = told("I had COVID in spring", "Tea is in the left namespace")

    assert found(ada, "When did I have COVID-19?")[0] == "I had COVID in spring"


def test_of_homes_that_were_told_at_once_the_last_one_of_the_list_is_the_latest() -> None:
    homes = ["I live in Rome", "I live in Bremen, by the river", "We moved to Hull"]
    embed = HashingEmbedder().embed
    question = query.analyse("Where do I live?").with_vector(embed("Where do I live?"))

    for names in permutations(range(len(homes))):
        documents = [
            Document(
                id=f"ep:{name}",
                seq=place,
                ts="2026-03-10T09:00:00.000Z",
                text=homes[name],
                role="user",
                vectors=(embed(homes[name]),),
            )
            for place, name in enumerate(names)
        ]
        collection = Collection.build(documents, HashingEmbedder.dims)
        found = ranker.rank(collection, question, HASHING)
        assert collection.id_of(int(found.order[0])) == f"ep:{names[-1]}"
