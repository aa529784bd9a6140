"""English relations: how kin, work and homes are told, and that they are over."""

from typing import Final

from muniment.model.languages.relation_words import Marriage, RelationEnds, RelationWords

RELATIONS: Final = RelationWords(
    i="I",
    my="my|our",
    is_called=r"(?:,|\s+(?:is|was)(?:\s+(?:called|named))?|'s\s+name\s+is|\s+named|\s+called)?",
    kin={
        "wife": "wife",
        "husband": "husband",
        "partner": "partner|boyfriend|girlfriend|fiancée?|spouse",
        "mother": "mother|mom|mum",
        "father": "father|dad",
        "sister": "sister",
        "brother": "brother",
        "daughter": "daughter",
        "son": "son",
        "grandmother": "grandmother|grandma|granny",
        "grandfather": "grandfather|grandpa",
        "aunt": "aunt",
        "uncle": "uncle",
        "cousin": "cousin",
        "niece": "niece",
        "nephew": "nephew",
        "friend": "best friend|friend",
        "boss": "boss|manager",
        "colleague": "colleague|coworker|co-worker",
        "neighbour": "neighbour|neighbor",
        "doctor": "doctor|dentist|therapist",
        "teacher": "teacher",
        "pet": "dog|cat|pet|horse|puppy|kitten",
    },
    works_at=(
        r"(?:(?:still |now |currently |(?:almost|nearly) always )?"
        r"(?:work(?:s|ing)?|(?<=have )worked|(?<=has )worked)"
        r"(?: as an? [a-z ]{2,30}?)? (?:at|for)"
        r"|joined|(?:is|am|are) employed (?:at|by)|got a job at|started (?:working )?at)"
    ),
    lives_in=(
        r"(?:(?:still |now |currently |(?:almost|nearly) always )?"
        r"lives? in|(?<=have )lived in|(?<=has )lived in"
        r"|liv(?:es|ing) in|resides? in|(?:moved|relocated) (?:from (?:[\w'’.-]+ ){1,4})?to)"
    ),
    own_home=(
        r"[Ww]e(?:'ve| have)?(?: just| recently)? (?:(?:moved"
        r"|relocated) (?:from (?:[\w'’.-]+ ){1,4})?to|live in)"
    ),
    located_in=(
        r"(?:(?:is|are) (?:based|located|headquartered|situated|in)(?: in)?"
        r"|has (?:its|their|an|the) (?:head |main )?(?:office|headquarters)s? in)"
    ),
    married=Marriage(
        signs="married|wed",
        between=(
            r"(?:(?:is|am|are|got|has been|have been) (?:\w+ly "
            r"|now )?married to|married(?! to)|wed)"
        ),
        own=r"I(?:['’]m|['’]ve been| got) (?:\w+ly |now )?married to",
        and_="and",
        are=r"(?:are|got)(?: \w+ly)? married",
    ),
    over=RelationEnds(
        signs=(
            r"worked|lived|resided|was employed|broke up|broken up|split up|separated|divorced"
            r"|parted ways|single|fired|laid off|sacked|let go|made redundant|unemployed|quit"
            r"|resigned|retired|(?:lost|left) (?:my|his|her|their|the)"
        ),
        worked_at=(
            r"(?:(?<!have )(?<!has )worked(?: as an? [a-z ]+?)?|was employed) (?:at|for|by)"
        ),
        lived_in=r"(?:(?<!have )(?<!has )(?:lived|resided) in)",
        former=(
            r"\b(?:used to|formerly|previously|former|(?:was|were)(?= (?:liv|work)ing\b)"
            r"|[Ee]x[- ](?=<kin>)) ?"
        ),
        parted=(
            r"(?:[Ww]e|I|and I|and me)(?: have| are| got|'ve|'re)?(?: just| finally| recently"
            r"| now)? (?:broke up|broken up|split up|separated|divorced|parted ways)|I(?:'m"
            r"| am) (?:single|divorced|separated)(?: now| again)?"
        ),
        jobless=(
            r"(?:(?:was|were|got|been|am|is) (?:just )?(?:fired|laid off|sacked|let go"
            r"|made redundant|unemployed)|quit(?=\s*(?:[.,;!]|$|yesterday|today|last))"
            r"|resigned|retired|(?:lost|quit|left) (?:my|his|her|their|the) (?:old )?job)"
        ),
    ),
)
