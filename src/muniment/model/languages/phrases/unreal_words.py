"""Unreal words: by which each language tells what was not so: nearly, dreamt, invented, wished.

What is quoted of somebody else is told beside it, for their "I" is not the speaker's. Where a
sentence turns, `turns`, it tells again what is so; at `breaks` another clause begins.
"""

from collections.abc import Mapping
from typing import Final

from muniment.model.languages.phrases import unreal_latin, unreal_lettered
from muniment.model.languages.phrases.unreal_rows import UnrealWords

UNREAL_WORDS: Final[Mapping[str, UnrealWords]] = {
    "English": unreal_latin.ENGLISH,
    "German": unreal_latin.GERMAN,
    "French": unreal_latin.FRENCH,
    "Spanish": unreal_latin.SPANISH,
    "Italian": unreal_latin.ITALIAN,
    "Portuguese": unreal_latin.PORTUGUESE,
    "Dutch": unreal_latin.DUTCH,
    "Russian": unreal_lettered.RUSSIAN,
    "Greek": unreal_lettered.GREEK,
    "Arabic": unreal_lettered.ARABIC,
    "Hindi": unreal_lettered.HINDI,
    "Chinese": unreal_lettered.CHINESE,
    "Japanese": unreal_lettered.JAPANESE,
    "Korean": unreal_lettered.KOREAN,
}
