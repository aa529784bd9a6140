"""The parent of all commands, and the texts and names they are made of."""

from typing import Annotated

import msgspec

Text = Annotated[str, msgspec.Meta(max_length=32_768)]
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
