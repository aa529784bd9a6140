"""One command's way to its entries, as pure steps: receive, stamp, decide, draft, seal.

The writer takes these steps with a live store and a clock; the proof takes the same steps again
with what the log holds. There is no second way.
"""

import msgspec

from muniment.engine.decide import decide, wire_name
from muniment.engine.decide.situation import Situation, Stamp, entry_id
from muniment.layers.consents import of as consent_of
from muniment.layers.desk import Desk
from muniment.layers.shelves import Shelves, Stream
from muniment.log import chain, sealing
from muniment.log.chain import Draft
from muniment.log.entry import Head
from muniment.model import ids, keys
from muniment.model.commands import (
    AdoptPolicy,
    AnyCommand,
    Confirm,
    Correct,
    OpenJob,
    Remember,
    RememberMany,
    RequestPromotion,
)
from muniment.model.errors import JobClosedError
from muniment.model.events import AnyEvent, Received
from muniment.model.memo_commands import Memorize
from muniment.model.policy import digest as policy_digest
from muniment.model.scope import Principal, Role, StreamKind
from muniment.model.upkeep_commands import Compact, TakeTurn
from muniment.rules.privacy import screen
from muniment.rules.privacy.detect import DETECTOR_VERSION

# What is asked outside of any job and still needs a seed to count its names from.
A_JOB_OF_ITS_OWN = (
    OpenJob
    | Remember
    | RememberMany
    | Correct
    | RequestPromotion
    | Confirm
    | Memorize
    | TakeTurn
    | Compact
