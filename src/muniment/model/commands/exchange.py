"""Commands of an import: records of another memory, taken over unchanged."""

from muniment.model.commands.command import Command, Name
from muniment.model.kinds.carried_record import CarriedRecord


class CarryRecords(Command, tag="carry_records", frozen=True, kw_only=True):
    """Records that lay together in one entry of another log, about one person or about nobody."""

    records: tuple[CarriedRecord, ...]
    source: Name = ""  # the digest of the file they stand in
    quorum: int = 1  # how many must say yes in the tenant's council


ExchangeCommand = CarryRecords
