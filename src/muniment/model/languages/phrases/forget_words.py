"""Forget words: in which words somebody asks that what they told be forgotten.

"Forget that I collect barometers" says the statement again, "scratch what I told you about the
barometers" names what it was about. Each is a whole sentence: "did you forget that I called?" and
"don't forget that I called" are no such wish.
"""

import re
from functools import cache
from typing import Final

# By language, what a wish has one of: nearly no text has any, and no pattern is tried then.
_SIGNS: Final = {
    "English": "forget delete erase remove scratch disregard ignore",
    "German": "vergiss vergessen lösch streich",
    "French": "oubli efface supprim",
    "Spanish": "olvid olvíd borra borre",
    "Italian": "dimentic scorda cancell",
    "Portuguese": "esque apaga apague",
    "Dutch": "vergeet vergeten wis schrap verwijder",
    "Russian": "забуд забыть удали сотри",
    "Greek": "ξέχ ξεχ διέγρ διαγρ σβήσ",
    "Arabic": "انس تنسى احذف امسح",
    "Hindi": "भूल हटा मिटा",
    "Chinese": "忘 删掉 刪掉",
    "Japanese": "忘れて 消して 削除して",
    "Korean": "잊어 지워 삭제해",
}
# What may stand before a wish, and behind it.
_OPENING: Final = {
    "English": (r"(?:(?:actually|ok|okay|oh|no|so|sorry|please|just|you (?:can|may|could))[, ]+)*"),
    "German": r"(?:(?:bitte|ok|okay|nein|ach|also|du kannst|sie können)[, ]+)*",
    "French": r"(?:(?:s'il te plaît|s'il vous plaît|ok|non|tu peux|vous pouvez)[, ]+)*",
    "Spanish": r"(?:(?:por favor|ok|no|vale|puedes|podés)[, ]+)*",
    "Italian": r"(?:(?:per favore|per piacere|ok|no|puoi|può)[, ]+)*",
    "Portuguese": r"(?:(?:por favor|ok|não|podes|pode|você pode)[, ]+)*",
    "Dutch": r"(?:(?:alsjeblieft|graag|ok|nee|je mag|je kunt|u mag|u kunt)[, ]+)*",
    "Russian": r"(?:(?:пожалуйста|ладно|нет|можешь|можете)[, ]+)*",
    "Greek": r"(?:(?:σε παρακαλώ|παρακαλώ|οκ|όχι|μπορείς να|μπορείτε να)[, ]+)*",
    "Arabic": r"(?:(?:من فضلك|رجاء|رجاءً|يمكنك أن)[،, ]+)*",
    "Hindi": r"(?:(?:कृपया|ठीक है|प्लीज़|प्लीज)[, ]+)*",
    "Chinese": r"(?:(?:请|請|麻烦|麻煩)[你您]?|[你您]可以|好[,，]?)?",
    "Japanese": r"(?:すみません、?|ごめん、?|やっぱり、?)?",
    "Korean": r"(?:(?:제발|미안|아니)[, ]+)?",
}
_CLOSING: Final = {
    "English": r"(?:,? (?:please|thanks|thank you|again|now))*",
    "German": r"(?:,? (?:bitte|danke|wieder))*",
    "French": r"(?:,? (?:s'il te plaît|s'il vous plaît|merci))*",
    "Spanish": r"(?:,? (?:por favor|gracias))*",
    "Italian": r"(?:,? (?:per favore|grazie))*",
    "Portuguese": r"(?:,? (?:por favor|obrigad[oa]))*",
    "Dutch": r"(?:,? (?:alsjeblieft|graag|bedankt|weer))*",
    "Russian": r"(?:,? (?:пожалуйста|спасибо))*",
    "Greek": r"(?:,? (?:σε παρακαλώ|παρακαλώ|ευχαριστώ))*",
    "Arabic": r"(?:،? (?:من فضلك|رجاء|رجاءً|شكرا))*",
    "Hindi": r"(?:,? (?:कृपया|धन्यवाद|प्लीज़|प्लीज))*",
}
_SAYS_IT: Final = r"(?P<says>[^?\n]{2,200}?)"
_IS_OF: Final = r"(?P<about>[^?\n]{2,100}?)"
_FORGET: Final = r"(?:forget|delete|erase|remove|scratch|disregard|ignore)"
_VERGISS: Final = r"(?:vergiss|vergessen sie|lösch|lösche|löschen sie|streich|streiche)"
_OLVIDA: Final = r"(?:olvida|olvide|olvidar|olvídate de|olvídese de|borra|borre|borrar)"
_OUBLIE: Final = r"(?:oublie|oubliez|oublier|efface|effacez|effacer|supprime|supprimez|supprimer)"
_DIMENTICA: Final = r"(?:dimentica|dimentichi|dimenticare|scorda|cancella|cancelli|cancellare)"
_ESQUECE: Final = r"(?:esquece|esqueça|esquecer|esqueça-se de|apaga|apague|apagar)"
_VERGEET: Final = r"(?:vergeet|vergeten|wis|schrap|verwijder)"
_ZABUD: Final = r"(?:забудь|забудьте|забыть|удали|удалите|удалить|сотри|сотрите)"
# In Greek this mark asks: "can you forget that I called;" is no wish, whatever follows it.
_KSECHASE: Final = (
    r"(?![^\n]*[;\u037e])"
    r"(?:ξέχνα|ξέχασε|ξεχάστε|ξεχάσεις|ξεχάσετε|διέγραψε|διαγράψτε|σβήσε|σβήστε)"
)
_INSA: Final = r"(?:انسَ|انس|انسي|تنسى|احذف|امسح)"
_TOLD: Final = r"i(?:['\u2019]ve| have)? (?:just )?(?:said|told you|mentioned|wrote|shared)"
# By language: the statement told again as `says`, or what it is about as `about`.
WISHES: Final = {
    "English": (
        rf"{_FORGET} (?:that |the fact that ){_SAYS_IT}",
        rf"{_FORGET} (?:what|everything|anything|all|whatever)(?: that)? {_TOLD} about {_IS_OF}",
    ),
    "German": (
        rf"{_VERGISS},? dass {_SAYS_IT}",
        rf"{_VERGISS},? (?:das, )?was ich (?:dir |ihnen |euch )?(?:über|zu|von) {_IS_OF}"
        r" (?:gesagt|erzählt|geschrieben) (?:habe|hab)",
    ),
    "French": (
        rf"{_OUBLIE} (?:que |qu['\u2019]){_SAYS_IT}",
        rf"{_OUBLIE} (?:tout )?ce que j(?:e t|e vous |)['\u2019]?ai (?:dit|raconté|écrit)"
        rf" (?:à propos de |à propos d'|à propos du |à propos des |sur |de |du |des |d'){_IS_OF}",
    ),
    "Spanish": (
        rf"{_OLVIDA} que {_SAYS_IT}",
        rf"{_OLVIDA} (?:todo )?lo que (?:te |le )?(?:he )?(?:dije|dicho|conté|contado)"
        rf" (?:sobre|acerca de|de) {_IS_OF}",
    ),
    "Italian": (
        rf"{_DIMENTICA} che {_SAYS_IT}",
        rf"{_DIMENTICA} (?:tutto )?(?:quello|ciò) che (?:ti |le )?ho (?:detto|raccontato|scritto)"
        rf" (?:su|sui|sul|sulla|sulle|sugli|sullo|di|del|dei|delle|della) {_IS_OF}",
    ),
    "Portuguese": (
        rf"{_ESQUECE} que {_SAYS_IT}",
        rf"{_ESQUECE} (?:tudo )?(?:o|aquilo) que (?:eu )?(?:te |lhe )?(?:disse|contei|falei)"
        rf" (?:sobre|acerca de|do|da|dos|das|de) {_IS_OF}",
    ),
    "Dutch": (
        rf"{_VERGEET},? dat {_SAYS_IT}",
        rf"{_VERGEET},? wat ik (?:je |jou |u )?(?:over|van) {_IS_OF}"
        r" (?:(?:heb )?(?:gezegd|verteld|geschreven)(?: heb)?|zei|vertelde)",
        rf"{_VERGEET},? wat ik (?:je |jou |u )?(?:heb )?(?:gezegd|verteld|zei|vertelde)(?: heb)?"
        rf" (?:over|van) {_IS_OF}",
    ),
    "Russian": (
        rf"{_ZABUD},? (?:о том, )?что (?!я (?:тебе |вам )?(?:говорил|сказал|рассказ)){_SAYS_IT}",
        rf"{_ZABUD},? (?:вс[её], |то, )?что я (?:тебе |вам )?"
        rf"(?:говорил|сказал|рассказывал|рассказал)а? (?:об|обо|про|о) {_IS_OF}",
    ),
    "Greek": (
        rf"{_KSECHASE} (?:ότι|πως) {_SAYS_IT}",
        rf"{_KSECHASE} (?:ό,τι|όσα|αυτά που|αυτό που) (?:σου |σας )?(?:είπα|έγραψα) για {_IS_OF}",
    ),
    "Arabic": (
        rf"{_INSA} (?:أنني|أني|انني|اني|أن|أنّ) {_SAYS_IT}",
        rf"{_INSA} (?:كل )?ما (?:قلته|أخبرتك به|قلت|ذكرته)(?: لك)? عن {_IS_OF}",
    ),
    "Hindi": (
        rf"(?:भूल जाओ|भूल जाइए|भूल जाना|हटा दो|मिटा दो) कि {_SAYS_IT}",
        rf"(?:मैंने )?{_IS_OF} के बारे में (?:मैंने )?जो (?:मैंने )?(?:तुम्हें |आपको )?(?:कहा|बताया)(?: था)?,?"
        r" (?:उसे |वह |वो )?(?:भूल जाओ|भूल जाइए|भूल जाना|हटा दो|मिटा दो)",
    ),
    # "忘了我的生日" alone says that somebody forgot it.
    "Chinese": (
        r"(?:把)?我(?:之前|以前)?(?:说|說|讲|講|告诉你|告訴你)过?過?的?(?:关于|關於|有关|有關)?"
        r"(?P<about>[^?？\n]{1,60}?)的?(?:事|话|話|事情|内容|內容)?(?:都)?(?:忘掉|忘了|删掉|刪掉)吧?",
        r"(?:忘掉|忘记|忘記|忘了|删掉|刪掉)我(?:之前|以前)?(?:说|說|讲|講|告诉你|告訴你)[过過]?的?"
        r"(?:关于|關於|有关|有關)(?P<about>[^?？\n]{1,60}?)(?:的(?:事|话|話|事情|内容|內容))?吧?",
        r"(?:(?<=[请請你您])忘了|(?:忘掉|忘[记記]|删掉|刪掉))(?P<says>我[^?？\n]{2,100}?)(?:这件事|這件事|的事)?吧?",
    ),
    "Japanese": (
        r"(?P<about>[^?？\n]{1,60}?)について(?:私が|僕が|俺が)?(?:言った|話した|伝えた|書いた)(?:こと|内容)?"
        r"[はを]?(?:全部)?(?:忘れて|消して|削除して)(?:ください|下さい|ね|くれ)?",
        r"(?P<says>[^?？\n]{2,100}?)(?:という)?(?:こと|の)[はを](?:忘れて|消して|削除して)(?:ください|下さい|ね|くれ)?",
    ),
    "Korean": (
        r"(?P<about>[^?\n]{1,60}?)에 ?(?:대해서?|관해서?) (?:내가 |제가 )?"
        r"(?:말한|얘기한|이야기한|말했던|한 말)(?: ?(?:것|거|건|걸|내용))?[은는을를]? ?"
        r"(?:잊어|지워|삭제해) ?(?:줘|주세요|버려)?요?",
        r"(?P<says>[^?\n]{2,100}?)(?:다는|라는) ?(?:것|거|건|걸|사실)[은는을를]? ?"
        r"(?:잊어|지워|삭제해) ?(?:줘|주세요|버려)?요?",
    ),
}
# How somebody names themselves beside a verb: who leaves it out says the same.
_ONESELF: Final = (
    "i ich je j yo io eu ik я εγω انا मैं 나는 내가 저는 제가 난 전 我 私 僕 俺 私は 私が"
)
ONESELF: Final = frozenset(_ONESELF.split())
# Letters that name nothing a wish could be about: "all that I said", "it".
UNNAMED: Final = frozenset("话話事情件些内容內一切全部所有것それこあ")
DENIED: Final = {
    "Japanese": r"ない|ません|なかった",
    "Korean": r"(?<!\w)(?:안|못) |않|없|아니",
}


def possible(text: str) -> list[str]:
    """The languages in which a text may ask to forget something."""
    plain = text.casefold()
    return [name for name, signs in _SIGNS.items() if any(map(plain.__contains__, signs.split()))]


@cache
def patterns(language: str) -> tuple[re.Pattern[str], ...]:
    """The wishes of a language, each as a whole sentence."""
    before, after = _OPENING.get(language, ""), _CLOSING.get(language, "")
    return tuple(
        re.compile(rf"\s*{before}{wish}{after}[\s.!。！।]*", re.IGNORECASE)
        for wish in WISHES[language]
    )


@cache
def denials(language: str) -> re.Pattern[str] | None:
    """How a language denies inside of its words; elsewhere a denial is a word of its own."""
    return re.compile(DENIED[language]) if language in DENIED else None
