"""Promotion requests: what the council is asked, and what is pending."""

from collections.abc import Sequence

from muniment.engine.session.agent_session import AgentSession
from muniment.engine.session.request_list import listed
from muniment.engine.streams.argument_checks import checks_arguments
from muniment.layers.governance.confirmations import Confirmation
from muniment.layers.governance.requests import Request, shown
from muniment.model.commands import RequestPromotion
from muniment.model.kinds.episode import Evidence
from muniment.model.scope import council_stream


@checks_arguments
class PromotionRequests:
    """Asks the council to make governed facts of what was read."""

    def __init__(self, session: AgentSession, *, job: int = 0) -> None:
        self._session = session
        self._job = job

    def questions(self) -> list[Confirmation]:
        """Lasting facts that this user was asked about and has not answered, oldest first."""
        waiting = self._session.writer.desk.confirmations.open.values()
        return [each for each in waiting if each.subject == self._session.subject]

    def requests(self, *, settled: bool = False) -> list[Request]:
        """What this agent and its user asked for, oldest first: what waits, or what is settled."""
        mine = self._session
        docket = council_stream(mine.stream_id.tenant, mine.stream_id.persona)
        if not mine.hub.exists(docket):
            return []
        asking, known = mine.actors, listed(mine.hub.writer(docket), settled=settled)
        ours = [each for each in known if each.requested_by in asking]
        return [shown(each) for each in ours if each.subject == mine.subject]

    def memory_promote_request(
        self,
        episodic_id: str,
        target_sem_key: str,
        justification: str = "",
        evidence: Sequence[Evidence] = (),
        *,
        value: object = None,
    ) -> str:
        """Ask the council to make a governed fact of an episode; returns the request's id."""
        command = RequestPromotion(
            episodic_id=episodic_id,
            target_sem_key=target_sem_key,
            value=value,
            justification=justification,
            evidence=tuple(evidence),
            subject=self._session.about(target_sem_key),
        )
        return self._session.request_of(self._session.append_or_raise(command, job=self._job))
