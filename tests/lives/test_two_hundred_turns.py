"""Twenty facts in two hundred turns are known afterwards, through whichever door they were told."""

import pytest
from bench.lives import phrasebook
from bench.lives.doors import SINGLE
from bench.lives.plot import Person, Turn
from tests import world

FACTS = (
    ("My sister Wanda lives in Gdansk.", "Where does my sister live?", "Gdansk"),
    ("I am allergic to lupin flour.", "What am I allergic to?", "lupin"),
    ("Our cat is called Pretzel.", "What is our cat called?", "Pretzel"),
    ("I work at Tidewater Optics.", "Where do I work?", "Tidewater"),
    ("The spare key is with Mrs Okafor.", "Where is the spare key?", "Okafor"),
    ("I drive a green Twingo.", "What car do I drive?", "Twingo"),
    ("My dentist is Doctor Halloran.", "Who is my dentist?", "Halloran"),
    ("I take 40 mg of pantoprazole.", "Which medicine do I take?", "pantoprazole"),
    ("We moved to Utrecht in May.", "Where do we live?", "Utrecht"),
    ("My favourite composer is Clara Schumann.", "Who is my favourite composer?", "Schumann"),
    ("The rent is 1,140 euros a month.", "How much is the rent?", "1,140"),
    ("I play the bassoon on Tuesdays.", "Which instrument do I play?", "bassoon"),
    ("My thesis is due on 14 June.", "When is my thesis due?", "14 June"),
    ("I can't stand aubergines.", "Which vegetable do I hate?", "aubergine"),
    ("My manager is Ingrid Solheim.", "Who is my manager?", "Solheim"),
    ("We are going to Madeira in October.", "Where do we go in October?", "Madeira"),
    ("My brother Felix is a locksmith.", "What does my brother do?", "locksmith"),
    ("I prefer aisle seats on trains.", "Which seats do I prefer?", "aisle"),
    ("The router stands behind the piano.", "Where is the router?", "piano"),
    ("My passport expires in March 2029.", "When does my passport expire?", "2029"),
)
EVERY = 10
TALK = (
    "Tell me something about topic {n}.",
    "The queue was long again, number {n}.",
    "How do I spell word {n}?",
    "It rained for {n} minutes.",
    "Thanks, version {n} is fine.",
)


@pytest.mark.parametrize("door", SINGLE)
def test_twenty_facts_of_two_hundred_turns_are_known(door: str) -> None:
    memory = world.memory(clock=world.SteppingClock())
    ada, person = memory.agent("ada", user="tuff"), Person("tuff", "ada", phrasebook.read("en"))
    for number in range(EVERY * len(FACTS)):
        fact = FACTS[number // EVERY][0] if number % EVERY == EVERY // 2 else ""
        said = fact or TALK[number % len(TALK)].format(n=number)
        SINGLE[door](ada, Turn(number, number // 20, number, person, said, "I see."))

    asked = [(question, word) for _, question, word in FACTS]
    recalled = [word in " ".join(hit.text for hit in ada.recall(q)) for q, word in asked]
    inside = [word in str(ada.context(question, budget=800)) for question, word in asked]

    assert sum(recalled) >= 19, [
        q for (q, _), known in zip(asked, recalled, strict=True) if not known
    ]
    assert sum(inside) >= 19, [q for (q, _), known in zip(asked, inside, strict=True) if not known]
