"""What people state of themselves lasts: in every known language, whatever it is about."""

import pytest
from tests import world

from muniment.model.kinds.conversation_item import EventType

TOLD = (
    "I live in Porto.",
    "I prefer window seats.",
    "My sister is called Anna.",
    "I work as a nurse at Charité.",
    "I'm allergic to penicillin.",
    "I can't stand cilantro.",
    "We decided to use PostgreSQL.",
    "Our cat Momo is fourteen.",
    "I've been vegan since March.",
    "btw my locker code is on the fridge",
    "I sold the Corolla last week.",
    "Thanks! I moved to Bremen in May.",
    "I used to smoke but quit.",
    "Ich wohne in Bremen.",
    "Meine Schwester heißt Anna.",
    "Ich mag keine Oliven.",
    "Wir haben zwei Kinder.",
    "Mein Chef ist Herr Vogel.",
    "Ich fliege im Mai nach Rom.",
    "Vivo en Sevilla.",
    "Mi perro se llama Rex.",
    "Soy alérgico a los cacahuetes.",
    "Trabajo como enfermera.",
    "Nos mudamos a Bilbao.",
    "J'habite à Lyon.",
    "Ma femme travaille chez Airbus.",
    "Je suis allergique aux noix.",
    "Je déteste la coriandre.",
    "Abito a Torino.",
    "Mia sorella si chiama Anna.",
    "Ho due gatti.",
    "Lavoro in banca.",
    "Moro em Recife.",
    "Minha esposa chama-se Ana.",
    "Sou alérgico a camarão.",
    "Ik woon in Gent.",
    "Mijn hond heet Bas.",
    "Ik ben allergisch voor noten.",
    "Я живу в Казани.",
    "Мою собаку зовут Рекс.",
    "У меня аллергия на орехи.",
    "Μένω στην Πάτρα.",
    "Ο σκύλος μου λέγεται Ρεξ.",
    "أعيش في القاهرة.",
    "اسمي سالم.",
    "لدي حساسية من المكسرات.",
    "मैं पुणे में रहता हूँ।",
    "मेरी बहन का नाम अन्ना है।",
    "मुझे मूंगफली से एलर्जी है।",
    "我住在上海。",
    "我对花生过敏。",
    "我们家的狗叫旺财。",
    "私は大阪に住んでいます。",
    "犬の名前はポチです。",
    "ピーナッツアレルギーがあります。",
    "妻は看護師です。",
    "저는 부산에 살아요.",
    "제 강아지 이름은 초코예요.",
    "저는 땅콩 알레르기가 있어요.",
)
NOT_TOLD = (
    "Where do I live?",
    "What is my sister's name?",
    "Can you tell me a joke?",
    "Please remind me tomorrow.",
    "Write a poem about Paris.",
    "Thanks!",
    "I think so.",
    "I wonder what time it is.",
    "If I lived in Porto, what would change?",
    "Tell me about my options.",
    "Let's go on.",
    "The weather is nice.",
    "I have a question.",
    "How do I sort a list in Python?",
    'She said "I live in Rome".',
    "ok great",
    "Summarize this article about Berlin.",
    "Wo wohne ich?",
    "Kannst du mir helfen?",
    "Bitte erkläre mir das.",
    "Das Wetter ist schön.",
    "Ich glaube schon.",
    "¿Dónde vivo?",
    "¿Puedes ayudarme?",
    "Dime un chiste.",
    "Hace buen tiempo.",
    "Où est-ce que j'habite ?",
    "Peux-tu m'aider ?",
    "Il fait beau.",
    "Je pense que oui.",
    "Dove abito?",
    "Puoi aiutarmi?",
    "Che bel tempo.",
    "Onde eu moro?",
    "Pode me ajudar?",
    "Waar woon ik?",
    "Kun je me helpen?",
    "Je bent aardig.",
    "Где я живу?",
    "Помоги мне, пожалуйста.",
    "Хорошая погода.",
    "我住在哪里？",
    "请告诉我一个笑话。",
    "今天天气很好。",
    "帮我写一封信。",
    "私はどこに住んでいますか？",
    "手伝ってください。",
    "今日はいい天気です。",
    "저는 어디에 사나요?",
    "도와주세요.",
    "오늘 날씨가 좋네요.",
    "내일 비가 와요.",
    "मैं कहाँ रहता हूँ?",
    "कृपया मेरी मदद करो।",
    "أين أعيش؟",
    "ساعدني من فضلك.",
)
ELSEWHERE = (
    ("I live in Porto.", "Where do I live?", "Porto"),
    ("Meine Schwester heißt Anna.", "Wie heißt meine Schwester?", "Anna"),
    ("Soy alérgico a los cacahuetes.", "¿A qué soy alérgico?", "cacahuetes"),
    ("Я живу в Казани.", "Где я живу?", "Казани"),
    ("我对花生过敏。", "我对什么过敏？", "花生"),
    ("私は大阪に住んでいます。", "私はどこに住んでいますか？", "大阪"),
)


def event_type(**told: str) -> EventType | None:
    written = world.memory().agent("ada", user="tuff").conversation().record(**told).written  # type: ignore[arg-type]
    return written[0].meta.event_type


@pytest.mark.parametrize("said", TOLD)
def test_a_statement_about_its_speaker_is_no_passing_context(said: str) -> None:
    assert event_type(user=said) is not EventType.CONTEXT
    assert event_type(ai=said) is EventType.CONTEXT


@pytest.mark.parametrize("said", NOT_TOLD)
def test_what_is_asked_for_supposed_or_of_the_weather_is_passing(said: str) -> None:
    assert event_type(user=said) is EventType.CONTEXT


@pytest.mark.parametrize(("said", "question", "answer"), ELSEWHERE)
def test_a_statement_promoted_to_its_person_is_known_to_their_other_agent_and_to_nobody_else(
    said: str, question: str, answer: str
) -> None:
    # Given a person who tells one agent, and lets it be known to all of theirs
    memory = world.memory()
    talk = memory.agent("ada", user="tuff").conversation(session="first")
    talk.record(user=said, ai="Noted.", promote_to="user")
    for n in range(20):
        talk.record(user=f"And how is the weather today, number {n}?", ai="Fine.")
    # When another of their agents is asked, and an agent of somebody else
    theirs, foreign = memory.agent("bob", user="tuff"), memory.agent("bob", user="eve")
    # Then theirs knows
    assert answer in theirs.recall(question).hits[0].text
    assert answer in theirs.context(question, budget=800).text
    assert answer in theirs.conversation(session="later").recall(question).items[0].text
    assert not foreign.recall(question).hits
