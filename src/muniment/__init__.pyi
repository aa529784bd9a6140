"""The front door: its names with their types, for editors and type checkers."""

from muniment.adapters.front_door import open as open  # noqa: A004 - it reads as what it does
from muniment.engine.api.agent import Agent as Agent
from muniment.engine.api.job import Job as Job
from muniment.engine.api.memory import Memory as Memory
from muniment.engine.api.persona_views import ActorMemoryView as ActorMemoryView
from muniment.engine.api.persona_views import SubconsciousMemoryView as SubconsciousMemoryView
from muniment.engine.api.remember import Remembered as Remembered
from muniment.engine.api.subconscious import Subconscious as Subconscious
from muniment.engine.conversation.conversation import Conversation as Conversation
from muniment.engine.memos.plugin_memory import guest as guest
from muniment.engine.projections.memory_type_registry import Capacity as Capacity
from muniment.engine.projections.memory_type_registry import MemoryType as MemoryType
from muniment.engine.streams.ports import Neighbours as Neighbours
from muniment.model import errors as errors
from muniment.model.errors import MunimentError as MunimentError
from muniment.model.kinds.memo import Memo as Memo
from muniment.model.kinds.memo import MemoType as MemoType
from muniment.model.policy import Policy as Policy
from muniment.model.policy import preset as preset
from muniment.model.policy.identity import Identity as Identity

__all__: list[str]
__version__: str
WHERE: dict[str, str]
MODULES: dict[str, str]
