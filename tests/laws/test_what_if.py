"""Laws of what-if: the policy that held changes nothing, and looking changes nothing either."""

from hypothesis import given, settings
from hypothesis import strategies as st
from tests import world
from tests.histories import TENANTS, Play, Step, histories
from tests.soaking import times

from muniment.engine.what_if.report import WhatIf
from muniment.log.reference_store import ScratchStore
from muniment.model.policy import Action, Policy, Privacy
from muniment.model.policy.conversation import WritePolicy, Writing

RUNS = times(6, 1000)
OTHERS = (
    Policy(privacy=Privacy(secret=Action.ALLOW, pii_medium=Action.DENY)),
    Policy(privacy=Privacy(deny_patterns=("lisbon", "name"))),
    Policy(writing=Writing(write_policy=WritePolicy.NONE)),
)


def played(history: list[Step]) -> Play:
    done = Play(ScratchStore(), world.CountedKeyring()).run(history)
    for memory in done.memories.values():
        world.hub(memory).pending_receipts.flush()
    return done


def reports(done: Play, policy: Policy | None) -> dict[str, WhatIf]:
    return {name: done.memories[name].admin().what_if_policy(policy) for name in TENANTS}


def logs(done: Play) -> dict[str, list[bytes]]:
    return {stream.text: [line.hash for line in lines] for stream, lines in done.logs().items()}


@settings(max_examples=RUNS, deadline=None)
@given(histories)
def test_what_if_with_the_policies_in_force_changes_nothing(history: list[Step]) -> None:
    done = played(history)
    for report in reports(done, None).values():
        assert report.is_same, (report.examples, report.answers)


@settings(max_examples=RUNS, deadline=None)
@given(histories, st.sampled_from(OTHERS))
def test_what_if_under_any_policy_leaves_every_byte_and_read_as_it_was(
    history: list[Step], policy: Policy
) -> None:
    done = played(history)
    store = world.hub(done.memories["north"]).parts.store
    before, refs = logs(done), store.streams()
    first = reports(done, policy)
    assert (logs(done), store.streams()) == (before, refs)
    assert reports(done, policy) == first
