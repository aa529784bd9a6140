"""Memory test kit for your own tests: `MemoryKit`, its assertions, and stories in YAML.

from muniment.testing import MemoryKit

with MemoryKit() as kit:
    kit.says("My dog is called Rex", user="tuff")
    kit.assert_remembers("Rex", asked="What is my dog called?")
    kit.assert_never_tells("bea", "Rex")
    kit.assert_replays()
"""

from muniment.adapters.testing.answer_gate import assert_same_answers
from muniment.adapters.testing.memory_kit import MemoryKit, StoryClock
from muniment.adapters.testing.stories import Story, StoryStep, play, read

__all__ = [
    "MemoryKit",
    "Story",
    "StoryClock",
    "StoryStep",
    "assert_same_answers",
    "play",
    "read",
]
