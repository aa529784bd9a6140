"""Commands of a conversation, for the agent's stream and for shared spaces."""

import msgspec

from muniment.model.commands.command import Command, Name, Text
from muniment.model.kinds.conversation_item import Space
from muniment.model.kinds.episode import Value
from muniment.model.kinds.recollection import Crossing, Mention, Message, Offer


class Conversing(Command, frozen=True, kw_only=True):
    """The parent of what a conversation asks: in which session, by which profile of the AI."""

    session: Name
    ai_profile: Name = ""
    # The streams of the shared spaces that have an owner here, and those owners as ids spell them.
    places: dict[Space, str] = msgspec.field(default_factory=dict)
    owners: dict[Space, str] = msgspec.field(default_factory=dict)


class RecordInteraction(Conversing, tag="record_interaction", frozen=True, kw_only=True):
    """What was said and done around one AI call."""

    messages: tuple[Message, ...]
    space: Space = Space.SESSION  # where semantic and profile items are written
    promote_to: Space | None = None
    replaces: Name = ""  # the item that the user's message corrects
    # The handles of what is said, as `Keeping` has them.
    source: Name = ""
    tags: Value = None
    metadata: Value = None
    happened_at: Name = ""
    expires: Name = ""


class PromoteItem(Conversing, tag="promote_item", frozen=True, kw_only=True):
    item_id: Name
    from_space: Space
    to_space: Space
    reason: Name = "target"


class StartPhase(Conversing, tag="start_phase", frozen=True, kw_only=True):
    space: Space
    name: Text = ""
    reason: Text = "manual"


class DiffPhases(Conversing, tag="phase_diff", frozen=True, kw_only=True):
    space: Space
    from_phase: int
    to_phase: int


class RetractItem(Conversing, tag="retract_item", frozen=True, kw_only=True):
    item_id: Name
    space: Space
    without: tuple[Name, ...] = ()  # what does not stand again, though this had replaced it


class UndoWrite(Conversing, tag="undo_write", frozen=True, kw_only=True):
    """Bring back what the batch at `batch` retired, here and in all that it was forwarded to."""

    batch: int
    # By stream reference, the batches there: one for each item that was sent.
    elsewhere: dict[str, tuple[int, ...]] = msgspec.field(default_factory=dict)


class RecordItemRecall(Conversing, tag="record_item_recall", frozen=True, kw_only=True):
    """The receipt of what an AI call was given."""

    query: Text = ""
    recalled: tuple[Mention, ...] = ()
    reads: dict[str, int] = msgspec.field(default_factory=dict)
    borders: tuple[Crossing, ...] = ()
    deterministic_hash: Name = ""
    phase: int = 0
    phase_started_at: int = 0
    phase_name: Name = ""
    phase_reason: Name = ""
    hidden: int = 0
    handed: bytes = b""  # fingerprints of the lines that it gave out
    where: Text = ""  # the filter, as it is spelled


class AdmitItem(Conversing, tag="admit_item", frozen=True, kw_only=True):
    """A shared space is offered an item; it decides by its own rules."""

    space: Space
    offer: Offer
    home: Name  # the stream that offers it
    from_space: Space


class SettlePromotion(Conversing, tag="settle_promotion", frozen=True, kw_only=True):
    """The other space has taken the item: it leaves the space it came from."""

    from_space: Space
    to_space: Space
    from_id: Name
    to_id: Name
    authority: Name
    reason: Name


class HearWish(Conversing, tag="hear_wish", frozen=True, kw_only=True):
    """A person has asked elsewhere that something be forgotten: their own space hears it too."""

    space: Space
    text: Text = ""  # the wish, where it named nothing there
    told: Value = None  # the statements that it named there, in a list


class EndLapsed(Conversing, tag="end_lapsed", frozen=True, kw_only=True):
    """Whatever a space keeps no longer leaves it, without anybody writing there."""

    space: Space


MemoryCommand = (
    RecordInteraction
    | PromoteItem
    | StartPhase
    | DiffPhases
    | RetractItem
    | UndoWrite
    | RecordItemRecall
    | AdmitItem
    | SettlePromotion
    | HearWish
    | EndLapsed
)
