"""Export views: what of an export its reader is shown, all of it or what is one person's."""

from typing import Final

import msgspec

from muniment.engine.exchange.exchange_line import ExchangeLine
from muniment.model.scope import StreamKind, stream_from_text

OF_AGENTS: Final = frozenset({StreamKind.AGENT, StreamKind.COLLECTION})


class ExportView:
    """All of it."""

    def line(self, told: ExchangeLine) -> ExchangeLine | None:
        """The line as it is shown, if it is."""
        return told

    def heads(self, heads: dict[str, int]) -> dict[str, int]:
        """Of the logs that were read, where each stands, as far as that is the reader's."""
        return heads


class PersonView(ExportView):
    """A file of one person, which will be in that person's hands, whoever has asked for it.

    Logs that others write to are not named, and places in them are counted anew: what others do
    there is not told by a number.
    """

    def __init__(self) -> None:
        self._told: dict[tuple[str, ...], int] = {}
        self._batches: dict[tuple[object, ...], int] = {}

    def line(self, told: ExchangeLine) -> ExchangeLine | None:
        if isinstance(told.data, dict) and told.data.get("sem_snapshot_id"):
            told = msgspec.structs.replace(told, data={**told.data, "sem_snapshot_id": ""})
        if told.log in OF_AGENTS:
            return told
        log = (told.log, told.of, told.persona)
        place = self._told[log] = self._told.get(log, 0) + 1
        batch = self._batches.setdefault((*log, told.batch), place)
        return msgspec.structs.replace(told, seq=place, batch=batch)

    def heads(self, heads: dict[str, int]) -> dict[str, int]:
        return {log: seq for log, seq in heads.items() if stream_from_text(log).kind in OF_AGENTS}
