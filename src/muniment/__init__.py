"""The front door of Muniment, the memory of an AI agent that can prove what it remembers.

import muniment

memory = muniment.open("./memory")
ada = memory.agent("ada", user="tuff")
ada.remember("I moved to Lisbon in March")
print(ada.context("Where do I live?", budget=500))
"""

import gc
from importlib import import_module

__version__ = "0.2.0"

# Where each public name lives. `__init__.pyi` says the same to type checkers, and a test compares
# both: what is not used is not imported, so that `import muniment` costs next to nothing, and
# whoever presses Ctrl-C meanwhile meets no traceback. Not even `typing` is.
WHERE = {
    "ActorMemoryView": "muniment.engine.api.persona_views",
    "Agent": "muniment.engine.api.agent",
    "Capacity": "muniment.engine.projections.memory_type_registry",
    "Conversation": "muniment.engine.conversation.conversation",
    "Identity": "muniment.model.policy.identity",
    "Job": "muniment.engine.api.job",
    "Memo": "muniment.model.kinds.memo",
    "MemoType": "muniment.model.kinds.memo",
    "Memory": "muniment.engine.api.memory",
    "MemoryType": "muniment.engine.projections.memory_type_registry",
    "MunimentError": "muniment.model.errors",
    "Neighbours": "muniment.engine.streams.ports",
    "Policy": "muniment.model.policy",
    "Remembered": "muniment.engine.api.remember",
    "Subconscious": "muniment.engine.api.subconscious",
    "SubconsciousMemoryView": "muniment.engine.api.persona_views",
    "guest": "muniment.engine.memos.plugin_memory",
    "open": "muniment.adapters.front_door",
    "preset": "muniment.model.policy",
}
MODULES = {"errors": "muniment.model.errors"}
__all__ = [
    "ActorMemoryView",
    "Agent",
    "Capacity",
    "Conversation",
    "Identity",
    "Job",
    "Memo",
    "MemoType",
    "Memory",
    "MemoryType",
    "MunimentError",
    "Neighbours",
    "Policy",
    "Remembered",
    "Subconscious",
    "SubconsciousMemoryView",
    "errors",
    "guest",
    "open",
    "preset",
]


def __getattr__(name: str) -> object:
    if name in MODULES:
        found = _imported(MODULES[name])
    elif name in WHERE:
        found = getattr(_imported(WHERE[name]), name)
    else:
        raise AttributeError(f"module 'muniment' has no attribute {name!r}")
    globals()[name] = found
    return found


def _imported(name: str) -> object:
    """A module; meanwhile nothing is looked for that could be thrown away, for there is nothing."""
    collects = gc.isenabled()
    gc.disable()
    try:
        return import_module(name)
    finally:
        if collects:
            gc.enable()


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
