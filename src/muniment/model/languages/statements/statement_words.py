"""Statement words: in which words each language asks, orders, exclaims, and speaks of its own.

"Tell me a joke", "what do you think", "lol" are said to an assistant all day long, mostly without a
mark behind them, and nobody is known any better by them. A row is written as people write it, and
folded as texts are; it is looked for where a sentence begins, or, in a language whose verb stands
last, where it ends.
"""

from collections.abc import Mapping
from typing import Final

from muniment.model.languages.statements import latin_statements, lettered_statements
from muniment.model.languages.statements.statement_rows import StatementWords

# Written alike everywhere: laughter, sounds, and what is typed for them.
SOUNDS: Final = (
    "lo+l|rofl|lmao|omg|wtf|brb|btw|afk|idk|imo|hm+|mh+m*|uh+|um+|ah+|oh+|eh+|aw+|wow|ugh|phew"
    "|oops"
    "|(?:ha|he|hi|ja|ah|xa)(?:ha|he|hi|ja|ah|xa)+h?|x+d|yay|ok+|okay|okey|k|test|ping"
    "|bla(?: ?bla)*"
    "|ахах\\w*|хаха\\w*|хех\\w*|лол|гм+|хм+|ой|ах|ух|эх|эй|ого|ㅋ+|ㅎ+|哈+|嘿+|呵+|嗯+|哦+|啊+"
    "|唉+|笑+"
    "|ｗ+|あー+|えー+|うーん|へえ|ههه\\w*|هاها\\w*|χα(?:χα)+|हा ?हा"
)

STATEMENT_WORDS: Final[Mapping[str, StatementWords]] = {
    **latin_statements.STATEMENTS,
    **lettered_statements.STATEMENTS,
}
