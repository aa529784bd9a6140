"""What may be asked: a closed union of frozen values, imperative, already admitted at the door."""

from typing import Annotated, Literal

import msgspec

from muniment.model.asking import Command, Name, Text
from muniment.model.item import EpisodicSource, Evidence, Origin, Ticks, Value, WorkingType
from muniment.model.loop_commands import LoopCommand
from muniment.model.memo_commands import MemoCommand
from muniment.model.memory_commands import MemoryCommand
from muniment.model.paper_commands import PaperCommand
from muniment.model.policy import Policy
from muniment.model.upkeep_commands import UpkeepCommand
