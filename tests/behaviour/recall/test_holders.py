"""What is told of one holder is no newer word about another: my son, the neighbours' son."""

import pytest
from tests.world import SteppingClock, memory

import muniment
from muniment.retrieval.languages import holders


def hits(told: tuple[str, ...], question: str) -> list[str]:
    ada = memory(clock=SteppingClock()).agent("ada", user="tuff")
    for text in told:
        ada.remember(text)
    return [hit.text for hit in ada.recall(question).hits]


PAIRS = [
    # What answers, what is of another, and the question.
    ("My wife is Jana", "My ex-wife is Petra", "Who is my wife?"),
    ("My son is called Hugo", "My neighbour's son is called Emil", "What is my son's name?"),
    ("My dog is called Biscuit", "The dog next door is called Bruno", "What is my dog called?"),
    ("My dentist is Dr. Kern", "My wife's dentist is Dr. Hail", "Who is my dentist?"),
    ("My boss is Ines", "My former boss is Rolf", "Who is my boss?"),
    ("My shift starts at 9:00", "Jonas' shift starts at 11:00", "When does my shift start?"),
    ("My licence plate is KL-204", "The neighbour's licence plate is MX-981",
     "What is my licence plate?"),
    ("My dog is called Biscuit", "My parents' dog is called Whisky", "What's my dog's name?"),
    ("My car is blue", "My ex's car was grey", "What colour is my car?"),
    ("My landlord is Mr Okoye", "My brother's landlord is Mr Petty", "Who is my landlord?"),
    ("My father is called Walter", "My father-in-law is called Stan", "What's my father called?"),
    ("My daughter is called Nell", "My stepdaughter is called Wren",
     "What is my daughter's name?"),
    ("My bike is a red Brompton", "The bike of my flatmate is a green Dawes",
     "Which bike do I have?"),
    ("My locker code is 4471", "Priya's locker code is 9020", "What's my locker code?"),
    ("My cat is called Olive", "Our neighbours' cat is called Mango", "What's my cat's name?"),
    ("Mein Sohn heißt Hugo", "Der Sohn der Nachbarn heißt Emil", "Wie heißt mein Sohn?"),
    ("Meine Frau heißt Jana", "Meine Ex-Frau heißt Petra", "Wie heißt meine Frau?"),
    ("Mein Vater heißt Jürgen", "Mein Schwiegervater heißt Otto", "Wie heißt mein Vater?"),
    ("Mein Auto ist blau", "Das Auto meines Bruders ist rot", "Welche Farbe hat mein Auto?"),
    ("Mein Hund heißt Rex", "Der Hund von nebenan heißt Bello", "Wie heißt mein Hund?"),
    ("Mi hijo se llama Hugo", "El hijo de la vecina se llama Emilio", "¿Cómo se llama mi hijo?"),
    ("Mi mujer se llama Jana", "Mi exmujer se llama Petra", "¿Cómo se llama mi mujer?"),
    ("Mi coche es azul", "El coche de mi hermano es rojo", "¿De qué color es mi coche?"),
    ("Mon chien s'appelle Biscuit", "Le chien de ma voisine s'appelle Filou",
     "Comment s'appelle mon chien ?"),
    ("Ma femme s'appelle Jana", "Mon ex-femme s'appelle Petra", "Comment s'appelle ma femme ?"),
    ("Mon père s'appelle Paul", "Mon beau-père s'appelle Luc", "Comment s'appelle mon père ?"),
    ("Mio figlio si chiama Hugo", "Il figlio della vicina si chiama Emilio",
     "Come si chiama mio figlio?"),
    ("Mia moglie si chiama Jana", "La mia ex moglie si chiama Petra",
     "Come si chiama mia moglie?"),
    ("O meu filho chama-se Hugo", "O filho da vizinha chama-se Emílio",
     "Como se chama o meu filho?"),
    ("A minha mulher chama-se Jana", "A minha ex-mulher chama-se Petra",
     "Como se chama a minha mulher?"),
    ("Mijn zoon heet Hugo", "De zoon van de buren heet Emiel", "Hoe heet mijn zoon?"),
    ("Mijn hond heet Bolle", "De hond van mijn zus heet Pluis", "Hoe heet mijn hond?"),
    ("Моего сына зовут Илья", "Сына соседей зовут Эмиль", "Как зовут моего сына?"),
    ("Мою жену зовут Яна", "Мою бывшую жену зовут Пётра", "Как зовут мою жену?"),
    ("Ο γιος μου λέγεται Ηλίας", "Ο γιος του γείτονα λέγεται Αιμίλιος",
     "Πώς λέγεται ο γιος μου;"),
    ("Η γυναίκα μου λέγεται Γιάννα", "Η πρώην γυναίκα μου λέγεται Πέτρα",
     "Πώς λέγεται η γυναίκα μου;"),
    ("ابني اسمه هوغو", "ابن الجيران اسمه إميل", "ما اسم ابني؟"),
    ("زوجتي اسمها يانا", "زوجتي السابقة اسمها بترا", "ما اسم زوجتي؟"),
    ("मेरे बेटे का नाम ह्यूगो है", "पड़ोसी के बेटे का नाम एमिल है", "मेरे बेटे का नाम क्या है?"),
    ("मेरी पत्नी का नाम याना है", "मेरी पूर्व पत्नी का नाम पेट्रा है", "मेरी पत्नी का नाम क्या है?"),
    ("我儿子叫雨果", "邻居的儿子叫艾米尔", "我儿子叫什么名字？"),
    ("我妻子叫雅娜", "我前妻叫佩特拉", "我妻子叫什么名字？"),
    ("息子の名前はヒューゴです", "隣の息子さんの名前はエミルです", "息子の名前は何ですか？"),
    ("妻の名前はヤナです", "元妻の名前はペトラです", "妻の名前は何ですか？"),
    ("제 아들 이름은 위고예요", "옆집 아들 이름은 에밀이에요", "제 아들 이름이 뭐예요?"),
    ("제 아내 이름은 야나예요", "전 아내 이름은 페트라예요", "제 아내 이름이 뭐예요?"),
]  # fmt: skip


@pytest.mark.parametrize(("mine", "of_another", "question"), PAIRS)
@pytest.mark.parametrize("mine_first", [True, False])
def test_of_two_with_one_attribute_the_one_who_is_asked_for_is_first(
    mine: str, of_another: str, question: str, *, mine_first: bool
) -> None:
    told = (mine, of_another) if mine_first else (of_another, mine)

    assert hits(told, question)[0] == mine


@pytest.mark.parametrize(
    ("mine", "of_another", "question"),
    [
        ("My son is called Hugo", "My neighbour's son is called Emil",
         "What is my neighbour's son called?"),
        ("My wife is Jana", "My ex-wife is Petra", "Who is my ex-wife?"),
        ("My locker code is 4471", "Priya's locker code is 9020",
         "What is Priya's locker code?"),
        ("My dentist is Dr. Kern", "My wife's dentist is Dr. Hail", "Who is my wife's dentist?"),
        ("My dog is called Biscuit", "The dog next door is called Bruno",
         "What is the dog next door called?"),
        ("Mein Sohn heißt Hugo", "Der Sohn der Nachbarn heißt Emil",
         "Wie heißt der Sohn der Nachbarn?"),
        ("Mi hijo se llama Hugo", "El hijo de la vecina se llama Emilio",
         "¿Cómo se llama el hijo de la vecina?"),
        ("Моего сына зовут Илья", "Сына соседей зовут Эмиль", "Как зовут сына соседей?"),
        ("我儿子叫雨果", "邻居的儿子叫艾米尔", "邻居的儿子叫什么名字？"),
        ("息子の名前はヒューゴです", "隣の息子さんの名前はエミルです",
         "隣の息子さんの名前は何ですか？"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("mine_first", [True, False])
def test_asked_for_the_other_the_other_is_first(
    mine: str, of_another: str, question: str, *, mine_first: bool
) -> None:
    told = (mine, of_another) if mine_first else (of_another, mine)

    assert hits(told, question)[0] == of_another


@pytest.mark.parametrize(
    ("told", "question"),
    [
        (("My boss is Rolf", "My new boss is Ines"), "Who is my boss?"),
        (("My dentist is Dr. Kern", "My new dentist is Dr. Vale"), "Who is my dentist?"),
        (
            ("My neighbour's dog is called Bruno", "The neighbours' dog is called Otis now"),
            "What is my neighbour's dog called?",
        ),
        (
            ("My wife's office is in Ghent", "My wife's office is in Bruges now"),
            "Where is my wife's office?",
        ),
        (("Dinner is on Thursday", "My wife moved the dinner to Friday"), "When is the dinner?"),
        (("My locker code is 4471", "My locker code is 5580 now"), "What's my locker code?"),
        (
            ("Priya's locker code is 9020", "Priya's locker code is 1187 now"),
            "What is Priya's locker code?",
        ),
        (("My landlord is Mr Okoye", "Our new landlord is Mrs Lund"), "Who is my landlord?"),
        (("Meine Chefin ist Eva", "Meine neue Chefin ist Karin"), "Wer ist meine Chefin?"),
        (("Mein Hund heißt Rex", "Mein Hund heißt jetzt Max"), "Wie heißt mein Hund?"),
        (("Mi jefe es Rodolfo", "Mi nuevo jefe es Inés"), "¿Quién es mi jefe?"),
        (("Mon patron est Rolf", "Mon nouveau patron est Luc"), "Qui est mon patron ?"),
        (("我老板是王强", "我的新老板是李娜"), "我老板是谁？"),
    ],
)
def test_what_is_told_anew_of_one_holder_is_first(told: tuple[str, str], question: str) -> None:
    assert hits(told, question)[0] == told[1]


def test_what_a_child_is_called_by_now_is_first() -> None:
    with muniment.open(":memory:") as shipped:
        ada = shipped.agent("ada", user="tuff")
        ada.remember("My son's name is Hugo")
        ada.remember("My son now goes by Hugh")

        assert ada.recall("What is my son's name?").hits[0].text == "My son now goes by Hugh"


@pytest.mark.parametrize(
    ("text", "whose"),
    [
        ("My son is called Hugo", "of son"),
        ("My neighbour's son is called Emil", "of neighbour+son"),
        ("The dog next door is called Bruno", "of neighbour+pet"),
        ("The number plate of my neighbour is KL-204", "of neighbour"),
        ("My mother-in-law is called Eva", "of inlaw+mother"),
        ("My friend Ana's dog is called Bo", "of friend+pet"),
        ("Jonas' shift starts at 11", "of @jona"),
        ("Das Auto meines Bruders ist rot", "of brother"),
        ("Il cane di Marta si chiama Bo", "of pet+@marta"),
        ("小明的狗叫旺财", "of pet+@小明"),
        ("友達の犬はポチです", "of friend+pet"),
        # One's own, whoever is named beside.
        ("My doctor's appointment is on Monday", ""),
        ("My cat food order is late", ""),
        ("My wife and I moved to Bergen", ""),
        ("My wife sold our car", ""),
        ("My former boss left, it is Ines now", ""),
        ("Today's lunch is soup", ""),
        ("Monday's meeting is at 9", ""),
        ("I love dogs", ""),
        ("My law firm is Bell & Co", ""),
        ("My kids are called Ada and Ben", ""),
        ("Ich gebe der Nachbarin den Schlüssel", ""),
        ("Ma belle voiture est rouge", ""),
        ("Mi cita con el dentista es el martes", ""),
    ],
)
def test_a_holder_is_whom_the_first_words_name(text: str, whose: str) -> None:
    holder = holders.told_of(text)

    assert (holder.term if holder else "") == whose
