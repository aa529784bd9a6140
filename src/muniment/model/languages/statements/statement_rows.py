"""Statement rows: what the table of a language says of its statements, questions and orders."""

import msgspec


class StatementWords(msgspec.Struct, frozen=True, kw_only=True):
    """The rows of one language, as regular expressions over folded words."""

    orders: str = ""  # what a sentence begins with that asks for something to be done
    asks: str = ""  # and what a question begins with
    orders_end: str = ""  # the same where the verb stands last
    asks_end: str = ""
    calls: str = ""  # how somebody says by what name to call them, orders though they are
    own: str = ""  # what a statement of oneself or one's own begins with
    own_end: str = ""  # what it ends with, where nobody need be named
    named: str = ""  # and what names somebody else in such a sentence
    fillers: str = ""  # words that say nothing, whatever stands beside them
