"""How a state is told: by what brought it about.

"Where do I live?" asks for a state. What answers it is seldom told in these words again: "We moved
to Bremen", "our new address is Hafenweg 12". So for the few states that are asked for all the time,
the words in which a change of them is told are looked for as well.
"""

from collections.abc import Mapping
from functools import cache
from typing import Final

from muniment.retrieval.text import tokenizer

CLOSENESS_PPM: Final = 700_000  # as near as "work" is to "job"
# A row for each: how the state is asked for, and how a change of it is told.
_STATES: Final = (
    ("live lives living lived reside", "moved moving relocated address"),
    (
        "partner boyfriend girlfriend husband wife married relationship together single",
        "broke divorced separated wedding engaged",
    ),
    ("old age", "turned birthday born"),
    ("work works working job employer", "quit resigned fired retired hired joined"),
    ("car vehicle", "sold bought leased"),
    ("alive husband wife", "died widow widower funeral"),
    ("arbeite arbeitest arbeitet arbeitgeber", "gekündigt kündigung angefangen fange stelle"),
    ("auto wagen", "verkauft gekauft geleast"),
    ("freund freundin partner partnerin verheiratet zusammen", "getrennt geschieden verlobt"),
    ("travaille travailles travaillez", "quitté démissionné embauché embauchée"),
    ("voiture", "vendu acheté"),
    ("trabajo trabajas trabaja", "dejé dejó empecé empezó renuncié"),
    ("coche carro", "vendí vendió vendido compré"),
    ("работаю работаешь работает", "уволился уволилась устроился устроилась ушел ушла"),
    ("машина машину", "продал продала купил купила"),
    ("働", "辞め 転職 入社"),
    ("工作 上班", "离开 离职 辞职 入职"),
    ("车 車", "卖了 卖掉 买了 売り 売っ 買い 買っ"),
    ("wohne wohnst wohnt wohnen wohnort zuhause", "umgezogen gezogen umzug adresse anschrift"),
    ("habite habites habitez habitons", "déménagé emménagé adresse"),
    ("vivo vives vive resido", "mudé mudado mudamos mudei mudança dirección endereço"),
    ("abito abiti abita vivo", "trasferito trasferita trasferiti traslocato indirizzo"),
    ("moro moras mora", "mudei mudamos mudança endereço morada"),
    ("woon woont wonen", "verhuisd verhuizing adres"),
    ("живу живешь живёшь живет живёт живем живём", "переехал переехала переехали переезд адрес"),
    ("μένω μένεις μένει", "μετακόμισα μετακομίσαμε διεύθυνση"),
    ("أسكن تسكن أعيش", "انتقلت انتقلنا عنوان عنواني"),
    ("रहता रहती रहते", "शिफ्ट पता"),
    ("住", "搬家 搬到 地址 引っ 住所 転居"),  # pairs of letters, as the index has them
    ("살고 살아 사는", "이사 주소"),
)


def told_by(word: str) -> tuple[str, ...]:
    """The stems of words in which a change of a state is told; none for other words."""
    return _told_by().get(tokenizer.stem(word), ())


@cache
def _told_by() -> Mapping[str, tuple[str, ...]]:
    rows: dict[str, dict[str, None]] = {}
    for asked, told in _STATES:
        for word in asked.split():
            stems = map(_stem, told.split())
            rows.setdefault(_stem(word), {}).update(dict.fromkeys(stems))
    return {word: tuple(stems) for word, stems in rows.items()}


def _stem(word: str) -> str:
    """As the index has it; of a word that is cut into letters too, the whole."""
    return tokenizer.stem(tokenizer.spelled(word)[0])
