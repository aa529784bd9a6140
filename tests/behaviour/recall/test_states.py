"""A state that is asked for is told by what brought it about."""

import pytest

import muniment


@pytest.mark.parametrize(
    ("question", "before", "since"),
    [
        (
            "Where do I live?",
            "I live in Hamburg with Jens",
            "We moved, our new address is Hafenweg 12 in Bremen",
        ),
        ("How old am I?", "I am 31 years old", "I turned 32 yesterday"),
        ("Am I married?", "My husband is Tom", "Tom and I got divorced"),
        ("Wo wohnen wir?", "Wir wohnen in Köln", "Umzug ist geschafft, ab jetzt Leipzig"),
        ("Dove abito?", "Abito a Roma", "Mi sono trasferito a Torino"),
        ("Waar woon ik?", "Ik woon in Utrecht", "We zijn verhuisd naar Gent"),
        ("Где я живу?", "Я живу в Москве", "Мы переехали, новый адрес: Казань"),
        ("我住在哪里？", "我住在北京", "我们搬家了，新地址在上海"),
        ("どこに住んでいる？", "東京に住んでいます", "引っ越しました。住所は大阪市です"),
        ("저는 어디에 살고 있나요?", "저는 서울에 살아요", "부산으로 이사했어요"),
    ],
)
def test_a_change_is_found_where_the_state_is_asked_for(
    question: str, before: str, since: str
) -> None:
    ada = muniment.open(":memory:", clock=False).agent("ada", user="tuff")
    for line in (before, "It rains again", "The printer is broken", since, "I had soup for lunch"):
        ada.remember(line)

    assert {before, since} <= {hit.text for hit in ada.recall(question, limit=3).hits}
