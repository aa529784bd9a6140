"""Notary: signed heads of logs, certificates and bundles that outsiders can verify.

Nothing is signed that was not read: every link is recomputed from the stored bytes, and the log
must go on from everything that was signed before. So a log that was put back to an earlier copy,
or written anew, is found out here, and gets no second head of the same size.
"""

from collections.abc import Iterator
from typing import Final

import msgspec

from muniment.engine.audit.stage_progress import Progress
from muniment.engine.session.role_session import RoleSession
from muniment.layers.shelves import Stream
from muniment.log import chain, merkle_tree, outsider_lines, sealing, signed_notes
from muniment.log.entry import Entry, genesis
from muniment.log.signed_notes import TreeHead
from muniment.log.signing import Signer
from muniment.model.errors import InputError, IntegrityError, NotFoundError
from muniment.model.events.erasure import DeletionOrdered
from muniment.model.scope import StreamId

STEP: Final = 1_000  # entries between two signs of progress


class SignedHead(msgspec.Struct, frozen=True, kw_only=True):
    """Where a log stood, signed. An outsider is given `origin` and `key` once, by another way."""

    stream: str
    origin: str
    key: str  # the public one
    size: int
    root: str
    note: str


class Notary(RoleSession):
    """Hands for what outsiders check; content is opened for a reason, which is logged first."""

    @property
    def key(self) -> str:
        """The public key that signs the logs of this tenant from here on."""
        return self._signer.key.public.text

    def renew_key(self) -> str:
        """Another key from here on; the old one names it, so whoever knows that one goes on."""
        return self._signer.renew().text

    def attest(self, text: str) -> str:
        """A text of ours with this tenant's signature under it."""
        return signed_notes.signed(text, self._signer.key)

    def sign(
        self, stream: StreamId, *, anew: bool = False, progress: Progress = lambda _: None
    ) -> SignedHead:
        """Read a log, compare it with all that was signed of it, and sign where it stands.

        A log that was put back on purpose contradicts what was signed. `anew` begins the next
        epoch of it, under another origin: outsiders see that, and ask why.
        """
        return self._signed(stream, anew=anew, progress=progress)[0]

    def read_through(self, stream: StreamId) -> tuple[SignedHead, list[bytes]]:
        """Where a log stands, signed, and the hashes of its entries up to there."""
        return self._signed(stream)

    def signed(self, stream: StreamId) -> list[SignedHead]:
        """Every head of a log that was ever signed, oldest first."""
        kept = self._signer.signed(self._known(stream).ref)
        return [self._told(stream, head, note) for head, note in kept.items()]

    def link(self, stream: StreamId, old: str, *, progress: Progress = lambda _: None) -> str:
        """How the log goes on from a signed head that somebody kept: a text for `verifier.py`."""
        earlier = signed_notes.head_of(signed_notes.opened(old, self._keys()))
        if earlier.ref != self._known(stream).ref:
            raise InputError("that head belongs to another log")
        now, hashes = self._signed(stream, progress=progress)
        if earlier.size > now.size or merkle_tree.root(hashes[: earlier.size]) != earlier.root:
            raise IntegrityError(f"the log does not continue from that head, in {stream.text}")
        if earlier.size == now.size:
            raise InputError("nothing was written since that head was signed")
        path = merkle_tree.consistency(hashes, earlier.size)
        return outsider_lines.link(self._signer.heirs(), old, path, now.note)

    def certify(
        self, stream: StreamId, seq: int, *, reason: str = "", progress: Progress = lambda _: None
    ) -> str:
        """One entry, its place under a signed head, and with a reason what it says."""
        kept = self._known(stream)
        entry = next(iter(self._hub.parts.store.pick(kept.ref, [seq])), None)
        if entry is None:
            raise NotFoundError
        if reason:  # content is opened
            self._note_access(f"certificate {stream.text} {seq}", reason)
        now, hashes = self._signed(stream, progress=progress)
        orders = self._orders({part.subject for part in chain.header_of(entry).parts})
        lines = [
            *map(outsider_lines.heir, self._signer.heirs()),
            *map(outsider_lines.order, orders.values()),
            *_placed(kept, entry, hashes),
            *self._parts(kept, entry, orders, opened=bool(reason)),
        ]
        path = merkle_tree.inclusion(hashes, seq - 1)
        return outsider_lines.certificate(lines, seq - 1, path, now.note)

    def bundle(
        self, stream: StreamId, *, reason: str = "", progress: Progress = lambda _: None
    ) -> Iterator[bytes]:
        """A whole log, line by line: headers and commitments, and with a reason what they say."""
        kept = self._known(stream)
        if reason:
            self._note_access(f"bundle {stream.text}", reason)
        now = self.sign(stream, progress=progress)
        signed = self._signer.signed(kept.ref)
        heads = [head for head in signed if head.origin == now.origin and head.size <= now.size]
        # Of these `sign` has just compared each with the log: the key of now may sign them too.
        told = [self._signer.sign(head) for head in heads]
        orders = self._orders(self._subjects(kept, now.size))

        def lines() -> Iterator[str]:
            yield from map(outsider_lines.heir, self._signer.heirs())
            yield from map(outsider_lines.head, told)
            yield from map(outsider_lines.order, orders.values())
            for entry in self._hub.parts.store.read(kept.ref, upto=now.size):
                yield outsider_lines.entry(entry.header)
                yield from self._parts(kept, entry, orders, opened=bool(reason))

        return outsider_lines.bundle(lines())

    # ── What it is made of ──────────────────────────────────────────────────────────────────────

    @property
    def _signer(self) -> Signer:
        return Signer(self._hub.parts.world.keyring, self._principal.tenant)

    def _keys(self) -> Iterator[signed_notes.PublicKey]:
        """Every key that has signed here."""
        yield self._signer.key.public
        for note in self._signer.heirs():
            yield signed_notes.key_of(signed_notes.parse(note).text.split("\n")[1])

    def _known(self, stream: StreamId) -> Stream:
        """A log of this tenant that holds something; absent and foreign answer alike."""
        if stream.tenant != self._principal.tenant or not self._hub.exists(stream):
            raise NotFoundError
        return self._hub.stream(stream)

    def _told(self, stream: StreamId, head: TreeHead, note: str) -> SignedHead:
        return SignedHead(
            stream=stream.text,
            origin=head.origin,
            key=self.key,
            size=head.size,
            root=head.root.hex(),
            note=note,
        )

    def _signed(
        self, stream: StreamId, *, anew: bool = False, progress: Progress = lambda _: None
    ) -> tuple[SignedHead, list[bytes]]:
        """Where a log stands, and the hashes of its entries up to there."""
        kept = self._known(stream)
        epoch = max((head.epoch for head in self._signer.signed(kept.ref)), default=1)
        marks = self._signer.marks(kept.ref)
        hashes, roots = self._read(kept, {*marks}, progress)
        broken = next((size for size, root in marks.items() if roots.get(size) != root), 0)
        if anew and not broken:
            raise InputError("that log continues from all its signed heads: no new epoch is needed")
        if broken and not anew:
            raise IntegrityError(
                f"a different log was signed when it had {broken} entries, in {stream.text}"
            )
        size = len(hashes)
        head = TreeHead(ref=kept.ref, epoch=epoch + anew, size=size, root=roots[size])
        return self._told(stream, head, self._signer.sign(head)), hashes

    def _read(
        self, kept: Stream, sizes: set[int], progress: Progress
    ) -> tuple[list[bytes], dict[int, bytes]]:
        """The hash of every entry, each link recomputed from the stored bytes, and some roots."""
        hashes: list[bytes] = []
        roots: dict[int, bytes] = {}
        growing = merkle_tree.Growing()
        for head in chain.verify(self._hub.parts.store.read(kept.ref), after=genesis(kept.ref)):
            hashes.append(head.hash)
            growing.add(head.hash)
            if growing.size in sizes:
                roots[growing.size] = growing.root
            if growing.size % STEP == 0:
                progress(growing.size)
        return hashes, roots | {growing.size: growing.root}

    def _subjects(self, kept: Stream, size: int) -> set[str]:
        entries = self._hub.parts.store.read(kept.ref, upto=size)
        return {part.subject for each in entries for part in chain.header_of(each).parts}

    def _orders(self, subjects: set[str]) -> dict[str, str]:
        """For each subject that is erased a certificate of the order, from the council's log."""
        keyring = self._hub.parts.world.keyring
        erased = {ref for ref in subjects if keyring.key(ref) is None}
        found: dict[str, str] = {}
        for docket in self._dockets() if erased else ():
            kept, (now, hashes) = self._known(docket), self._signed(docket)
            for entry in self._hub.parts.store.read(kept.ref, upto=now.size):
                event = chain.glimpse(entry).event
                about = event.subject_ref if isinstance(event, DeletionOrdered) else ""
                if about in erased:
                    path = merkle_tree.inclusion(hashes, entry.seq - 1)
                    found[about] = outsider_lines.certificate(
                        _placed(kept, entry, hashes), entry.seq - 1, path, now.note
                    )
        if erased - set(found):
            raise IntegrityError("content is missing that no erasure order covers")
        return found

    def _parts(
        self, kept: Stream, entry: Entry, orders: dict[str, str], *, opened: bool
    ) -> Iterator[str]:
        """What an outsider is told of each part: that it is erased or sealed, or what it says."""
        for number, told in enumerate(chain.header_of(entry).parts):
            keyring = self._hub.parts.world.keyring
            key = sealing.part_key(keyring, told.keys) if opened else None
            part = entry.parts[number] if number < len(entry.parts) else None
            if told.subject in orders:
                yield outsider_lines.ERASED
            elif key is None or part is None:
                yield outsider_lines.SEALED
            else:
                place = chain.place(kept.ref, entry.seq, number)
                yield outsider_lines.opened(*sealing.revealed(key, place, told, part))


def _placed(kept: Stream, entry: Entry, hashes: list[bytes]) -> list[str]:
    """An entry, and the hash that its own follows from."""
    previous = hashes[entry.seq - 2] if entry.seq > 1 else genesis(kept.ref).hash
    return [outsider_lines.after(previous), outsider_lines.entry(entry.header)]
