"""Turn export: episodes, facts and progress that a turn hands on when it ends."""

import msgspec

from muniment.model.kinds.memo import Memo


class GoalUpdate(msgspec.Struct, frozen=True, kw_only=True):
    """One change of a goal; whoever applies it must have the version before."""

    goal_id: str
    expected_version: int
    version: int
    delta_ppm: int
    progress_ppm: int
    status: str = "active"
    note: str = ""


class Important(msgspec.Struct, frozen=True, kw_only=True):
    """A memory that was marked."""

    memo_id: str
    importance_ppm: int
    reason: str = ""


class CortexUpdate(msgspec.Struct, frozen=True, kw_only=True):
    goals: tuple[GoalUpdate, ...] = ()
    important: tuple[Important, ...] = ()


class StateExport(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a turn changed, read from its entries; the same entries give the same export."""

    export_id: str
    turn_id: str
    agent_id: str
    timestamp: str
    turn_summary: str
    episodic_exports: tuple[Memo, ...] = ()
    semantic_exports: tuple[Memo, ...] = ()
    fc_updates: CortexUpdate = CortexUpdate()
    scratch_page_updates: tuple[Memo, ...] = ()
    conversation_update: tuple[str, ...] = ()
    metadata: dict[str, int] = {}


class WriteSummary(msgspec.Struct, frozen=True, kw_only=True):
    """How much a turn wrote, and where."""

    entries: int = 0
    memos: int = 0
    declined: int = 0
    tokens: int = 0
    evicted: int = 0
    forgotten: int = 0
    tools: int = 0
    goals: int = 0
    places: dict[str, int] = {}


class Committed(msgspec.Struct, frozen=True, kw_only=True):
    """A turn that has ended: where, with what, and which exports reached their reader."""

    seq: int
    writes: WriteSummary
    export: StateExport
    delivered: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()

    @property
    def confirmed(self) -> bool:
        """It is in the log; that an export failed never takes a turn back."""
        return self.seq > 0


class BudgetStatus(msgspec.Struct, frozen=True, kw_only=True):
    """What a turn has used and has left; calls to a model are budgeted elsewhere."""

    budget_tokens: int
    tokens_used: int  # by the contexts of this turn
    tokens_remaining: int
    events: int  # entries of this turn
    time_used_ms: int
    time_budget_ms: int  # 0: no limit
    kept_tokens: int  # by its memos
    kept_tokens_max: int
    working_tokens: int
    working_tokens_max: int
