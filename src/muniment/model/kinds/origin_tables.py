"""Origin tables: the origin of an event, an item or a memo, by its kind."""

from typing import Final

from muniment.model.kinds.conversation_item import Source
from muniment.model.kinds.episode import Origin
from muniment.model.kinds.loop import EventKind
from muniment.model.kinds.memo import MemoSource

BY_KIND: Final = {
    EventKind.USER_INPUT: Origin.USER,
    EventKind.ACTOR_OUTPUT: Origin.AGENT,
    EventKind.SUBCONSCIOUS_PROMPT: Origin.AGENT,
    EventKind.SUBCONSCIOUS_OUTPUT: Origin.AGENT,
    EventKind.TOOL_CALL: Origin.AGENT,
    EventKind.TOOL_RESULT: Origin.TOOL,
    EventKind.SYSTEM_EVENT: Origin.SYSTEM,
    EventKind.ERROR: Origin.TOOL,
}
BY_SOURCE: Final = {
    Source.USER: Origin.USER,
    Source.AI: Origin.AGENT,
    Source.TOOL: Origin.TOOL,
    Source.SYSTEM: Origin.SYSTEM,
}
BY_MEMO_SOURCE: Final = {
    MemoSource.USER: Origin.USER,
    MemoSource.MODEL: Origin.AGENT,
    MemoSource.TOOL: Origin.TOOL,
    MemoSource.SYSTEM: Origin.SYSTEM,
    MemoSource.EXTERNAL: Origin.EXTERNAL,
}
# What no person has said, as far as anybody knows: a person's word stands above it.
OF_MACHINES: Final = frozenset(Origin) - {Origin.USER}
# Whose words weigh more, the least first: none replaces or ends what those behind it said.
ORIGIN_WEIGHT: Final = (Origin.EXTERNAL, Origin.TOOL, Origin.AGENT, Origin.USER, Origin.SYSTEM)
