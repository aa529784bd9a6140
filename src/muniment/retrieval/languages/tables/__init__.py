"""The languages whose words for time are known, each a table of its own."""

from typing import Final

from muniment.retrieval.languages.tables.arabic import ARABIC
from muniment.retrieval.languages.tables.chinese import CHINESE
from muniment.retrieval.languages.tables.dutch import DUTCH
from muniment.retrieval.languages.tables.english import ENGLISH
from muniment.retrieval.languages.tables.french import FRENCH
from muniment.retrieval.languages.tables.german import GERMAN
from muniment.retrieval.languages.tables.greek import GREEK
from muniment.retrieval.languages.tables.hindi import HINDI
from muniment.retrieval.languages.tables.italian import ITALIAN
from muniment.retrieval.languages.tables.japanese import JAPANESE
from muniment.retrieval.languages.tables.korean import KOREAN
from muniment.retrieval.languages.tables.portuguese import PORTUGUESE
from muniment.retrieval.languages.tables.russian import RUSSIAN
from muniment.retrieval.languages.tables.spanish import SPANISH

# Written in the same letters: only its small words show which of them it is.
LATIN: Final = (ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN, PORTUGUESE, DUTCH)
# Known by letters of their own.
OTHERS: Final = (RUSSIAN, GREEK, ARABIC, HINDI, CHINESE, JAPANESE, KOREAN)
