"""A life in which facts are corrected, repeated and go stale, with the questions asked of it."""

from typing import Final, NamedTuple

from muniment.engine.api.agent import Agent


class Shift(NamedTuple):
    """What was so, what is so, and a question that only the second answers rightly."""

    before: str
    after: str
    question: str


CORRECTED: Final = (
    Shift(
        "My dentist appointment is on Tuesday at ten",
        "Actually my dentist appointment is on Friday at two",
        "When is my dentist appointment?",
    ),
    Shift(
        "The rent of the flat is 900 euros",
        "Correction, the rent of the flat is 950 euros",
        "What is the rent of the flat?",
    ),
    Shift(
        "My sister Ines lives in Porto",
        "Actually my sister Ines lives in Braga now",
        "Where does my sister Ines live?",
    ),
    Shift(
        "The code of the garage is 4711",
        "Correction, the code of the garage is 4712",
        "What is the code of the garage?",
    ),
    Shift(
        "Our plumber is called Rui",
        "Actually our plumber is called Marta",
        "What is our plumber called?",
    ),
)
STALE: Final = (
    Shift(
        "I am working from Berlin this month",
        "I am working from Madrid this month",
        "Where am I working from this month?",
    ),
    Shift(
        "My current project is the harbour map",
        "My current project is the tide table",
        "What is my current project?",
    ),
    Shift(
        "I take the number 28 tram to the office",
        "I take the number 15 tram to the office",
        "Which tram do I take to the office?",
    ),
    Shift(
        "I am reading a novel by Saramago",
        "I am reading a novel by Lobo Antunes",
        "Which novel am I reading?",
    ),
    Shift(
        "My weekly call with Anna is on Monday",
        "My weekly call with Anna is on Thursday",
        "When is my weekly call with Anna?",
    ),
)
SHIFTS: Final = (*CORRECTED, *STALE)
REPEATED: Final = (
    (
        "The wifi of the office is called Harbour",
        "The wifi of the office needs a new password each Monday",
        "What about the wifi of the office?",
    ),
    (
        "The cat eats twice a day",
        "The cat gets her medicine with the evening meal",
        "What does the cat get and eat in a day?",
    ),
)
TIMES_REPEATED: Final = 4
ASIDES: Final = (
    "The bakery on the corner closes early on Sundays",
    "It rained all afternoon and the roof held",
    "The ferry was late and full of cyclists",
    "A neighbour borrowed the long ladder",
    "The lemon tree has its first fruit",
    "We had soup and bread for supper",
    "The old radio plays only one station",
    "A parcel came for the people upstairs",
    "The swallows are back under the eaves",
    "Someone painted the fence green",
)


def live(ada: Agent) -> None:
    """Everything that was so first, then asides, then what is so now; and asides again."""
    ada.remember_many([shift.before for shift in SHIFTS], batch=1)
    for often, _, _ in REPEATED:
        ada.remember_many([often] * TIMES_REPEATED, batch=1)
    ada.remember_many(ASIDES, batch=1)
    ada.remember_many([shift.after for shift in SHIFTS], batch=1)
    ada.remember_many([rare for _, rare, _ in REPEATED], batch=1)
    ada.remember_many([f"{aside}, once more" for aside in ASIDES], batch=1)
