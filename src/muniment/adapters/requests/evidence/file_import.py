"""Request for an import: a file of this or another memory, sent as it is."""

from typing import Annotated

import msgspec
from msgspec import Meta

from muniment.adapters.exchange.formats import FORMATS
from muniment.adapters.exchange.import_run import ImportReport
from muniment.adapters.requests.evidence.passport import TrustedKey
from muniment.adapters.requests.fields import Name, Origins, one_of
from muniment.adapters.requests.verb_request import VerbRequest, upload

Format = Annotated[
    str, one_of("", *FORMATS), Meta(description="Format of the file; empty: what it looks like.")
]
Rules = Annotated[bool, Meta(description="Also its consents, legal holds and policies.")]


class ImportFileRequest(VerbRequest[ImportReport], frozen=True, kw_only=True):
    """Import a file: an export of Muniment, another memory or a messenger; also a zip archive.

    An administrator's key carries records over; an agent's or a user's remembers words.
    """

    endpoint = upload("/v1/import", "import")

    form: Format = msgspec.field(default="", name="format")
    origin: Origins = ""
    user: Name = msgspec.field(default="", name="of_user")
    agent: Name = msgspec.field(default="", name="of_agent")
    key: TrustedKey = msgspec.field(default="", name="trusted_key")
    rules: Rules = False
