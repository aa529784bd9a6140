"""What English says of time and for politeness."""

from typing import Final

from muniment.retrieval.language import Language, each
from muniment.retrieval.words import STOP_WORDS

_MEASURE: Final = r"\bhow (?:many|much) (?:days|weeks|months|years|time)\b"
# Letters of a clause that tells of nothing that is over.
_OVER: Final = r"was|were|had|did|went|got|took|came|\w{2,}ed"
_PRESENT: Final = rf"(?:(?!\b(?:{_OVER})\b)[^.!?;\n])*"
_PLANNED: Final = (
    rf"(?:(?!,|\b(?:{_OVER}|since|from|of|after|before|between|i|we|you|he|she|it|they|that|what"
    r"|which|who)\b)[^.!?;\n]){0,40}"
)
_ON: Final = r"(?: (?:mon|tues|wednes|thurs|fri|satur|sun)day,?)?(?: the)? #"

ENGLISH: Final = Language(
    name="English",
    courtesies=(
        "ok|okay|k|kk|alright|all right|noted|understood|got it|i see|"
        "thanks|thank you|thx|many thanks|thanks a lot|thank you very much|"
        "thank you so much|thanks so much|you are welcome|you re welcome|hi|"
        "hello|hey|hi there|hello there|good morning|good afternoon|good evening|"
        "good night|bye|goodbye|bye bye|see you|see you later|cheers"
    ),
    # A capital tells a month from a verb: "may" and "march" are mostly verbs.
    reads_case=True,
    statement_words=12,  # the others have small words among theirs
    shown_by=" ".join(sorted(STOP_WORDS)),
    edges=("", ""),
    months=each(
        "january february march april may june july august september october november december"
    ),
    months_short=each("jan feb mar apr may jun jul aug sep oct nov dec"),
    weekdays=each("monday tuesday wednesday thursday friday saturday sunday"),
    units={
        "day": "day|days",
        "week": "week|weeks",
        "fortnight": "fortnight|fortnights",
        "month": "month|months",
        "year": "year|years",
    },
    spans={"week": "week", "weekend": "weekend", "month": "month", "year": "year"},
    numbers={
        0: "zero",
        1: "one",
        2: "two|couple of",
        3: "three|few",
        4: "four",
        5: "five",
        6: "six",
        7: "seven",
        8: "eight",
        9: "nine",
        10: "ten",
        11: "eleven",
        12: "twelve",
    },
    ones="a|an",
    half="half a",
    ordinal="(?:st|nd|rd|th)?",
    # Tonight lies ahead of whoever speaks of it.
    days={0: "today", -1: "yesterday|last night", -2: "day before yesterday"},
    told_days={1: "tomorrow", 2: "day after tomorrow"},
    ago=(r"\b(?:a )?<n> <unit> ago\b",),
    from_now=(r"\b(?:a )?<n> <unit> from (?:now|today)\b",),
    within=(r"\bin (?:a )?<n> <unit>\b(?! of\b)",),
    # "Last month" is the one before this one; "in the last month" goes on until today.
    lately=(
        r"\b(?:past|last(?= <some> )|(?:in|over|during|within|for) the last)"
        r"(?: <several>)? <unit>\b(?! of\b)",
    ),
    last=(r"\blast <span>\b(?! of\b)",),
    this=(r"\bthis <stretch>\b",),
    next=(r"\bnext <span>\b",),
    dates=(
        r"\b<day>(?: of)? <mon>\b\.?(?:,? <year>)?",
        r"\b<mon>\b\.? <day>\b(?:,? <year>)?",
        r"\b<mon>\b\.?,? (?:of )?<year>",
        r"\b(?-i:<Month>)\b",
    ),
    # The next week of a story is counted from the week before it in the story.
    left_alone=(
        r"\b(?:(?<!day )(?:before|after|until|till|by) (?:last|next|tomorrow|yesterday)|the next)\b"
    ),
    tells_past=(r"\b(?:was|were|did|had|got|took|went|made|came|wrote|ran|built|read|\w{2,}ed)\b"),
    # Who begins with the verb asks for a yes or a no: how it stands by now.
    asks_of_then=(
        r"\b(?:(?<=\s)(?:was|were|did|had)|used to|first|before|earlier|originally|previously"
        r"|ago)\b"
    ),
    tells_change=(
        r"\b(?:now|nowadays|any ?more|no longer|instead|new|moved|changed|switched|migrated"
        r"|upgraded|downgraded|replaced|renamed|raised|lowered|reduced|increased|stopped|quit"
        r"|cancell?ed|postponed|rescheduled|withdrawn|reversed|reverted|rejected|removed|sold"
        r"|died|passed away|retired|resigned|divorced|separated|(?:broke|broken|split) up"
        r"|turn(?:s|ed) out|after all|today on|as of)\b"
    ),
    looks_ahead=(
        r"\b(?:will|shall|going to|plan(?:ning|s|ned)? to|next|upcoming)\b|'ll\b"
        r"|\bfrom [\w ]{0,12}(?-i:<Month>)(?: \d{1,2}\w{0,2})? on\b"
    ),
    # "The flight is on 15 May", "it was moved to 15 May"; not "the picture is from 15 May".
    announces=(
        rf"(?:^|[.!?;\n]){_PRESENT}"
        r"(?:\b(?:is|are|starts?|begins?|takes place|leaves?|departs?|fly|flies|arrives?|ends?"
        r"|expires?|due|appointment|deadline|have)\b|['\u2019]s\b)"
        rf"{_PLANNED}(?: (?:on|in|by|at|for|due)|\b(?:is|are)){_ON}"
        r"|\b(?:booked|reserved|scheduled|rescheduled|planned|set|moved|postponed|shifted|delayed"
        r"|pushed|brought forward)\b(?:(?!\bfrom\b)[^.!?;\n]){0,40} (?:to|for|until|till)"
        rf"{_ON}|\b(?:as of|starting|effective)(?: on| in| from)?{_ON}"
    ),
    begins=(
        r"\b(?:from|as of|starting|beginning|effective|since) (?:(?:on|in|the|with) )*"
        r"(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? [A-Z]|next\b|tomorrow\b|(?-i:<Month>)\b|(?:19|20)\d\d)"
    ),
    asks_when=(
        r"^\W*(?:(?:in|on|at|during|since|for|by|until) )?(?:when\b|how long\b|"
        + _MEASURE
        + r"|(?:what|which) (?:year|month|date|day|time|week)\b)"
    ),
    other_times=(
        "tonight|ago|last|next|since|recently|weekends|morning|afternoon|evening|night|hour|hours"
        "|minute|minutes|spring|summer|autumn|fall|winter"
    ),
    dates_have=r"\d|(?-i:<Month>)",
    counting_has=(
        r"\b(?:ago|next|last|past|this|today|yesterday|tomorrow|from (?:now|today))\b"
        r"|\bin (?:\d|an? |half |zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven"
        r"|twelve)"
    ),
)
