"""Compaction run: which memos are due for a summary, and what a model was asked.

This module gathers inputs and asks the model; the decision is pure and in the log. The model is
asked once per request and its answer is logged before it is used. If it fails, sentences of the
memos are the summary, and the log says so.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import msgspec

from muniment.engine.session import retry_lookup
from muniment.engine.session.agent_session import AgentSession
from muniment.engine.streams import admission
from muniment.engine.streams.append_result import AppendResult
from muniment.layers import memo_reads, model_outputs
from muniment.layers.memos import threads as layer
from muniment.layers.memos.memos import pad_key
from muniment.layers.memos.scratchpads import Scratchpad
from muniment.model import canonical_json
from muniment.model.commands import AnyCommand
from muniment.model.commands.memos import Memorize
from muniment.model.commands.threads import Compact, RecordOutput, Strategy
from muniment.model.events.memos import MemosEvicted
from muniment.model.events.threads import MemosCompacted
from muniment.model.kinds.memo import Memo, MemoPlace, MemoSource, MemoType
from muniment.model.kinds.skill import Skill
from muniment.retrieval.text.skill_wording import worded

MODEL_FAILED: Final = "model_failed"
MEMOS_MAX: Final = 2_000  # of one command; what is more is told by the next one
FULL_PERCENT: Final = 75  # of a scratchpad: from here on its tail is summarised


class Compacted(msgspec.Struct, frozen=True, kw_only=True):
    """Result of a compaction: what was replaced by which summary, and tokens before and after."""

    strategy: str
    place: str
    trigger: str
    done: bool
    reason: str = ""  # why nothing was done
    told_by: str = ""
    sources: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    tokens_before: int = 0
    tokens_after: int = 0
    quality_ppm: int = 0
    by: str = ""
    fallback: str = ""
    seq: int = 0


class CompactionProgress(msgspec.Struct, frozen=True, kw_only=True):
    """Where a run is: shown after each piece of work."""

    step: str
    done: int
    of: int


Shown = Callable[[CompactionProgress], object]


class Upkeep:
    """The hands that keep one session's memos small; it sees what that session sees."""

    def __init__(self, session: AgentSession) -> None:
        self._session = session

    # ── Everything that is due ──────────────────────────────────────────────────────────────────

    def run(self, *, due_only: bool = False, shown: Shown = lambda _: None) -> list[Compacted]:
        """Episodes, scratchpads, skills, semantic memory, in this order; stop it anywhere."""
        work = [
            *(("episode", each) for each in self._episodes(due_only=due_only)),
            *(("tail", each) for each in self._tails(due_only=due_only)),
        ]
        told: list[Compacted] = []
        for done, (step, command) in enumerate(work, start=1):
            told.append(self._compacted(command))
            shown(CompactionProgress(step=step, done=done, of=len(work)))
        routed = self.route_skills()
        shown(CompactionProgress(step="skills", done=routed, of=routed))
        merged = self.merge()
        shown(CompactionProgress(step="merge", done=len(merged), of=len(merged)))
        return [*told, *merged]

    def episode(self, episode_id: str, trigger: str = "manual") -> Compacted:
        """Summarise one episode."""

        def summary() -> AnyCommand:
            found = memo_reads.of_episode(self._session.shelves(None), episode_id)
            return admission.admit(self._summary(episode_id, list(found)[::-1], trigger))

        told = retry_lookup.follow(self._session, f"summary of {episode_id}", summary)
        return _read(told, "summary", trigger)[0]

    def after_job(self, task_id: str, kept_tokens: int) -> list[Compacted]:
        """What a turn left too much of: its scratchpad's tail, and the episode that it was."""
        pad = pad_key(self._session.subject, task_id)
        work = list(self._tails(due_only=True, only=pad))
        if kept_tokens >= self._session.policy.compaction.episode_tokens:
            due = self._episodes(due_only=True)
            work += [each for each in due if not each.episode_id and each.task_id == task_id]
        return [self._compacted(each) for each in work]

    # ── Semantic memory ─────────────────────────────────────────────────────────────────────────

    def merge(self, trigger: str = "manual") -> list[Compacted]:
        """Memos of semantic memory that say the same become one."""
        living = self._living(MemoPlace.SM)
        ids = tuple(memo.id for memo in living)[:MEMOS_MAX]
        if len(ids) < 2:  # noqa: PLR2004 - nothing is alike by itself
            return []
        told = self._tell(self._command("merge", ids, trigger))
        return [each for each in _read(told, "merge", trigger) if each.done]

    def route_skills(self) -> int:
        """What was done the same way often enough is knowledge: the gate sends it to its place."""
        skills = self._session.library.skills()
        shelves, subject = self._session.shelves(None), self._session.subject
        owed = 0
        for skill in skills:
            before = memo_reads.current(shelves, skill.skill_id, subject)
            if "".join(memo.text for memo in reversed(before)) != worded(skill):
                self._session.append(_skill(skill, subject))
                owed += 1
        return owed

    # ── Down to a budget ────────────────────────────────────────────────────────────────────────

    def thin(
        self, strategy: Strategy, *, tokens_max: int | None = None, items_max: int | None = None
    ) -> Compacted:
        """Let episodic memory shrink: by utility density, or to a seeded sample."""
        ids = tuple(memo.id for memo in self._living(MemoPlace.EM))[:MEMOS_MAX]
        command = self._command(strategy, ids, "manual")
        limited = msgspec.structs.replace(command, tokens_max=tokens_max, items_max=items_max)
        return _read(self._tell(limited), strategy, "manual")[0]

    # ── Pointers ────────────────────────────────────────────────────────────────────────────────

    def sources(self, memo_id: str) -> list[Memo]:
        """The memos that a summary stands for, as they were kept; none was ever dropped."""
        shelves = self._session.shelves(None)
        line = shelves.get(layer.COMPACTIONS, memo_id)
        told = line.event if line else None
        if not isinstance(told, MemosCompacted):
            return []
        found = (memo_reads.get(shelves, each) for each in told.sources)
        return [memo for memo in found if memo is not None]

    # ── What is gathered and asked ──────────────────────────────────────────────────────────────

    def _living(self, place: MemoPlace) -> list[Memo]:
        return memo_reads.living(self._session.shelves(None), place, self._session.subject)

    def _episodes(self, *, due_only: bool) -> Iterator[Compact]:
        rules = self._session.writer.desk.policy.compaction
        for key, memos in _by_episode(self._living(MemoPlace.EM)[::-1]).items():
            tokens = sum(memo.tokens_estimate for memo in memos)
            steps = len(memos) >= rules.episode_steps
            due = steps or tokens >= rules.episode_tokens
            if len(_since_summary(memos)) > 1 and (due or not due_only):
                trigger = ("steps" if steps else "tokens") if due else "manual"
                yield self._summary(key, memos, trigger)

    def _summary(self, key: str, memos: Sequence[Memo], trigger: str) -> Compact:
        ids = tuple(memo.id for memo in memos)[:MEMOS_MAX]
        command = self._command("summary", ids, trigger)
        task = key.removeprefix("task:") if key.startswith("task:") else ""
        thread = memos[0].task_id if memos else ""
        placed = msgspec.structs.replace(
            command, episode_id="" if task else key, task_id=task or thread
        )
        limit = self._session.writer.desk.policy.compaction.meso_tokens
        return self._with_model(placed, [memo.text for memo in memos], limit)

    def _tails(self, *, due_only: bool, only: str = "") -> Iterator[Compact]:
        desk = self._session.writer.desk
        gating, rules = desk.policy.gating, desk.policy.compaction
        for pad, held in desk.memos.pads.items():
            subject, _, task = pad.partition("/")
            full = len(held.held) * 100 >= gating.working_items_max * FULL_PERCENT
            full = full or held.tokens * 100 >= gating.working_tokens_max * FULL_PERCENT
            mine = subject == self._session.subject and only in ("", pad)
            tail = _tail(held, gating.working_guard_ppm, gating.working_recent_steps)
            tail = tail[: rules.tail_items]
            if mine and len(tail) > 1 and (full or not due_only):
                ids = tuple(memo.id for memo in tail)
                command = self._command("tail", ids, "full" if full else "manual")
                told = msgspec.structs.replace(command, task_id=task)
                yield self._with_model(told, [memo.text for memo in tail], rules.micro_tokens)

    def _command(self, strategy: Strategy, ids: tuple[str, ...], trigger: str) -> Compact:
        return Compact(
            strategy=strategy, memo_ids=ids, trigger=trigger, subject=self._session.subject
        )

    def _with_model(self, command: Compact, texts: Sequence[str], tokens_max: int) -> Compact:
        """Ask the model, if there is one, and log its answer before it is used."""
        model = self._session.hub.tools.model
        if model is None or len(texts) < 2:  # noqa: PLR2004 - nothing to put together
            return command
        asked = [model.name, tokens_max, list(texts)]
        request = canonical_json.digest(
            "muniment/v1/request/summarise", canonical_json.encode(asked)
        ).hex()
        try:
            self.answered(request, "summarise", lambda: model.summarise(texts, tokens_max))
        except Exception:  # whatever a model does wrong, the memos can speak for themselves
            return msgspec.structs.replace(command, fallback=MODEL_FAILED)
        return msgspec.structs.replace(command, request=request)

    def answered(self, request: str, purpose: str, ask: Callable[[], str]) -> str:
        """The model's words for a request: from the log, or asked for once and kept there."""
        model = self._session.hub.tools.model
        assert model is not None, "nobody can be asked"
        if not model_outputs.is_answered(self._session.shelves(None), request):
            command = RecordOutput(
                request=request,
                purpose=purpose,
                model=model.name,
                text=ask(),
                subject=self._session.subject,
            )
            with self._session.calls.under(""):  # its request is its key
                self._session.append_or_raise(command)
        kept = model_outputs.said(self._session.shelves(None), request)
        return kept.text if kept else ""

    def _compacted(self, command: Compact) -> Compacted:
        return _read(self._tell(command), command.strategy, command.trigger)[0]

    def _tell(self, command: Compact) -> AppendResult:
        return self._session.append(admission.admit(command))


def _read(told: AppendResult, strategy: str, trigger: str) -> list[Compacted]:
    place = (
        MemoPlace.SM
        if strategy == "merge"
        else MemoPlace.WM
        if strategy == "tail"
        else MemoPlace.EM
    )
    if told.refusal:
        return [
            Compacted(
                strategy=strategy,
                place=place,
                trigger=trigger,
                done=False,
                reason=told.refusal.reason,
                seq=told.seq,
            )
        ]
    events = [line.event for line in told.lines]
    found = [_told(each, told.seq) for each in events if isinstance(each, MemosCompacted)]
    if found:
        return found
    gone = next(each for each in events if isinstance(each, MemosEvicted))
    return [
        Compacted(
            strategy=strategy,
            place=gone.place,
            trigger=trigger,
            done=True,
            gone=gone.memo_ids,
            by=gone.policy,
            seq=told.seq,
        )
    ]


def _told(event: MemosCompacted, seq: int) -> Compacted:
    shown = set(Compacted.__struct_fields__) & set(MemosCompacted.__struct_fields__)
    return Compacted(done=True, seq=seq, **{name: getattr(event, name) for name in shown})


def _by_episode(memos: Sequence[Memo]) -> dict[str, list[Memo]]:
    found: dict[str, list[Memo]] = {}
    for memo in memos:
        found.setdefault(memo.episode_id or f"task:{memo.task_id}", []).append(memo)
    return found


def _since_summary(memos: Sequence[Memo]) -> list[Memo]:
    """Memos stored since the last summary of the episode."""
    told = [n for n, memo in enumerate(memos) if memo.type is MemoType.SUMMARY]
    return list(memos[told[-1] + 1 :] if told else memos)


def _tail(pad: Scratchpad, guard_ppm: int, recent_steps: int) -> list[Memo]:
    """The oldest memos of a scratchpad that nobody guards, and that no recent step brought."""
    now = max((each.memo.step_index for each in pad.held), default=0)
    return [
        each.memo
        for each in pad.held
        if each.memo.importance_ppm < guard_ppm
        and (now < recent_steps or now - each.memo.step_index >= recent_steps)
    ]


def _skill(skill: Skill, subject: str) -> Memorize:
    return Memorize(
        kind=MemoType.SKILL,
        text=worded(skill),
        source=MemoSource.MODEL,
        confidence_ppm=skill.confidence_ppm,
        metadata=msgspec.to_builtins(skill),
        key=skill.skill_id,
        subject=subject,
    )
