"""A fact told in any script is found by a question in the same script, among facts like it."""

import pytest

from muniment.retrieval import asked, recipe, words
from muniment.retrieval.collection import Collection, Document

# Of each script: what was told (the first is the answer), and what is asked.
TOLD = {
    "latin with accents": (
        ["Ma sœur Zoë habite à Besançon", "Mon frère travaille à Nîmes", "Il pleut à Orléans"],
        "Où habite ma soeur ZOE ?",
    ),
    "cyrillic": (
        ["Моя собака любит гулять в парке", "Мой брат купил машину", "Вчера шёл дождь"],
        "С кем гуляла собака?",
    ),
    "greek": (
        ["Η αδελφή μου μένει στη Θεσσαλονίκη", "Ο πατέρας μου μαγειρεύει", "Χθες έβρεχε πολύ"],
        "Ποιος μένει στην Θεσσαλονικη;",
    ),
    "arabic": (
        ["تعيش أختي في الإسكندرية", "يعمل أبي في المصنع", "أمطرت السماء أمس"],
        "من يعيش في الاسكندرية؟",
    ),
    "hindi": (
        ["मेरी बहन जयपुर में रहती है", "मेरे पिता दिल्ली में काम करते हैं", "कल बहुत बारिश हुई"],
        "जयपुर में कौन रहता है?",
    ),
    "chinese": (
        ["我姐姐住在哈尔滨", "我父亲在工厂上班", "昨天下了大雨"],
        "谁住在哈尔滨？",
    ),
    "japanese": (
        ["姉は札幌に住んでいます", "父は工場で働いています", "昨日は大雨でした"],
        "札幌に住んでいるのは誰ですか?",
    ),
    "korean": (
        ["언니는 부산에서 살고 있어요", "아버지는 공장에서 일하세요", "어제는 비가 왔어요"],
        "부산에 사는 사람은 누구예요?",
    ),
}


@pytest.mark.parametrize("script", TOLD)
def test_a_fact_is_found_by_a_question_in_its_own_script(script: str) -> None:
    told, question = TOLD[script]
    documents = [
        Document(id=str(number), seq=number, ts="", text=text)
        for number, text in enumerate([*told[1:], told[0]])
    ]

    collection = Collection.build(documents, dims=0)
    ranking = recipe.rank(collection, asked.analyse(question), recipe.LEXICAL)

    assert documents[int(ranking.order[0])].text == told[0]
    assert ranking.terms(int(ranking.order[0]))["words"] > 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Caf\u00e9", "cafe\u0301"),  # composed and decomposed
        ("ＦＵＬＬ ｗｉｄｔｈ", "full width"),
        ("STRASSE", "straße"),
        ("Ёлка", "елка"),
        ("running", "runs"),
        ("Ann's", "Ann\u2019s"),
        ("مُحَمَّد", "محمد"),
    ],
)
def test_two_spellings_are_one_word(one: str, other: str) -> None:
    assert words.stems(one) == words.stems(other)


def test_the_stems_of_this_version_never_change() -> None:
    """A log of recalls is replayed with the same words; new stems need a new name."""
    assert words.NAME == "stem-1"
    told = "The children were happily running; mice, organizations, 2023, naïve co-operation!"

    assert words.stems(told) == [
        *("the", "children", "were", "happili", "run", "mice", "organiz", "2023", "naiv"),
        *("co", "oper"),
    ]
    found = words.stems("гуляли собаки 東京タワー")
    assert found == ["гуля", "собак", "東京", "京タ", "タワ", "ワー"]
    assert words.key("run") == 18107581335161176981


def test_a_mark_of_an_indian_vowel_is_part_of_the_word() -> None:
    assert words.spelled("में रहती") == ["में", "रहती"]
