"""Made-up conversations with known evidence: the same on every run, and nobody's real words."""

from bench.recall.cases import Question, Talk, Turn
from muniment.model import ids

DAY_MS = 86_400_000
BEGIN_MS = ids.days(2024, 1, 8) * DAY_MS
PAIRS = [("Nora", "Felix"), ("Amal", "Greta"), ("Tomas", "Yuki")]

# What is told once, what is asked about it, and of which kind the question is. {w} tells, {o} asks.
FACTS = [
    (
        "My sister Paula opened a bakery in Ghent last month.",
        "Where did {w}'s sister open her bakery?",
        "single",
    ),
    (
        "I adopted a grey kitten from the shelter, she is called Pepper.",
        "What is the name of {w}'s cat?",
        "single",
    ),
    ("The doctor told me that I am allergic to hazelnuts.", "Which food must {w} avoid?", "open"),
    (
        "I started rehearsing the cello again after ten years.",
        "What instrument does {w} play?",
        "single",
    ),
    (
        "We painted the kitchen a dark green over the weekend.",
        "What colour is {w}'s kitchen?",
        "single",
    ),
    (
        "I failed my driving test because of the parking.",
        "Why did {w} fail the driving test?",
        "single",
    ),
    (
        "My thesis is about river deltas and how they drown.",
        "What is {w}'s thesis about?",
        "single",
    ),
    (
        "I ran my first half marathon in two hours and ten minutes.",
        "How long did {w} need for the half marathon?",
        "single",
    ),
    (
        "My grandmother turned ninety and danced until midnight.",
        "How old is {w}'s grandmother?",
        "single",
    ),
    (
        "I sold the old Volvo and bought a cargo bike instead.",
        "How does {w} get around without a car?",
        "open",
    ),
    (
        "The landlord finally repaired the boiler yesterday.",
        "When was {w}'s boiler repaired?",
        "temporal",
    ),
    (
        "I handed in my notice at the insurance company today.",
        "When did {w} quit the insurance job?",
        "temporal",
    ),
    (
        "We booked a cabin by a lake in Karelia for the summer.",
        "Where is {w} going on holiday in summer?",
        "single",
    ),
    (
        "I have been volunteering at the food bank on Thursdays.",
        "What does {w} do on Thursdays?",
        "single",
    ),
    (
        "My knee surgery went well, I am on crutches for a month.",
        "Why is {w} on crutches?",
        "single",
    ),
    (
        "I learned to make dumplings from my neighbour Mrs Lin.",
        "Who taught {w} to cook dumplings?",
        "single",
    ),
]
# Told in pieces, on several days, and asked about at once.
SERIES = [
    (
        "hobbies",
        [
            "I tried pottery on Saturday, my bowl looks like a hat.",
            "I went bouldering with a colleague, my arms still hurt.",
            "I joined a choir, we sing old sea songs.",
        ],
        "What hobbies has {w} tried?",
    ),
    (
        "books",
        [
            "I finished a novel about lighthouse keepers, I cried.",
            "I am reading a thick history of salt at the moment.",
            "A friend lent me poems about moths, they are strange.",
        ],
        "Which books has {w} been reading?",
    ),
    (
        "trips",
        [
            "We took the night train to Vienna, hardly slept.",
            "I spent the long weekend hiking near Lake Bohinj.",
            "I flew to Porto for a wedding.",
        ],
        "Which places has {w} visited?",
    ),
]
SMALL_TALK = [
    ("How has your week been?", "Busy as always, but fine."),
    ("Did you see the storm last night?", "Yes, the whole street was without light."),
    ("I could use a holiday.", "Who could not?"),
    ("Are you coming on Friday?", "I hope so, I will tell you tomorrow."),
    ("The trams are late again.", "They always are when it rains."),
    ("That sounds lovely!", "Thank you, it really was."),
    ("Anything new with you?", "Not much, work and more work."),
    ("I saw a fox in the yard.", "They come for the compost."),
]  # fmt: skip


def talks() -> list[Talk]:
    return [_talk(place, pair) for place, pair in enumerate(PAIRS)]


def _talk(place: int, pair: tuple[str, str]) -> Talk:
    told: list[tuple[str, str, str]] = []  # who, what, and the key of the question
    questions: dict[str, tuple[str, str]] = {}
    for number, (text, question, kind) in enumerate(FACTS):
        who = pair[(number + place) % 2]
        told.append((who, text, f"fact{number}"))
        questions[f"fact{number}"] = (question.format(w=who), kind)
    for number, (key, texts, question) in enumerate(SERIES):
        who = pair[(number + place) % 2]
        for step, text in enumerate(texts):
            told.insert((7 * step + 3 * number + place) % len(told), (who, text, key))
        questions[key] = (question.format(w=who), "multi-hop")
    turns, evidence = _said(told, pair)
    asked = [
        Question(text=text, kind=kind, evidence=frozenset(evidence[key]))
        for key, (text, kind) in questions.items()
    ]
    return Talk("-".join(pair), tuple(turns), tuple(asked))


def _said(
    told: list[tuple[str, str, str]], pair: tuple[str, str]
) -> tuple[list[Turn], dict[str, set[str]]]:
    """Each piece of news in its own chat, between small talk; who is asked answers."""
    turns: list[Turn] = []
    evidence: dict[str, set[str]] = {}
    for day, (who, text, key) in enumerate(told):
        other = pair[1] if who == pair[0] else pair[0]
        small = [SMALL_TALK[(day * 3 + step) % len(SMALL_TALK)] for step in range(3)]
        said = [(other, small[0][0]), (who, small[0][1]), (other, small[1][0]), (who, text)]
        said += [(other, small[2][0]), (who, small[2][1])]
        ts = ids.time_text(BEGIN_MS + day * 3 * DAY_MS)
        for speaker, words in said:
            turn = Turn(f"t{len(turns):03d}", ts, words, speaker, "user", str(day))
            turns.append(turn)
            if words == text:
                evidence.setdefault(key, set()).add(turn.id)
    return turns, evidence
