"""Entities and relations: found by rules in what was kept, and followed by chained questions."""

from pathlib import Path

import msgspec
import pytest
from tests.terminal import Shell
from tests.terminal import said as output

import muniment
from muniment.adapters.cli.errors import Exit
from muniment.engine.api.agent import Agent
from muniment.engine.projections import related_texts
from muniment.model.errors import InputError, NotFoundError, RefusedError
from muniment.retrieval.entities.relation_rules import NOW, Relation, relations

CHAIN = (
    "My wife is Marta Silva.",
    "Marta works at Siemens.",
    "Siemens has its main office in Munich.",
    "My brother Karl works at Bosch",
    "Bosch has its main office in Stuttgart",
    "I live in Lisbon",
)
NOISE = (
    "The office printer is broken again",
    "My employer pays for the gym",
    "The city council office is closed",
    "In the city there was a market on Sunday",
    *(f"Note {n}: the weather in city {n} was fine" for n in range(40)),
)
QUESTION = "In which city is the office of my wife's employer?"


def told(*texts: str) -> Agent:
    ada = muniment.open(":memory:").agent("ada", user="tuff")
    for text in texts:
        ada.remember(text)
    return ada


def so(text: str) -> list[Relation]:
    """What a text says is so."""
    return [each for each in relations(text) if each.tense == NOW]


# One of kin and one of work in each language; the last word of a row is a language's name.
SAID = [
    ("My wife is Marta", "wife", "Marta", "English"),
    ("Marta Silva is my wife", "wife", "Marta Silva", "English-behind"),
    ("Marta works for Siemens now", "works_at", "Siemens", "English"),
    ("Meine Frau heißt Karin", "wife", "Karin", "German"),
    ("Karin arbeitet bei Bosch", "works_at", "Bosch", "German"),
    ("Ma sœur s'appelle Claire", "sister", "Claire", "French"),
    ("Claire travaille chez Renault", "works_at", "Renault", "French"),
    ("Mi hermana se llama Lucía", "sister", "Lucía", "Spanish"),
    ("Lucía trabaja en Telefónica", "works_at", "Telefónica", "Spanish"),
    ("Mia moglie si chiama Giulia", "wife", "Giulia", "Italian"),
    ("Giulia lavora alla Ferrari", "works_at", "Ferrari", "Italian"),
    ("Minha irmã chama-se Ana", "sister", "Ana", "Portuguese"),
    ("A Ana trabalha na Petrobras", "works_at", "Petrobras", "Portuguese"),
    ("Mijn vrouw heet Saskia", "wife", "Saskia", "Dutch"),
    ("Saskia werkt bij Philips", "works_at", "Philips", "Dutch"),
    ("Мою жену зовут Анна", "wife", "Анна", "Russian"),
    ("Анна живёт в Москве", "lives_in", "Москве", "Russian"),
    ("Η γυναίκα μου είναι η Μαρία", "wife", "Μαρία", "Greek"),
    ("Η Μαρία μένει στην Αθήνα", "lives_in", "Αθήνα", "Greek"),
    ("我太太叫王芳", "wife", "王芳", "Chinese"),
    ("王芳在华为工作", "works_at", "华为", "Chinese"),
    ("私の妻は花子です", "wife", "花子", "Japanese"),
    ("花子はトヨタで働いています", "works_at", "トヨタ", "Japanese"),
    ("제 아내 이름은 지영입니다", "wife", "지영", "Korean"),
    ("지영은 삼성에서 일합니다", "works_at", "삼성", "Korean"),
    ("زوجتي اسمها ليلى", "wife", "ليلى", "Arabic"),
    ("ليلى تعمل في أرامكو", "works_at", "أرامكو", "Arabic"),
    ("मेरी पत्नी का नाम सीता है", "wife", "सीता", "Hindi"),
    ("सीता इन्फोसिस में काम करती है", "works_at", "इन्फोसिस", "Hindi"),
]


# One's own work, home and move, and where one's kin work or live, as each language says it.
OWN = {
    "English": ("I work at Bosch", "I live in Porto", "We moved to Lisbon", ""),
    "German": ("Ich arbeite bei Bosch", "Ich wohne in Porto", "Wir sind nach Bonn gezogen", ""),
    "Spanish": ("Trabajo en Bosch", "Vivo en Oporto", "Me mudé a Lisboa", "Mi madre vive en Lugo"),
    "French": ("Je travaille chez Bosch", "J'habite à Porto", "J'ai déménagé à Lyon", ""),
    "Italian": ("Lavoro per Bosch", "Vivo a Porto", "Mi sono trasferita a Roma", ""),
    "Portuguese": ("Trabalho na Bosch", "Moro em Braga", "Mudei-me para Lisboa", ""),
    "Dutch": ("Ik werk bij Bosch", "Ik woon in Gent", "Ik ben naar Breda verhuisd", ""),
    "Russian": (
        "Работаю в Яндекс",
        "Живу в Казани",
        "Я переехал в Омск",
        "Моя мама живёт в Казани",
    ),
    "Greek": ("Δουλεύω στη Bosch", "Μένω στο Πόρτο", "Μετακόμισα στη Ρόδο", ""),
    "Chinese": ("我在华为工作", "我住在上海", "我搬到了北京", "我妈妈住在上海"),
    "Japanese": (
        "私はトヨタで働いています",
        "私は大阪に住んでいます",
        "東京に引っ越しました",
        "母は京都に住んでいます",
    ),
    "Korean": (
        "저는 네이버에서 일해요",
        "저는 부산에 살아요",
        "서울로 이사했어요",
        "어머니는 부산에 살아요",
    ),
    "Hindi": ("मैं टाटा में काम करता हूँ", "मैं दिल्ली में रहता हूँ", "मैं मुंबई चला गया", ""),
    "Arabic": ("أعمل في أرامكو", "أعيش في دبي", "انتقلت إلى القاهرة", "أمي تعيش في دبي"),
}


@pytest.mark.parametrize("language", sorted(OWN))
def test_whoever_speaks_works_lives_and_moves_without_a_word_for_themselves(language: str) -> None:
    *own, of_kin = OWN[language]

    found = [[(each.subject, each.relation) for each in relations(text)] for text in own]

    assert found == [[("user", "works_at")], [("user", "lives_in")], [("user", "lives_in")]]
    if of_kin:
        assert [(each.subject, each.relation) for each in relations(of_kin)] == [
            ("user/mother", "lives_in")
        ]


DENIED = (
    "No vivo en Roma",
    "No trabajo en Bosch",
    "Non vivo a Roma",
    "Não moro em Braga",
    "Δεν μένω στο Πόρτο",
    "Я не живу в Казани",
    "Ich bin nach Lissabon gefahren",
    "Ik ben naar Gent gefietst",
    "Trabajo en equipo con mucha gente",
    "Lavoro in ufficio",
    "我不住在上海",
    "他搬到了北京",
    "彼は東京に引っ越しました",
    "私は大阪に住んでいません",
    "그는 서울로 이사했어요",
    "मैं दिल्ली में नहीं रहता",
    "هل انتقلت إلى القاهرة؟",
)


@pytest.mark.parametrize("text", DENIED)
def test_what_is_denied_asked_or_somebody_elses_is_not_the_speakers(text: str) -> None:
    assert [each for each in so(text) if each.subject == "user"] == []


def test_a_kin_word_before_a_name_is_no_part_of_it() -> None:
    found = {
        (each.subject, each.relation) for each in relations("Mein Mann Tom arbeitet bei Bosch")
    }

    assert found == {("user", "husband"), ("Tom", "works_at")}


@pytest.mark.parametrize("row", SAID, ids=lambda row: f"{row[3]}-{row[1]}")
def test_kin_work_and_homes_are_found_without_a_model(row: tuple[str, ...]) -> None:
    text, relation, name, _ = row
    ((found),) = relations(text)

    assert (found.relation, found.object, found.sentence) == (relation, name, text)


@pytest.mark.parametrize(
    "text",
    [
        "Is Marta my wife?",
        "My wife is not Marta",
        "If my wife is Marta, I am happy",
        "I went to Lisbon",
        "my wife is tired",
        "We don't live in Lisbon",
        "Thankfully, my son was there",
        "Last Friday my partner called",
        "Being my boss is hard",
    ],
)
def test_what_is_asked_denied_or_supposed_relates_nobody(text: str) -> None:
    assert list(so(text)) == []


def test_an_entity_is_shown_with_its_names_and_the_sentences_behind_it() -> None:
    ada = told(*CHAIN)

    marta = ada.about("marta")

    assert (marta.name, marta.kind, marta.other_names) == ("Marta Silva", "person", ("Marta",))
    assert {(each.relation, each.sentence) for each in marta.relations} == {
        ("wife", "My wife is Marta Silva."),
        ("works_at", "Marta works at Siemens."),
    }
    assert [each.name for each in ada.entities(kind="organisation")] == ["Bosch", "Siemens"]
    assert {each.name for each in ada.entities(kind="place")} == {"Lisbon", "Munich", "Stuttgart"}
    source = ada.episode(marta.relations[0].evidence)
    assert source.summary == marta.relations[0].sentence
    with pytest.raises(NotFoundError):
        ada.about("Napoleon")


def test_a_path_tells_the_sentence_of_each_step() -> None:
    ada = told(*CHAIN)

    steps = ada.path_between("user", "Munich")

    assert [each.sentence for each in steps] == [
        "My wife is Marta Silva.",
        "Marta works at Siemens.",
        "Siemens has its main office in Munich.",
    ]
    assert ada.path_between("user", "Napoleon") == []


def test_names_are_merged_and_split_by_hand_and_that_is_undone() -> None:
    ada = told("My wife is Marta Silva.", "Marta works at Siemens.", "Tita lives in Porto")

    ada.split_entity("Marta")
    assert ada.about("Marta").name == "Marta"
    ada.restore_entity("Marta")
    assert ada.about("Marta").name == "Marta Silva"

    ada.merge_entities("Tita", "Marta Silva")
    assert ada.about("Tita").other_names == ("Marta", "Tita")
    assert [each.object for each in ada.path_between("user", "Porto")] == ["Marta Silva", "Porto"]
    ada.restore_entity("Tita")
    assert ada.about("Tita").name == "Tita"
    with pytest.raises(RefusedError, match="memo_unknown"):
        ada.restore_entity("Tita")
    with pytest.raises(InputError):
        ada.merge_entities("Tita", "Tita")


def test_what_is_forgotten_relates_nobody_and_the_past_still_does() -> None:
    ada = told(*CHAIN)
    before = ada.seq
    (hit,) = [each for each in ada.recall("Marta Siemens").hits if each.text == CHAIN[1]]

    ada.forget(hit.id)

    assert ada.path_between("user", "Munich") == []
    assert len(ada.path_between("user", "Munich", at=before)) == 3


def test_a_relation_is_known_whichever_way_it_was_told_with_the_day_of_its_telling() -> None:
    ada = muniment.open(":memory:").agent("ada", user="tuff")
    ada.remember("My brother is Karl")
    ada.remember_many(["My sister is Vera"])
    ada.conversation(session="talk").record(user="My wife is Marta", ai="Noted.")
    with ada.do("My uncle is Otto") as loop:
        loop.answer("Noted.")

    found = {each.name: each.relations[0].since for each in ada.entities(kind="person")}

    assert {"Karl", "Vera", "Marta", "Otto"} <= found.keys()
    assert all(found.values())


def test_two_people_have_each_their_own_entities() -> None:
    memory = muniment.open(":memory:")
    memory.agent("ada", user="tuff").remember("My wife is Marta")

    assert memory.agent("ada", user="mira").entities() == []
    assert memory.agent("ada").entities() == []


def test_what_waits_for_a_person_relates_nobody() -> None:
    ada = muniment.open(":memory:").agent("ada", user="tuff")
    ada.remember("The wife of tuff? My wife is Mallory", origin="external")

    assert ada.entities() == []


def test_a_question_that_chains_relations_finds_every_step() -> None:
    ada = told(*CHAIN, *NOISE)

    found = ada.recall(QUESTION, explain=True)

    texts = [hit.text for hit in found.hits]
    assert texts[:2] == ["My wife is Marta Silva.", "Siemens has its main office in Munich."]
    assert "Marta works at Siemens." in texts[:4]
    first = found.hits[0].terms
    assert first is not None
    assert first["relations"] > 0
    names = [name for name, _ in found.receipt.basis.bridges] if found.receipt.basis else []
    assert names == ["Marta Silva", "Marta Silva", "Siemens", "Munich"]  # who it is, then each step


def test_what_is_told_of_another_is_no_newer_word_for_a_step_of_the_chain() -> None:
    ada = told(*CHAIN, *NOISE)
    ada.remember("Siemens has its main office in Berlin now.")

    found = [(hit.text, hit.terms or {}) for hit in ada.recall(QUESTION, explain=True).hits]
    led = [text for text, terms in found if terms.get("relations")]

    assert "Bosch has its main office in Stuttgart" in [text for text, _ in found]
    assert "Bosch has its main office in Stuttgart" not in led
    assert "Siemens has its main office in Berlin now." in led


def test_what_says_that_a_relation_is_over_stands_before_what_said_it() -> None:
    ada = told("My wife Marta works at Nordwind.", "My dog is called Rex.", *NOISE)
    ada.remember("Marta left Nordwind, she is with Arvo now.")
    ada.remember("Rex died last week.")

    work = ada.recall("Where does my wife work?")
    before = ada.recall("Where did my wife work before?")

    assert [hit.text for hit in work.hits[:2]] == [
        "Marta left Nordwind, she is with Arvo now.",
        "My wife Marta works at Nordwind.",
    ]
    assert ada.recall("Do I have a dog?").hits[0].text == "Rex died last week."
    assert before.hits[0].text == "My wife Marta works at Nordwind."
    assert work.receipt.basis
    assert len(work.receipt.basis.ended) == 1


def test_a_tool_ends_no_relation_that_a_person_told_of() -> None:
    ada = told("My wife Marta works at Nordwind.", *NOISE)
    ada.remember("Marta left Nordwind.", origin="tool", source="web")

    hits = ada.recall("Where does my wife work?").hits

    assert hits[0].text == "My wife Marta works at Nordwind."


def test_a_question_by_name_and_one_in_another_language_are_led_on_too() -> None:
    ada = told(*CHAIN, *NOISE)

    by_name = ada.recall("In which city is the office of Marta's employer?")
    german = ada.recall("Wo hat der Arbeitgeber meiner Frau sein Büro?")

    assert "Siemens has its main office in Munich." in [hit.text for hit in by_name.hits[:3]]
    assert {hit.text for hit in german.hits[:3]} == set(CHAIN[:3])


def test_the_receipt_names_the_steps_and_the_same_answer_is_made_anew() -> None:
    ada = told(*CHAIN, *NOISE)
    first = ada.recall(QUESTION)
    ada.flush()
    seq = ada.seq
    ada.remember("My wife is Joana now")
    ada.remember("Joana works at Bosch")

    again = ada.recall_again(seq)

    assert again.receipt.ids == first.receipt.ids
    assert again.receipt.scores_ppm == first.receipt.scores_ppm


class Customer(msgspec.Struct, kw_only=True):
    """What a shop wants to know."""

    wife: str
    lives_in: str
    brother: list[str] = []
    age: int | None = None


def test_a_schema_is_filled_with_typed_and_cited_values_and_empty_until_known() -> None:
    ada = told("My wife is Marta Silva.")

    early = ada.structured(Customer)
    ada.remember("I live in Lisbon")
    ada.remember("My brother Karl works at Bosch")
    ada.remember("My brother Otto lives in Graz")
    full = ada.structured(Customer)

    assert early.values == {"wife": "Marta Silva"}
    assert early.missing == ("lives_in", "brother", "age")
    assert early.filled is None
    assert full.filled == Customer(wife="Marta Silva", lives_in="Lisbon", brother=["Otto", "Karl"])
    assert full.citations["lives_in"][0].quote == "I live in Lisbon"
    assert ada.structured({"properties": {"lives_in": {"type": "string"}}}).filled == {
        "lives_in": "Lisbon"
    }
    with pytest.raises(InputError):
        ada.structured("customer")


def test_a_question_about_kin_opens_only_entries_that_may_relate_somebody() -> None:
    """However long a life is: a process that has just started would read all of it."""
    ada = told(*CHAIN, *NOISE)
    session = ada._session
    seqs = related_texts.seqs(session.index().view(session.shelves(None).at).collection, after=0)

    assert len(CHAIN) <= len(seqs) < 2 * len(CHAIN)
    assert "Siemens has its main office in Munich." in {
        each.text for each in ada.recall(QUESTION).hits
    }


def test_the_terminal_lists_shows_connects_and_corrects_entities(tmp_path: Path) -> None:
    shell = Shell("--store", str(tmp_path / "m"), "--user", "tuff")
    for text in (*CHAIN[:3], "Tita lives in Porto"):
        shell("remember", text)

    listed = shell.listed("entities", "entities", "--kind", "organisation")
    marta = shell.document("entities", "marta")
    path = shell.listed("path", "entities", "user", "--path", "Munich")
    told = shell("entities", "user", "--path", "Munich").output
    shell("entities", "Tita", "--merge", "Marta Silva")
    merged = shell.document("entities", "Tita")["name"]
    shell("entities", "Tita", "--restore")

    assert [each["name"] for each in listed] == ["Siemens"]
    assert (marta["name"], marta["other_names"]) == ("Marta Silva", ["Marta"])
    assert [each["sentence"] for each in path] == list(CHAIN[:3])
    assert all(sentence in told for sentence in CHAIN[:3])
    assert (merged, shell.document("entities", "Tita")["name"]) == ("Marta Silva", "Tita")
    assert shell("entities", "--path", "Munich").exit_code == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["Nadia", "--kind", "place"], "--kind narrows the list"),
        (["Nadia", "--split", "--at", "1"], "--at and --valid-at are for reading"),
        (["Nadia", "--merge", "Nadi", "--valid-at", "2026-03-05"], "are for reading"),
    ],
)
def test_the_terminal_ignores_no_option_of_entities(
    tmp_path: Path, words: list[str], said: str
) -> None:
    shell = Shell("--store", str(tmp_path / "memory"), "--user", "tuff")
    shell("remember", "My sister is called Nadia")

    answer = shell("entities", *words)

    assert answer.exit_code == Exit.INPUT
    assert said in output(answer)
