"""Routes of a turn: what its gate keeps, the tools it called, and what budget it has left."""

from typing import Annotated, Final

import msgspec

from muniment.adapters.gateway.gateway import Hands
from muniment.adapters.http.route import Name, Text, get, post, tagged
from muniment.adapters.http.routes.jobs import InJob
from muniment.engine.projections.memory_type_registry import Memorized
from muniment.model.kinds.memo import AUTO
from muniment.model.kinds.turn_export import BudgetStatus

Store = Annotated[str, msgspec.Meta(min_length=1, max_length=128)]


class Memorize(InJob, frozen=True, kw_only=True):
    """Keep an item where the gate sends it: working, episodic or semantic memory, or nowhere."""

    item: dict[str, object]
    metadata: dict[str, object] = msgspec.field(default_factory=dict)
    store: Store = AUTO


class TrackTool(InJob, frozen=True, kw_only=True):
    """Keep a call of a tool and its outcome; skills are learned from them."""

    tool_name: Name
    parameters: object = None
    result: object = None
    error: Text = ""


class GetBudget(InJob, frozen=True, kw_only=True):
    """Tokens of contexts used and left, entries, time; and what the turn has kept."""


def _memorize(hands: Hands, asked: Memorize) -> Memorized:
    return hands.job(asked.number).memorize(asked.item, asked.metadata or None, store=asked.store)


def _track(hands: Hands, asked: TrackTool) -> Memorized:
    return hands.job(asked.number).track_tool_invocation(
        asked.tool_name, asked.parameters, asked.result, asked.error
    )


ROUTES: Final = tagged(
    "jobs",
    [
        post("/v1/jobs/{number}/memorize", "jobs", Memorize, Memorized, _memorize),
        post("/v1/jobs/{number}/tools", "jobs", TrackTool, Memorized, _track),
        get(
            "/v1/jobs/{number}/budget",
            "jobs",
            GetBudget,
            BudgetStatus,
            lambda hands, asked: hands.job(asked.number).get_budget_status(),
        ),
    ],
)
