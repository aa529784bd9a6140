"""Language tables, one for each language that is supported."""

from typing import Final

from muniment.model.languages.tables.arabic import ARABIC
from muniment.model.languages.tables.chinese import CHINESE
from muniment.model.languages.tables.dutch import DUTCH
from muniment.model.languages.tables.english import ENGLISH
from muniment.model.languages.tables.french import FRENCH
from muniment.model.languages.tables.german import GERMAN
from muniment.model.languages.tables.greek import GREEK
from muniment.model.languages.tables.hindi import HINDI
from muniment.model.languages.tables.italian import ITALIAN
from muniment.model.languages.tables.japanese import JAPANESE
from muniment.model.languages.tables.korean import KOREAN
from muniment.model.languages.tables.portuguese import PORTUGUESE
from muniment.model.languages.tables.russian import RUSSIAN
from muniment.model.languages.tables.spanish import SPANISH

# Written in the same letters: only its small words show which of them it is.
LATIN: Final = (ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN, PORTUGUESE, DUTCH)
# Known by letters of their own.
OTHERS: Final = (RUSSIAN, GREEK, ARABIC, HINDI, CHINESE, JAPANESE, KOREAN)
# Of Danish, Norwegian, Swedish, Finnish, Polish, Czech and Turkish, which have no table.
_OTHER_NEGATIONS: Final = "ikke inte aldrig aldri ingen ei nie bez ani değil"
NEGATIONS: Final = frozenset(
    " ".join([*(each.negations for each in (*LATIN, *OTHERS)), _OTHER_NEGATIONS]).split()
)
