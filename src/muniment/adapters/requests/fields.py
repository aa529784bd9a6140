"""Field types of requests: limits and, where a door shows it, one line of help each."""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from muniment.model.canonical_json import INTEGER_MAX
from muniment.model.commands.command import TEXT_LENGTH_MAX
from muniment.model.kinds.episode import Evidence, Origin
from muniment.model.kinds.handles import TAG_CHARACTERS_MAX, TAGS_MAX

PAGE: Final = 50
PAGE_MAX: Final = 200


def one_of(*values: str) -> Meta:
    """One of these texts. The signature says `str`, as in the engine; the schema lists them."""
    spelled = "|".join(map(re.escape, values))
    return Meta(pattern=rf"^(?:{spelled})(?!\n)$", extra_json_schema={"enum": [*values]})


Text = Annotated[str, Meta(max_length=100_000)]  # asked, or kept in pieces
Statement = Annotated[str, Meta(max_length=TEXT_LENGTH_MAX)]  # kept as it is
Name = Annotated[str, Meta(max_length=128)]
Id = Annotated[str, Meta(min_length=1, max_length=256)]
Ids = Annotated[Sequence[Id], Meta(max_length=1_000)]
Seq = Annotated[int, Meta(ge=0, le=INTEGER_MAX)]
Place = Annotated[int, Meta(ge=1, le=INTEGER_MAX)]
Count = Annotated[int, Meta(ge=0, le=10_000)]
Json = Mapping[str, object]
ItemId = Id
Evidences = Annotated[Sequence[Evidence], Meta(max_length=64)]

At = Annotated[Seq | None, Meta(description="As of an earlier entry.")]
Day = Annotated[Name, Meta(description="What was true on a day: 2026-03-05.")]
Query = Text
Limit = Annotated[Count, Meta(description="At most this many; 0: as many as the policy says.")]
Tokens = Annotated[int, Meta(ge=0, le=1_000_000, description="At most this many tokens.")]
Purpose = Annotated[
    str, one_of("", "act"), Meta(description="Only what is trusted enough to act on (`act`).")
]
Quarantined = Annotated[bool, Meta(description="Include what waits for a person to vouch for it.")]
Recent = Annotated[bool, Meta(description="Add what was said last.")]
Settled = Annotated[bool, Meta(description="List settled requests instead, with their votes.")]
Reason = Annotated[str, Meta(min_length=1, max_length=10_000, description="Why; it is logged.")]
Why = Annotated[Statement, Meta(description="Why; it is logged.")]

Origins = Annotated[
    str,
    one_of("", *Origin),
    Meta(description="Who said it; external is pasted or fetched text. Default: the caller."),
]
SourceName = Annotated[Name, Meta(description="The name of the source: a page, a sender, a tool.")]
SpeakerName = Annotated[
    str, Meta(max_length=200, description="The speaker, where several people talk.")
]
Session = Annotated[Name, Meta(description="The conversation it belongs to.")]
KeepRaw = Annotated[bool, Meta(description="Store personal data unredacted; needs a consent.")]

Tag = Annotated[str, Meta(min_length=1, max_length=TAG_CHARACTERS_MAX)]
Tags = Annotated[Sequence[Tag], Meta(max_length=TAGS_MAX, description="Words to find it by.")]
Metadata = Annotated[Json | None, Meta(description="A JSON object to find it by.")]
HappenedAt = Annotated[
    str, Meta(max_length=64, description="When it happened: 2026-03-05, or a time.")
]
Expires = Annotated[
    str, Meta(max_length=64, description="When it stops being recalled: a date, a time, or P30D.")
]
Where = Annotated[
    Json | None,
    Meta(description='Only what matches: {"tags": "a", "metadata.n": {"gte": 3}, "not": {…}}.'),
]

PageLimit = Annotated[int, Meta(ge=1, le=PAGE_MAX, description="At most this many on a page.")]
NEXT: Final = "The `next` of the last page."
Cursor = Annotated[  # $: or before it
    str, Meta(max_length=32, pattern=r"^[0-9]*(?!\n)$", description=NEXT)
]
LogName = Annotated[str, Meta(max_length=512)]  # empty: none in particular
Stream = Annotated[str, Meta(min_length=1, max_length=512, description="The name of a log.")]


def empty() -> Any:  # noqa: ANN401 - a default of msgspec
    """A mapping that is empty unless it is given."""
    return msgspec.field(default_factory=dict)


def cursor_place(cursor: str) -> int:
    """Where a cursor stands; one that is past every log stands at the end of each."""
    return min(int(cursor or 0), INTEGER_MAX)
