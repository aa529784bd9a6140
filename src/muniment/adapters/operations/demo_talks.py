"""Demo conversations: who said what to the agent on which day."""

from typing import Final

# By day: who, the topic of the session, what they said, and what the agent answered.
TALKS: Final[dict[int, tuple[tuple[str, str, str, str], ...]]] = {
    1: (
        ("mira", "home", "Hello! My name is Mira Olivera", "Nice to meet you, Mira."),
        ("jonas", "desk", "Good morning, what is on today?", "The stand-up at ten, Jonas."),
    ),
    2: (
        ("jonas", "desk", "I prefer short answers in plain words", "Understood."),
        ("mira", "home", "It rained the whole afternoon", "A good day for a book, then."),
    ),
    3: (
        (
            "mira",
            "kitchen",
            "What can I cook tonight that is quick?",
            "Lentils with lemon take twenty minutes.",
        ),
        ("jonas", "desk", "The tram was late again this morning", "I moved your first call."),
    ),
    4: (
        (
            "mira",
            "home",
            "Correction: my name is Mira Oliveira",
            "Oliveira, thank you. I have put it right.",
        ),
    ),
    5: (
        ("jonas", "desk", "My timezone is Europe/Berlin", "Noted."),
        (
            "jonas",
            "family",
            "What could I give my sister Lena?",
            "She visits in April. Something for the beach, perhaps.",
        ),
    ),
    7: (
        (
            "mira",
            "kitchen",
            "Is the satay from the place by the river safe for me?",
            "No: it has peanuts, and you are allergic to them.",
        ),
    ),
    8: (
        ("jonas", "desk", "We decided to launch atlas on the 27th", "I will plan for the 27th."),
        ("jonas", "desk", "Remind me what we decided about atlas?", "To launch on the 27th."),
    ),
    10: (
        ("mira", "home", "The boxes are all in the new flat!", "Welcome home to Lisbon."),
        ("mira", "home", "Where can I walk the dog here?", "Miso likes the Jardim da Estrela."),
    ),
    12: (
        ("jonas", "desk", "The big meeting room is booked until Friday", "I took the small one."),
    ),
    13: (
        (
            "mira",
            "work",
            "Today was my first day at Casa Azul",
            "Congratulations! How was the team?",
        ),
        ("mira", "work", "I prefer meetings before noon", "I will keep your afternoons free."),
    ),
    15: (
        (
            "mira",
            "kitchen",
            "What can I order for the team lunch?",
            "The tapas menu, without the peanut sauce.",
        ),
    ),
    16: (
        (
            "jonas",
            "desk",
            "Correction: my timezone is Europe/Lisbon",
            "Corrected. Your calendar follows.",
        ),
    ),
    17: (
        (
            "jonas",
            "desk",
            "When will the prototype arrive?",
            "The supplier promised it for 18 March.",
        ),
    ),
    19: (("jonas", "desk", "The prototype is not here", "I asked the supplier for a new date."),),
    20: (
        (
            "mira",
            "work",
            "Where do I live, for the form of the new job?",
            "In Lisbon, since this month.",
        ),
    ),
    21: (
        ("mira", "work", "We decided to show the first draft on Thursdays", "Every Thursday."),
        ("jonas", "family", "Lena wants to see the sea", "Cascais is forty minutes by train."),
    ),
    22: (
        (
            "mira",
            "travel",
            "I want to see the gardens of Kyoto in May",
            "The moss garden needs a booking, I can ask for one.",
        ),
        ("mira", "travel", "I always take an aisle seat", "An aisle seat it is."),
    ),
    23: (("jonas", "desk", "Lunch was at the place by the river", "It is becoming a habit."),),
    26: (
        (
            "mira",
            "travel",
            "Which allergies do I tell the hotel in Kyoto about?",
            "That you are allergic to peanuts, and the dates: ten days from 12 May.",
        ),
    ),
    27: (("jonas", "desk", "Atlas is live!", "Congratulations to the whole team."),),
    28: (
        ("mira", "home", "The neighbours brought pastéis de nata", "A very good sign."),
        ("jonas", "desk", "What is still open for this week?", "The prototype, due on 2 April."),
    ),
    30: (
        (
            "mira",
            "travel",
            "Which papers do I need for the flight?",
            "Your passport; it is in the blue folder by the door.",
        ),
        (
            "jonas",
            "family",
            "Book the train to Cascais for Lena and me",
            "Booked for Saturday at nine.",
        ),
    ),
}
