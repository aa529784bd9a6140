"""Request wording: what the council is asked for, as one sentence that a member can answer."""

from typing import Final

import msgspec

from muniment.adapters.studio.known import wording
from muniment.layers.governance.requests import Request
from muniment.model.fact_keys import PERSON

NOBODY: Final = "somebody who is no longer known"
# An action, and what it would do: {what} is the last part of a key, {whom} a person.
SENTENCES: Final = {
    "sem_write": "Keep {whose}{what} as",
    "delete": "Forget {whose}{what}",
    "erase": "Destroy everything about {whom}",
    "policy_change": "Change the policy{of}",
    "coefficient_change": "Change the weights of a context{of}",
    "identity_patch": "Change what the agent is told to be{of}",
}
NEEDS: Final = {
    "owner": "one yes",
    "owner+admin": "one yes, and an administrator carries it out",
    "council_quorum": "{quorum} say yes",
    "council_quorum+admin": "{quorum} say yes, and an administrator carries it out",
}
STATES: Final = {
    "pending": "waits for votes",
    "approved": "approved",
    "executed": "done",
    "rejected": "rejected",
    "expired": "ran out of time",
    "failed": "failed",
}


class RequestWords(msgspec.Struct, frozen=True, kw_only=True):
    """A request in words: what it would do, about whom, and what it needs."""

    sentence: str
    value: str
    person: str  # the name somebody comes under; empty where it is about nobody
    needs: str
    destroys: bool


def worded(request: Request, value: str, quorum: int) -> RequestWords:
    person = person_of(request)
    named = wording.named(person) if person else ""
    sentence = SENTENCES.get(request.action, request.action.replace("_", " ").capitalize())
    return RequestWords(
        sentence=sentence.format(
            what=wording.attribute(request.key),
            whose=f"{named}'s " if named else "",
            whom=named or NOBODY,
            of=f" of {wording.named(request.key)}" if request.key else "",
        ),
        value=value if request.action == "sem_write" else "",
        person=person,
        needs=NEEDS.get(request.required_approval, request.required_approval).format(quorum=quorum),
        destroys=request.action == "erase",
    )


def person_of(request: Request) -> str:
    """Whom a request is about: an erasure names them, a fact's key holds their name."""
    if request.subject.startswith(PERSON):
        return request.subject.removeprefix(PERSON)
    parts = [part for part in request.key.split("/") if part.startswith(PERSON)]
    return parts[0].removeprefix(PERSON) if parts else ""
