"""Synthetic conversations with questions: what was said, what is asked later, what answers it.

Each line of a talk is a statement, a question and the value that answers it. Around the
statements people greet, thank and hesitate, as they do.
"""

from typing import Final

TALKS: Final[dict[str, tuple[tuple[str, str, str], ...]]] = {
    "trip": (
        (
            "My flight to Lisbon leaves on 14 March at 08:35.",
            "When does the flight leave?",
            "08:35",
        ),
        ("I booked the hotel Casa Azul for five nights.", "Which hotel did I book?", "Casa Azul"),
        ("The room costs 120 euros per night.", "What does the room cost per night?", "120"),
        ("My seat on the plane is 17C, on the aisle.", "Which seat do I have?", "17C"),
        ("Marta will pick me up at terminal 2.", "Who picks me up?", "Marta"),
    ),
    "flat": (
        ("The new flat is in Rua das Flores 88.", "In which street is the new flat?", "Flores"),
        ("The rent is 1450 euros including heating.", "How much is the rent?", "1450"),
        ("The landlord is called Senhor Barros.", "What is the landlord called?", "Barros"),
        ("We get the keys on 3 September.", "When do we get the keys?", "3 September"),
        ("The deposit is two months, so 2900 euros.", "How high is the deposit?", "2900"),
    ),
    "deploy": (
        (
            "The deploy failed because the certificate had expired.",
            "Why did the deploy fail?",
            "certificate",
        ),
        (
            "We rolled back to version 4.12.7 on Tuesday.",
            "To which version did we roll back?",
            "4.12.7",
        ),
        (
            "The new certificate is valid until May 2027.",
            "Until when is the certificate valid?",
            "May 2027",
        ),
        ("Ingrid owns the renewal of certificates from now on.", "Who owns the renewal?", "Ingrid"),
        ("The outage lasted 43 minutes in total.", "How long was the outage?", "43"),
    ),
    "kitchen": (
        ("I am allergic to hazelnuts, even traces.", "What am I allergic to?", "hazelnuts"),
        ("The sourdough needs to rest for 14 hours.", "How long does the sourdough rest?", "14"),
        (
            "Grandma's soup takes smoked paprika, not sweet.",
            "Which paprika goes into the soup?",
            "smoked",
        ),
        ("The oven runs 15 degrees too hot.", "How much too hot is the oven?", "15"),
        ("Sunday's guests are the Okonkwos, six of them.", "Who comes on Sunday?", "Okonkwos"),
    ),
    "school": (
        ("Lena starts school on 2 September in class 1b.", "In which class is Lena?", "1b"),
        ("Her teacher is Frau Weidmann.", "Who is Lena's teacher?", "Weidmann"),
        (
            "Swimming lessons are on Thursdays at 15:00.",
            "When are the swimming lessons?",
            "Thursdays",
        ),
        (
            "The school trip goes to Husum for three days.",
            "Where does the school trip go?",
            "Husum",
        ),
        ("Lunch costs 3.80 euros a day.", "What does lunch cost?", "3.80"),
    ),
    "health": (
        ("The doctor changed the dose to 25 mg in the morning.", "What is the new dose?", "25"),
        (
            "My next appointment with Dr. Haddad is on 9 June.",
            "When is the next appointment?",
            "9 June",
        ),
        (
            "Physiotherapy is every Monday at Kaiserstrasse.",
            "Where is physiotherapy?",
            "Kaiserstrasse",
        ),
        (
            "I should avoid grapefruit with these pills.",
            "What should I avoid with the pills?",
            "grapefruit",
        ),
        ("The knee hurts most on stairs.", "When does the knee hurt most?", "stairs"),
    ),
    "budget": (
        (
            "The marketing budget for Q3 is 48000 dollars.",
            "How large is the marketing budget?",
            "48000",
        ),
        ("Priya approved the second vendor, Northwind.", "Which vendor was approved?", "Northwind"),
        ("Travel is frozen until October.", "Until when is travel frozen?", "October"),
        ("The audit found 7 missing receipts.", "How many receipts are missing?", "7"),
        (
            "Invoices go to finance by the 25th of each month.",
            "By when do invoices go to finance?",
            "25th",
        ),
    ),
    "garden": (
        ("The apple tree is a Boskoop from 1987.", "Which kind of apple tree is it?", "Boskoop"),
        (
            "Water the tomatoes every second evening.",
            "How often are the tomatoes watered?",
            "second",
        ),
        ("The compost heap moved behind the shed.", "Where is the compost heap?", "shed"),
        (
            "Slugs ate the lettuce, so we use copper tape.",
            "What do we use against slugs?",
            "copper",
        ),
        (
            "The neighbour Tomasz borrows the ladder on Fridays.",
            "Who borrows the ladder?",
            "Tomasz",
        ),
    ),
    "car": (
        ("The licence plate of the new car is KI-TX 402.", "What is the licence plate?", "402"),
        ("Winter tyres are stored at Reifen Hansen.", "Where are the winter tyres?", "Hansen"),
        (
            "The next inspection is due in November 2027.",
            "When is the next inspection due?",
            "November 2027",
        ),
        ("It takes 0W-20 oil and nothing else.", "Which oil does the car take?", "0W-20"),
        ("The left mirror is cracked at the bottom.", "What is cracked?", "mirror"),
    ),
    "music": (
        (
            "The choir rehearses in the Lutherkirche on Wednesdays.",
            "Where does the choir rehearse?",
            "Lutherkirche",
        ),
        ("We sing the Fauré Requiem in Advent.", "Which requiem do we sing?", "Fauré"),
        ("The soloist is Amira Solheim.", "Who is the soloist?", "Solheim"),
        ("Tickets are 18 euros, 9 for students.", "What do tickets cost for students?", "9"),
        ("My part is second tenor.", "What is my part in the choir?", "tenor"),
    ),
    "office": (
        (
            "The door code changed to the year of the founding, 1923.",
            "Which year is the door code?",
            "1923",
        ),
        ("Stand-up is at 09:40 in the room Edison.", "In which room is stand-up?", "Edison"),
        ("Kofi is on call in calendar week 31.", "Who is on call in week 31?", "Kofi"),
        (
            "The printer on floor 4 only takes recycled paper.",
            "Which paper does the printer take?",
            "recycled",
        ),
        ("We never deploy on Fridays.", "On which day do we never deploy?", "Fridays"),
    ),
    "novel": (
        (
            "The heroine is called Isaura and repairs clocks.",
            "What does the heroine repair?",
            "clocks",
        ),
        ("Chapter 12 ends on the bridge of Mértola.", "Where does chapter 12 end?", "Mértola"),
        (
            "The editor wants 90000 words at most.",
            "How many words does the editor want at most?",
            "90000",
        ),
        ("The dog survives, by popular demand.", "Who survives?", "dog"),
        ("The first draft is due on 30 November.", "When is the first draft due?", "30 November"),
    ),
}
FILLER: Final = (
    "Hello again, good to hear from you!",
    "Thanks, that is very kind of you.",
    "Let me think about that for a moment.",
    "Sure, no problem at all.",
    "Okay, sounds good to me.",
    "Great, thank you so much!",
)


def turns(name: str) -> list[str]:
    """A talk as it was held: each statement among pleasantries, one of them told twice."""
    said: list[str] = []
    for n, (statement, *_) in enumerate(TALKS[name]):
        said += [FILLER[n], statement, FILLER[(n + 3) % len(FILLER)]]
    return [*said, TALKS[name][0][0], FILLER[1]]
