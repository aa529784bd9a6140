"""Relations have a time: since when and until when they hold, and what says so."""

from pathlib import Path

import pytest
from tests import notarial, studios
from tests.service import serving
from tests.terminal import Shell

import muniment
from muniment.engine.api.agent import Agent
from muniment.engine.search.recall_results import Bundle
from muniment.model.errors import NotFoundError
from muniment.retrieval.entities.entity_relation import EntityRelation
from muniment.retrieval.entities.relation_rules import relations


def at_work(ada: Agent, name: str = "Marta", valid_at: str = "") -> list[str]:
    """Where somebody works, on a day or now."""
    found = ada.about(name, valid_at=valid_at).relations
    return [each.object for each in found if each.relation == "works_at"]


def ended(ada: Agent, name: str) -> list[EntityRelation]:
    return list(ada.about(name).ended)


def told(*texts: str) -> Agent:
    ada = muniment.open(":memory:").agent("ada", user="tuff")
    for text in texts:
        ada.remember(text)
    return ada


def told_on(*texts: tuple[str, str]) -> Agent:
    ada = muniment.open(":memory:").agent("ada", user="tuff")
    for day, text in texts:
        ada.remember(text, happened_at=day)
    return ada


LIFE = (
    ("2026-01-10", "My wife is Marta."),
    ("2026-02-01", "Marta works at Nordwind."),
    ("2026-05-20", "Marta works for Südhaus now."),
    ("2026-08-03", "Marta left Südhaus."),
)


def test_a_newer_employer_ends_the_older_and_both_sentences_are_the_evidence() -> None:
    ada = told_on(*LIFE[:3])

    (old,) = ended(ada, "Nordwind")
    (now,) = ada.about("Südhaus").relations

    assert (old.subject, old.since, old.until) == ("Marta", "2026-02-01", "2026-05-20")
    assert ada.episode(old.began_by).summary == "Marta works at Nordwind."
    assert ada.episode(old.ended_by).summary == old.ended_sentence == "Marta works for Südhaus now."
    assert (now.since, now.until, now.ended_by) == ("2026-05-20", "", "")


@pytest.mark.parametrize(
    ("day", "employers"),
    [
        ("2026-01-31", []),
        ("2026-02-01", ["Nordwind"]),
        ("2026-05-19", ["Nordwind"]),
        ("2026-05-20", ["Südhaus"]),
        ("2026-08-02", ["Südhaus"]),
        ("2026-08-03", []),
    ],
)
def test_a_day_is_asked_for_as_it_stood_at_its_end(day: str, employers: list[str]) -> None:
    ada = told_on(*LIFE)

    assert at_work(ada, valid_at=day) == employers
    assert at_work(ada) == []


ENDS = [
    (("Marta works at Nordwind", "Marta left Nordwind"), "Nordwind"),
    (("Marta works at Nordwind", "Marta no longer works at Nordwind"), "Nordwind"),
    (("Marta works at Nordwind", "Marta used to work at Nordwind"), "Nordwind"),
    (("Marta works at Nordwind", "Marta got fired yesterday"), "Nordwind"),
    (("Marta works at Nordwind", "Nordwind went bankrupt"), "Nordwind"),
    (("My wife is Marta", "Marta works at Nordwind", "My wife lost her job"), "Nordwind"),
    (("My wife is Marta", "My wife works at Nordwind", "She left Nordwind"), "Nordwind"),
    (("I work at Nordwind", "I quit my job at Nordwind last week"), "Nordwind"),
    (("I live in Porto", "We moved to Lisbon"), "Porto"),
    (("My partner is Marta", "We broke up"), "Marta"),
    (("My wife is Marta", "I divorced Marta"), "Marta"),
    (("My wife is Marta", "My ex-wife Marta called"), "Marta"),
    (("My wife is Marta", "My wife is Joana"), "Marta"),
    (("My dog is Rex", "We sold the dog"), "Rex"),
    (("My dog is Rex", "Rex died last night"), "Rex"),
    (("My cat is Tofu", "Tofu ran away"), "Tofu"),
    (("My friend is Karl", "I fell out with Karl"), "Karl"),
    (("My boss is Karl", "My former boss Karl sends his love"), "Karl"),
    (("Karin arbeitet bei Bosch", "Karin hat Bosch letzte Woche verlassen"), "Bosch"),
    (("Karin arbeitet bei Bosch", "Karin arbeitet nicht mehr bei Bosch"), "Bosch"),
    (("Meine Frau heißt Karin", "Wir haben uns getrennt"), "Karin"),
    (("Mein Hund heißt Rex", "Wir haben den Hund verkauft"), "Rex"),
    (("Claire travaille chez Renault", "Claire ne travaille plus chez Renault"), "Renault"),
    (("Claire travaille chez Renault", "Claire a quitté Renault"), "Renault"),
    (("Lucía trabaja en Telefónica", "Lucía ya no trabaja en Telefónica"), "Telefónica"),
    (("Giulia lavora alla Ferrari", "Giulia non lavora più alla Ferrari"), "Ferrari"),
    (("A Ana trabalha na Petrobras", "A Ana já não trabalha na Petrobras"), "Petrobras"),
    (("Saskia werkt bij Philips", "Saskia werkt niet meer bij Philips"), "Philips"),
    (("Анна живёт в Москве", "Анна больше не живёт в Москве"), "Москве"),
    (("Η Μαρία μένει στην Αθήνα", "Η Μαρία δεν μένει πια στην Αθήνα"), "Αθήνα"),
    (("王芳在华为工作", "王芳离开了华为"), "华为"),
    (("花子はトヨタで働いています", "花子はトヨタを辞めました"), "トヨタ"),
    (("지영은 삼성에서 일합니다", "지영은 삼성에서 일하지 않아요"), "삼성"),
    (("ليلى تعمل في أرامكو", "لم تعد ليلى تعمل في أرامكو"), "أرامكو"),
    (("सीता इन्फोसिस में काम करती है", "सीता अब इन्फोसिस में काम नहीं करती"), "इन्फोसिस"),
]


@pytest.mark.parametrize(("texts", "name"), ENDS, ids=str)
def test_an_end_that_is_told_ends_the_relation(texts: tuple[str, ...], name: str) -> None:
    before, after = told(*texts[:-1]), told(*texts)

    assert before.about(name).relations
    assert before.about(name).ended == ()
    assert after.about(name).relations == ()
    (over,) = after.about(name).ended
    assert over.ended_sentence == texts[-1]
    assert after.episode(over.ended_by).summary == texts[-1]
    assert over.since <= over.until


PARTED = [
    (("Meine Frau heißt Karin", "Ich habe mich von Karin getrennt"), "Karin"),
    (("Ma femme s'appelle Claire", "Nous nous sommes séparés"), "Claire"),
    (("Mi mujer se llama Lucía", "Nos separamos"), "Lucía"),
    (("Mia moglie si chiama Giulia", "Ci siamo lasciati"), "Giulia"),
    (("Minha mulher chama-se Ana", "Terminei com ela"), "Ana"),
    (("Mijn vrouw heet Saskia", "We zijn uit elkaar"), "Saskia"),
    (("Мою жену зовут Анна", "Мы расстались"), "Анна"),
    (("Η γυναίκα μου είναι η Μαρία", "Χωρίσαμε"), "Μαρία"),
    (("我太太叫王芳", "我们离婚了"), "王芳"),
    (("私の妻は花子です", "妻と別れました"), "花子"),
    (("제 아내 이름은 지영입니다", "우리는 헤어졌어요"), "지영"),
    (("زوجتي اسمها ليلى", "انفصلنا"), "ليلى"),
    (("मेरी पत्नी का नाम सीता है", "हमारा तलाक हो गया"), "सीता"),
]


@pytest.mark.parametrize(("texts", "name"), PARTED, ids=str)
def test_partners_part_in_every_language(texts: tuple[str, ...], name: str) -> None:
    ada = told(*texts)

    assert ada.about(name).relations == ()
    assert [each.ended_sentence for each in ended(ada, name)] == [texts[-1]]


STAYS = [
    (("Marta works at Nordwind", "Marta left the party at Nordwind"), "Nordwind"),
    (("Marta works at Nordwind", "Marta returned to Nordwind"), "Nordwind"),
    (("Marta works at Nordwind", "Karl left Nordwind"), "Nordwind"),
    (("Marta works at Nordwind", "Did Marta leave Nordwind?"), "Nordwind"),
    (("Marta works at Nordwind", "Marta never left Nordwind"), "Nordwind"),
    (("Marta works at Nordwind", "If Marta left Nordwind, I would know"), "Nordwind"),
    (("Marta works at Nordwind", "I don't think Marta works at Nordwind"), "Nordwind"),
    (("Marta works at Nordwind", "Marta wants to leave Nordwind"), "Nordwind"),
    (("I work at Nordwind", "My brother left Nordwind"), "Nordwind"),
    (("My wife is Marta", "I dropped Marta at school"), "Marta"),
    (("My wife is Marta", "Karl and Eva broke up"), "Marta"),
    (("My sister is Vera", "Vera moved out"), "Vera"),
    (("My dog is Rex", "We sold the dog food"), "Rex"),
    (("My dog is Rex", "I lost Rex's leash"), "Rex"),
    (("My dog is Rex", "My dog is Balu", "We sold the dog"), "Rex"),
    (("My friend is Karl", "My friend is Otto"), "Karl"),
    (("My son is Tim", "My son is Jan"), "Tim"),
]


@pytest.mark.parametrize(("texts", "name"), STAYS, ids=str)
def test_what_only_looks_like_an_end_ends_nothing(texts: tuple[str, ...], name: str) -> None:
    ada = told(*texts)

    assert ada.about(name).relations
    assert ended(ada, name) == []


def test_what_is_told_as_over_is_shown_as_ended_only() -> None:
    ada = told("My wife is Marta", "Marta worked at Nordwind in 2018")

    (old,) = ended(ada, "Nordwind")

    assert ada.about("Nordwind").relations == ()
    assert (old.since, old.until) == ("2018-01-01", "2019-01-01")
    assert at_work(ada, valid_at="2018-07-01") == ["Nordwind"]
    assert at_work(ada, valid_at="2019-07-01") == []


def test_a_sentence_says_since_when_it_is_so() -> None:
    ada = told("My wife is Marta", "Marta works at Nordwind since May 2019")

    (now,) = ada.about("Nordwind").relations

    assert now.since == "2019-05-01"
    assert at_work(ada, valid_at="2020-01-01") == ["Nordwind"]
    with pytest.raises(NotFoundError):
        ada.about("Marta", valid_at="2019-04-30")


def test_what_is_told_again_after_its_end_begins_anew() -> None:
    ada = told_on(*LIFE, ("2026-10-01", "Marta works at Nordwind again"))

    spans = [(each.object, each.since, each.until) for each in ended(ada, "Marta")]

    assert at_work(ada) == ["Nordwind"]
    assert set(spans) == {
        ("Nordwind", "2026-02-01", "2026-05-20"),
        ("Südhaus", "2026-05-20", "2026-08-03"),
    }


def test_my_wife_is_who_she_was_when_it_was_told() -> None:
    ada = told_on(
        ("2026-01-01", "My wife is Marta"),
        ("2026-02-01", "My wife works at Nordwind"),
        ("2026-06-01", "My wife is Joana"),
    )

    assert at_work(ada, "Marta") == ["Nordwind"]
    assert at_work(ada, "Joana") == []


def test_to_forget_the_words_of_an_end_takes_the_end_back_and_to_restore_them_ends_it_again() -> (
    None
):
    ada = told("My wife is Marta", "Marta works at Nordwind", "Marta left Nordwind")
    (over,) = ended(ada, "Nordwind")
    before = ada.seq

    ada.forget(over.ended_by)

    assert at_work(ada) == ["Nordwind"]
    assert ended(ada, "Nordwind") == []
    assert [each.until for each in ada.about("Nordwind", at=before).ended] == [over.until]

    ada.restore(over.ended_by)

    assert at_work(ada) == []
    assert [each.until for each in ended(ada, "Nordwind")] == [over.until]


def test_a_message_that_is_taken_out_of_a_conversation_takes_its_end_with_it() -> None:
    ada = muniment.open(":memory:").agent("ada", user="tuff")
    talk = ada.conversation(session="talk")
    talk.record(user="I live in Porto", ai="Noted.")
    talk.record(user="Actually I live in Lisbon", ai="Noted.")
    (old,) = ended(ada, "Porto")

    ada.forget(old.ended_by)

    assert [each.object for each in ada.about("Porto").relations] == ["Porto"]
    assert ended(ada, "Porto") == []


def test_an_erased_person_leaves_neither_relation_nor_end() -> None:
    memory = muniment.open(":memory:")
    ada = memory.agent("ada", user="tuff")
    for text in ("My wife is Marta", "Marta works at Nordwind", "Marta left Nordwind"):
        ada.remember(text)
    assert ada.about("Nordwind").ended

    notarial.erased(memory, "tuff")

    assert memory.agent("ada", user="tuff").entities() == []


def test_two_people_end_nothing_for_each_other() -> None:
    memory = muniment.open(":memory:")
    memory.agent("ada", user="tuff").remember("I work at Nordwind")
    memory.agent("ada", user="mira").remember("I left Nordwind")

    assert memory.agent("ada", user="tuff").about("Nordwind").relations


def test_what_waits_for_a_person_ends_nothing() -> None:
    ada = told("Marta works at Nordwind")
    ada.remember("Marta left Nordwind", origin="external")

    assert ada.about("Nordwind").relations


def test_an_ended_relation_is_no_step_of_a_path_and_leads_no_question_of_now_on() -> None:
    ada = told(
        "My wife is Marta.",
        "Marta works at Nordwind.",
        "Nordwind has its main office in Kiel.",
        "Marta works for Südhaus now.",
        "Südhaus has its main office in Ulm.",
    )

    now = ada.recall("In which city is the office of my wife's employer?")
    then = ada.recall("In which city was the office of my wife's employer before?")

    assert ada.path_between("user", "Kiel") == []
    assert [each.object for each in ada.path_between("user", "Ulm")] == ["Marta", "Südhaus", "Ulm"]
    assert {"Südhaus", "Ulm"} <= names(now)
    assert not {"Nordwind", "Kiel"} & names(now)
    assert {"Nordwind", "Kiel"} <= names(then)


def names(found: Bundle) -> set[str]:
    assert found.receipt.basis
    return {name for name, _ in found.receipt.basis.bridges}


def test_a_former_partner_gives_a_schema_no_value() -> None:
    ada = told("I live in Porto", "I moved to Lisbon")
    schema = {"properties": {"lives_in": {"type": "string"}}}

    assert ada.structured(schema).filled == {"lives_in": "Lisbon"}


def test_a_denial_or_an_end_names_nobody_new() -> None:
    ada = told("Marta is not my wife", "We sold the dog", "Karl left Nordwind")

    assert ada.entities() == []
    assert {each.tense for each in relations("Marta is not my wife")} == {"is_over"}


# ── Doors ───────────────────────────────────────────────────────────────────────────────────────


def test_the_terminal_shows_what_is_no_longer_so_and_what_was_so_on_a_day(tmp_path: Path) -> None:
    shell = Shell("--store", str(tmp_path / "m"), "--user", "tuff")
    for day, text in LIFE[:3]:
        shell("remember", text, "--happened-at", day)

    ended = shell.listed("ended", "entities", "Marta")
    told = shell("entities", "Marta").output
    of_then = ("entities", "Marta", "--valid-at", "2026-03-01")
    then = shell.listed("relations", *of_then)

    assert [each["object"] for each in ended] == ["Nordwind"]
    assert "No longer so:" in told
    assert "2026-05-20" in told
    assert "Nordwind" in [each["object"] for each in then]
    assert shell.listed("ended", *of_then) == []


def test_of_one_entity_the_terminal_says_nothing_of_a_way_to_another(tmp_path: Path) -> None:
    """Two are connected by a sentence or not; what has no relation now has a name and a past."""
    shell = Shell("--store", str(tmp_path / "m"), "--user", "tuff")
    for day, text in LIFE[:3]:
        shell("remember", text, "--happened-at", day)

    told = shell("entities", "Nordwind").output

    assert "Nordwind" in told
    assert "connects" not in told


def test_http_tells_the_span_and_both_pieces_of_evidence() -> None:
    with serving() as running:
        client = running.user()
        for day, text in LIFE[:3]:
            client.post("/v1/remember", {"text": text, "happened_at": day})

        (old,) = client.post("/v1/entities/about", {"name": "Nordwind"})["ended"]
        then = client.post("/v1/entities/about", {"name": "Marta", "valid_at": "2026-03-01"})

    assert (old["since"], old["until"]) == ("2026-02-01", "2026-05-20")
    assert "" != old["began_by"] != old["ended_by"] != ""
    assert "Nordwind" in [each["object"] for each in then["relations"]]
    assert then["ended"] == []


def test_the_studio_draws_what_is_so_and_lists_what_is_no_longer_so(tmp_path: Path) -> None:
    studio = studios.studio(tmp_path / "memory", filled=False)
    ada = studio.memory.agent("ada", user="mara")
    for day, text in LIFE[:3]:
        ada.remember(text, happened_at=day)

    now = studios.page(studio, "/map", user="mara")
    then = studios.page(studio, "/map", user="mara", valid_at="2026-03-01")

    drawn, _, over = now.partition("No longer so")
    assert "Südhaus" in drawn
    assert "Nordwind" not in drawn.partition("What was said")[0]
    assert "1 Feb 2026 – 20 May 2026" in over
    assert "Nordwind" in then
    assert "No longer so" not in then
    studio.close()
