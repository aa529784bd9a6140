"""Introduction words: how people say what they are called, and ask for it.

"I'm Mireille" gives a name; "I'm Dutch" and "I'm tired" give none. `<name>` stands for a word with
a capital, where a language writes names so, that is no word of every day; what it is followed by
ends the phrase or goes on with something else. Where many words could stand in its place, only
behind a greeting.
"""

from typing import Final

# What may follow a name: an end, or another clause.
_ENDS: Final = (
    r"(?!\w)(?=\s*(?:$|[.,;!:)\u2013\u2014]|-\s)|\s+(?:and|et|y|e|en|und|и|και|but|from|by)\b)"
)
_HERE: Final = r"(?:here|speaking|hier|ici)\b"

GREETINGS: Final = {
    "English": r"hi(?: there)?|hello(?: there)?|hey(?: there)?|good (?:morning|afternoon|evening)",
    "German": r"hallo|hi|hey|moin|servus|grüezi|grüß (?:dich|gott)|guten (?:tag|morgen|abend)",
    "French": r"salut|bonjour|bonsoir|coucou",
    "Spanish": r"¡?hola|buenos días|buenas(?: tardes| noches)?",
    "Italian": r"ciao|salve|buongiorno|buonasera",
    "Portuguese": r"olá|oi|bom dia|boa tarde|boa noite",
    "Dutch": r"hallo|hoi|hey|goedemorgen|goedemiddag|goedenavond|dag",
    "Russian": r"привет|здравствуйте|добрый (?:день|вечер)|доброе утро",
    "Greek": r"γεια(?: σου| σας)?|γειά(?: σου| σας)?|καλημέρα|καλησπέρα",
    "Arabic": r"مرحبا|أهلا|السلام عليكم|صباح الخير|مساء الخير",
    "Hindi": r"नमस्ते|नमस्कार|हैलो|हेलो",
    "Chinese": r"你好|您好|大家好|嗨|早上好|晚上好",
    "Japanese": r"こんにちは|はじめまして|初めまして|おはようございます|こんばんは|どうも",
    "Korean": r"안녕하세요|안녕|반갑습니다",
}
# By language; `<hi>` is a greeting at the beginning, with what parts it from the rest.
GIVES: Final[dict[str, tuple[str, ...]]] = {
    "English": (
        rf"(?:^|[.!?,]\s+|<hi>)(?:I['\u2019]?m|I am) <name>{_ENDS}",
        rf"\b(?:my|the) name(?: is|['\u2019]s) (?:now )?<name>|^name['\u2019]s <name>{_ENDS}",
        rf"\bcalls? me <name>{_ENDS}",
        r"\bI(?: now)? go by <name>|\bI['\u2019]m called <name>|\bI changed my name to <name>",
        rf"(?:^|<hi>)(?:it['\u2019]s|this is) <name>"
        rf"(?: {_HERE}|{_ENDS}(?!,? (?:my|our|the|an?|who)\b))",
        rf"(?:^|<hi>)<name> {_HERE}{_ENDS}",
    ),
    "German": (
        rf"<hi>ich bin (?:der |die )?<name>{_ENDS}",
        rf"\bich bin (?:der|die) <name>{_ENDS}",
        r"\b(?:ich heiße|mein (?:vor)?name ist|ich nenne mich)(?: jetzt)? <name>",
        rf"\b(?:nennt?|nennen sie) mich(?: bitte| einfach)? <name>{_ENDS}",
        rf"(?:^|<hi>)(?:hier (?:ist|spricht) <name>|<name> hier){_ENDS}",
    ),
    "French": (
        rf"\bje suis <name>{_ENDS}|\bmoi,? c['\u2019]est <name>|<hi>c['\u2019]est <name>{_ENDS}",
        r"\bje m['\u2019]appelle <name>|\bmon (?:pré)?nom(?: est|,? c['\u2019]est) <name>",
        rf"\b(?:appelle|appelez)[- ]moi <name>|\bon m['\u2019]appelle <name>{_ENDS}",
        rf"(?:^|<hi>)ici <name>{_ENDS}",
    ),
    "Spanish": (
        rf"(?:^|[.!?,]\s+|<hi>)(?:yo )?soy <name>{_ENDS}",
        r"\bme llamo <name>|\bmi nombre es <name>|\b(?:llámame|llamame|llámenme|me dicen) <name>",
        rf"(?:^|<hi>)(?:aquí|te habla|les habla) <name>{_ENDS}",
    ),
    "Italian": (
        rf"(?:^|[.!?,]\s+|<hi>)(?:io )?sono <name>{_ENDS}",
        r"\bmi chiamo <name>|\bil mio nome è <name>|\b(?:chiamami|chiamatemi|mi chiamano) <name>",
        rf"(?:^|<hi>)qui (?:è )?<name>{_ENDS}",
    ),
    "Portuguese": (
        rf"(?:^|[.!?,]\s+|<hi>)(?:eu )?sou (?:o |a )?<name>{_ENDS}",
        r"\b(?:chamo-me|me chamo) <name>|\bmeu nome é <name>",
        r"\b(?:me chame|chama-me|chamem-me)(?: de)? <name>",
        rf"(?:^|<hi>)aqui (?:é|fala) (?:o |a )?<name>{_ENDS}",
    ),
    "Dutch": (
        rf"(?:^|[.!?,]\s+|<hi>)ik ben <name>{_ENDS}",
        r"\bik heet <name>|\bmijn naam is <name>|\bnoem me(?: maar)? <name>",
        rf"\bzeg maar <name>{_ENDS}",
        rf"(?:^|<hi>)(?:met|hier is|dit is) <name>{_ENDS}|(?:^|<hi>)<name> hier{_ENDS}",
    ),
    "Russian": (
        rf"(?:^|<hi>)(?:я|это)(?: [-\u2013\u2014])? <name>{_ENDS}",
        r"\bменя зовут <name>|\bмо[её] имя(?: [-\u2013\u2014])? <name>",
        r"\b(?:зови|зовите|называй|называйте) меня <name>",
    ),
    "Greek": (
        rf"(?:^|[.!?,]\s+|<hi>)(?:εγώ )?είμαι (?:ο|η) <name>{_ENDS}",
        r"\bμε λένε <name>|\b(?:λέγομαι|ονομάζομαι) <name>|\bτο όνομά μου είναι <name>",
        r"\b(?:λέγε|φώναζέ|φώναζε|λένε) με <name>",
        rf"(?:^|<hi>)εδώ (?:ο|η) <name>{_ENDS}",
    ),
    "Arabic": (
        r"(?<!\w)اسمي(?: هو)? <name>",
        r"(?<!\w)(?:نادني|ناديني|نادوني) <name>",
        r"<hi>(?:أنا|معك|معكم) <name>(?=\s*(?:$|[.،,!])|\s+و)",
    ),
    "Hindi": (
        r"मेरा नाम <name> है",
        r"मुझे <name> (?:कहते|कहो|कहिए|बुलाते|बुलाओ|बुलाइए)",
        r"मैं <name> बोल रह[ाी] हूँ",
        r"<hi>मैं <name> हू[ँं]",
    ),
    "Chinese": (
        r"我(?:现在)?叫<name>(?=$|[，。,.！! ])|我的名字(?:是|叫)<name>(?=$|[，。,.！! ])",
        r"叫我<name>(?=$|[，。,.！!吧就])",
        r"<hi>我是<name>(?=$|[，。,.！!])",
    ),
    "Japanese": (
        r"(?:私|僕|俺|わたし)の名前は<name>です",
        r"<name>(?:と申します|といいます|と言います|(?:と|って)呼んで)",
        r"<hi>(?:(?:私|僕|わたし)は)?<name>です(?=$|[。、！!])",
    ),
    "Korean": (
        r"(?<!\w)(?:제|내) 이름은 <name>(?:이에요|예요|입니다|이야|야)",
        r"(?<!\w)(?:저는|나는) <name>(?:이?라고) (?:해요|합니다|해)|<name>(?:이?라고) 불러",
        r"<hi>저는 <name>(?:이에요|예요|입니다)(?=$|[.,! ])",
    ),
}
# A name in each script.
_MORE: Final = r"(?:(?-i: [A-ZÀ-ÖØ-Þ][\w-]+)){0,2}"  # of a name, behind its first word
LATIN_NAME: Final = rf"(?P<name>(?-i:[A-ZÀ-ÖØ-Þ][\w-]*[a-zà-öø-ÿ][\w-]*)){_MORE}"
NAMES: Final = {
    "Russian": r"(?P<name>(?-i:[А-ЯЁ][а-яё-]+))(?:(?-i: [А-ЯЁ][а-яё-]+)){0,2}",
    "Greek": r"(?P<name>(?-i:[Α-ΩΆ-Ώ][\w-]+))(?:(?-i: [Α-ΩΆ-Ώ][\w-]+)){0,2}",
    "Arabic": r"(?P<name>[\u0620-\u064a]{2,12})",
    "Hindi": r"(?P<name>[\u0900-\u0963]{2,16})",
    "Chinese": r"(?P<name>[\u4e00-\u9fff·]{2,6}?)",
    "Japanese": r"(?P<name>[\u30a0-\u30ff\u4e00-\u9fff]{2,8})",
    "Korean": r"(?P<name>[\uac00-\ud7a3]{2,5}?)",
}
# What people are, and are not called, though it stands in the same place.
NO_NAMES: Final = {
    "Latin": (
        "african albanian algerian american arab argentinian armenian asian australian austrian"
        " bangladeshi basque bavarian belgian black bolivian bosnian brazilian british bulgarian"
        " cameroonian canadian catalan catholic celtic chilean chinese christian colombian croatian"
        " cuban cypriot czech danish dutch ecuadorian egyptian english estonian ethiopian european"
        " filipino finnish flemish french georgian german ghanaian greek hindu hungarian icelandic"
        " indian indonesian iranian iraqi irish israeli italian jamaican japanese jewish jordanian"
        " kenyan korean kurdish latvian lebanese libyan lithuanian malaysian maltese mexican"
        " moroccan muslim nepali nigerian norwegian pakistani palestinian persian peruvian polish"
        " portuguese protestant romanian russian scottish serbian sikh slovak slovenian somali"
        " spanish sudanese swedish swiss syrian taiwanese thai tunisian turkish ukrainian"
        " venezuelan vietnamese welsh buddhist aries taurus gemini cancer leo virgo libra scorpio"
        " sagittarius capricorn aquarius pisces belg belgier nederlander nederlandse duitser"
        " vlaming belgische deutscher deutsche schweizer schweizerin österreicher"
    ),
    "Arabic": "متعب متعبة جائع جائعة مريض مريضة بخير سعيد سعيدة طالب طالبة هنا جديد جديدة من في",
    "Hindi": "थका थकी ठीक बीमार खुश नया नई यहाँ शिक्षक डॉक्टर नर्स छात्र छात्रा इंजीनियर भारतीय",
}
# And how words for what people are end.
NO_NAME_ENDS: Final = {
    "Arabic": r"(?:ي|ية|يّ)$",
    "Chinese": r"[人师師生员員士家者工长長医醫的]$",
    "Japanese": r"[人師員生者屋官家士手系派]$",
    "Korean": r"(?:사|원|생|자|관|인|가)$",
}
ASKS: Final = {
    "English": (
        r"\b(?:what(?: is| s)?|do you (?:know|remember)|tell me) my (?:own |full |first )?name\b"
        r"|\bwhat am i called\b|\bwho am i\b(?= *(?:\?|$))"
        r"|\bwhat (?:do|should|can) (?:you|people|they) call me\b"
    ),
    "German": r"\bwie heiße ich\b|\b(?:wie|was) (?:ist|lautet) mein (?:vor)?name\b|\bwer bin ich\b",
    "French": (
        r"\bcomment je m appelle\b|\bquel est mon (?:pré)?nom\b|\bqui suis[- ]je\b|\bqui je suis\b"
    ),
    "Spanish": r"\bcómo me llamo\b|\bcuál es mi nombre\b|\bquién soy\b",
    "Italian": r"\bcome mi chiamo\b|\bqual è il mio nome\b|\bchi sono(?: io)?\b *\??$",
    "Portuguese": (
        r"\bcomo (?:é que )?(?:eu )?me chamo\b|\bqual (?:é )?o? ?meu nome\b|\bquem (?:eu )?sou\b"
    ),
    "Dutch": r"\bhoe heet ik\b|\bwat is mijn (?:voor)?naam\b|\bwie ben ik\b",
    "Russian": r"\bкак меня зовут\b|\bкаково? мо[её] имя\b|\bкак мо[её] имя\b|\bкто я\b",
    "Greek": r"\bπως με λένε\b|\bποιο είναι το όνομά μου\b|\bποι[οα]ς? είμαι\b",
    "Arabic": r"(?<!\w)(?:ما|شو|ما هو) اسمي(?!\w)|(?<!\w)من أنا(?!\w)",
    "Hindi": r"मेरा नाम क्या|मैं कौन हू",
    "Chinese": r"我叫(?:什么|啥)|我的名字(?:是|叫)(?:什么|啥)|我是谁",
    "Japanese": r"(?:私|僕|俺|わたし)の名前(?:は|を|って)|(?:私|僕)は誰",
    "Korean": r"(?<!\w)(?:제|내) 이름(?:이|은)? ?(?:뭐|무엇|알)|(?:내가|제가|나는) 누구",
}
