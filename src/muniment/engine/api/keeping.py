"""Keeping: threads that go on, memos that are told by fewer words, and pointers to all of them."""

from muniment.engine.conversation import channel as conversation_channel
from muniment.engine.conversation.channel import Channel
from muniment.engine.maintenance.compaction import Compacted, Shown, Upkeep
from muniment.engine.memos.type_host import Hosting
from muniment.engine.streams import argument_checks
from muniment.layers import memo_reads
from muniment.model import canonical_json
from muniment.model.commands.threads import SetTimeout, Strategy
from muniment.model.errors import InputError, NotFoundError
from muniment.model.kinds.memo import Memo
from muniment.model.kinds.thread import Thread
from muniment.rules.memos import chunks


class Keeping(Hosting):
    """A reader whose conversations have threads, and whose memory can be compacted."""

    def thread(
        self, channel: str = "default", *, explicit: bool = False, timeout_minutes: int = 0
    ) -> Channel:
        """A channel: what is said on it finds its thread; an explicit one has a thread of its own.

        Silence opens a new thread on an implicit channel only. The nearest word about its length
        counts: this call's, the thread's, the user's, the channel's, the policy's.
        """
        return Channel(self._voice, channel, explicit=explicit, timeout_minutes=timeout_minutes)

    def threads(self, *, at: int | None = None, valid_at: str = "") -> list[Thread]:
        """The threads of this user, open and ended, the latest first: as they stood then."""
        return conversation_channel.every(self._voice, at, argument_checks.check_day(valid_at))

    def set_thread_timeout(self, minutes: int) -> None:
        """How long every implicit thread of this user waits in silence."""
        self._voice.insist(SetTimeout(minutes=minutes, subject=self._voice.subject))

    def compact(
        self, *, due_only: bool = False, progress: Shown = lambda _: None
    ) -> list[Compacted]:
        """Summarise episodes and scratchpads, route skills, merge what says the same.

        The log keeps everything, and `sources` finds it behind each summary.
        """
        return Upkeep(self._voice).run(due_only=due_only, shown=progress)

    def thin(
        self, *, tokens_max: int | None = None, items_max: int | None = None, sample: bool = False
    ) -> Compacted:
        """Bring episodic memory down to a budget: what is worth least for its size leaves first.

        As a `sample`, all but a seeded draw of so many items leave, which favours what matters.
        """
        if (tokens_max is None and items_max is None) or (sample and items_max is None):
            raise InputError("a budget is a number of tokens or items; a sample one of items")
        strategy: Strategy = "reservoir" if sample else "density"
        return Upkeep(self._voice).thin(strategy, tokens_max=tokens_max, items_max=items_max)

    def sources(self, memo_id: str) -> list[Memo]:
        """The memos that a summary stands for, in their order; nothing was dropped."""
        return Upkeep(self._voice).sources(canonical_json.admit_text(memo_id))

    def whole(self, parent_id: str) -> str:
        """A text that was kept in chunks, as it was told."""
        found = memo_reads.parts(self._voice.shelves(None), canonical_json.admit_text(parent_id))
        if not found:
            raise NotFoundError
        return chunks.joined([memo.text for memo in found])
