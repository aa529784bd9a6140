"""Forget words: in which words somebody asks that what they told be forgotten.

"Forget that I collect barometers" says the statement again, "forget my barometers" names what it
was about, and "forget where I live" asks for it. Each is a whole sentence: "did you forget that I
called?" and "don't forget that I called" are no such wish.
"""

import re
from functools import cache
from typing import Final

# By language, what a wish has one of: nearly no text has any, and no pattern is tried then.
_SIGNS: Final = {
    "English": "forget delete erase remove scratch disregard ignore remember memori",
    "German": "vergiss vergessen lösch streich merk behalte speicher",
    "French": "oubli efface supprim retien retenez mémoris",
    "Spanish": "olvid olvíd borra borre recuerd memori",
    "Italian": "dimentic scorda cancell ricord memori",
    "Portuguese": "esque apaga apague lembr memori",
    "Dutch": "vergeet vergeten wis schrap verwijder onthoud bewaar",
    "Russian": "забуд забыть удали сотри запоминай помни",
    "Greek": "ξέχ ξεχ διέγρ διαγρ σβήσ θυμ",
    "Arabic": "انس تنسى احذف امسح تتذكر تحفظ",
    "Hindi": "भूल हटा मिटा याद",
    "Chinese": "忘 删掉 刪掉 不要记 不要記 别记 別記",
    "Japanese": "忘れて 消して 削除して 覚えないで 記憶しないで",
    "Korean": "잊어 지워 삭제해 기억하지",
}
# What may stand before a wish, and behind it.
_OPENING: Final = {
    "English": (r"(?:(?:actually|ok|okay|oh|no|so|sorry|please|just|you (?:can|may|could))[, ]+)*"),
    "German": r"(?:(?:bitte|ok|okay|nein|ach|also|du kannst|sie können)[, ]+)*",
    "French": r"(?:(?:s'il te plaît|s'il vous plaît|ok|non|tu peux|vous pouvez)[, ]+)*",
    "Spanish": r"(?:(?:(?:por favor|ok|vale|puedes|podés)[, ]|no,)[, ]*)*",
    "Italian": r"(?:(?:(?:per favore|per piacere|ok|puoi|può)[, ]|no,)[, ]*)*",
    "Portuguese": r"(?:(?:(?:por favor|ok|podes|pode|você pode)[, ]|não,)[, ]*)*",
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
_NAMED: Final = r"(?P<about>[^?\n,;]{2,60}?)"  # a thing, in a few words of one clause
_ASKED: Final = r"[^?\n,;]{2,100}?"
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
# Of these alone is asked what is theirs: "delete my account" is an order for something else.
_SOLO: Final = {
    "German": r"(?:vergiss|vergessen sie)",
    "French": r"(?:oublie|oubliez)",
    "Spanish": r"(?:olvida|olvide|olvídate de|olvídese de)",
    "Italian": r"(?:dimentica|dimentichi|dimenticati di|scorda|scordati di)",
    "Portuguese": r"(?:esquece|esqueça|esquece-te de|esqueça-se de)",
    "Dutch": r"vergeet",
    "Russian": r"(?:забудь|забудьте)",
    "Hindi": r"(?:भूल जाओ|भूल जाइए|भूल जाना)",
    "Chinese": r"(?:(?<=[请請你您])忘了|忘掉|忘[记記])",
    "Japanese": r"忘れて(?:ください|下さい|ね|くれ)?",
    "Korean": r"잊어 ?(?:줘|주세요|버려)요?",
}
_INSA: Final = r"(?:انسَ|انس|انسي|تنسى|احذف|امسح)"
_TOLD: Final = r"i(?:['\u2019]ve| have)? (?:just )?(?:said|told you|mentioned|wrote|shared)"
# By language: the statement told again as `says`, or what it is about as `about`.
WISHES: Final = {
    "English": (
        rf"{_FORGET} (?:that |the fact that ){_SAYS_IT}",
        rf"(?:do not|don['\u2019]?t) (?:remember|memori[sz]e|store|save) that {_SAYS_IT}",
        rf"{_FORGET} (?:what|everything|anything|all|whatever)(?: that)? {_TOLD} about {_IS_OF}",
        rf"forget (?:(?:all|everything|the (?:thing|part|bit)) )?(?:about|with) {_NAMED}",
        rf"forget (?=(?:my|our) ){_NAMED}",
        rf"forget (?P<asks>(?:where|what|who|whom|whose|when|how|which|why) {_ASKED})",
    ),
    "German": (
        rf"{_VERGISS},? dass {_SAYS_IT}",
        rf"{_VERGISS},? (?:das, )?was ich (?:dir |ihnen |euch )?(?:über|zu|von) {_IS_OF}"
        r" (?:gesagt|erzählt|geschrieben) (?:habe|hab)",
        rf"(?:merke? dir|merken sie sich|behalte|speichere?|speichern sie) nicht,? dass {_SAYS_IT}",
        rf"{_SOLO['German']} (?:(?:das|die sache|die geschichte) (?:mit|von|über)"
        rf"|alles (?:über|zu|von)) {_NAMED}",
        rf"{_SOLO['German']} (?=(?:mein|unser)\w* ){_NAMED}",
        rf"{_SOLO['German']},? (?P<asks>(?:wo|was|wer|wen|wem|wann|wie|wohin|woher|warum|welche\w?)"
        rf" {_ASKED})",
    ),
    "French": (
        rf"{_OUBLIE} (?:que |qu['\u2019]){_SAYS_IT}",
        rf"{_OUBLIE} (?:tout )?ce que j(?:e t|e vous |)['\u2019]?ai (?:dit|raconté|écrit)"
        rf" (?:à propos de |à propos d'|à propos du |à propos des |sur |de |du |des |d'){_IS_OF}",
        rf"ne (?:retiens|retenez|mémorise|mémorisez) pas (?:que |qu['\u2019]){_SAYS_IT}",
        rf"{_SOLO['French']} (?:tout sur|(?:l['\u2019]|cette )histoire (?:de |du |des |d['\u2019])"
        rf"|le truc (?:avec |de |du |des |d['\u2019])) ?{_NAMED}",
        rf"{_SOLO['French']} (?=(?:mon|ma|mes|notre|nos) ){_NAMED}",
        rf"{_SOLO['French']} (?P<asks>(?:où|qui|quand|comment|pourquoi|quel\w*) {_ASKED})",
    ),
    "Spanish": (
        rf"{_OLVIDA} que {_SAYS_IT}",
        rf"{_OLVIDA} (?:todo )?lo que (?:te |le )?(?:he )?(?:dije|dicho|conté|contado)"
        rf" (?:sobre|acerca de|de) {_IS_OF}",
        rf"no (?:recuerdes|recuerde|memorices|memorice) que {_SAYS_IT}",
        rf"{_SOLO['Spanish']} (?:lo|todo|todo lo)"
        rf" (?:sobre|con|del|de la|de los|de las|de) {_NAMED}",
        rf"{_SOLO['Spanish']} (?:a )?(?=(?:mis?|nuestr[oa]s?) ){_NAMED}",
        rf"{_SOLO['Spanish']} (?P<asks>(?:d[oó]nde|qui[eé]n|cu[aá]ndo|c[oó]mo|cu[aá]l|qué)"
        rf" {_ASKED})",
    ),
    "Italian": (
        rf"{_DIMENTICA} che {_SAYS_IT}",
        rf"{_DIMENTICA} (?:tutto )?(?:quello|ciò) che (?:ti |le )?ho (?:detto|raccontato|scritto)"
        rf" (?:su|sui|sul|sulla|sulle|sugli|sullo|di|del|dei|delle|della) {_IS_OF}",
        rf"non (?:ricordare|memorizzare|ricordarti) che {_SAYS_IT}",
        rf"{_SOLO['Italian']} (?:(?:la|quella) (?:storia|cosa)|tutto)"
        rf" (?:con|su|sul|sulla|sui|di|del"
        rf"|dei|della|delle|dell['\u2019]) ?{_NAMED}",
        rf"{_SOLO['Italian']} (?:(?:il|la|i|le) )?(?=(?:mi[oae]|miei|nostr[oaie]) ){_NAMED}",
        rf"{_SOLO['Italian']} (?P<asks>(?:dove|chi|quando|come|quale|che cosa|cosa) {_ASKED})",
    ),
    "Portuguese": (
        rf"{_ESQUECE} que {_SAYS_IT}",
        rf"{_ESQUECE} (?:tudo )?(?:o|aquilo) que (?:eu )?(?:te |lhe )?(?:disse|contei|falei)"
        rf" (?:sobre|acerca de|do|da|dos|das|de) {_IS_OF}",
        rf"não (?:te lembres|lembres|lembre|memorizes|memorize) (?:de )?que {_SAYS_IT}",
        rf"{_SOLO['Portuguese']} (?:isso|tudo|essa (?:coisa|história))"
        rf" (?:sobre|com|da|das|do|dos|de)"
        rf" {_NAMED}",
        rf"{_SOLO['Portuguese']} (?:[oa]s? )?(?=(?:meus?|minhas?|noss[oa]s?) ){_NAMED}",
        rf"{_SOLO['Portuguese']} (?P<asks>(?:onde|quem|quando|como|qual) {_ASKED})",
    ),
    "Dutch": (
        rf"{_SOLO['Dutch']} (?:dat|alles|dat gedoe) (?:van|met|over) {_NAMED}",
        rf"{_VERGEET},? dat {_SAYS_IT}",
        rf"{_VERGEET},? wat ik (?:je |jou |u )?(?:over|van) {_IS_OF}"
        r" (?:(?:heb )?(?:gezegd|verteld|geschreven)(?: heb)?|zei|vertelde)",
        rf"{_VERGEET},? wat ik (?:je |jou |u )?(?:heb )?(?:gezegd|verteld|zei|vertelde)(?: heb)?"
        rf" (?:over|van) {_IS_OF}",
        rf"(?:onthoud|bewaar) niet,? dat {_SAYS_IT}",
        rf"{_SOLO['Dutch']} (?=(?:mijn|m'n|onze|ons) ){_NAMED}",
        rf"{_SOLO['Dutch']},? (?P<asks>(?:waar|wie|wanneer|hoe|wat|welke?) {_ASKED})",
    ),
    "Russian": (
        rf"{_ZABUD},? (?:о том, )?что (?!я (?:тебе |вам )?(?:говорил|сказал|рассказ)){_SAYS_IT}",
        rf"{_ZABUD},? (?:вс[её], |то, )?что я (?:тебе |вам )?"
        rf"(?:говорил|сказал|рассказывал|рассказал)а? (?:об|обо|про|о) {_IS_OF}",
        rf"не (?:запоминай|запоминайте|помни),? что {_SAYS_IT}",
        rf"{_SOLO['Russian']} (?:про |обо |об |о (?!том,))(?:вс[её] (?:про|об|о) )?{_NAMED}",
        rf"{_SOLO['Russian']} (?=(?:мо[йяеию]|моих|моего|наш\w*) ){_NAMED}",
        rf"{_SOLO['Russian']},? (?P<asks>(?:где|кто|когда|как|куда|откуда|как\w\w) {_ASKED})",
    ),
    "Greek": (
        rf"{_KSECHASE} (?:ότι|πως) {_SAYS_IT}",
        rf"{_KSECHASE} (?:ό,τι|όσα|αυτά που|αυτό που) (?:σου |σας )?(?:είπα|έγραψα) για {_IS_OF}",
        rf"μην? (?:θυμάσαι|θυμηθείς|θυμάστε) (?:ότι|πως) {_SAYS_IT}",
        rf"{_KSECHASE} (?:για|το θέμα με|όλα για) {_NAMED}",
        rf"{_KSECHASE} (?P<about>(?:τον?|την?|τα|τους|τις) [^?\n,;]{{2,60}}? μ(?:ου|ας))",
        rf"{_KSECHASE} (?P<asks>(?:πού|ποιος|ποια|πότε|πώς) {_ASKED})",
    ),
    "Arabic": (
        rf"{_INSA} (?:أنني|أني|انني|اني|أن|أنّ) {_SAYS_IT}",
        rf"{_INSA} (?:كل )?ما (?:قلته|أخبرتك به|قلت|ذكرته)(?: لك)? عن {_IS_OF}",
        rf"لا (?:تتذكر|تتذكري|تحفظ|تحفظي) (?:أنني|أني|انني|اني|أن|أنّ) {_SAYS_IT}",
        rf"{_INSA} (?:أمر|موضوع|قصة|كل شيء عن) {_NAMED}",
        rf"{_INSA} (?P<about>\w{{2,}}(?:ي|نا))",
        rf"{_INSA} (?P<asks>(?:أين|متى|كيف|من) {_ASKED})",
    ),
    "Hindi": (
        rf"{_SOLO['Hindi']} कि (?P<asks>{_ASKED} (?:कहाँ|कहां|कौन|कब|कैसे) {_ASKED})",
        rf"(?:यह |ये )?याद (?:मत|न|ना) (?:रखो|रखना|रखिए) कि {_SAYS_IT}",
        rf"{_NAMED} (?:के बारे में|की बात|वाली बात) (?:सब )?{_SOLO['Hindi']}",
        rf"(?P<about>(?:मेर[ाीे]|हमार[ाीे]) [^?\n,;]{{1,60}}?)(?: को)? {_SOLO['Hindi']}",
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
        rf"{_SOLO['Chinese']}(?P<asks>我[^?？\n，,]{{0,40}}?(?:哪里|哪裡|哪儿|哪兒|什么|什麼|谁|誰|几岁|幾歲)"
        r"[^?？\n，,]{0,20}?)吧?",
        rf"{_SOLO['Chinese']}(?:关于|關於)?(?P<about>我的[^?？\n，,]{{1,30}}?(?<!了))"
        r"(?:的事|这件事|這件事)?吧?",
        r"(?:(?<=[请請])忘[了记記]|忘掉)(?:关于|關於)?(?P<about>(?!我)[^?？\n，,]{1,30}?)的(?:事情?|一切)吧?",
        r"(?:不要|别|別)[记記](?:住|得)(?P<says>我[^?？\n]{2,100}?)(?:这件事|這件事|的事)?",
        r"(?:(?<=[请請你您])忘了|(?:忘掉|忘[记記]|删掉|刪掉))(?P<says>我[^?？\n]{2,100}?(?<!了))"
        r"(?:这件事|這件事|的事)?吧?",
    ),
    "Japanese": (
        r"(?P<asks>[^?？\n、]{0,40}?(?:どこ|誰|だれ|いつ|何|なに)[^?？\n、]{1,40}?か)(?:は|を)?"
        rf"{_SOLO['Japanese']}",
        rf"(?P<about>[^?？\n、]{{1,30}}?)の(?:こと|話|件)[はを]?{_SOLO['Japanese']}",
        rf"(?P<about>(?:私|僕|俺)の[^?？\n、]{{1,30}}?)[はを]?{_SOLO['Japanese']}",
        r"(?P<says>[^?？\n]{2,100}?)(?:という)?(?:こと|の)[はを](?:覚え|記憶し)ないで(?:ください|下さい|ね|くれ)?",
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
        r"(?P<asks>[^?\n,]{0,40}?(?:어디|누구|언제|무엇|뭐)[^?\n,]{1,40}?지)[는를]? ?"
        rf"{_SOLO['Korean']}",
        rf"(?P<about>[^?\n,]{{1,30}}?)에 ?(?:대해서?|관해서?)(?:는)? ?{_SOLO['Korean']}",
        r"(?P<about>(?:내|제|우리) [^?\n,]{1,30}?)(?: 이야기| 얘기)?[은는을를]? ?"
        rf"{_SOLO['Korean']}",
        r"(?P<says>[^?\n]{2,100}?)(?:다는|라는) ?(?:것|거|건|걸|사실)[은는을를]? ?"
        r"기억하지 ?(?:마|말아 ?줘|말아 ?주세요|마세요)요?",
    ),
}
# Who joins two things tells of both: a wish for one of them does not mean the other.
AND: Final = {
    "English": "and|or|plus|&|both",
    "German": "und|oder|sowie|&",
    "French": "et|ou|&",
    "Spanish": "y|e|o|u",
    "Italian": "e|ed|o",
    "Portuguese": "e|ou",
    "Dutch": "en|of|&",
    "Russian": "и|или",
    "Greek": "και|κι|ή",
    "Arabic": r"و|أو|وال\w+",
    "Hindi": "और|या|व",
}
AND_LETTERS: Final = {
    "Chinese": r"[和跟与與及]|还有|還有",
    "Japanese": r"(?<=[^\u3041-\u309f\W])[とや](?=[^\u3041-\u309f\W])",
    "Korean": r"(?<=\w)(?:과|와|하고|이랑|랑) ",
}
# Languages in which whoever speaks of themselves has to say so beside the verb.
NAMES_ONESELF: Final = frozenset({"English", "German", "French", "Dutch"})
# How somebody names themselves beside a verb: who leaves it out says the same.
_ONESELF: Final = (
    "i ich je j yo io eu ik я εγω انا मैं 나는 내가 저는 제가 난 전 我 私 僕 俺 私は 私が"
)
ONESELF: Final = frozenset(_ONESELF.split())
# Letters that name nothing a wish could be about: "all that I said", "it".
UNNAMED: Final = frozenset("话話事情件些内容內一切全部所有것それこあ")
OWNED: Final = (
    "ma mon mes mi mis mia mio mie miei meu minha meus minhas mijn mein meine meinen my our"
)
# How "my" is written where words are not parted from it, or have particles.
MINE: Final = {
    "Chinese": r"^我的?",
    "Japanese": r"^(?:私|僕|俺|わたし)の",
    "Korean": r"^(?:내|제|우리) ",
}
DENIED: Final = {
    "Arabic": r"(?<!\w)(?:لا|لم|لن|ليس|لست|ما)(?!\w)",
    "Hindi": r"नहीं|(?<!\S)मत |(?<!\S)ना? ",
    "Chinese": r"[不没沒未]",
    "Japanese": r"ない|ません|なかった",
    "Korean": r"(?<!\w)(?:안|못) |않|없|아니",
}


def possible(text: str) -> list[str]:
    """The languages in which a text may ask to forget something."""
    plain = text.casefold()
    signs = _latin_signs() if plain.isascii() else _signs()
    return [name for name, each in signs if any(map(plain.__contains__, each))]


@cache
def _signs() -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((name, tuple(signs.split())) for name, signs in _SIGNS.items())


@cache
def _latin_signs() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Those that a text of plain letters may have: it is asked of every text."""
    plain = ((name, tuple(filter(str.isascii, signs))) for name, signs in _signs())
    return tuple((name, signs) for name, signs in plain if signs)


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


@cache
def joins(language: str) -> re.Pattern[str]:
    """What joins two things in a language."""
    letters = AND_LETTERS.get(language)
    return re.compile(letters or rf"(?<!\S)(?:{AND[language]})(?!\S)", re.IGNORECASE)


def unowned(language: str, named: str) -> str:
    """What somebody calls theirs, without the word that says so."""
    return re.sub(MINE[language], "", named) if language in MINE else named
