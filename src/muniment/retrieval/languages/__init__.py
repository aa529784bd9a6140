"""The languages whose words for time are known, each a table of its own."""

from typing import Final

from muniment.retrieval.languages.arabic import ARABIC
from muniment.retrieval.languages.chinese import CHINESE
from muniment.retrieval.languages.dutch import DUTCH
from muniment.retrieval.languages.english import ENGLISH
from muniment.retrieval.languages.french import FRENCH
from muniment.retrieval.languages.german import GERMAN
from muniment.retrieval.languages.greek import GREEK
from muniment.retrieval.languages.hindi import HINDI
from muniment.retrieval.languages.italian import ITALIAN
from muniment.retrieval.languages.japanese import JAPANESE
from muniment.retrieval.languages.korean import KOREAN
from muniment.retrieval.languages.portuguese import PORTUGUESE
from muniment.retrieval.languages.russian import RUSSIAN
from muniment.retrieval.languages.spanish import SPANISH

# Written in the same letters: only its small words show which of them it is.
LATIN: Final = (ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN, PORTUGUESE, DUTCH)
# Known by letters of their own.
OTHERS: Final = (RUSSIAN, GREEK, ARABIC, HINDI, CHINESE, JAPANESE, KOREAN)
