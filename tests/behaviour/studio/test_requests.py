"""What a voter is shown: who asks, who has voted, and what a policy would change."""

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from tests import studios
from tests.studios import Browser

from muniment.adapters.studio.page_context import Studio
from muniment.model.policy import Policy
from muniment.model.policy.context import Coefficients


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    made = studios.studio(tmp_path / "memory", may_write=True)
    yield made
    made.close()


def other_policy(now: Policy) -> Policy:
    trust = msgspec.structs.replace(now.trust, quarantined=())
    governance = msgspec.structs.replace(now.governance, quorum=now.governance.quorum + 1)
    return msgspec.structs.replace(now, trust=trust, governance=governance)


def rows(page: str) -> list[list[str]]:
    """The cells of the table of changes."""
    table = page.partition("What would change</h2>")[2].partition("</table>")[0]
    found = re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL)
    return [
        [re.sub(r"<[^>]+>", "", each) for each in re.findall(r"<td.*?</td>", row)] for row in found
    ][1:]


def test_a_request_names_who_asks_and_who_has_voted(studio: Studio) -> None:
    asked = studio.memory.council().requests()[0]
    studio.memory.council("grace").abstain(asked.request_id)

    page = Browser(studio).get("/request", id=asked.request_id)

    assert "<dt>asked by</dt><dd>Tuff, " in page
    assert "<li><strong>Grace</strong> said neither yes nor no</li>" in page
    assert asked.requested_by not in page


def test_a_settled_request_still_names_who_has_voted(studio: Studio) -> None:
    asked = studio.memory.council().requests()[0]
    studio.memory.council("grace").abstain(asked.request_id)
    studio.memory.council("linus").reject(asked.request_id)

    page = Browser(studio).get("/request", id=asked.request_id)

    assert "<li><strong>Grace</strong> said neither yes nor no</li>" in page
    assert "<li><strong>Linus</strong> said no</li>" in page
    assert "Nobody has voted" not in page


def test_a_voter_sees_each_field_that_a_policy_would_change_and_no_other(studio: Studio) -> None:
    admin = studio.memory.admin()
    wished = other_policy(admin.policy(agent="ada"))
    request = admin.request_policy(wished, agent="ada", reason="we trust the web")

    told = rows(Browser(studio).get("/request", id=request))

    quorum = wished.governance.quorum
    assert [each[:3] for each in told] == [
        ["Governance: quorum", str(quorum - 1), str(quorum)],
        ["Trust: quarantined", "[&#34;external&#34;]", "[]"],
    ]
    assert all(each[3] for each in told)  # and what it does


def test_weights_are_compared_with_the_weights_in_force(studio: Studio) -> None:
    admin = studio.memory.admin()
    weights = Coefficients(recency_ppm=111_111)
    request = admin.request_coefficients("ada", weights, reason="newer is better")

    told = rows(Browser(studio).get("/request", id=request))

    assert ["Assembly: coefficients: recency, in millionths", "111111"] in [
        [each[0], each[2]] for each in told
    ]


def test_a_page_that_is_open_while_the_policy_changes_shows_the_new_one_and_its_vote_is_none(
    studio: Studio,
) -> None:
    admin = studio.memory.admin()
    wished = other_policy(admin.policy(agent="ada"))
    first = admin.request_policy(wished, agent="ada", reason="we trust the web")
    second = admin.request_policy(wished, agent="ada", reason="the same again")
    for member in ("grace", "alan"):
        studio.memory.council(member).approve(first)
    admin.apply_policy(first)

    page = Browser(studio).get("/request", id=second)
    assert "Nothing: this is the policy in force." in page

    old = Browser(studio).get("/request", id=first)
    assert "It is no longer open." in old
    status, text = Browser(studio, "ken").send("/vote", id=first, vote="approve", binding="x")
    assert status == 403
    assert "REFUSED" in text
