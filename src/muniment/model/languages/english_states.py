"""State phrases of English: in which words a home, work or death is told and asked for."""

from collections.abc import Mapping
from typing import Final

_BY_NOW: Final = r"(?:(?:now|just|also|currently|still|recently|finally|both|sadly|suddenly) )*"
_HAVE: Final = r"(?:['\u2019]ve| have|['\u2019]m| am|['\u2019]re| are)?"
_WE: Final = rf"\b(?:(?:my \w+ and )?i|we){_HAVE} {_BY_NOW}"
_MY: Final = r"\b(?:my|our) <kin>(?:,? <name>,?)?"
_NAME: Final = (
    r"(?<![\w'\u2019])(?!(?:i|we|you|he|she|it|they|who|that|this|there|everyone|everybody|nobody"
    r"|people|and|but|so|then)\b)<who>"
)
_HAS: Final = rf"(?:['\u2019]s| has| is)? {_BY_NOW}"
# A place has a capital, but so have programs, days and departments, which one also moves to.
_PLACE: Final = (
    r"(?!(?:\w*sql\w*|postgres\w*|python|java\w*|typescript|rust|go|kotlin|swift|vim|neovim|emacs"
    r"|helix|zed|vs ?code|git\w*|linux|ubuntu|debian|fedora|windows|mac\w*|ios|android|chrome"
    r"|firefox|aws|azure|gcp|google|kubernetes|docker|react|vue|svelte|django|slack|teams|zoom"
    r"|notion|jira|linear|redis|kafka|mongo\w*|snowflake|plan|phase|step|level|team|sales|marketing"
    r"|support|finance|engineering|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january"
    r"|february|march|april|may|june|july|august"
    r"|september|october|november|december)\b)"
    r"(?-i:[A-Z])"
)
_SOMEWHERE: Final = r"(?:in|at|on|near|by) (?:[a-z]+ ){0,5}?(?-i:[A-Z0-9])"
_LIVE: Final = (
    rf"(?:live|lives|reside|resides|living|based|settled(?: down)?) {_BY_NOW}{_SOMEWHERE}"
)
_DWELLING: Final = r"(?:home|flat|house|apartment|place)"
_HOUSED: Final = (
    r"(?:have|has|found|bought|rent|rents|rented|renting|got) (?:an? |my |our |his |her |their )?"
    rf"(?:new |little |small )?{_DWELLING} in (?-i:[A-Z])"
)
_MOVED: Final = (
    r"(?:moved|relocated)(?: back| over| out| away)?(?: here)?(?: from [\w ]{2,20})? to"
    rf" (?:(?-i:(?:an? |the |our |my )?(?:[a-z]+ )?[a-z]+ in ))?{_PLACE}"
)
# Where somebody is for good, and not for a week.
_IS_NOW: Final = (
    rf"(?:(?:now|finally|permanently) in {_PLACE}|in {_PLACE}[\w ]{{1,20}} (?:now|for good|nowadays"
    r"|these days|permanently)\b)(?! (?:for|on|to|until|till|visiting|this|at)\b)"
)
_WORK: Final = (
    rf"(?:work|works|working|employed) {_BY_NOW}"
    rf"(?:(?:as [\w ]{{2,30}} )?(?:at|for) {_PLACE}|as an? )"
)
_NEW_JOB: Final = (
    r"(?:started|start|starts|got|accepted|took|have|has|found) (?:a |my |his |her )?(?:new )?"
    rf"(?:job|position|role|work|working)(?: as [\w ]{{2,30}})? (?:at|for|with) {_PLACE}"
)
_NO_JOB: Final = (
    r"(?:(?:quit|left|lost) (?:my|our|the|his|her) job|(?:was |were |got |been )?(?:fired|laid off)"
    r"|retired|unemployed|no longer work)\b"
)
# What somebody is by trade; what they are besides is nobody's living.
_NO_TRADE: Final = (
    r"(?!(?:bit|lot|little|good|great|nice|real|big|huge|total|very|true|new|fan|friend|father"
    r"|mother|dad|mum|mom|parent|grand\w+|uncle|aunt|citizen|member|vegan|vegetarian|man|woman"
    r"|girl|boy|kid|child|baby|twin|widow\w*|bachelor|smoker|person|star|genius|mess|nightmare"
    r"|terrier|poodle|beagle|labrador|tabby|diabetic|believer|teenager|adult|homeowner|guest"
    r"|customer|client|patient|regular|student|pupil|beginner|stranger|volunteer"
    r"|\w+ (?:person|fan|owl|bird|friend|time|year\w*|day|man|woman))\b)"
)
_TRADE: Final = (
    r"(?:(?:now |currently )?(?:works?|working|employed) as an? |(?:re)?train(?:ed|ing) as an? "
    r"|(?:got|found|has|have) (?:a |another )?(?:new )?(?:job|work) as an? "
    r"|makes? (?:a living|money) as an? "
    r"|(?:now |currently )?(?:is |am |are |became |become |turned )?(?:now )?an? "
    rf"{_NO_TRADE}\w{{3,}})"
)
# A second clause of the same sentence: "Noor quit welding and is training as a paramedic".
_AND_NOW: Final = (
    r"[^.!?;,]{2,40}(?:,| and|, and)(?: (?:he|she|they))?"
    rf"(?:(?:['\u2019]s|['\u2019]re| is| are) {_BY_NOW}"
    rf"(?:(?:re)?train(?:ed|ing) as an? |working as an? |an? {_NO_TRADE}\w{{3,}})"
    rf"| {_BY_NOW}(?:(?:re)?trained as an? |works? as an? "
    rf"|(?:became|turned) an? {_NO_TRADE}\w{{3,}}))"
)
# By whom somebody is paid: "I'm a nurse at Saint Luke's", "I start at the Harbour Clinic".
_POST: Final = (
    rf"(?:an? {_NO_TRADE}(?:[a-z]+ ){{1,4}}?(?:at|with) (?:the )?{_PLACE}"
    rf"|(?:start|started|starting|begin|began) (?:at|with) (?:the )?{_PLACE}(?!\w* \d))"
)
_DIED: Final = (
    r"(?:died|passed away|dead)\b"
    r"(?! (?:laughing|of (?:laughter|boredom|embarrassment|shame)|inside|in (?:\w+ )?\w*game))"
)
_THEY: Final = r"(?:my|our) <kin>(?: <name>)?"

STATES: Final[Mapping[str, tuple[str, ...]]] = {
    "home": (
        rf"{_WE}(?:{_LIVE}|{_MOVED}|{_HOUSED}|{_IS_NOW}|no longer live)",
        rf"{_WE}(?:been )?renting an? (?:\w+ )?in {_PLACE}"
        r"|\bi['\u2019]?a?m an? (?-i:[A-Z])\w+ resident\b",
        r"\b(?:my|our) (?:new |current |home )*address is\b",
        rf"\b(?:my|our) (?:new |current )*{_DWELLING} is (?:now )?(?:in |near )?(?-i:[A-Z])",
        r"(?:(?<=^)|(?<=[.!?:,] ))home (?:for (?:me|us) )?is (?:now )?(?:in )?(?-i:[A-Z])",
        r"(?-i:[A-Z])\w+ is (?:now )?(?:my home\b|where (?:i|we) live)",
        rf"{_MY}{_HAS}(?:{_LIVE}|{_MOVED}|{_HOUSED})",
        rf"{_NAME}(?:, (?:my|our) \w+,)?{_HAS}(?:{_LIVE}|{_MOVED}|{_HOUSED})",
    ),
    "work": (
        rf"{_WE}(?:live [^.!?;]{{2,40}} and )?(?:{_WORK}|{_NEW_JOB}|{_POST}|{_NO_JOB})",
        rf"{_WE}[^.!?;]{{2,50}} and (?:i )?{_POST}",
        r"\bmy (?:new |current )*(?:job|employer|workplace) is (?:at |with |as )?(?-i:[A-Z])",
        rf"{_MY}{_HAS}(?:{_WORK}|{_NEW_JOB}|{_NO_JOB})",
        rf"{_NAME}{_HAS}(?:{_WORK}|{_NEW_JOB}|{_NO_JOB})",
    ),
    "trade": (
        rf"{_MY}{_HAS}{_TRADE}",
        rf"{_NAME}(?:, (?:my|our) \w+,)?{_HAS}{_TRADE}",
        rf"{_MY} {_AND_NOW}",
        rf"{_NAME} {_AND_NOW}",
    ),
    "death": (rf"{_MY}{_HAS}{_DIED}", rf"{_NAME}{_HAS}{_DIED}"),
}
ASKS_STATES: Final[Mapping[str, tuple[str, ...]]] = {
    "home": (
        r"\bwhere (?:do|am|are) (?:i|we) (?:now |currently )?(?:live|living|reside|based)\b"
        # Inside another question: "Do you remember where I live?"
        r"|\bwhere (?:i|we) (?:now |currently )?live\b|\b(?:town|city|place) (?:that )?i live in\b"
        r"|\b(?:what|which) (?:city|town) do i have my (?:home|flat|house)\b"
        r"|\b(?:what|which) (?:city|town|country|place) (?:do|am) i (?:now |currently )?liv"
        r"|\bwhat(?:['\u2019]s| is) my (?:current |new |home )*address\b"
        r"|\b(?:where(?:['\u2019]s| is)|(?:what|which) (?:city|town|country) is) my "
        rf"{_DWELLING}\b(?= *(?:\?|$|now\b|in\b|at\b|located\b))",
        rf"\bwhere (?:does|is|do) (?:{_THEY}|{_NAME}) (?:now |currently )?"
        r"(?:liv|reside|based|at home)",
        rf"\b(?:what|which) (?:city|town|country) (?:does|is) (?:{_THEY}|{_NAME}) "
        r"(?:now |currently )?(?:liv|reside|based|at home|in\b)",
    ),
    "work": (
        r"\bwhere (?:do|am) i (?:now |currently )?work|\bwhere i (?:now |currently )?work\b"
        r"|\bwhere am i employed\b|\b(?:company|firm) (?:that )?i work (?:at|for|with)\b"
        r"|\bwhom? do i (?:now |currently )?work for"
        r"|\b(?:what|who)(?:['\u2019]s| is) my (?:current |new )?(?:job|employer|workplace)\b"
        r"|\bwhat do i do for (?:a living|work)\b",
        rf"\bwhere (?:does|is) (?:{_THEY}|{_NAME}) (?:now |currently )?work",
    ),
    "trade": (
        rf"\bwhat (?:does|is) (?:{_THEY}|{_NAME}) (?:do|doing)"
        r"(?: for (?:a living|work|money)| now| these days| nowadays| professionally)*\s*\?",
        rf"\bwhat(?:['\u2019]s| is) (?:{_THEY}|{_NAME})['\u2019]s"
        r" (?:job|profession|occupation|trade|line of work)\b",
        rf"\bwhat (?:kind|sort) of work does (?:{_THEY}|{_NAME}) do\b",
        rf"\bwhat does (?:{_THEY}|{_NAME}) work as\b",
    ),
    "death": (
        rf"\bhow(?:['\u2019]s| is| are| has) (?:{_THEY}|{_NAME})(?: been)?"
        r"(?: (?:doing|feeling|these days|now|today|getting on|at the moment))*\s*\?",
        rf"\b(?:is|are) (?:{_THEY}|{_NAME}) (?:still )?(?:alive|dead)\b",
        rf"\bwhat (?:has )?happened to (?:{_THEY}|{_NAME})\s*\?",
        rf"\b(?:did|has) (?:{_THEY}|{_NAME}) (?:die|died|passed away|pass away)\b",
    ),
}
# A question that asks for a yes or a no begins so.
ASKS_WHETHER: Final = r"(?i)\W*(?:is|are|am|do|does|did|has|have|will|can|may)\b(?!n)"
