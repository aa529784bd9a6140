"""What ends the value that an older answer gave is the newer answer, in whatever words."""

from collections.abc import Sequence

import pytest

from muniment import Agent
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.system.clock import ToldClock

TALK = (
    "Could you write me a haiku about rain?",
    "The printer is jammed again",
    "Traffic was awful",
    "We watched a film about whales, it was slow",
    "How long do eggs boil?",
    "I found a coin in the park",
)
# A question, what was told first, and what was told later.
REVISED = (
    ("Who is my boss?", "My boss is called Henrike.", "Henrike retired; Joao is my manager now."),
    ("Which bank am I with?", "I bank with Santander.", "Closed my Santander account, it's Monzo."),
    ("Which phone do I have?", "My phone is a Pixel 7.", "Got myself an iPhone, bye bye Pixel."),
    ("What does my sister do?", "My sister Lea is studying law.", "Lea dropped out of law school."),
    ("Am I still engaged?", "I'm engaged to Tobias.", "Tobias and I broke up."),
    # Who begins with the verb leaves themselves out, and an adverb is no subject.
    (
        "What car do I drive?",
        "I drive an old Saab 900.",
        "The Saab finally died. Picked up a used Skoda Octavia.",
    ),
    (
        "Where did I put the spare key?",
        "We hide the spare key with the concierge.",
        "The spare key is now under the blue flowerpot.",
    ),
    # Of others a change is told in fewer words than any table has.
    (
        "¿Dónde vive Félix?",
        "Mi hermano Félix vive en Tromsø.",
        "Félix ha hecho las maletas y ahora está en Bergen.",
    ),
    (
        "Où habite Félix ?",
        "Mon frère Félix habite à Tromsø.",
        "Félix a fait ses valises, il est maintenant à Bergen.",
    ),
    ("Is my hamster alive?", "I have a hamster called Pip.", "Pip died on Sunday."),
    (
        "Where do I work?",
        "I'm a nurse at the Royal in Leeds.",
        "I left the Royal, I'm at St James's.",
    ),
    ("What am I allergic to?", "I'm allergic to walnuts.", "It was never walnuts but hazelnuts."),
    ("How much rent do I pay?", "I pay 840 euros of rent.", "The rent went up to 910."),
    ("When do I play tennis?", "I play tennis on Tuesdays.", "Tennis moved to Thursdays."),
    ("How old is Emil?", "My son Emil is 6 years old.", "Emil turned seven today!"),
    ("Which streaming service do I have?", "I subscribe to Netflix.", "I let Netflix lapse."),
    ("Who is my best friend?", "My best friend is Amara.", "Amara and I fell out."),
    ("What diet am I on?", "I'm on the keto diet.", "Keto didn't work, I eat Mediterranean."),
    ("How far do I run?", "I run five kilometres a day.", "I'm up to eight kilometres now."),
    (
        "Wer ist mein Zahnarzt?",
        "Mein Zahnarzt ist Dr. Weber.",
        "Dr. Weber ist in Rente, ich gehe jetzt zu Dr. Yilmaz.",
    ),
    ("¿Cuál es mi banco?", "Mi banco es Santander.", "Cerré la cuenta de Santander y elegí ING."),
    (
        "De quel instrument est-ce que je joue ?",
        "Je joue du violon.",
        "J'ai abandonné le violon pour la batterie.",
    ),
    ("Qual é o meu ginásio?", "O meu ginásio é o FitHub.", "Cancelei o FitHub, vou ao Solinca."),
    ("Chi è il mio capo?", "Il mio capo è Rossi.", "Rossi è andato in pensione, c'è Bianchi."),
    (
        "Wie is mijn tandarts?",
        "Mijn tandarts is dokter Smit.",
        "Dokter Smit is met pensioen, ik ga nu naar dokter Bakker.",
    ),
    ("Какой у меня банк?", "Мой банк Тинькофф.", "Закрыла счёт в Тинькофф, теперь у меня Сбер."),
    ("我在哪里工作？", "我在华为工作。", "我辞掉了华为的工作，现在在腾讯。"),
    (
        "私の歯医者は誰ですか？",
        "私の歯医者は田中先生です。",
        "田中先生は引退したので、今は佐藤先生です。",
    ),
    ("제 은행은 어디예요?", "제 은행은 신한입니다.", "신한을 해지하고 이제 카카오뱅크를 써요."),
    ("ما هو بنكي؟", "بنكي هو الراجحي.", "أغلقت حسابي في الراجحي وانتقلت إلى الأهلي."),
    ("मेरा बैंक कौन सा है?", "मेरा बैंक एसबीआई है।", "मैंने एसबीआई का खाता बंद कर दिया।"),
    (
        "Ποιος είναι ο οδοντίατρός μου;",
        "Ο οδοντίατρός μου είναι ο Παππάς.",
        "Ο Παππάς συνταξιοδοτήθηκε, τώρα πάω στον Νικολάου.",
    ),
    # Where the verb is last, and where a day has a dot.
    (
        "Welchen Sport mache ich im Verein?",
        "Im Verein mache ich Judo.",
        "Judo mache ich nicht mehr, ich klettere in der Halle.",
    ),
    (
        "Wann ist mein Termin beim Friseur?",
        "Mein Termin beim Friseur ist am 8. Juni.",
        "Übrigens: Der Friseur ist am 12. Juli, nicht am 8. Juni.",
    ),
    ("¿Qué deporte practico?", "Practico natación.", "Cambié la natación por el tenis."),
    # A name (名前) is nothing that was before (前).
    ("私の猫の名前は何ですか？", "私の猫の名前はタマです。", "タマは死にました。"),
    (
        "私の車は何ですか？",
        "私の車はプリウスです。",
        "乗っているのはフィットです、プリウスではありません。",
    ),
    # A letter between two others breaks two pairs.
    ("我的猫叫什么？", "我的猫叫咪咪。", "我们养了新的猫，叫豆豆。"),
    ("我什么时候看眼科？", "我5月22日看眼科。", "眼科把时间改到6月8日了。"),
)
# The verb may stand around what it ends, or be parted from it by a time.
PARTED = (
    (
        "Which pets do I have?",
        "We have two cats, Miso and Tofu.",
        "We gave Tofu away last week, so it's only Miso now.",
    ),
    ("Which car do I have?", "My car is a Micra.", "I traded the Micra in, it's a Leaf now."),
    ("When is the wedding?", "We marry Lena's way, in Ghent.", "We called Ghent off for good."),
    (
        "Who is Ida's teacher?",
        "Ida's class teacher is Frau Wessels.",
        "Frau Wessels is on maternity leave, Herr Dose took over Ida's class.",
    ),
    (
        "Welche Haustiere habe ich?",
        "Wir haben zwei Hasen, Flocke und Klee.",
        "Flocke ist letzte Woche gestorben, jetzt ist nur noch Klee da.",
    ),
)
# What names the value, and even tells of some change, without ending it.
UNCHANGED = (
    # Whose trade is asked for stands in both sentences; only one is about them.
    (
        "Кто Олег по профессии?",
        "Мой друг Олег по профессии флорист.",
        "Кстати, мой друг Надя по профессии пекарь.",
    ),
    # "now" is no value that the second could take up.
    (
        "How much do I weigh?",
        "I weigh 87 kilos right now.",
        "I told them I'm intolerant, so the canteen now has two kinds of oat milk.",
    ),
    ("Who is my boss?", "My boss is called Henrike.", "Henrike bought a new bike yesterday."),
    ("Which bank am I with?", "I bank with Santander.", "Santander raised their fees again."),
    ("Which phone do I have?", "My phone is a Pixel 7.", "I left the Pixel on the train."),
    ("Who am I engaged to?", "I'm engaged to Tobias.", "Tobias quit smoking!"),
    ("Which gym do I go to?", "My gym is FitHub.", "FitHub has replaced all its treadmills."),
    ("Where do I work?", "I'm a nurse at the Royal in Leeds.", "The Royal has a new car park."),
    ("What is my hamster called?", "I have a hamster called Pip.", "Pip stopped biting me."),
    ("How old is Emil?", "My son Emil is 6 years old.", "Emil plays football now."),
    ("How much rent do I pay?", "I pay 840 euros of rent.", "Traffic is down to 3 cars now."),
    ("Which tea do I like best?", "My favourite tea is Assam.", "The shop sold out of Assam."),
    ("Which cats do I have?", "My cats are Miso and Tofu.", "I gave Tofu a bath in the sink."),
)


def told(lines: Sequence[str], *, door: str) -> Agent:
    clock = ToldClock()
    ada = open_memory(":memory:", Settings(clock=clock, seed=b"revisions")).agent(
        "ada", user="tuff"
    )
    talk = ada.conversation(session="talk")
    for day, line in enumerate([*lines[:1], *TALK, *lines[1:]], start=1):
        clock.set(f"2026-03-{day:02}T09:00:00.000Z")
        if door == "remember":
            ada.remember(line)
        else:
            talk.record(user=line, ai="Sure.")
    return ada


@pytest.mark.parametrize("door", ["remember", "conversation"])
@pytest.mark.parametrize(("question", "older", "newer"), [*REVISED, *PARTED])
def test_what_says_that_the_older_answer_is_over_is_first(
    question: str, older: str, newer: str, door: str
) -> None:
    ada = told([older, newer], door=door)

    found = [hit.text for hit in ada.recall(question).hits]

    assert found[:2] == [newer, older]


@pytest.mark.parametrize(("question", "older", "other"), UNCHANGED)
def test_what_only_names_the_value_does_not_take_its_place(
    question: str, older: str, other: str
) -> None:
    ada = told([older, other], door="remember")

    assert ada.recall(question).hits[0].text == older


# A question, and what was told one after the other: the last word is the answer.
LAST_WORD = (
    # A change of a change, which only what it changes leads to.
    (
        "What do I drive?",
        "My car is a Subaru.",
        "Traded the Subaru in for a Volvo.",
        "Sold the Volvo and got a Clio.",
    ),
    # Other words, and nothing is said to be over.
    (
        "Which instrument do I play?",
        "I play the cello.",
        "These days I make music on the piano, the cello stands in a corner.",
    ),
    # Whoever is named by a relation may lead on, and be an answer that is over.
    (
        "What does my friend Tom work as?",
        "By profession my friend Tom is a baker.",
        "Tom gave up being a baker and became a nurse.",
    ),
    # Scripts in which each letter and each pair counts as a word.
    (
        "我最喜欢的饮料是什么？",
        "我最喜欢的饮料是姜汁汽水。",
        "对了，我不喜欢姜汁汽水了，现在最喜欢的饮料是薄荷茶。",
    ),
    (
        "私は何のアレルギーですか？",
        "私はペニシリンアレルギーです。",
        "検査の結果、アレルギーはペニシリンではなくごまでした。",
    ),
    ("Where is my flat?", "I have been living in Turin for years.", "I'm in Ghent now."),
)
# What was told, and later something else that says the same aside, or ends the same month.
BESIDE = (
    (
        "What is my dog called?",
        "My dog is called Comet. It is not a big deal though.",
        "We are going to Iceland. It is not a big deal though.",
    ),
    (
        "When is the visa form due?",
        "The visa form is due on the 2nd of October.",
        "The plumber can't do October 11, he comes in May.",
    ),
    (
        "Where does my sister Greta live?",
        "Greta, my sister, has rooms in Oslo.",
        "My sister Leila lives in Naples.",
    ),
)


@pytest.mark.parametrize("lines", LAST_WORD, ids=[each[0] for each in LAST_WORD])
def test_the_last_of_several_changes_is_first(lines: Sequence[str]) -> None:
    question, *told_then = lines
    ada = told(told_then, door="remember")

    assert ada.recall(question).hits[0].text == told_then[-1]


@pytest.mark.parametrize(("question", "answer", "later"), BESIDE, ids=[each[0] for each in BESIDE])
def test_what_ends_something_else_is_no_answer(question: str, answer: str, later: str) -> None:
    ada = told([answer, later], door="remember")

    assert ada.recall(question).hits[0].text == answer


def test_one_name_before_a_colon_may_be_a_label_and_is_no_other_voice() -> None:
    lines = (
        "Cotilleo: Tenemos un gato que se llama Bombón.",
        "Después de Bombón adoptamos a Nieve, nuestro gato.",
    )
    ada = told(lines, door="remember")

    assert ada.recall("¿Qué nombre tiene mi gato?").hits[0].text == lines[1]


def test_who_speaks_by_name_with_another_is_not_revised_by_a_third() -> None:
    clock = ToldClock()
    ada = open_memory(":memory:", Settings(clock=clock, seed=b"talk")).agent("ada", user="tuff")
    clock.set("2026-03-01T09:00:00.000Z")
    ada.remember("Ann: My cat is called Pip.")
    ada.remember("Bob: Nice, I have a parrot.")
    clock.set("2026-03-02T09:00:00.000Z")
    ada.remember("Pip died on Sunday.")

    assert ada.recall("What is my cat called?").hits[0].text == "Ann: My cat is called Pip."


def test_of_two_results_of_a_tool_the_newer_line_answers() -> None:
    clock = ToldClock()
    ada = open_memory(":memory:", Settings(clock=clock, seed=b"lines")).agent("ada", user="tuff")
    ads = [f"Result {n}: terms and opening hours may differ by region." for n in range(12)]
    board = (
        "Board: the flight to Reykjavik leaves from gate K22.",
        "Board: gate change, the flight to Reykjavik now leaves from gate F06, not gate K22.",
    )
    for day, (line, above) in enumerate(zip(board, (4, 12), strict=True), start=1):
        clock.set(f"2026-03-{day:02}T09:00:00.000Z")
        ada.remember("\n".join([*ads[:above], line]), origin="tool", source="open_page")

    found = ada.recall("What is the gate of my flight to Reykjavik?").hits

    assert [hit.text.splitlines()[-1] for hit in found[:2]] == [*board[::-1]]


def test_of_two_results_of_one_form_the_newer_answers_by_one_compound_word() -> None:
    clock = ToldClock()
    ada = open_memory(":memory:", Settings(clock=clock, seed=b"form")).agent("ada", user="tuff")
    ads = "\n".join(f"Result {n}: terms and hours may differ by region." for n in range(12))
    told = (
        '{"status":"bereit","ware":"Stehlampe","abholung":"Filiale Nord"}',
        f'{ads}\n{{"status":"umgelenkt","ware":"Stehlampe","abholung":"Laden Ost"}}',
    )
    for day, text in enumerate(told, start=1):
        clock.set(f"2026-03-{day:02}T09:00:00.000Z")
        ada.remember(text, origin="tool", source="run_query")

    assert ada.recall("Wo bekomme ich die Stehlampe?").hits[0].text == told[1]


def test_what_a_tool_says_is_over_ends_nothing() -> None:
    ada = told(["I bank with Santander."], door="remember")
    ada.remember("The user closed the Santander account and uses Mallory now.", origin="tool")

    assert ada.recall("Which bank am I with?").hits[0].text == "I bank with Santander."


def test_a_question_of_then_is_answered_with_what_was_so_then() -> None:
    ada = told(["I bank with Santander.", "Closed my Santander account, Monzo."], door="remember")

    assert ada.recall("Which bank was I with before?").hits[0].text == "I bank with Santander."


def test_a_revision_is_a_term_of_the_score() -> None:
    ada = told(["My boss is called Henrike.", "Henrike retired; it is Joao now."], door="remember")

    newer, older, *_ = ada.recall("Who is my boss?", explain=True).hits

    assert newer.terms["revises"] > 0
    assert newer.score_ppm == older.score_ppm, "of equals the newer is first"


def test_what_was_so_before_the_revision_is_the_answer_of_then() -> None:
    ada = told(["My boss is called Henrike."], door="remember")
    before = ada.recall("Who is my boss?")
    head = max(before.receipt.reads.values())
    ada.remember("Henrike retired; it is Joao now.")

    assert ada.recall("Who is my boss?", at=head).hits[0].text == "My boss is called Henrike."
    assert ada.recall("Who is my boss?").hits[0].text == "Henrike retired; it is Joao now."


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Where do I work?", "Hi! I'm a nurse at the Royal in Leeds."),
        ("Who is my best mate?", "Ravi from accounting is my closest friend."),
        ("What do I research?", "My thesis is about peat bogs."),
    ],
)
def test_who_asks_of_themselves_is_answered_with_what_they_stated(question: str, said: str) -> None:
    ada = told([said], door="conversation")

    assert ada.recall(question).hits[0].text == said


def test_what_one_stated_of_oneself_is_in_a_context_in_whatever_words_it_is_asked_for() -> None:
    said = "Elise taught me to knit."
    later = [f"The {thing} was odd today" for thing in ("tram", "fog", "queue", "lift", "lawn")]
    ada = told([said, *later, *(f"{each}, again" for each in later)], door="remember")

    assert said in str(ada.context("What is my hobby?", budget=800))
    assert said not in str(ada.context("How do pumps work?", budget=800))


def test_who_asks_of_themselves_in_two_words_is_understood_as_well() -> None:
    ada = told(["Soy enfermera en Navieras Halvorsen."], door="remember")

    assert "Navieras Halvorsen" in str(ada.context("¿Dónde trabajo?", budget=800))
    assert ada.recall("¿Dónde trabajo?", explain=True).hits[0].terms["person"] > 0


def test_what_one_stated_of_oneself_has_more_than_small_talk() -> None:
    ada = told(["I collect pumps."], door="remember")
    ada.remember("The pumps were loud today.")

    found = {hit.text: hit.terms for hit in ada.recall("Do I own pumps?", explain=True).hits}

    assert found["I collect pumps."]["person"] > 2 * found["The pumps were loud today."]["person"]


def test_one_utterance_in_two_places_is_the_last_word_all_the_same() -> None:
    ada = told(
        ["My name is Carl and I live in Porto. I drive a Corolla.", "We moved to Bremen."],
        door="conversation",
    )

    assert ada.recall("Where do I live?").hits[0].text == "We moved to Bremen."


def test_who_is_named_is_asked_about_and_not_their_like() -> None:
    friends = ["By trade my friend Piotr is a glazier.", "Noor earns a living as a cellist."]
    ada = told(friends, door="remember")

    found = ada.recall("What does my friend Noor work as?", explain=True).hits

    assert found[0].text == "Noor earns a living as a cellist."
    assert found[0].terms["named"] > 0
    assert all("relations" not in hit.terms for hit in found), "another friend leads nowhere"


def test_of_two_that_tell_as_much_a_persons_own_statement_is_first() -> None:
    ada = told(["Graham Tully is the manager."], door="remember")
    ada.remember("Elias Thorn is the manager.", origin="tool")

    found = ada.recall("Who is my manager?", explain=True, quarantined=True).hits

    assert [hit.text.split()[0] for hit in found[:2]] == ["Graham", "Elias"]
    assert found[0].terms["person"] > 0
    assert "person" not in found[1].terms


def test_a_wish_that_is_turned_down_is_no_end_of_what_somebody_wants() -> None:
    ada = told(["I want to learn the oboe.", "I don't want to bother anyone."], door="remember")

    found = ada.recall("What do I want to learn?", explain=True).hits

    assert found[0].text == "I want to learn the oboe."
    assert not any("revises" in (hit.terms or {}) for hit in found)
