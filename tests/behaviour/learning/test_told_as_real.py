"""Told as real: what nearly was, was dreamt, invented or wished is nobody's home or work."""

import pytest

import muniment
from muniment.engine.api.agent import Agent
from muniment.model.languages.language_table import flat
from muniment.retrieval.entities.relation_rules import relations
from muniment.retrieval.languages import state_phrases, told_as_real
from muniment.retrieval.languages.detect_language import detect_languages

NOT_REAL = (
    "I almost moved to Rome",
    "I nearly moved to Rome last year but stayed",
    "I dreamt that I moved to Rome",
    "I dreamed I live in Rome",
    "I moved to Rome in my dreams",
    "In the novel I'm writing, I live in Rome",
    "I moved to Rome and came back after two weeks; it's Ghent again",
    "I almost started at Bosch",
    "Ich bin beinahe nach Trier gezogen",
    "Casi me mudé a Quito",
    "I dreamt that I live in Rome",
    "I live in Rome, said the tour guide.",
    '"I live in Rome", said Tom',
    "The guide said: I live in Rome",
    "I wish I lived in Rome",
    "I wish we lived in Rome",
    "If only I lived in Rome",
    "Suppose I live in Rome",
    "I might live in Rome",
    "Maybe I live in Rome",
    "Let's say I live in Rome",
    "In the game I work at Bosch",
    "I work at Bosch in a story that I write",
    "Ich habe geträumt, ich wohne in Rom",
    "Im Traum wohne ich in Rom",
    "Ich wohne in Rom, sagte der Reiseleiter",
    "In meinem Roman wohne ich in Rom",
    "Ich wünschte, ich wohnte in Rom",
    "Ich bin fast nach Rom gezogen",
    "Ich bin nach Rom gezogen und nach zwei Wochen zurückgekommen",
    "J'ai rêvé que j'habite à Lyon",
    "J'ai presque déménagé à Lyon",
    "J'habite à Lyon, dit le guide",
    "Dans mon roman, j'habite à Lyon",
    "Soñé que vivo en Quito",
    "En mi novela vivo en Quito",
    "Vivo en Roma, dijo el guía",
    "Ojalá vivo en Roma",
    "Mi sono quasi trasferito a Roma",
    "Ho sognato che vivo a Roma",
    "Nel mio romanzo vivo a Roma",
    "Vivo a Roma, disse la guida",
    "Quase me mudei para Lisboa",
    "Sonhei que moro em Lisboa",
    "No meu romance moro em Lisboa",
    "Moro em Lisboa, disse o guia",
    "Ik ben bijna naar Gent verhuisd",
    "Ik droomde dat ik in Gent woon",
    "Ik woon in Gent, zei de gids",
    "In mijn roman woon ik in Gent",
    "Я почти переехал в Омск",
    "Мне снилось, что я живу в Риме",
    "В моём романе я живу в Риме",
    "Я живу в Риме, сказал гид",
    "— Я живу в Риме, — сказал гид",
    "Παραλίγο να μετακόμισα στη Ρόδο",
    "Ονειρεύτηκα ότι μένω στη Ρόδο",
    "Μένω στη Ρόδο, είπε ο ξεναγός",
    "حلمت أنني أعيش في روما",
    "أعيش في روما، قال المرشد",
    "في روايتي أعيش في روما",
    "मैंने सपना देखा कि मैं रोम में रहता हूँ",
    "काश मैं रोम में रहता",
    "मेरे उपन्यास में मैं रोम में रहता हूँ",
    "我想住在杭州",
    "我希望住在杭州",
    "我不想住在杭州",
    "我差点搬到了北京",
    "我梦见我住在北京",
    "我做梦住在北京",
    "在小说里我住在北京",
    "我住在罗马，导游说",
    "如果我住在北京",
    "私はローマに住んでいる夢を見た",
    "夢の中で私はローマに住んでいます",
    "小説の中で私はローマに住んでいます",
    "もう少しで東京に引っ越しました",
    "「私はローマに住んでいます」とガイドが言った",
    "저는 로마에 사는 꿈을 꿨어요",
    "꿈에서 저는 로마에 살아요",
    "소설 속에서 저는 로마에 살아요",
    "저는 로마에 살아요, 라고 가이드가 말했어요",
    "하마터면 서울로 이사했어요",
)

REAL = (
    "I almost always work at Bosch",
    "I dreamt of Rome and now I live there",
    "I dreamt of Rome and moved to Lisbon instead",
    "I dreamed of a house and now I live in Rome",
    "I've lived in Rome for almost two years",
    "I nearly always live in Rome",
    "I work at Ubisoft in the game division",
    "I work at Bosch, said I",
    "I wish you a nice day",
    "I wish to live quietly, so now I live in Rome",
    "I live in the nearly finished tower in Rome",
    "Ich wohne seit fast zwei Jahren in Trier",
    "Ich arbeite fast immer bei Bosch",
    "Ich bin vor fast einem Jahr nach Trier gezogen",
    "Vivo en Quito casi siempre",
    "Trabajo en Bosch desde hace casi diez años",
    "Lavoro quasi sempre per Bosch",
    "Moro em Braga há quase dez anos",
    "Ik woon al bijna tien jaar in Gent",
    "J'habite à Lyon depuis presque deux ans",
    "Я почти всегда работаю в Яндекс",
    "Δουλεύω σχεδόν πάντα στη Bosch",
    "我几乎每天都住在上海",
    "我梦想住在上海,现在我住在上海",
    "मैं लगभग हमेशा दिल्ली में रहता हूँ",
    "저는 거의 항상 부산에 살아요",
    "I moved to Rome and went back to school",
    "My wife said she lives in Rome",
    "I said: I live in Rome",
    "I moved to Rome when I came back from Spain",
    "I live in Rome and I wrote a novel",
    "I read a book and moved to Rome",
    "In the film industry I work at Bosch",
)


def told(*texts: str) -> Agent:
    ada = muniment.open(":memory:").agent("ada", user="tuff")
    for text in texts:
        ada.remember(text)
    return ada


def found(ada: Agent, question: str) -> list[str]:
    return [hit.text for hit in ada.recall(question).hits]


def objects(text: str) -> list[str]:
    return [each.object for each in relations(text)]


@pytest.mark.parametrize("text", NOT_REAL)
def test_what_is_not_told_as_real_relates_nobody_and_tells_no_state(text: str) -> None:
    mine = f" of {state_phrases.ME}"
    states = state_phrases.stated_terms(detect_languages(text))

    assert list(relations(text)) == []
    assert [each for each in states if each.endswith(mine)] == []
    assert told_as_real.is_unreal(text) or told_as_real.is_quoted(text)


@pytest.mark.parametrize("text", REAL)
def test_what_only_has_the_words_of_it_is_real(text: str) -> None:
    for form in (text, flat(text)):
        assert told_as_real.real_part(form) == form
        assert not told_as_real.is_quoted(form)
    assert not told_as_real.is_unreal(text)


@pytest.mark.parametrize(
    ("text", "homes"),
    [
        ("I live in Ghent and almost moved to Rome", ["Ghent"]),
        ("I almost moved to Rome, but I live in Ghent", ["Ghent"]),
        ("In the novel I live in Rome, but in reality I live in Ghent", ["Ghent"]),
        ("I live in Ghent, and in my dreams I live in Rome", ["Ghent"]),
        ("I dreamt of Rome and now I live in Rome", ["Rome"]),
        ("Ich wohne in Gent, aber im Traum wohne ich in Rom", ["Gent"]),
        ("Vivo en Gante, pero soñé que vivo en Roma", ["Gante"]),
        ("Я живу в Генте, но мне снилось, что я живу в Риме", ["Генте"]),
        ("我住在上海，但我梦见我住在北京", ["上海"]),
        ("I almost always work at Bosch", ["Bosch"]),
    ],
)
def test_beside_what_is_not_real_a_sentence_tells_what_is(text: str, homes: list[str]) -> None:
    assert objects(text) == homes


def test_what_somebody_else_says_is_known_of_those_whom_they_name() -> None:
    assert objects("Liv works at Equinor, said my brother") == ["Equinor"]
    assert objects("My wife works at Equinor, said my brother") == []


@pytest.mark.parametrize("text", [each for each in NOT_REAL if each.isascii()])
def test_a_home_or_an_employer_outlives_what_was_not_real(text: str) -> None:
    of_work = "Bosch" in text
    held, question = (
        ("I work at Siemens", "Where do I work?")
        if of_work
        else ("I live in Ghent", "Where do I live?")
    )
    ada = told(held, text)

    assert found(ada, question)[0] == held
    assert [each.ended for each in ada.entities() if each.ended] == []
    assert [each.name for each in ada.entities()] == [held.rpartition(" ")[2]]


@pytest.mark.parametrize(
    "text",
    [
        "I almost left Bosch",
        "I dreamt that I left Bosch",
        "In my novel I left Bosch",
        "I wish I had left Bosch",
        "I nearly quit Bosch last week",
        "I left Bosch, said Tom",
        "Casi dejé Bosch",
        "Ik ben bijna weg bij Bosch",
    ],
)
def test_what_nearly_ended_goes_on(text: str) -> None:
    ada = told("I work at Bosch", text)

    assert [each.object for each in ada.about("Bosch").relations] == ["Bosch"]


def test_what_was_really_told_anew_still_stands_first() -> None:
    ada = told("I live in Ghent", "I almost moved to Rome", "I moved to Bari")

    assert found(ada, "Where do I live?")[0] == "I moved to Bari"


def test_what_nearly_was_is_found_by_who_asks_for_it() -> None:
    ada = told("I live in Ghent", "I like tea", "I almost moved to Rome")

    assert "I almost moved to Rome" in found(ada, "Where did I almost move to?")[:1]
