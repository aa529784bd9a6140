"""Residue scan of an erasure: what must be gone, also when the erasure is run again."""

from collections.abc import Callable

import msgspec

from muniment.log.sealing import Keyring

KIND = "sought"


class Residue(msgspec.Struct, frozen=True, kw_only=True):
    """What a scan of every file found of what must be gone."""

    files: int
    found: tuple[str, ...]
    digest: str


# Looks for byte strings in everything the store has ever written; knows nothing of erasing.
Scanner = Callable[[list[bytes]], Residue]


class ScanRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What one erasure looks for; once nothing of it is left, only how that was found out."""

    request_id: str
    needles: tuple[bytes, ...] = ()
    scanned: Residue | None = None


class SearchTerms:
    """The needles of one erasure, kept from before the first key goes until a scan was clean.

    They are kept as a name in the keyring: encrypted there, and destroyed as everything in it is.
    """

    def __init__(self, keyring: Keyring, request_id: str) -> None:
        self._keyring = keyring
        self._request_id = request_id

    @property
    def scanned(self) -> Residue | None:
        """The clean scan of an earlier run, if there was one."""
        return next((note.scanned for note in self._notes().values() if note.scanned), None)

    def keep(self, needles: set[bytes]) -> list[bytes]:
        """All there is to look for, with what an earlier run could still read."""
        earlier = {needle for note in self._notes().values() for needle in note.needles}
        told = tuple(sorted(needles | earlier))
        if told:
            self._write(ScanRecord(request_id=self._request_id, needles=told))
        return list(told)

    def settle(self, scanned: Residue) -> None:
        """Nothing was found: the words themselves go, before anything is called complete."""
        self._write(ScanRecord(request_id=self._request_id, scanned=scanned))

    def forget(self) -> None:
        for ref in self._notes():
            self._keyring.destroy(ref)

    def _write(self, note: ScanRecord) -> None:
        before = self._notes()
        ref = self._keyring.ref(KIND, msgspec.json.encode(note).decode())
        for other in before:
            if other != ref:
                self._keyring.destroy(other)

    def _notes(self) -> dict[str, ScanRecord]:
        known = (
            (ref, msgspec.json.decode(name, type=ScanRecord))
            for ref, name in self._keyring.known(KIND)
        )
        return {ref: note for ref, note in known if note.request_id == self._request_id}
