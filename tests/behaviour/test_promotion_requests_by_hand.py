"""What the council is asked for, what is recalled and who vouches for it: whole entries."""

from typing import Any

import msgspec
import pytest
from tests.deciding import CITED, CONSENTED, context, denied, job, placed, written

from muniment.engine.decide import episodes
from muniment.layers import episodes as shelf
from muniment.layers.governance.confirmations import Confirmation, Confirmations
from muniment.layers.governance.requests import Requests
from muniment.model.commands import (
    AnyCommand,
    Confirm,
    RecordRecall,
    ReleaseItem,
    RequestPromotion,
)
from muniment.model.events import (
    AnyEvent,
    ConfirmationAnswered,
    EpisodeWritten,
    Recalled,
    RequestForwarded,
)
from muniment.model.events.recalls import ItemReleased
from muniment.model.events.redaction import Redaction
from muniment.model.kinds.episode import EpisodicSource, Evidence
from muniment.model.policy import Governance, Policy, Sem
from muniment.rules.privacy import screen

JOB = job(episodic_count=4)
DECISIONS: dict[type, Any] = {
    Confirm: episodes.confirm,
    RequestPromotion: episodes.request_promotion,
    RecordRecall: episodes.record_recall,
    ReleaseItem: episodes.release,
}


def decided(command: AnyCommand, **known: Any) -> list[AnyEvent]:  # noqa: ANN401
    found: list[AnyEvent] = DECISIONS[type(command)](
        context(command, **{"jobs": [JOB], **known}), command
    )
    return found


OLD = written(3, "old")
OLD_ID = OLD.episodic_id


# ── A person says yes ─────────────────────────────────────────────────────────────────────────

ASKED = Confirmation(
    confirmation_id="confirm:1",
    key="user/profile/user_tuff/drink",
    value="tea",
    episodic_id="ep:7",
    subject="tuff",
)
WAITING = {"confirmations": Confirmations(open={"confirm:1": ASKED})}


def forwarded(**more: Any) -> RequestForwarded:  # noqa: ANN401
    told = {
        "n": 4,
        "action": "sem_write",
        "key": ASKED.key,
        "value": "tea",
        "justification": "the user asked for it and confirmed it",
        "evidence": (Evidence(episodic_id="ep:7"),),
        "requested_by": "bea",
        "subject": "tuff",
        "created_seeded_ts": context(jobs=[JOB]).moment(1),
    }
    return RequestForwarded(**{**told, **more})


def confirmed(*, yes: bool = True, direct: bool = False, **known: Any) -> list[AnyEvent]:  # noqa: ANN401
    command = Confirm(confirmation_id="confirm:1", yes=yes, direct=direct, subject="tuff")
    return decided(command, **{**WAITING, "requests": Requests(forwarded=3), **known})


def asked_for(n: int, payload: object, evidence: Any, **more: Any) -> EpisodeWritten:  # noqa: ANN401
    summary = f"asked the council to keep {ASKED.key}"
    known: dict[str, Any] = {"source": EpisodicSource.BRAINSTATE, "form": "request"}
    return written(n, summary, payload=payload, evidence=evidence, **known, **more)


def test_a_yes_is_a_request_and_an_episode_that_says_so() -> None:
    payload = {"key": ASKED.key, "value": "tea"}

    assert confirmed() == [
        ConfirmationAnswered(confirmation_id="confirm:1", yes=True),
        forwarded(),
        asked_for(5, payload, (Evidence(episodic_id="ep:7"),)),
    ]
    assert confirmed(yes=False) == [ConfirmationAnswered(confirmation_id="confirm:1", yes=False)]
    assert confirmed(jobs=[])[2] == asked_for(
        1, payload, (Evidence(episodic_id="ep:7"),), alone=True
    )


def test_what_rests_on_a_record_of_another_kind_names_it() -> None:
    other = msgspec.structs.replace(ASKED, episodic_id="memo-1")

    found = confirmed(confirmations=Confirmations(open={"confirm:1": other}))

    assert found[1] == forwarded(evidence=(Evidence(note="memo-1"),))


@pytest.mark.parametrize("direct", [True, False])
@pytest.mark.parametrize("allowed", [True, False])
def test_a_person_decides_directly_where_they_say_so_and_the_policy_lets_them(
    *, direct: bool, allowed: bool
) -> None:
    rules = Policy(governance=Governance(user_direct=allowed))

    assert confirmed(direct=direct, policy=rules)[1] == forwarded(direct=direct and allowed)


def test_only_who_was_asked_answers() -> None:
    for wrong in (
        Confirm(confirmation_id="confirm:1", subject="bea"),
        Confirm(confirmation_id="confirm:2", subject="tuff"),
    ):
        assert decided(wrong, **WAITING) == denied("confirmation_unknown")


PROMOTE = RequestPromotion(
    episodic_id=OLD_ID,
    target_sem_key=ASKED.key,
    justification="often said",
    evidence=(CITED,),
    subject="user_tuff",
)
EVIDENCE = (Evidence(episodic_id=OLD_ID), CITED)


def requested(command: RequestPromotion = PROMOTE, **known: Any) -> list[AnyEvent]:  # noqa: ANN401
    there = {"shelves": {(shelf.SHELF, OLD_ID): OLD}, "requests": Requests(forwarded=3)}
    return decided(command, **{**there, **known})


def replaced(**changed: Any) -> RequestPromotion:  # noqa: ANN401
    return msgspec.structs.replace(PROMOTE, **changed)


def test_a_request_says_what_it_rests_on_and_so_does_its_episode() -> None:
    told: dict[str, Any] = {
        "justification": "often said",
        "evidence": EVIDENCE,
        "subject": "user_tuff",
    }
    payload = {"key": ASKED.key, "value": "old", "justification": "often said"}

    assert requested() == [forwarded(value="old", **told), asked_for(5, payload, EVIDENCE)]
    given = requested(replaced(value=False), jobs=[])
    assert given == [
        forwarded(value=False, **told, created_seeded_ts=context().moment(1)),
        asked_for(1, payload | {"value": False}, EVIDENCE, alone=True),
    ]


def test_what_a_consent_lets_in_is_no_part_of_the_episode() -> None:
    redaction = Redaction(kind="email", risk="low", action="redact", rule="r", path="value")
    told: dict[str, Any] = {"received": {"redactions": (redaction,)}}

    request, episode = requested(**CONSENTED, **told)

    assert isinstance(request, RequestForwarded)
    assert request.consent_id == "consent:1"
    assert isinstance(episode, EpisodeWritten)
    assert episode.payload == {"key": ASKED.key}
    assert getattr(requested(**CONSENTED)[0], "consent_id", "?") == ""


@pytest.mark.parametrize(
    ("key", "subject", "owner"),
    [
        ("project/atlas/main/port", "user_tuff", "user_tuff"),
        ("project/atlas/main/port", "", ""),
        (ASKED.key, "", "user_tuff"),
    ],
)
def test_a_fact_is_of_its_owner_or_else_of_who_asks(key: str, subject: str, owner: str) -> None:
    (found, _) = requested(replaced(target_sem_key=key, subject=subject))

    assert isinstance(found, RequestForwarded)
    assert (found.key, found.subject) == (key, owner)


@pytest.mark.parametrize(
    ("changed", "reason", "detail"),
    [
        ({"episodic_id": "ep:x"}, "episode_unknown", "ep:x"),
        ({"target_sem_key": "user/profile/bea/drink"}, "sem_not_your_own", ""),
        ({"value": "at [email:0123456789abcdef]"}, screen.NEEDS_CONSENT, ""),
    ],
)
def test_a_request_is_refused_with_the_reason(
    changed: dict[str, Any], reason: str, detail: str
) -> None:
    assert requested(replaced(**changed)) == denied(reason, detail)


def test_a_request_for_no_key_says_what_is_wrong_with_it() -> None:
    (found,) = requested(replaced(target_sem_key="drink"))

    assert getattr(found, "reason", "") == "key_not_canonical"
    assert "four" in getattr(found, "detail", "")


def test_a_key_is_spelled_as_the_policy_spells_it() -> None:
    sem = Policy(sem=Sem(aliases={"colour": "color"}))

    (found, _) = requested(replaced(target_sem_key="user/profile/user_tuff/colour"), policy=sem)

    assert getattr(found, "key", "") == "user/profile/user_tuff/color"


# ── Recalled, and vouched for ───────────────────────────────────────────────────────────────────


def test_a_recall_is_kept_whole() -> None:
    command = RecordRecall(query="q", call="c", ids=("ep:1",), scores_ppm=(7,), used_tokens=3)

    (found,) = decided(command)

    assert isinstance(found, Recalled)
    told = (found.query, found.call, found.ids, found.scores_ppm, found.used_tokens)
    assert told == ("q", "c", ("ep:1",), (7,), 3)


def test_only_what_is_there_is_vouched_for() -> None:
    command = ReleaseItem(item_id=OLD_ID, reason="I know them")
    there = {(shelf.SHELF, OLD_ID): placed(OLD)}

    assert decided(command, shelves=there) == [ItemReleased(item_id=OLD_ID, reason="I know them")]
    assert decided(command) == denied("item_unknown", OLD_ID)
