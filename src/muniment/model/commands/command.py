"""Command base class, and the types of its texts and names."""

from typing import Annotated

import msgspec

from muniment.model.kinds.episode import Value

TEXT_LENGTH_MAX = 32_768  # as much as the detector of personal data reads
Text = Annotated[str, msgspec.Meta(max_length=TEXT_LENGTH_MAX)]
Name = Annotated[str, msgspec.Meta(max_length=512)]
Speaker = Annotated[str, msgspec.Meta(max_length=200)]  # who says something: words like any other
# Made by the engine from what was screened already: looking again could only change it.
Derived = Annotated[str, msgspec.Meta(max_length=32_767)]


class Command(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    tag_field="type",
    omit_defaults=True,
    forbid_unknown_fields=True,
):
    """The parent of all commands. `subject` names whose data the command carries."""

    subject: Name = ""


class Keeping(Command, frozen=True, kw_only=True):
    """The parent of what keeps words: with the handles by which they are found again."""

    source: Name = ""  # the name of a source: a page, a sender, a tool
    tags: Value = None  # a list of texts
    metadata: Value = None  # an object
    happened_at: Name = ""  # when it was so, which may be long before it is told
    expires: Name = ""  # a moment, a day, or `+` and seconds from when it is told
