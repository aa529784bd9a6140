"""English language table: words for times, states, changes and courtesies."""

from typing import Final

from muniment.model.languages.english_relations import RELATIONS
from muniment.model.languages.english_states import ASKS_STATES, STATES
from muniment.model.languages.language_table import Language, Persons, each

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
    relations=RELATIONS,
    speaker=(
        r"i|i m|my|mine|we|our|ours"
        r"|(?<!tell )(?<!show )(?<!give )(?<!help )(?<!remind )(?<!let )(?:me|myself)"
    ),
    names_speaker=True,
    untold=(
        r"(?:can|could|will|would|should|may|might|shall) (?:you|i|we)|remember|please"
        r"|if|suppose"
        r"|imagine|pretend|wish|let s|let me|let us"
        r"|i (?:think|guess|mean|see|know|wonder|hope|suppose|agree|understand|believe|bet|get it)"
        r"|i (?:want|need|would like|d like|d love) (?:you|to know|to ask|to see|to understand"
        r"|help|a hand|some help|more|an example|the)"
        r"|i m (?:fine|ok|okay|good(?! (?:at|with|in))|back(?! (?:to|at|in|on|from|home|with))"
        r"|here|done|sorry|ready|sure|not sure|glad|confused"
        r"|curious|wondering|asking|trying|looking|afraid(?! of)|just)"
        r"|i am (?:fine|back|here|sorry|sure|not sure|confused|curious|wondering|asking|trying"
        r"|looking)"
        r"|i (?:was|am) (?:wondering|asking|just)"
        r"|i have (?:a|one|another|some) questions?"
        r"|i (?:don t|do not) (?:know|understand|get|think|mind|care)"
        r"|i ll (?:be back|try|check|see|think|let you)"
        r"|(?:he|she|they|people|someone|somebody) (?:said|says|say|thinks|thought|claims)"
        r"|tell (?:me|us)|show (?:me|us)|give (?:me|us)|help (?:me|us)|remind (?:me|us)"
    ),
    asides="""
        actually also anyway anyways besides btw finally first firstly further furthermore
        honestly however incidentally indeed instead lastly later meanwhile moreover next oh now
        okay otherwise second secondly seriously so still then therefore third though thus well
        yes no correction clarification confirmed done""",
    courtesies=(
        "sure|of course|certainly|absolutely|no problem|no worries|happy to help|glad to help"
        "|great|cool|nice|perfect|fine|sounds good|will do|congratulations|congrats|lol|haha"
        "|never mind|my pleasure|anytime|one moment|thanks for telling me|thanks that helps"
        "|that helps|good to know|"
        "ok|okay|k|kk|alright|all right|noted|understood|got it|i see|"
        "thanks|thank you|thx|many thanks|thanks a lot|thank you very much|"
        "thank you so much|thanks so much|you are welcome|you re welcome|hi|"
        "hello|hey|hi there|hello there|good morning|good afternoon|good evening|"
        "good night|bye|goodbye|bye bye|see you|see you later|cheers"
    ),
    # A capital tells a month from a verb: "may" and "march" are mostly verbs.
    reads_case=True,
    statement_words=12,  # the others have small words among theirs
    shown_by="""
        a about above after again all already also am an and any anybody anyone anything
        are as at be because been before being below between both but by can cannot could
        did do does doing dont down during each else even ever everybody everyone
        everything few for from further get gets getting go goes going got had has have
        having he her here hers herself him himself his how i id if ill im in into is isnt
        it its itself ive just let lets like likely lot many may me might mine more most
        much must my myself no nor not of off on once one only or other our ours ourselves
        out over own really s same shall she should so some somebody someone something
        still such t than that thats the their theirs them themselves then there these
        they theyre thing things this those though through to too two under until up us
        very was we were weve what whats when where which while who whom whose why will
        with without wont would yes yet you youre your yours yourself yourselves youve ve
        re ll d m""",
    # A measure of time is what an answer is counted in, which is not what was told. And that it was
    # talked of before says nothing: all that is remembered was.
    unsaid=(
        r"\bhow (?:many|much) (?:days|weeks|months|years|time)\b"
        r"|\bour (?:previous|last|earlier) (?:chat|conversation|discussion|talk)s?\b"
        r"|\b(?:go|going|look|looking|think|thinking) back (?:to|at|on)\b|\bfollow(?:ing)? up on\b"
        r"|\b(?:these days|at the moment|at present|right now|as of now|for now)\b"
        r"|\bremind me\b|\bI was wondering\b|\b(?:do|does|did) (?:I|we|you|he|she|they) use\b"
    ),
    # "What has she painted?" asks for all of it, whenever it was, as every count does; "what did
    # she paint?" for one time. Who asks "Has she paid?", "Who has my key?" or "Do we have a dog?"
    # asks how it stands.
    asks_for_all=(
        r"\bhow (?:many|often)\b"
        r"|(?<!how much )(?:(?<!who )|(?!\w+ (?:my|our|the|an?)\b))\b(?:has|have)\b"
        r"(?!(?: \w+){1,2} got\b)"
    ),
    persons=Persons(
        me="I",
        my="my",
        we="we",
        our="our",
        possessive="['\u2019]s",
        both="both",
        and_="and",
        or_="or",
        singular=(("himself|herself", "myself"), ("his|her", "my"), ("he|she", "I"), ("him", "me")),
        # What people did together each of them tells of as "ours".
        plural=(("themselves", "ourselves"), ("their", "our"), ("they", "we"), ("them", "us")),
        asking_verbs=("did|does|do|has|have|had|is|was|are|were|will|would|can|could|might|should"),
    ),
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
        r"\b(?!May (?:i|we|you|he|she|it|they|the|my|our|one)\b)(?-i:<Month>)\b",
    ),
    # The next week of a story is counted from the week before it in the story.
    left_alone=(
        r"\b(?:(?<!day )(?:before|after|until|till|by) (?:last|next|tomorrow|yesterday)|the next)\b"
    ),
    tells_past=(r"\b(?:was|were|did|had|got|took|went|made|came|wrote|ran|built|read|\w{2,}ed)\b"),
    # Who begins with the verb asks for a yes or a no: how it stands by now.
    asks_advice=(
        r"\b(?:recommend|suggest|advise|advice|tips|ideas)\b|\bbest way\b"
        r"|\bhow (?:can|could|should|would) i\b"
        r"|\bwhat (?:is|are|would be) (?:some|the best|a good|good|effective)\b"
    ),
    asks_of_then=(
        # "Where did I put it?" asks where it is.
        r"\b(?:(?<=\s)(?:was|were|had"
        r"|did(?! (?:i|we) (?:put|leave|park|hide|keep|store|stash|save)\b))"
        r"|used to|first|before|earlier|originally|previously"
        r"|ago)\b"
    ),
    tells_change=(
        r"\b(?:now|nowadays|any ?more|no longer|instead|new|moved|changed|switched|migrated"
        r"|upgraded|downgraded|replaced|renamed|raised|lowered|reduced|increased|stopped|quit"
        r"|cancell?ed|postponed|rescheduled|withdrawn|reversed|reverted|rejected|removed|sold"
        r"|died|passed away|retired|resigned|divorced|separated|(?:broke|broken|split) up"
        r"|turn(?:s|ed)|after all|change of (?:plans?|heart|mind)|gone off|today on|as of|by now"
        r"|these days|left|closed|finished|joined|became|swapped|dropped|pushed|extended"
        r"|brought forward|(?:went|gone|goes|came|come) (?:up|down)|rose|fell|raise|lapsed?"
        r"|ditched|scrapped|shifted|cut back|put (?:me|us) on"
        r"|since (?:last|this|yesterday|today|(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
        r"|(?:up|down) to|lately|(?:backed|pulled|bailed) out|fell (?:through|out)|cancel"
        r"|signed up|used to|given up|gave up|bye"
        # Done again, and so otherwise: "rebooked", "relocated", "reassigned".
        r"|re(?!ceiv|member|ach|commend|quir|lat(?:ed|ion)|main|port|quest|lax|st|ali[sz]|peat|spect"
        r"|cord|view|spond|ferr|grett|fus|leas|call|ad|cogni|veal|flect|li(?:ed|ev)|pl(?:ied|ay)"
        r"|strict|sent|search|sult|pair|present|min|hears|scu|wast|ck|gard|tir|tain|solv)\w{2,}ed)\b"
    ),
    ends=(
        r"\b(?:left(?![^.,;!?]*\b(?:on|in|behind)\b)|leaving|quit|closed|cancell?ed|ended"
        r"|terminated|gone (?:right |completely )?off|dropped(?: out of)?|sold(?! out)|ditched"
        r"|dumped|abandoned|deleted|uninstalled|outgrew|(?:done|over|finished) with|no longer \w+"
        r"|(?:gave|given|giving) (?:up(?: on)?|away)"
        r"|(?:bailed|backed|pulled|called|put|wound) (?:on|out of|off|down|up)|donated|discontinued"
        r"|let (?=[^.,;!?]*\b(?:lapse|go|expire|slide|run out)\b)|threw (?:out|away)|phased out"
        # Its other half may stand behind what it ends: "gave Tofu away", "called the trip off".
        r"|(?:gave|given|giving)(?= (?:\w+ ){1,3}(?:away|up|back)\b)"
        r"|(?:threw|thrown|called|handed|sent|wrote|traded)(?= (?:\w+ ){1,3}(?:away|off|back|in)\b)"
        r"|renamed|instead of|rather than|not|never|(?:is|was|do|does|did|wo|ca)n['\u2019]t"
        r"|used to \w+"
        r"|stopped(?: \w+ing)?(?: (?:to|at|for))?|no more|bye|goodbye|(?:fell|falling) out with"
        r"|(?:broke|split|broken)(?: up)? with|parted ways with|divorced|replaced|swapped(?: out)?"
        r"|traded(?: in)?|(?:switched|moved|migrated|came|got|away|over|weaned)"
        r" (?:away |out |over |on )?(?:from|off|of)"
        r"|(?:switched|moved|migrated|transferred)(?: \w+){1,3} (?:from|off)"
        r"|finished|(?:got|getting) rid of|returned|lost"
        r"|(?:resigned|retired|unsubscribed|graduated) from|scrapped|fired|sacked|laid off"
        r"|(?:sick|tired|(?<!sold )out) of|fed up with)\b"
    ),
    joins="and|but|for|to|with",
    is_over=(
        r"(?:\b(?:is|are|was|were|been|got) (?:now |all |completely )?(?:off|over|gone"
        r"|dead|renamed|put (?:down|to sleep)"
        r"|(?:called|named)(?= (?-i:[A-Z])\w+ (?:now|these days|from))"
        r"|history|closed|cancell?ed|sold|no more|finished|broken|out|done|bankrupt|discontinued"
        r"|fired|replaced|demolished|let go|laid off|too \w+|on (?:\w+ )?leave)"
        r"|\b(?:retired|died|passed away|resigned|conked out|gave up the ghost"
        r"|(?:was|got) written off|packed (?:it |up )?in|bit the dust"
        r"|lapsed?|expired|moved (?:out|away|on)|(?:closed|shut|burned|burnt|broke)(?: down)"
        r"|fell (?:through|out|apart)|(?:ran|flew) (?:out|off|away)|escaped|disappeared"
        r"|went missing"
        r"|goes by(?= (?-i:[A-Z])\w+ now)|folded|went (?:bust|under|bankrupt|out of business"
        r"|on (?:\w+ )?leave)|(?:closed|shut|ended|folded|split|stopped)(?= *(?:[.,;!]|$|last\b"
        r"|and\b))"
        r"|(?:did|does|do|is|was|wo)(?:n['\u2019]t| not) (?:work|suit|help|agree|fit|last)\w*"
        r"|(?:and (?:i|me) )(?:have |are |got )?(?:broke|broken|split|fell|divorced|separated"
        r"|parted)"
        r"|(?:broke|broken|split) up|divorced|separated"
        r"|left (?:the|our|their|her|his) (?:school|company|firm|team|practice|town|country|club"
        r"|band"
        r"|job|business|office|clinic)|(?:left|quit)(?= *(?:[.,;!]|$|and\b|last\b|today|yesterday"
        r"|us\b))))"
    ),
    looks_ahead=(
        r"\b(?:will|shall|going to|plan(?:ning|s|ned)? to|next|upcoming)\b|'ll\b"
        r"|\bfrom [\w ]{0,12}(?-i:<Month>)(?: \d{1,2}\w{0,2})? on\b"
    ),
    plans=(
        r"\b(?:will|shall|going to|plan(?:ning|s)? (?:to|on)|wants? to|would (?:like|love) to"
        r"|hop(?:e|es|ing) to|intend(?:s|ing)? to|thinking (?:of|about)|considering|about to"
        r"|(?:are|am|is|['\u2019]re|['\u2019]m) (?:getting|buying|adopting|moving|marrying|opening"
        r"|starting|flying|travelling|visiting))\b|['\u2019](?:ll|d like to|d love to)\b"
    ),
    asks_plans=(
        r"\b(?:will|shall|going to|plans?|planning|intend\w*|want to|wants to)\b"
        r"|\b(?:are|am|is) (?:we|i|they|he|she|(?:my|our) \w+) (?:still |really )?\w{2,}ing\b"
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
    states_have=(
        "m in |re in |live|living|resid|based|settled|home|flat|house|apartment|place|city|town"
        "|moved|relocated|address|work|employ|job|position|role|fired| start| begin| began|training"
        "|laid off|retired|died|passed away|dead|how is|how are|how has|how's|how\u2019s|alive"
        "|happened to| die|pass away| a | an |does|profession|occupation|trade|line of work"
    ),
    states=STATES,
    long_ago=r"\b(?:when|as an? (?:child|kid|boy|girl|student|baby)|back then|used to|years old)\b",
    asks_states=ASKS_STATES,
    negations="""
        no not never none nor neither without cannot nothing nobody hardly barely scarcely seldom
        rarely except unless dont doesnt didnt isnt arent wasnt werent wont cant shouldnt wouldnt
        couldnt hasnt havent hadnt""",
    subjects=(
        "live lives living home house flat apartment address town city resident renting rent place",
        "work works working job employer company firm "
        "employed employs wages salary pays office hired",
        "boss manager supervisor charge lead leads head runs team",
        "car drive drives drove ride vehicle make",
        "drink drinks drinking beverage order orders",
    ),
    state_synonyms=(
        (
            "live lives living lived reside home flat house apartment",
            "moved moving relocated address settled based home flat house apartment",
        ),
        (
            "partner boyfriend girlfriend husband wife married relationship together single",
            "broke divorced separated wedding engaged",
        ),
        ("old age", "turned birthday born"),
        (
            "work works working job employer company firm",
            "quit resigned fired retired hired joined position employed salary",
        ),
        ("boss manager supervisor report", "boss manager supervisor report"),
        ("holiday vacation", "holiday vacation trip"),
        ("car vehicle drive", "car sold bought leased"),
        ("alive husband wife", "died widow widower funeral"),
    ),
    asks_amount=(
        r"\bhow (?:much|many|old|tall|long|far|big|heavy|fast|often)\b"
        r"|\b(?:what|which)(?:['\u2019]s)? [\w ]*?\b(?:number|size|price|age|amount|code|pin|rent"
        r"|salary|budget|fee|dose|rate|cost|wage|deposit|allowance|length|width|count"
        r"|weight|height|version|floor|limit|balance|score|percentage|temperature|speed)\b"
        r"|\bwhat (?:do|does|am|is) [\w ]*?(?:charge|cost|pay|paying|earn|owe|weigh)\b"
    ),
    asks_when=(
        r"^\W*(?:(?:in|on|at|during|since|for|by|until) )?(?:when\b|how long\b|"
        + _MEASURE
        + r"|(?:what|which) (?:year|month|date|day|time|week)s?\b)"
    ),
    other_times=(
        "tonight|ago|last|next|since|recently|weekends|morning|afternoon|evening|night|mornings"
        "|afternoons|evenings|nights|hour|hours|minute|minutes|spring|summer|autumn|fall|winter"
    ),
    dates_have=r"\d|(?-i:<Month>)",
    counting_has=(
        r"\b(?:ago|next|last|past|this|today|yesterday|tomorrow|from (?:now|today))\b"
        r"|\bin (?:\d|an? |half |zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven"
        r"|twelve)"
    ),
)
