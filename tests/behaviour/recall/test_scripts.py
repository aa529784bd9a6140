"""A fact told in any script is found by a question in the same script, among facts like it."""

import pytest

from muniment.retrieval.index.collection import Collection, Document
from muniment.retrieval.ranking import query, ranker
from muniment.retrieval.ranking.weights import LEXICAL
from muniment.retrieval.text import tokenizer

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
    ranking = ranker.rank(collection, query.analyse(question), LEXICAL)

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
        ("مستشفى", "مستشفي"),  # the two ways to end a word in ya
        ("کتاب علی", "كتاب علي"),  # Persian and Arabic letters
        ("l\u2019\u00e9cole d'Anne", "\u00e9cole Anne"),
        ("dell'universit\u00e0", "universit\u00e0"),
        ("Ankara'da \u0130STANBUL'dan", "ankara istanbul"),
        ("KIRMIZI", "k\u0131rm\u0131z\u0131"),
        ("S\u00f8ren \u0141ukasz \u0110or\u0111e", "Soren Lukasz Dorde"),
        ("s\u0153ur", "soeur"),
        ("\u0661\u0662\u0663 \u0967\u0968 \uff14", "123 12 4"),
        ("Donau\u00addampf", "donaudampf"),
        ("sun \u2600\ufe0f", "sun \u2600"),
        ("3\ufe0f\u20e3", "3"),
    ],
)
def test_two_spellings_are_one_word(one: str, other: str) -> None:
    assert tokenizer.stems(one) == tokenizer.stems(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("\u2764\ufe0f", "\u2600\ufe0f"), ("Qur'an", "Qur"), ("O'Hara", "Hara"), ("don't", "don")],
)
def test_two_words_stay_two(one: str, other: str) -> None:
    assert not set(tokenizer.stems(one)) & set(tokenizer.stems(other))


@pytest.mark.parametrize(
    ("told", "question", "shared"),
    [
        ("我家养了一只猫很可爱", "我的猫叫什么?", "猫"),
        ("庭に犬がいます", "うちの犬の名前は?", "犬"),
        ("우리 집에 개가 있어요", "개 이름이 뭐예요?", "개"),
    ],
)
def test_a_word_of_one_letter_is_found_beside_other_neighbours(
    told: str, question: str, shared: str
) -> None:
    assert shared in query.analyse(question).words
    assert shared in tokenizer.stems(told)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("बाज़ार", "बाजार"),  # a dot that many leave out
        ("ज़रूरत", "जरूरत"),
        ("மதுரை", "மதுரையில்"),
        ("புத்தகம்", "புத்தகங்களை"),
        ("హైదరాబాద్", "హైదరాబాద్లో"),
        ("పుస్తకం", "పుస్తకాలు"),
        ("పుస్తకం", "పుస్తకాన్ని"),
        ("పుస్తకంలో", "పుస్తకాలకు"),
        ("పిల్లి", "పిల్లికి"),
        ("కుక్కను", "కుక్కలు"),
        ("зубной", "зубному"),
        ("новый", "нового"),
        ("диплом", "диплома"),
    ],
)
def test_a_word_is_found_whatever_ending_or_dot_it_has(one: str, other: str) -> None:
    assert tokenizer.stems(one) == tokenizer.stems(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("పిల్లి", "పిల్లలు"), ("పని", "పలు"), ("கடை", "காலை"), ("மதுரை", "மரம்")],
)
def test_two_words_of_one_script_stay_two(one: str, other: str) -> None:
    assert tokenizer.stems(one) != tokenizer.stems(other)


def test_small_letters_and_pictures_are_looked_for_where_nothing_else_is() -> None:
    assert query.analyse("我的猫 \U0001f602").words == ("猫",)
    assert query.analyse("\U0001f355?").words == ("\U0001f355",)
    assert tokenizer.stems("I love \U0001f355\U0001f355") == ["i", "love", *2 * ["\U0001f355"]]


def test_a_pair_of_letters_that_joins_two_words_is_not_looked_for() -> None:
    """In "我们的房租是多少" two pairs are no word: the rent is told in many sentences."""
    assert query.analyse("我们的房租是多少？").words == ("房租", "房", "租")
    assert {"賃は", "は毎"}.isdisjoint(query.analyse("家賃は毎月いくらですか").words)
    assert "家賃" in query.analyse("家賃は毎月いくらですか").words


@pytest.mark.parametrize(
    ("one", "other"),
    [("prod", "production"), ("colour", "color"), ("dad", "father"), ("vacations", "holiday")],
)
def test_words_for_one_and_the_same_are_one_word(one: str, other: str) -> None:
    assert tokenizer.stem(one) == tokenizer.stem(other)


def test_the_stems_of_this_version_never_change() -> None:
    """A log of recalls is replayed with the same words; new stems need a new name."""
    assert tokenizer.NAME == "stem-8"
    told = "The children were happily running; mice, organizations, 2023, naïve co-operation!"

    assert tokenizer.stems(told) == [
        *("the", "child", "were", "happili", "run", "mice", "organiz", "2023", "naiv"),
        *("co", "oper"),
    ]
    found = tokenizer.stems("гуляли собаки 東京タワー")
    assert tokenizer.stems("Dad, Papa, отца; kids, grandma") == [
        *("father", "father", "father", "child", "grandmother"),
    ]
    assert found == ["гул", "собак", "東京", "京タ", "タワ", "ワー", "東", "京"]
    assert tokenizer.key("run") == 18107581335161176981


def test_a_mark_of_an_indian_vowel_is_part_of_the_word() -> None:
    assert tokenizer.spelled("में रहती") == ["में", "रहती"]
