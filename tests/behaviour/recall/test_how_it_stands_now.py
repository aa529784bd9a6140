"""What stands first is how it stands now: the last move, and no wish for one."""

import pytest

import muniment
from muniment.retrieval.languages.detect_language import detect_languages
from muniment.retrieval.languages.state_phrases import asked_terms, stated_terms


def hits(told: tuple[str, ...], question: str) -> list[str]:
    with muniment.open(":memory:") as memory:
        ada = memory.agent("ada", user="tuff")
        for text in told:
            ada.remember(text)
        return [hit.text for hit in ada.recall(question).hits]


@pytest.mark.parametrize(
    ("older", "newer", "question"),
    [
        ("मैं इंदौर में रहता हूँ", "पिछले हफ़्ते मैं जयपुर चला गया", "मैं कहाँ रहता हूँ?"),
        ("मैं टाटा में काम करती हूँ", "मैंने इंफोसिस में काम शुरू किया", "मैं कहाँ काम करती हूँ?"),
        ("أسكن في طنجة", "انتقلت إلى فاس الشهر الماضي", "أين أسكن؟"),
        ("أعمل في أرامكو", "بدأت العمل في زين", "أين أعمل؟"),
        ("Abito a Bari", "Mi sono trasferita a Lecce il mese scorso", "Dove abito?"),
        ("Moro em Recife", "Me mudei para Natal na semana passada", "Onde moro?"),
        ("Ik woon in Gent", "Vorige week ben ik naar Brugge verhuisd", "Waar woon ik?"),
        ("Я живу в Казани", "На прошлой неделе я переехала в Самару", "Где я живу?"),
        ("Я работаю в Яндексе", "Я устроилась в Сбер", "Где я работаю?"),
        ("Μένω στην Πάτρα", "Την περασμένη εβδομάδα μετακόμισα στο Βόλο", "Πού μένω;"),
        ("저는 인천에 살아요", "지난주에 부산으로 이사했어요", "저는 어디에 살아요?"),
    ],
)
def test_whoever_moved_or_changed_work_is_there_now(older: str, newer: str, question: str) -> None:
    assert hits((older, newer), question)[0] == newer


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("Ho iniziato a lavorare da Barilla", ["work of i"]),
        ("Mudei-me para Braga", ["home of i"]),
        ("Comecei a trabalhar na Embraer", ["work of i"]),
        ("Vorige maand zijn we verhuisd naar Leuven", ["home of i"]),
        ("Sinds maandag ben ik bij Shell begonnen", ["work of i"]),
        ("Переехал в Омск", ["home of i"]),
        ("Ξεκίνησα δουλειά στη Vodafone", ["work of i"]),
        ("الأسبوع الماضي انتقلت إلى مراكش", ["home of i"]),
        ("네이버로 이직했어요", ["work of i"]),
        # Of others, denied, wished for or long ago.
        ("Mia sorella abita a Bari", []),
        ("Non abito a Bari", []),
        ("Vivo in pace", []),
        ("Quero morar em Natal", []),
        ("O trabalho na horta cansa", []),
        ("Ik woon niet in Gent", []),
        ("Ik wil in Gent wonen", []),
        ("Мой брат переехал в Омск", []),
        ("Я не живу в Казани", []),
        ("Когда я был маленьким, я жил в Туле", []),
        ("Δεν μένω στην Πάτρα", []),
        ("أختي انتقلت إلى فاس", []),
        ("أريد أن أعيش في دبي", []),
        ("मेरी बहन इंदौर में रहती है", []),
        ("मैं दुकान चला गया", []),
        ("मैं दिल्ली में रहना चाहता हूँ", []),
        ("동생은 인천에 살아요", []),
        ("부산에 살고 싶어요", []),
    ],
)
def test_what_is_told_of_ones_own_home_and_work(text: str, states: list[str]) -> None:
    assert stated_terms(detect_languages(text)) == states


@pytest.mark.parametrize(
    "question",
    ["Dove abito?", "Onde moro?", "Waar woon ik?", "Где я живу?", "Πού μένω;", "أين أسكن؟",
     "मैं कहाँ रहता हूँ?", "저는 어디에 살아요?"],
)  # fmt: skip
def test_a_question_for_ones_home_tells_none(question: str) -> None:
    read = detect_languages(question)

    assert asked_terms(read) == ("home of i",)
    assert not stated_terms(read)


@pytest.mark.parametrize(
    ("so", "wish", "question"),
    [
        ("我住在杭州", "我不想住在苏州", "我住在哪里？"),
        ("I live in Leith", "I don't want to live in Oban", "Where do I live?"),
        ("Я живу в Казани", "Я не хочу жить в Самаре", "Где я живу?"),
        ("Vivo en Vigo", "No quiero vivir en Gijón", "¿Dónde vivo?"),
        ("Ich wohne in Ulm", "Ich will nicht in Bonn wohnen", "Wo wohne ich?"),
    ],
)
def test_a_wish_changes_no_home(so: str, wish: str, question: str) -> None:
    assert hits((so, wish), question)[0] == so


@pytest.mark.parametrize(
    ("older", "newer", "question"),
    [
        ("Mon rendez-vous chez le dentiste est mardi à 9h20",
         "En fait le dentiste c'est mercredi à 11h",
         "Quand est mon rendez-vous chez le dentiste ?"),
        ("My favourite tea is Assam", "I've gone off Assam; it's Keemun these days",
         "What's my favourite tea?"),
    ],
)  # fmt: skip
def test_what_is_put_right_or_gone_off_is_news(older: str, newer: str, question: str) -> None:
    assert hits((older, newer), question)[0] == newer


@pytest.mark.parametrize(
    ("pet", "question"),
    [
        ("У меня есть хомяк по кличке Пончик", "Какое у меня домашнее животное?"),
        ("Ho un coniglio di nome Bibo", "Quale animale domestico ho?"),
        ("Tenho uma tartaruga chamada Lia", "Que animal de estimação tenho?"),
        ("我有一只仓鼠叫团团", "我有什么宠物？"),
    ],
)
def test_a_pet_need_be_no_dog(pet: str, question: str) -> None:
    assert hits((pet,), question) == [pet]
