"""Signing keys of a tenant's logs, and what they have signed, kept in the keyring.

Not in a log: whoever puts a log back to an earlier copy would put back what was said about it. A
signed note is kept as a name of the keyring's: that is durable before it is handed out, is never
taken back, goes with every copy, and makes an older program forget nothing.
"""

from typing import Final

from muniment.log import signed_notes
from muniment.log.sealing import Keyring
from muniment.log.signed_notes import PublicKey, SecretKey, TreeHead
from muniment.model.errors import IntegrityError

SIGNER: Final = "signer"  # the kinds of names that are kept here: the keys,
HEIR: Final = "heir"  # the old keys' word for the new ones,
SIGNED: Final = "signed"  # and signed heads; each kind with what it is about behind a slash
LASTING: Final = frozenset({SIGNER, HEIR, SIGNED})  # worth nothing where nothing can be kept
KEY_TYPE: Final = "ed25519"


class Signer:
    """Whoever signs for a tenant: one key at a time, and the next one by the word of the last."""

    def __init__(self, keyring: Keyring, tenant: str) -> None:
        self._keyring = keyring
        self._tenant = tenant

    @property
    def key(self) -> SecretKey:
        return self._numbered(1 + len(self.heirs()))

    def heirs(self) -> list[str]:
        """What each key has said of the next, from the first on."""
        kept = {_named(note): note for _, note in self._keyring.known(f"{HEIR}/{self._tenant}")}
        if not kept:
            return []
        found: list[str] = []
        while (note := kept.get(self._numbered(1 + len(found)).public.text)) is not None:
            found.append(note)
        return found

    def renew(self) -> PublicKey:
        """Another key from here on; the old one says so. Cut short, the same is done again."""
        number = 1 + len(self.heirs())
        old, new = self._numbered(number), self._numbered(number + 1)
        self._keyring.ref(f"{HEIR}/{self._tenant}", signed_notes.heir(old, new))
        return new.public

    def signed(self, ref: str) -> dict[TreeHead, str]:
        """Every head of a log that was signed, in its order, with the last note that says so."""
        told = [note for _, note in self._keyring.known(f"{SIGNED}/{ref}")]
        by_head = {
            signed_notes.head_of(signed_notes.parse(note).text): note
            for note in sorted(told, key=len)
        }
        return dict(sorted(by_head.items(), key=lambda its: (its[0].epoch, its[0].size)))

    def marks(self, ref: str) -> dict[int, bytes]:
        """The roots that were signed of a log, by its size, since it was last begun anew."""
        signed = self.signed(ref)
        last = max((head.epoch for head in signed), default=0)
        return {head.size: head.root for head in signed if head.epoch == last}

    def sign(self, head: TreeHead) -> str:
        """A head with the key of now below those that signed it before; kept, then handed out."""
        key, known = self.key, self.signed(head.ref).get(head, "")
        if known and key.line(head.text) in known:
            return known
        note = f"{known}{key.line(head.text)}" if known else signed_notes.signed(head.text, key)
        self._keyring.ref(f"{SIGNED}/{head.ref}", note)
        return note

    def _numbered(self, number: int) -> SecretKey:
        ref = self._keyring.ref(SIGNER, f"{self._tenant}/{KEY_TYPE}/{number}")
        seed = self._keyring.key(ref)
        if seed is None:
            raise IntegrityError("a signing key is missing, although none is ever destroyed")
        return SecretKey(name=f"muniment/{ref}", seed=seed)


def _named(heir: str) -> str:
    """The key that names an heir, as the text of its note says."""
    return signed_notes.parse(heir).text.split("\n")[1]
