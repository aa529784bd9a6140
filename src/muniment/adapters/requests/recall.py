"""Request of an answer: recall, which most processes give and nothing else."""

from typing import Annotated

from msgspec import Meta

from muniment.adapters.requests.fields import Limit, Purpose, Quarantined, Query, Where
from muniment.adapters.requests.verb_request import ReadRequest, ask
from muniment.engine.search.recall_results import Bundle


class RecallRequest(ReadRequest[Bundle], frozen=True):
    """Search the memory: best answer first, with a receipt."""

    endpoint = ask("/v1/recall", "recall")

    query: Query
    limit: Limit = 0
    purpose: Purpose = ""
    quarantined: Quarantined = False
    explain: Annotated[bool, Meta(description="Say what each part added to a score.")] = False
    where: Where = None
