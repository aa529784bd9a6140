"""Policy what-if by many workers: each log is decided again by one of them, in two turns."""

from collections.abc import Iterable

import msgspec

from muniment.adapters.config import Settings, open_memory
from muniment.adapters.operations import bulk_jobs
from muniment.adapters.operations.bulk_jobs import BulkOptions, Chore
from muniment.adapters.operations.executors import Executor
from muniment.engine.what_if import report, what_if
from muniment.engine.what_if.report import LogWhatIf, WhatIf
from muniment.model import policy as policies
from muniment.model.policy import Policy
from muniment.model.scope import Persona, StreamId
from muniment.retrieval.filters import policy_checks


def run(
    address: str,
    settings: Settings,
    executor: Executor,
    policy: Policy | None,
    *,
    agent: str = "",
    space: str = "",
    persona: str = Persona.ACTOR,
) -> WhatIf:
    """The same report as one process gives; which worker took which log makes no difference."""
    if policy is not None:
        policy_checks.checked(policy)
    with open_memory(address, settings) as memory:
        streams = memory.admin().ruled_streams(agent=agent, space=space, persona=persona)
    first, following = what_if.in_turn(streams)

    def decided(some: Iterable[StreamId], uncaused: tuple[str, ...]) -> list[LogWhatIf]:
        wish = BulkOptions(policy=policy, uncaused=uncaused)
        chores = [
            Chore(
                address=address,
                verb="policy-what-if",
                stream=each.text,
                settings=settings,
                wish=wish,
            )
            for each in some
        ]
        done = executor.map(bulk_jobs.do, chores)
        return [msgspec.json.decode(each.told, type=LogWhatIf) for each in done]

    told = decided(first, ())
    told += decided(following, tuple(name for each in told for name in each.uncaused))
    return report.together(policies.digest(policy) if policy else "", told)
