"""When something was, told and asked for in the words of fourteen languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.world import SteppingClock, memory

from muniment.model import ids
from muniment.model.languages.language_table import Language
from muniment.model.languages.tables import LATIN, OTHERS
from muniment.retrieval.dates import date_mentions, valid_from
from muniment.retrieval.dates.date_mentions import NamedDate
from muniment.retrieval.languages.detect_language import LanguageReading, detect_languages
from muniment.retrieval.ranking import query

TOLD = "2026-05-20T09:00:00.000Z"  # a Wednesday
UNTOLD = "2026-05-20"
APRIL_10 = 1_775_811_600_000
FARTHEST = 1000 * 366  # what can be said with three digits


def pieces_of(text: str) -> st.SearchStrategy[str]:
    """A text, its words, or the beginnings of it: what patterns are made to stop at."""
    return st.sampled_from([text, *text.split(), text[: len(text) // 2]])


# What is said, and the day it is so from on.
SAID = {
    "German": {
        "Ich war gestern beim Zahnarzt": "2026-05-19",
        "Vorgestern haben wir Ann getroffen": "2026-05-18",
        "Morgen fliege ich nach Rom": "2026-05-21",
        "Ich fahre übermorgen zu meiner Mutter": "2026-05-22",
        "Ich bin vor drei Wochen umgezogen": "2026-04-29",
        "Sie hat vor einem halben Jahr den Job gewechselt": "2025-11-20",
        "Vor ein paar Tagen war ich im Kino": "2026-05-17",
        "Letzte Woche war ich krank": "2026-05-11",
        "Wir haben uns letzten Freitag gesehen": "2026-05-15",
        "Im letzten Monat habe ich viel gelesen": "2026-04-01",
        "Nächsten Montag beginnt die Schule": "2026-05-25",
        "Ich beginne nächstes Jahr mit dem Studium": "2027-01-01",
        "In zwei Wochen fahren wir in den Urlaub": "2026-06-03",
        "Ich bin am 3. Mai 2023 nach Berlin gezogen": "2023-05-03",
        "Das war am 03.05.2023 in Wien": "2023-05-03",
        "Ich wohne seit März in der Stadt": "2026-03-01",
        "In den letzten zwei Wochen habe ich schlecht geschlafen": "2026-05-06",
    },
    "French": {
        "Je suis allé chez le dentiste hier": "2026-05-19",
        "Nous avons vu Anne avant-hier": "2026-05-18",
        "Je pars demain à Rome": "2026-05-21",
        "J’ai déménagé il y a trois semaines": "2026-04-29",
        "C'était il y a deux ans de ça": "2024-05-20",
        "Il y a un an j'ai changé de travail": "2025-05-20",
        "La semaine dernière j'étais malade": "2026-05-11",
        "On s'est vus vendredi dernier": "2026-05-15",
        "L'année dernière nous étions à Lyon": "2025-01-01",
        "Je commence le mois prochain": "2026-06-01",
        "Je rentre dans deux semaines": "2026-06-03",
        "Je suis arrivé le 3 mai 2023": "2023-05-03",
        "Je suis né le 1er août 1990": "1990-08-01",
        "J'habite ici depuis mars": "2026-03-01",
    },
    "Spanish": {
        "Ayer fui al médico": "2026-05-19",
        "Anteayer vimos a Ana en el parque": "2026-05-18",
        "Mañana voy a Roma": "2026-05-21",
        "Pasado mañana tengo una cita con el dentista": "2026-05-22",
        "Me mudé hace tres semanas": "2026-04-29",
        "La semana pasada estuve enfermo": "2026-05-11",
        "Nos vimos el viernes pasado": "2026-05-15",
        "El mes que viene empiezo en el banco": "2026-06-01",
        "Llegué el 3 de mayo de 2023 a la ciudad": "2023-05-03",
        "Vivo aquí desde marzo, con mi hermana": "2026-03-01",
    },
    "Italian": {
        "Ieri sono andato dal dentista": "2026-05-19",
        "L'altro ieri abbiamo visto Anna": "2026-05-18",
        "Domani vado a Roma con mia sorella": "2026-05-21",
        "Mi sono trasferito tre settimane fa": "2026-04-29",
        "La settimana scorsa ero malato": "2026-05-11",
        "Ci siamo visti venerdì scorso": "2026-05-15",
        "Il mese prossimo comincio il lavoro": "2026-06-01",
        "Torno tra due settimane con mio padre": "2026-06-03",
        "Sono arrivato il 3 maggio 2023": "2023-05-03",
        "Vivo qui da marzo con mia madre": "2026-03-01",
    },
    "Portuguese": {
        "Ontem fui ao dentista": "2026-05-19",
        "Anteontem vimos a Ana no parque": "2026-05-18",
        "Amanhã vou para Roma": "2026-05-21",
        "Mudei de casa há três semanas": "2026-04-29",
        "Comprei o carro dois anos atrás": "2024-05-20",
        "Na semana passada estive doente": "2026-05-11",
        "A gente se viu na sexta-feira passada": "2026-05-15",
        "Começo no mês que vem": "2026-06-01",
        "Cheguei no dia 3 de maio de 2023": "2023-05-03",
        "Moro aqui com ela desde março": "2026-03-01",
    },
    "Dutch": {
        "Ik was gisteren bij de tandarts": "2026-05-19",
        "Eergisteren hebben we Anna gezien": "2026-05-18",
        "Morgen ga ik naar Rome": "2026-05-21",
        "Ik ben drie weken geleden verhuisd": "2026-04-29",
        "Een half jaar geleden kreeg ik het huis": "2025-11-20",
        "Vorige week was ik ziek": "2026-05-11",
        "We hebben elkaar afgelopen vrijdag gezien": "2026-05-15",
        "Volgende maand begin ik met het werk": "2026-06-01",
        "Ik kwam op 3 mei 2023 naar de stad": "2023-05-03",
        "Ik woon hier sinds maart": "2026-03-01",
    },
    "Russian": {
        "Вчера я был у врача": "2026-05-19",
        "Позавчера мы видели Анну": "2026-05-18",
        "Завтра лечу в Рим": "2026-05-21",
        "Я переехал три недели назад": "2026-04-29",
        "Неделю назад купил машину": "2026-05-13",
        "Полгода назад сменил работу": "2025-11-20",
        "На прошлой неделе болел": "2026-05-11",
        "Мы встретились в прошлую пятницу": "2026-05-15",
        "В прошлом году жил в Омске": "2025-01-01",
        "В следующем месяце начну учиться": "2026-06-01",
        "Через две недели едем на море": "2026-06-03",
        "Приехал сюда 3 мая 2023 года": "2023-05-03",
        "Живу здесь с марта": "2026-03-01",
    },
    "Greek": {
        "Χθες πήγα στον γιατρό": "2026-05-19",
        "Προχθές είδαμε την Άννα": "2026-05-18",
        "Αύριο πάω στη Ρώμη": "2026-05-21",
        "Μετακόμισα πριν από τρεις εβδομάδες": "2026-04-29",
        "Την περασμένη εβδομάδα ήμουν άρρωστος": "2026-05-11",
        "Βρεθήκαμε την περασμένη Παρασκευή": "2026-05-15",
        "Πέρυσι έμενα στην Πάτρα": "2025-01-01",
        "Έφτασα στις 3 Μαΐου 2023": "2023-05-03",
    },
    "Arabic": {
        "ذهبت إلى الطبيب أمس": "2026-05-19",
        "رأينا آنا أول أمس": "2026-05-18",
        "سأسافر غدًا إلى روما": "2026-05-21",
        "انتقلت قبل ثلاثة أسابيع": "2026-04-29",
        "انتقلت قبل أسبوعين": "2026-05-06",
        "كنت مريضا الأسبوع الماضي": "2026-05-11",
        "التقينا يوم الجمعة الماضية": "2026-05-15",
        "سأبدأ العمل الشهر القادم": "2026-06-01",
        "وصلت في ٣ مايو ٢٠٢٣": "2023-05-03",
        "أعيش هنا منذ مارس": "2026-03-01",
    },
    "Hindi": {
        "मैं कल डॉक्टर के पास गया": "2026-05-19",
        "मैं कल रोम जाऊँगा": "2026-05-21",
        "हम परसों आना से मिले थे": "2026-05-18",
        "मैं तीन हफ्ते पहले यहाँ आया": "2026-04-29",
        "मैं पिछले हफ्ते बीमार था": "2026-05-11",
        "हम पिछले शुक्रवार को मिले": "2026-05-15",
        "मैं अगले महीने काम शुरू करूँगा": "2026-06-01",
        "मैं 3 मई 2023 को आया": "2023-05-03",
        "मैं मार्च से यहाँ रहता हूँ": "2026-03-01",
    },
    "Chinese": {
        "我昨天去看了医生": "2026-05-19",
        "前天我们见了安娜": "2026-05-18",
        "我明天飞罗马": "2026-05-21",
        "我三个星期前搬家了": "2026-04-29",
        "我十五天前买了车": "2026-05-05",
        "半年前我换了工作": "2025-11-20",
        "我上周生病了": "2026-05-11",
        "我们上周五见过": "2026-05-15",
        "我上周一直在加班": "2026-05-11",
        "上周日本队赢了": "2026-05-11",
        "上周日我在家": "2026-05-17",
        "上周天气很好": "2026-05-11",
        "他去年住在上海": "2025-01-01",
        "我下个月开始上班": "2026-06-01",
        "我2023年5月3日搬到北京": "2023-05-03",
        "二月我去了广州": "2026-02-01",
        "十二月我去了广州": "2025-12-01",
    },
    "Japanese": {
        "昨日歯医者に行きました": "2026-05-19",
        "一昨日アンナに会いました": "2026-05-18",
        "明日ローマへ行きます": "2026-05-21",
        "三週間前に引っ越しました": "2026-04-29",
        "2ヶ月前に車を買った": "2026-03-20",
        "先週は病気でした": "2026-05-11",
        "先週の金曜日に会いました": "2026-05-15",
        "再来週から休みです": "2026-06-01",
        "来月から働きます": "2026-06-01",
        "2023年5月3日に東京へ来ました": "2023-05-03",
    },
    "Korean": {
        "어제는 병원에 갔어요": "2026-05-19",
        "그저께 안나를 만났어요": "2026-05-18",
        "내일 로마에 가요": "2026-05-21",
        "3주 전에 이사했어요": "2026-04-29",
        "이틀 전에 차를 샀어요": "2026-05-18",
        "지난주에 아팠어요": "2026-05-11",
        "지난주 금요일에 만났어요": "2026-05-15",
        "작년에는 부산에 살았어요": "2025-01-01",
        "다음 달부터 일해요": "2026-06-01",
        "2023년 5월 3일에 서울로 왔어요": "2023-05-03",
    },
}

# What looks like a time and is none, or belongs to nobody's language: it holds since it was told.
NO_TIME = (
    "Hier ist das Buch von Anna",  # German: here
    "hier",
    "Das Haus hier ist mir zu klein",
    "Guten Morgen, ich bin da",
    "Ich lese jeden Morgen die Zeitung",
    "Ich bin bis nächste Woche in der Stadt",
    "Ich habe das Buch in zwei Tagen gelesen",
    "Por la mañana tomo café con mi madre",
    "Trabajo hasta mañana en el banco",
    "mañana",
    "Non sono mai stato a Roma",  # Italian: never
    "Mai Tanaka called",
    "Mars is a planet, and a bar",
    "Il y a sept jours dans une semaine",
    "La planète Mars est très loin de nous",
    "Ha tre anni e si chiama Anna",  # Italian: she is three years old
    "Dom and Sat set the table",
    "Ayer called me",  # a name
    "Ik heb last van mijn rug, week na week",  # Dutch: trouble
    "Я читаю до завтра",
    "Φεύγω πριν από την επόμενη εβδομάδα",
    "سافرنا قبل شهر رمضان",  # before the month of Ramadan
    "वह कल",  # yesterday or tomorrow: no verb says which
    "शादी से दो दिन पहले वह बीमार था",  # counted from the wedding
    "他住在楼下周围",  # around downstairs
    "以前天天跑步",
    "后天的努力很重要",
    "第三天前的事",
    "3日前後で終わる",
    "明日までに終わらせます",
    "그제야 알았어요",
    "지난 주인이 좋았어요",
    "내일까지 여기 있어요",
    "Учора я був удома",  # Ukrainian
    "دیروز به خانه رفتم",  # Persian
)


@pytest.mark.parametrize(
    ("text", "day"),
    [(text, day) for said in SAID.values() for text, day in said.items()],
)
def test_a_text_tells_of_a_day_in_its_own_language(text: str, day: str) -> None:
    assert told(text) == day


@pytest.mark.parametrize("text", NO_TIME)
def test_what_only_looks_like_a_time_is_none(text: str) -> None:
    assert told(text) == UNTOLD


@pytest.mark.parametrize("language", [*LATIN, *OTHERS], ids=lambda each: each.name)
def test_a_table_is_whole(language: Language) -> None:
    assert len(language.months) == 12
    assert sorted({*language.month_of.values()}) == [*range(1, 13)]
    assert sorted({*language.weekday_of.values()}) == [*range(7)]
    assert {"day", "week", "month", "year"} <= language.units.keys() <= date_mentions.DAYS.keys()
    assert {unit for _, unit in language.wholes.values()} <= date_mentions.DAYS.keys()
    assert {-2, -1, 0, 1, 2} <= {*language.days, *language.told_days}
    assert {*range(3, 11)} <= {*language.numbers}
    assert language.asks_when
    assert language.left_alone
    assert all(language.patterns(row) for row in (language.ago, language.dates, language.asks_when))


@pytest.mark.parametrize("language", [*LATIN, *OTHERS], ids=lambda each: each.name)
def test_every_name_of_a_month_is_read_in_a_date(language: Language) -> None:
    written_as = {
        "English": "on 7 {} 2021",
        "German": "am 7. {} 2021",
        "Spanish": "el 7 de {} de 2021",
        "Portuguese": "em 7 de {} de 2021",
        "Chinese": "2021年{}7日",
        "Japanese": "2021年{}7日",
        "Korean": "2021년 {} 7일",
    }.get(language.name, "7 {} 2021")

    for form, month in language.month_of.items():
        named = date_mentions.find_dates([LanguageReading(language, written_as.format(form))])
        assert named == (NamedDate(year=2021, month=month, day=7),), form


@pytest.mark.parametrize(("name", "said"), SAID.items())
def test_a_text_shows_its_language(name: str, said: dict[str, str]) -> None:
    assert {detect_languages(text)[0].language.name for text in said} == {name}


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Tizón murió ayer.", "Spanish"),
        ("Ich hasse Koriander.", "German"),
        ("Sitzung auf Dienstag verschoben.", "German"),
        ("Le médecin a augmenté la dose à 100.", "French"),
        ("Mio fratello vive a Lione.", "Italian"),
        ("O carro avariou.", "Portuguese"),
        ("Odio el cilantro.", "Spanish"),
        ("¿A qué hora es la reunión diaria?", "Spanish"),
        ("Mijn broer woont in Lyon.", "Dutch"),
        ("Die Hard is on tonight.", "English"),
        ("Dentist Thursday.", "English"),
        ("pendant transgender symbol", "English"),
        ("Ramiro se jubiló y ahora nos dirige Lucía Ferrer.", "Spanish"),
        ("Mohrle starb gestern plötzlich.", "German"),
        ("Zoë and José met in Málaga", "English"),
        ("My fiancé loves the café in La Rochelle", "English"),
    ],
)
def test_a_few_words_show_their_language_by_accents_that_no_name_has(
    text: str, language: str
) -> None:
    assert [each.language.name for each in detect_languages(text)] == [language]


@pytest.mark.parametrize(
    ("text", "languages"),
    [
        ("昨天 we met Anna", ["Chinese", "English"]),
        ("вчера, see you next Monday", ["Russian", "English"]),
        ("昨天 42", ["Chinese"]),
    ],
)
def test_a_text_in_two_scripts_is_read_in_the_language_of_each(
    text: str, languages: list[str]
) -> None:
    assert [each.language.name for each in detect_languages(text)] == languages


# What is asked, and the days it means; nothing where it asks for a time itself.
ASKED = {
    "Was habe ich gestern gegessen?": ("2026-05-19", "2026-05-19"),
    "Wo war ich vorgestern mit Ann?": ("2026-05-18", "2026-05-18"),
    "Was habe ich letzte Woche gelesen?": ("2026-05-11", "2026-05-17"),
    "Wen habe ich vor zwei Wochen getroffen?": ("2026-05-03", "2026-05-09"),
    "Qu'est-ce que j'ai fait hier ?": ("2026-05-19", "2026-05-19"),
    "Où étais-je le mois dernier ?": ("2026-04-01", "2026-04-30"),
    "¿Qué hice ayer con mi hermana?": ("2026-05-19", "2026-05-19"),
    "¿Dónde estuve la semana pasada?": ("2026-05-11", "2026-05-17"),
    "Che cosa ho fatto ieri?": ("2026-05-19", "2026-05-19"),
    "Dove sono andato due settimane fa?": ("2026-05-03", "2026-05-09"),
    "O que eu fiz ontem?": ("2026-05-19", "2026-05-19"),
    "Wat heb ik gisteren gedaan?": ("2026-05-19", "2026-05-19"),
    "Что я делал вчера?": ("2026-05-19", "2026-05-19"),
    "Где я был на прошлой неделе?": ("2026-05-11", "2026-05-17"),
    "Τι έκανα χθες;": ("2026-05-19", "2026-05-19"),
    "ماذا فعلت أمس؟": ("2026-05-19", "2026-05-19"),
    "أين كنت الأسبوع الماضي؟": ("2026-05-11", "2026-05-17"),
    "मैंने कल क्या खाया था?": ("2026-05-19", "2026-05-19"),
    "我昨天吃了什么？": ("2026-05-19", "2026-05-19"),
    "上周五我见了谁？": ("2026-05-15", "2026-05-15"),
    "昨日何を食べましたか？": ("2026-05-19", "2026-05-19"),
    "先月どこへ行きましたか？": ("2026-04-01", "2026-04-30"),
    "어제 뭐 먹었어요?": ("2026-05-19", "2026-05-19"),
    "지난달에 어디 갔어요?": ("2026-04-01", "2026-04-30"),
}
ASKED_FOR_A_TIME = (
    "Wann bin ich nach Berlin gezogen?",
    "Wie lange wohne ich schon hier?",
    "In welchem Jahr war ich in Wien?",
    "Quand est-ce que j'ai déménagé ?",
    "Depuis combien de temps est-ce que j'habite ici ?",
    "¿Cuándo me mudé a la ciudad?",
    "¿Cuánto tiempo hace que vivo aquí?",
    "Quando mi sono trasferito?",
    "Da quanto tempo vivo qui con lei?",
    "Quando é que eu mudei de casa?",
    "Há quanto tempo moro aqui com ela?",
    "Wanneer ben ik verhuisd?",
    "Hoe lang woon ik hier al?",
    "Когда я переехал?",
    "В каком году я родился?",
    "Πότε μετακόμισα;",
    "متى انتقلت إلى القاهرة؟",
    "मैं दिल्ली कब आया?",
    "我什么时候搬到北京的？",
    "我在这里住了多久？",
    "いつ東京に来ましたか？",
    "언제 이사했어요?",
)
NOT_ASKED_FOR_A_TIME = (
    "Wen habe ich getroffen, als ich in Wien war?",
    "Qui a vu la mer quand il était petit ?",
    "Wanna go?",
    "いつも何を食べますか？",
    "언제나 좋아하는 음식은 뭐예요?",
    "Кто был там, когда шёл дождь?",
)


@pytest.mark.parametrize(("text", "days"), ASKED.items())
def test_a_question_counts_back_in_its_own_language(text: str, days: tuple[str, str]) -> None:
    (span,) = query.analyse(text, as_of=TOLD).spans

    assert (written(span.first), written(span.last)) == days


@pytest.mark.parametrize("text", ASKED_FOR_A_TIME)
def test_a_question_for_a_time_is_known_in_its_own_language(text: str) -> None:
    assert query.analyse(text).wants_time


@pytest.mark.parametrize("text", NOT_ASKED_FOR_A_TIME)
def test_a_word_for_when_that_asks_nothing_is_no_question_for_a_time(text: str) -> None:
    assert not query.analyse(text).wants_time


# What was told in April and again on 20 May of the day before, and what is asked of that day.
EATEN = {
    "German": ("Gestern habe ich mit {} im Park gegessen", "Mit wem habe ich am 19. Mai gegessen?"),
    "French": ("Hier j'ai mangé avec {} dans le parc", "Avec qui ai-je mangé le 19 mai ?"),
    "Spanish": ("Ayer comí con {} en el parque", "¿Con quién comí el 19 de mayo en el parque?"),
    "Italian": ("Ieri ho mangiato con {} nel parco", "Con chi ho mangiato il 19 maggio?"),
    "Portuguese": ("Ontem eu comi com {} no parque", "Com quem eu comi em 19 de maio?"),
    "Dutch": ("Gisteren heb ik met {} in het park gegeten", "Met wie heb ik op 19 mei gegeten?"),
    "Russian": ("Вчера я обедал с {} в парке", "С кем я обедал 19 мая?"),
    "Greek": ("Χθες έφαγα με {} στο πάρκο", "Με ποιον έφαγα στις 19 Μαΐου;"),
    "Arabic": ("أكلت أمس مع {} في الحديقة", "مع من أكلت في 19 مايو؟"),
    "Hindi": ("मैंने कल {} के साथ पार्क में खाना खाया", "मैंने 19 मई को किसके साथ खाना खाया?"),
    "Chinese": ("我昨天和{}在公园吃饭", "5月19日我和谁吃饭？"),
    "Japanese": ("昨日{}と公園で食べました", "5月19日に誰と食べましたか？"),
    "Korean": ("어제 {}와 공원에서 밥을 먹었어요", "5월 19일에 누구와 밥을 먹었어요?"),
    "English": ("Yesterday I ate with {} in the park", "With whom did I eat on 19 May?"),
}


@pytest.mark.parametrize(("language", "talk"), EATEN.items())
def test_what_was_told_is_found_by_its_day_and_is_so_since_then(
    language: str, talk: tuple[str, str]
) -> None:
    clock = SteppingClock(APRIL_10)
    ada = memory(clock=clock).agent("ada", user="tuff")
    ada.remember(talk[0].format("Ben"))
    clock.later(40)
    meant = ada.remember(talk[0].format("Ann")).episodic_id
    clock.later(60)
    ada.remember(talk[0].format("Eve"))

    best, *others = ada.recall(talk[1], explain=True).hits

    assert best.id == meant, language
    assert best.terms["date"] > max((hit.terms.get("date", 0) for hit in others), default=0)
    on_the_day, before = ada.recall(talk[1], valid_at="2026-05-19"), "2026-05-18"
    assert meant in [hit.id for hit in on_the_day.hits]
    assert ada.why_not(meant, talk[1], valid_at=before).stage == "not_valid_then"


MARKS = "0 9 31 12 999 1999 2023 2023-02-31 99/99/2020 ١٢ १२ 十 几 . ! ? ' \u2019 \u017f \u0131"
WORDS = [*(text for said in SAID.values() for text in said), *NO_TIME, *ASKED, *MARKS.split()]


@given(
    st.lists(st.sampled_from(WORDS).flatmap(pieces_of) | st.text(max_size=6), max_size=8),
    st.sampled_from([TOLD, "2024-02-29T00:00:00.000Z", "2025-12-31T23:59:59.999Z"]),
)
def test_whatever_is_said_its_days_are_near_or_named(parts: list[str], now: str) -> None:
    text = " ".join(parts)
    told_on = ids.day_number(now)

    day = valid_from.tells_of(text, now)
    found = query.analyse(text, as_of=now)

    assert abs(day - told_on) <= FARTHEST
    assert all(1 <= date.month <= 12 for date in found.named if date.day)
    assert all(date.year == 0 or 1900 <= date.year <= 2099 for date in found.named)
    assert all(span.first <= span.last <= span.today == told_on for span in found.spans)
    assert all(told_on - span.first <= FARTHEST for span in found.spans)


def told(text: str) -> str:
    return written(valid_from.tells_of(text, TOLD))


def written(number: int) -> str:
    year, month, day = ids.civil(number)
    return f"{year:04d}-{month:02d}-{day:02d}"
