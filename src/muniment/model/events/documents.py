"""What has happened to papers: put down, or taken out; names and values are sealed."""

from muniment.model.events.event import Event, SealedText, SealedTexts, SealedValue


class PaperPut(Event, tag="paper_put", frozen=True, kw_only=True):
    """The key of the drawer has this value from here on; earlier versions stay in the past."""

    n: int  # of this drawer: how many papers were ever put into it
    version: int
    place: int
    drawer: SealedTexts
    key: SealedText
    value: SealedValue
    subject: SealedText
    created_at: str
    updated_at: str
    expires_at: str = ""
    request_id: str = ""


class PapersDropped(Event, tag="papers_dropped", frozen=True, kw_only=True):
    """These papers leave every reading; the log and the reads of the past keep them."""

    drawer: SealedTexts
    keys: SealedTexts
    subject: SealedText
    reason: str  # deleted, cleared, expired
    request_id: str = ""


PaperEvent = PaperPut | PapersDropped
