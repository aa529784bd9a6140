"""Address words: by which an agent's text is said to the user, and is no note about them.

"Your rent is 900 euros" repeats or guesses what the user should know; "The user's rent is 900
euros" is what the agent has noted of them. What stands in quotes was said by somebody else.
"""

import re
from functools import cache
from typing import Final

# What no other language spells so; a short text is read as English that shows no language.
ANYWHERE: Final = (
    r"du|dich|deine?[mnrs]?|votre|vos|vous|tus?|usted|vuestr[oa]s?|teus?|tuas?|voc[êe]s?"
    r"|tuo|tuoi|vostr[oaie]|jij|jouw|uw"
)
# By the language that a text is in, for "je" is "you" in Dutch and "I" in French.
WORDS: Final = {
    "English": rf"you|your|yours|yourself|you['\u2019](?:re|ve|ll|d)|{ANYWHERE}",
    "German": r"du|dich|dir|deine?[mnrs]?|euch|euer|eure[mnrs]?",
    "French": r"tu|toi|ton|tes|vous|votre|vos|t['\u2019](?:as|es|aimes|habites)",
    "Spanish": r"tú|tus?|ti|contigo|tienes|eres|vives|usted|vosotr[oa]s|vuestr[oa]s?",
    "Portuguese": r"tu|teus?|tuas?|contigo|voc[êe]s?",
    "Italian": r"tu|tuo|tua|tuoi|tue|ti|sei|hai|vostr[oaie]",
    "Dutch": r"je|jij|jou|jouw|jullie|uw",
    "Russian": r"ты|тебя|тебе|тобой|тво\w{1,3}|вы|вас|вам|вами|ваш\w{0,3}",
    "Greek": r"σου|σας|εσύ|εσείς|εσένα",
    "Arabic": r"و?(?:أنت|انت|لديك|عندك|لك|إليك)",
    "Hindi": r"आप|आपका|आपकी|आपके|आपको|तुम|तुम्हारा|तुम्हारी|तुम्हारे|तुम्हें",
}
# In scripts without spaces, or where a word takes endings, they stand inside others.
PARTS: Final = {
    "Chinese": r"[你您]",
    "Japanese": r"あなた|お客様",
    "Korean": r"당신|고객님",
}
# The polite forms are those of "she" and "they" with a capital, which is seen inside a sentence;
# a text of an agent that begins with one speaks to the user.
POLITE: Final = r"(?:^|(?<=[a-zäöüß,] ))(?:Ihre?[mnrs]?|Ihnen)\b|(?<=[a-zäöüß,] )Sie\b"
ABOUT: Final = r"\b(?:the|this) (?:user|customer|client)|\buser\b|\b(?:der nutzer|die nutzerin)\b"
QUOTED: Final = r"\"[^\"]*\"|\u201c[^\u201d]*\u201d|\u201e[^\u201c]*\u201c|\u00ab[^\u00bb]*\u00bb"
QUOTED_SPACELESS: Final = r"\u300c[^\u300d]*\u300d"


def speaks_to_user(language: str, text: str) -> bool:
    """Whether a text in that language is said to somebody, and not about a user."""
    own = _own(language)
    if own is None:
        return False
    quoted, about, polite = _patterns()
    plain = quoted.sub(" ", text.strip())
    if about.search(plain):
        return False
    return bool(own.search(plain) or (language == "German" and polite.search(plain)))


@cache
def _own(language: str) -> re.Pattern[str] | None:
    if language in WORDS:
        return re.compile(rf"(?<!\w)(?:{WORDS[language]})(?!\w)", re.IGNORECASE)
    return re.compile(PARTS[language]) if language in PARTS else None


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    quoted = re.compile(f"{QUOTED}|{QUOTED_SPACELESS}")
    return quoted, re.compile(ABOUT, re.IGNORECASE), re.compile(POLITE)
