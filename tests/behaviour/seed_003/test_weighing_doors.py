"""What contexts were worth, at the doors: traces, use reports, what-if, and changes by approval."""

from pathlib import Path

import pytest
from tests.behaviour.seed_003.test_usefulness import _told_by_hand
from tests.service import serving
from tests.shifting import Shift
from tests.terminal import Shell

import muniment
from muniment.model.policy import Policy
from muniment.model.policy.context import Assembly, Coefficients

NEWEST_FIRST = Coefficients(
    similarity_ppm=100_000, recency_ppm=1_000_000, importance_ppm=0, duplication_ppm=0
)


# What answers each question was told first, and newer words for other things came after it.
ANSWERED = (
    ("The spare key of the house hangs behind the clock", "Where is the spare key of the house?"),
    ("The ferry to the island leaves at nine", "When does the ferry to the island leave?"),
    ("The wifi of the office is called Harbour", "What is the wifi of the office called?"),
)
SINCE = (
    "The key of the piece is minor",
    "A ferry was painted",
    "An island is for sale",
    "The office got new chairs",
    "The house next door is empty",
    "The wifi is slow today",
)


def taught(store: Path) -> None:
    """A memory whose past contexts speak for other coefficients than it has."""
    policy = Policy(assembly=Assembly(coefficients=NEWEST_FIRST))
    with muniment.open(store, policy=policy) as memory:
        ada = memory.agent("ada", user="tuff")
        ada.remember_many([*(told for told, _ in ANSWERED), *SINCE], batch=1)
        for told, question in ANSWERED:
            _told_by_hand(ada, Shift("", told, question))


@pytest.mark.covers("D-117", "D-129", "D-130")
def test_coefficients_are_proposed_approved_by_another_and_carried_out_on_the_terminal(
    tmp_path: Path,
) -> None:
    taught(tmp_path / "store")
    shell = Shell("--store", str(tmp_path / "store"), "--agent", "ada", "--user", "tuff")

    proposed = shell.document("propose", "--request")

    request = str(proposed["request_id"])
    assert proposed["improves"] is True
    assert request in shell("requests").stdout
    too_early = shell("propose", "--carry-out", request)
    assert too_early.exit_code, "nothing is in force before a yes"
    assert shell("approve", request, "--as", "olga").exit_code == 0
    carried = shell.document("propose", "--carry-out", request)
    with muniment.open(tmp_path / "store") as memory:
        agent = memory.agent("ada", user="tuff")
        stream = next(each for each in memory.streams() if each.kind == "agent")
        in_force = memory.policy(stream).assembly.coefficients
        assert agent.seq
        assert memory.prove()
    assert isinstance(carried["policy"], str)
    assert in_force == Coefficients(**proposed["after"])  # type: ignore[arg-type]
    assert in_force != NEWEST_FIRST


def test_the_terminal_tells_a_turn_and_takes_a_report(tmp_path: Path) -> None:
    with muniment.open(tmp_path / "store") as memory:
        ada = memory.agent("ada", user="tuff")
        ada.remember("The ferry leaves at nine")
        with ada.job() as job:
            context = job.assemble_context("When does the ferry leave?", 100)
            number, piece = job.number, context.pieces[0].id
        with memory.agent("ada", user="eve").job() as other:
            others = other.number
    shell = Shell("--store", str(tmp_path / "store"), "--agent", "ada", "--user", "tuff")

    shell("used", context.receipt.receipt_id, piece)
    steps = shell.document("turn-trace", str(number))["steps"]

    assert isinstance(steps, list)
    operations = [each["operation"] for each in steps]
    assert {"job_opened", "context_assembled", "job_closed"} <= set(operations)
    assert shell("turn-trace", str(others)).exit_code, "the turn of another user is none"
    with muniment.open(tmp_path / "store") as memory:
        (turn,) = memory.agent("ada", user="tuff").judged()
    assert turn.used == frozenset({piece})


def test_over_http_a_turn_is_traced_and_judged() -> None:
    with serving() as service:
        ada = service.agent(agent="ada", user="tuff")
        number = ada.post("/v1/jobs", {"seed": "turn-1"})["number"]
        ada.post(f"/v1/jobs/{number}/observe", {"text": "The ferry leaves at nine"})
        told = ada.post(f"/v1/jobs/{number}/context", {"prompt": "the ferry", "budget": 100})
        receipt = told["receipt"]["receipt_id"]

        ada.post(f"/v1/contexts/{receipt}/use", {"ids": [told["pieces"][0]["id"]]})
        ada.post(f"/v1/jobs/{number}/outcome", {"outcome": "success"})
        ada.post(f"/v1/jobs/{number}/outcome", {"outcome": "perhaps"}, status=400)
        steps = ada.get(f"/v1/jobs/{number}/trace")["steps"]

        assert {"context_assembled", "task_ended"} <= {each["operation"] for each in steps}
        service.agent(agent="ada", user="eve").get(f"/v1/jobs/{number}/trace", status=404)
        ada.post(f"/v1/jobs/{number}/commit")
        assert len(ada.get(f"/v1/jobs/{number}/trace")["steps"]) > len(steps)
        assert ada.get("/v1/contexts/proposal")["improves"] is False


def test_over_http_coefficients_are_compared_asked_for_approved_and_applied() -> None:
    with serving() as service:
        ada = service.agent(agent="ada", user="tuff")
        ada.post("/v1/remember", {"text": "The ferry leaves at nine"})
        compared = ada.post("/v1/contexts/what-if", {"changes": {"recency_ppm": 500_000}})[
            "proposal"
        ]
        assert compared["after"]["recency_ppm"] == 500_000

        wanted = {"of_agent": "ada", "weights": compared["after"], "reason": "the newest"}
        ada.post("/v1/admin/coefficients", wanted, status=403)
        request = service.admin().post("/v1/admin/coefficients", wanted)["request_id"]
        early = service.admin().send("POST", f"/v1/admin/policies/{request}/apply", json={})
        assert early.status_code >= 400, "nothing is in force before a yes"
        service.council("olga").post(f"/v1/requests/{request}/votes", {"vote": "approve"})
        assert service.admin().post(f"/v1/admin/policies/{request}/apply")["digest"]
        now = ada.post("/v1/contexts/what-if", {})["proposal"]["before"]
        assert now == compared["after"]
