"""Memories full of statements that differ in one word, and questions that name one of them.

Whoever is asked for the amber locker must not answer with the ochre one, however new that is.
Drawn from a seed as the steps of a world: see `bench.lives.worlds`.
"""

import random
from collections.abc import Iterator

from bench.lives.worlds import Asked, Said

# What is told of many, as it is told again when it has changed, and what asks for it.
FORMS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "en": (
        (
            "The {colour} {thing} is kept in the {place}.",
            "I put the {colour} {thing} in the {place} instead.",
            "Where is the {colour} {thing} kept?",
        ),
        (
            "{name}'s birthday is on {date}.",
            "I had {name}'s birthday wrong, it is {date}.",
            "When is {name}'s birthday?",
        ),
        (
            "{name} sits in room {number}.",
            "{name} has moved to room {number}.",
            "Which room is {name} in?",
        ),
        (
            "The code of the {colour} door is {number}.",
            "They changed the code of the {colour} door to {number}.",
            "What is the {colour} door's code?",
        ),
        (
            "On {date} I had lunch with {name}.",
            "",
            "Who did I have lunch with on {date}?",
        ),
        (
            "I paid {number} euros for the {colour} {thing}.",
            "They gave me a discount, so the {colour} {thing} was {number} euros.",
            "How much was the {colour} {thing}?",
        ),
        (
            "{name} cannot eat {food}.",
            "{name} is fine with that now, but no {food}.",
            "What can {name} not eat?",
        ),
        (
            "{name} works for {firm}.",
            "{name} changed jobs and is with {firm} now.",
            "Who does {name} work for?",
        ),
        (
            "My {colour} {thing} has the number {number}.",
            "My {colour} {thing} got a new number, {number}.",
            "What number does my {colour} {thing} have?",
        ),
        (
            "The meeting about {topic} is on {date}.",
            "The meeting about {topic} was moved to {date}.",
            "When is the meeting about {topic}?",
        ),
        (
            "{firm} delivers the {food} every week.",
            "",
            "What does {firm} deliver?",
        ),
        (
            "{name} lives in {city}.",
            "{name} has gone to live in {city}.",
            "Where does {name} live?",
        ),
        (
            "The password hint for {firm} is {topic}.",
            "New password hint for {firm}: {topic}.",
            "What is the hint for {firm}?",
        ),
        (
            "{address} is the {host}.",
            "{address} is the {host} from now on.",
            "What is {address}?",
        ),
        (
            "Order {code} is for the {colour} {thing}.",
            "Order {code} was changed to the {colour} {thing}.",
            "What is order {code} for?",
        ),
    ),
    "de": (
        ("{name} wohnt in {city}.", "{name} ist nach {city} gezogen.", "Wo wohnt {name}?"),
        (
            "Der Code der Tür {number} ist {amount}.",
            "Der Code der Tür {number} ist jetzt {amount}.",
            "Welchen Code hat die Tür {number}?",
        ),
        (
            "Der Termin mit {name} ist am {date}.",
            "Der Termin mit {name} wurde auf {date} verlegt.",
            "Wann ist der Termin mit {name}?",
        ),
    ),
    "es": (
        ("{name} vive en {city}.", "{name} se ha mudado a {city}.", "¿Dónde vive {name}?"),
        (
            "La clave de la puerta {number} es {amount}.",
            "La clave de la puerta {number} ahora es {amount}.",
            "¿Cuál es la clave de la puerta {number}?",
        ),
        (
            "La cita con {name} es el {date}.",
            "La cita con {name} se ha cambiado al {date}.",
            "¿Cuándo es la cita con {name}?",
        ),
    ),
    "fr": (
        ("{name} habite à {city}.", "{name} a déménagé à {city}.", "Où habite {name} ?"),
        (
            "Le code de la porte {number} est {amount}.",
            "Le code de la porte {number} est maintenant {amount}.",
            "Quel est le code de la porte {number} ?",
        ),
    ),
    "ru": (
        ("{name} живёт в городе {city}.", "{name} теперь в городе {city}.", "Где живёт {name}?"),
        (
            "Код двери {number} — {amount}.",
            "Теперь код двери {number} — {amount}.",
            "Какой код у двери {number}?",
        ),
    ),
    "zh": (
        ("{name}住在{city}。", "{name}搬到{city}了。", "{name}住在哪里？"),
        ("{number}号门的密码是{amount}。", "{number}号门的密码改成{amount}了。", "{number}号门的密码是什么？"),
    ),
    "ja": (
        ("{name}は{city}に住んでいます。", "{name}は{city}に引っ越しました。", "{name}はどこに住んでいますか？"),
        (
            "{number}番のドアの暗証番号は{amount}です。",
            "{number}番のドアの暗証番号は{amount}に変わりました。",
            "{number}番のドアの暗証番号は何ですか？",
        ),
    ),
}  # fmt: skip
MONTHS = ("January", "March", "May", "June", "August", "October")
WORDS: dict[str, tuple[str, ...]] = {
    "colour": ("red", "blue", "green", "grey", "violet", "brown", "white", "black", "orange", "pink"),
    "thing": ("bag", "bike", "lamp", "coat", "tent", "drill", "box", "jacket", "suitcase", "folder"),
    "place": ("attic", "garage", "cellar", "hall", "shed", "office", "kitchen", "car"),
    "name": (
        "Aisha", "Boris", "Chiara", "Dmitri", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jakub",
        "Keiko", "Liam", "Mona", "Nadia", "Oskar", "Priya", "Quentin", "Rosa", "Stefan", "Tomas",
    ),
    "food": ("nuts", "milk", "bread", "fish", "eggs", "soy", "pork", "celery", "honey", "rice"),
    "firm": ("Arvo", "Belmont", "Corvex", "Dunlin", "Estrel", "Fairway", "Gantry", "Halden", "Ibex"),
    "topic": ("rent", "hiring", "the roof", "taxes", "parking", "lighting", "safety", "insurance"),
    "city": ("Porto", "Turin", "Ghent", "Bergen", "Cork", "Graz", "Lyon", "Malmö", "Split", "Varna"),
    "date": tuple(f"{day} {month}" for month in MONTHS for day in (2, 5, 9, 14, 17, 23, 28)),
    "number": tuple(str(each) for each in range(101, 160, 3)),
    "address": tuple(f"192.168.{n % 4}.{7 + n}" for n in range(16)),
    "host": ("scanner", "camera", "file server", "router", "test bench", "wiki", "old gateway"),
    "code": tuple(f"{letters}-{4_100 + 37 * n}" for n in range(8) for letters in ("QX", "LM")),
    "amount": tuple(str(each) for each in range(2011, 9900, 173)),
}  # fmt: skip
QUESTIONS_MAX = 12
TAILS = (
    "",
    "",
    " The rest of the day was quiet and there is little to tell of it.",
    " We talked about this and that for a while, and then everybody went home.",
    " I only mention it so that it is written down somewhere.",
)


def steps(seed: int, language: str) -> Iterator[Said | Asked]:
    """One memory: some forms, each told of many, some changed, then some of each asked."""
    chance = random.Random(f"{language}-{seed}")
    tail = chance.choice(TAILS) if language == "en" else ""
    forms = chance.sample(FORMS[language], min(len(FORMS[language]), chance.randint(1, 4)))
    drawn = [each for form in forms for each in _of_form(form, tail, chance)]
    told = [first for first, _, _ in drawn]
    changed = [later for _, later, _ in drawn if later]
    asked = [question for _, _, question in drawn]
    for some in (told, changed, asked):
        chance.shuffle(some)
    yield from told
    yield from changed
    yield from asked[:QUESTIONS_MAX]


def _of_form(
    form: tuple[str, str, str], tail: str, chance: random.Random
) -> Iterator[tuple[Said, Said | None, Asked]]:
    """What is told of each of several, how it has changed, and what asks for it."""
    tells, tells_anew, asks = form
    slots = [part.partition("}")[0] for part in tells.split("{")[1:]]
    wanted = next(each for each in slots if "{" + each + "}" not in asks)
    whole = {each: list(WORDS[each]) for each in slots if each != wanted}
    for some in whole.values():
        chance.shuffle(some)
    for n in range(chance.randint(2, min(12, *(len(each) for each in whole.values())))):
        given = {name: some[n] for name, some in whole.items()}
        if "thing" in given and chance.random() < 0.5:
            given["thing"] = whole["thing"][0]  # of one kind, and only the colour tells
        now, before = chance.sample(WORDS[wanted], 2)
        changes = bool(tells_anew) and chance.random() < 0.3
        first = last = tells.format(**given, **{wanted: before}) + tail
        if changes:
            last = tells_anew.format(**given, **{wanted: now}) + tail
        # Numbers and cities come again, so whole statements are right or old.
        question = Asked(3, asks.format(**given), (last,), (first,) if changes else ())
        yield Said(1, first), Said(2, last) if changes else None, question
