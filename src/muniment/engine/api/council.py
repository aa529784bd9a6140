"""Council of a tenant: sees what is requested with its evidence, and votes."""

from contextlib import AbstractContextManager, nullcontext

import msgspec

from muniment.engine.session.request_list import is_telling, listed
from muniment.engine.session.role_session import RoleSession
from muniment.layers import shelves
from muniment.layers.governance.requests import Request, history
from muniment.model import canonical_json
from muniment.model.commands import CastVote, Tick
from muniment.model.errors import NotFoundError
from muniment.model.events import RequestRaised, RequestSettled


class Council(RoleSession):
    """A member of the council: sees requests with their evidence, votes, and does nothing else."""

    def requests(self, *, settled: bool = False) -> list[Request]:
        """What awaits a vote, oldest first; `settled`: what was decided, with its votes."""
        known = [
            each
            for docket in self._dockets()
            for each in listed(self._hub.writer(docket), settled=settled)
        ]
        return sorted(map(self._spoken, known), key=lambda each: each.request_id)

    def request(self, request_id: str) -> tuple[Request, str]:
        """One request, open or settled, and how it stands."""
        request_id = canonical_json.admit_text(request_id)
        writer = self._hub.writer(self._docket(request_id))
        waiting = writer.desk.requests.open.get(request_id)
        if waiting is not None and not waiting.erased:
            return self._spoken(waiting), waiting.status
        line = writer.shelves().get(shelves.REQUESTS, request_id)
        if line is None or not isinstance(line.event, RequestRaised):
            raise NotFoundError
        found = history(writer.lines(after=line.seq - 1, wanted=is_telling))[request_id]
        return self._spoken(found), found.status

    def vote(self, request_id: str, vote: str, *, reason: str = "", binding: str = "") -> str:
        """`approve`, `reject` or `abstain`; returns how the request stands afterwards."""
        command = CastVote(
            request_id=request_id,
            vote=vote,
            reason=reason,
            binding=binding,
            subject=self._subject(request_id),
        )
        with self._room_for(request_id):
            told = self._append_or_raise(self._docket(request_id), command)
        settled = [e.event for e in told.lines if isinstance(e.event, RequestSettled)]
        return settled[-1].outcome if settled else "pending"

    def _room_for(self, request_id: str) -> AbstractContextManager[None]:
        """A vote on an erasure is cast on a full disk too: nobody is kept because it is full."""
        docket = self._docket(request_id)
        known = self._hub.writer(docket).desk.requests.open if self._hub.exists(docket) else {}
        request = known.get(request_id)
        if request is not None and request.action == "erase":
            return self._hub.room.given()
        return nullcontext()

    def _spoken(self, request: Request) -> Request:
        """As a member sees it: an erasure is asked for by a reference, and is about a person.

        Once they are gone nobody can say any more who it was.
        """
        if request.action != "erase":
            return request
        return msgspec.structs.replace(request, subject=self._named(request.key))

    def _subject(self, request_id: str) -> str:
        """A vote speaks of the person its request is about, so it is erased with them.

        That is so however the request stands: a vote that comes too late speaks of them as well.
        """
        docket = self._docket(request_id)
        if not self._hub.exists(docket):
            return ""
        line = self._hub.shelves(docket).get(shelves.REQUESTS, request_id)
        return line.event.subject if line and isinstance(line.event, RequestRaised) else ""

    def approve(self, request_id: str, *, reason: str = "", binding: str = "") -> str:
        return self.vote(request_id, "approve", reason=reason, binding=binding)

    def reject(self, request_id: str, *, reason: str = "") -> str:
        return self.vote(request_id, "reject", reason=reason)

    def abstain(self, request_id: str, *, reason: str = "") -> str:
        return self.vote(request_id, "abstain", reason=reason)

    def tick(self) -> int:
        """Let the council's time pass; requests past their deadline are settled."""
        passed = self._append_or_raise(self._council, Tick()).lines[1].header.seq
        for docket in self._dockets():
            if docket != self._council:
                self._append_or_raise(docket, Tick())
        return passed
