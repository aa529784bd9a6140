"""API keys: what each grants, and the file of their digests.

A key is 256 random bits, shown once. What is kept is its SHA-256: of a random secret nothing can
be guessed from it, and a slow hash on every request would be a gift to whoever wants it down.
"""

import base64
import contextlib
import hashlib
import hmac
import os
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from threading import Lock
from typing import Final, Protocol

import msgspec

from muniment.adapters.gateway import permissions
from muniment.adapters.gateway.errors import UnauthorizedError
from muniment.adapters.storage.sqlite import errors
from muniment.adapters.system import durable_files, file_lock
from muniment.model import fact_keys, ids, scope
from muniment.model.errors import (
    UNREADABLE,
    InputError,
    KeyReusedError,
    KeystoreError,
    NotFoundError,
)
from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.scope import Persona, Role

KEYS: Final = "keys"
FILE: Final = "access.json"
SECRET_BYTES: Final = 32
DAYS: Final = 90  # a key that nobody renews ends by itself
DAY_MS: Final = 86_400_000
ANY: Final = "*"  # of users: whom it speaks for is said with each request
TOKEN: Final = lazy_pattern(r"mk_([0-9a-f]{8})_([A-Za-z0-9_-]{43})_([0-9a-f]{8})")
UNKNOWN_DIGEST: Final = hashlib.sha256(b"").hexdigest()  # compared with when a key is not known


class Grant(msgspec.Struct, frozen=True, kw_only=True):
    """What a credential stands for. No argument of any call can widen it."""

    tenant: str = "main"
    role: Role = Role.AGENT
    agent: str = ""  # for agents and users: whose memory
    user: str = ""  # who is spoken for; `*`: one user a request, named by the caller
    persona: Persona = Persona.ACTOR
    projects: tuple[str, ...] = ()  # spaces it may enter; `*`: any of the tenant
    verbs: tuple[str, ...] = ()  # narrower than its role; empty: all that the role has
    who: str = ""  # the name of a council member, an administrator or an auditor


class Retry(msgspec.Struct, frozen=True, kw_only=True):
    """How a maker of keys asks: again under the same name with the same words is the same key."""

    name: str
    said: str  # what was asked for, as a digest
    secret: bytes  # the maker's alone: it is kept nowhere

    @classmethod
    def of(cls, maker: str, word: str, said: bytes) -> "Retry | None":
        """Of the key that the maker shows and a word they chose; without both there is none."""
        if not (maker and word):
            return None
        secret = hmac.digest(maker.encode(), b"muniment/v1/api-key", "sha256")
        name = hmac.digest(secret, b"name:" + word.encode(), "sha256").hex()
        return cls(name=name, said=hashlib.sha256(said).hexdigest(), secret=secret)

    def text(self, key_id: str, salt: str) -> str:
        """The key, the same each time."""
        said = f"text:{self.name}:{salt}".encode()
        return _text(key_id, hmac.digest(self.secret, said, "sha256"))


class Made(msgspec.Struct, frozen=True, kw_only=True):
    """What is kept of a retry: without the maker's secret no key can be made of it again."""

    name: str
    said: str
    salt: str


class Key(msgspec.Struct, frozen=True, kw_only=True):
    """A key as it is kept: everything but the secret."""

    key_id: str
    digest: str
    grant: Grant
    label: str = ""
    created: str = ""
    expires: str = ""  # empty: never
    revoked: str = ""
    made: Made | None = None


class Credentials(Protocol):
    """Where keys are kept."""

    def known(self) -> dict[str, Key]: ...

    def changing(self) -> contextlib.AbstractContextManager[dict[str, Key]]:
        """The keys, to be changed inside; kept when the block ends well."""
        ...


class MemoryCredentials:
    """Keys of a memory that lives as long as its process."""

    def __init__(self) -> None:
        self._known: dict[str, Key] = {}
        self._lock = Lock()

    def known(self) -> dict[str, Key]:
        return self._known

    @contextlib.contextmanager
    def changing(self) -> Iterator[dict[str, Key]]:
        with self._lock:
            changed = dict(self._known)
            yield changed
            self._known = changed


class TogetherWith:
    """The keys of a store, and besides them some that end with this process."""

    def __init__(self, kept: Credentials, passing: MemoryCredentials) -> None:
        self._kept = kept
        self._passing = passing

    def known(self) -> dict[str, Key]:
        return self._kept.known() | self._passing.known()

    def changing(self) -> contextlib.AbstractContextManager[dict[str, Key]]:
        return self._kept.changing()


class FileCredentials:
    """Keys in `<folder>/keys/access.json`; a change is seen by every process at its next look."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / KEYS / FILE
        self._stamp: tuple[int, int, int] | None = None
        self._known: dict[str, Key] = {}

    def known(self) -> dict[str, Key]:
        try:
            now = self._path.stat()
        except FileNotFoundError:
            self._stamp, self._known = None, {}
            return self._known
        stamp = (now.st_mtime_ns, now.st_ino, now.st_size)
        if stamp != self._stamp:
            self._known = _read(self._path)
            self._stamp = stamp
        return self._known

    @contextlib.contextmanager
    def changing(self) -> Iterator[dict[str, Key]]:
        with errors.border():
            durable_files.make_folder(self._path.parent)
        with file_lock.alone(self._lock):
            changed = dict(self.known())
            yield changed
            _write(self._path, changed)

    def _lock(self) -> int:
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
        with errors.border():
            return os.open(self._path.with_suffix(".lock"), flags, durable_files.FILE_MODE)


def issue(
    credentials: Credentials,
    grant: Grant,
    *,
    label: str = "",
    now: str = "",
    days: int = DAYS,
    retry: Retry | None = None,
) -> tuple[str, Key]:
    """Make a key; its text is returned here and never again, but to who asks the same again."""
    if isinstance(days, bool) or not 0 <= days <= DAYS * 40:
        raise InputError("a key lasts a whole number of days; 0 means that it does not expire")
    with credentials.changing() as known:
        before = _made(known.values(), retry)
        if retry and before and before.made:
            return retry.text(before.key_id, before.made.salt), before
        key_id = next(its for its in _fresh_ids() if its not in known)
        salt = _drawn(SECRET_BYTES)
        text = retry.text(key_id, salt) if retry else _text(key_id, bytes.fromhex(salt))
        known[key_id] = made = Key(
            key_id=key_id,
            digest=hashlib.sha256(text.encode()).hexdigest(),
            grant=checked(grant),
            label=label,
            created=now,
            expires=ids.time_text(ids.time_ms(now) + days * DAY_MS) if days and now else "",
            made=Made(name=retry.name, said=retry.said, salt=salt) if retry else None,
        )
    return text, made


def recognise(credentials: Credentials, text: str, *, now: str = "") -> Key:
    """The key that a text is; absent, revoked, expired and misspelled answer alike."""
    found = TOKEN.fullmatch(text)
    known = credentials.known().get(found[1]) if found else None
    digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
    same = hmac.compare_digest(digest, known.digest if known else UNKNOWN_DIGEST)
    if known is None or not same or known.revoked or _has_ended(known, now):
        raise UnauthorizedError
    return known


def in_force(credentials: Credentials, key_id: str, *, now: str) -> Key | None:
    """A key by its id, unless it was revoked or its time is over."""
    known = credentials.known().get(key_id)
    return None if known is None or known.revoked or _has_ended(known, now) else known


def revoke(credentials: Credentials, key_id: str, *, now: str, tenant: str = "") -> Key:
    """End a key; it stays on record. A key of another tenant is not there."""
    with credentials.changing() as known:
        found = known.get(key_id)
        if found is None or (tenant and found.grant.tenant != tenant):
            raise NotFoundError
        revoked = msgspec.structs.replace(found, revoked=found.revoked or now or "revoked")
        known[key_id] = revoked
    return revoked


def forget(credentials: Credentials, gone: Callable[[Grant], bool]) -> int:
    """Take whole records away: the name of an erased person must not stay in them."""
    with credentials.changing() as known:
        found = [key_id for key_id, each in known.items() if gone(each.grant)]
        for key_id in found:
            del known[key_id]
    return len(found)


def speaks_for(grant: Grant, person: str) -> bool:
    """Whether a grant names a person (`user_…`); one that leaves its user open names nobody."""
    return grant.user not in {"", ANY} and fact_keys.user_entity(grant.user) == person


def operator(verb: str, tenant: str, agent: str, user: str, who: str) -> Grant:
    """What whoever holds the store itself grants themselves for one verb: the first role that has
    it. Their credential is that they can open the folder and its keys; no role has every verb.
    """
    if verb in permissions.DREAMING:
        return Grant(tenant=tenant, agent=agent, persona=Persona.SUBCONSCIOUS)
    speaking = (Role.USER, Role.AGENT) if user else (Role.AGENT,)
    for role in speaking:
        if verb in permissions.ALLOWED[role]:
            return Grant(tenant=tenant, role=role, agent=agent, user=user)
    others = (Role.COUNCIL, Role.ADMIN, Role.AUDITOR)
    role = next((each for each in others if verb in permissions.ALLOWED[each]), Role.AUDITOR)
    return Grant(tenant=tenant, role=role, who=who)


def checked(grant: Grant) -> Grant:
    """A grant whose names are names, and which has what its role needs and nothing else."""
    scope.name(grant.tenant, "tenant")
    speaks = grant.role in {Role.AGENT, Role.USER}
    if grant.role is Role.ENGINE:
        raise InputError("the engine has no key")
    if speaks and grant.who:
        raise InputError("an agent or a user is named by --agent and --user")
    if not speaks and (grant.agent or grant.user or grant.projects):
        raise InputError(f"a key of role {grant.role} belongs to no agent and to no user")
    if speaks:
        scope.name(grant.agent, "agent")
    else:
        scope.name(grant.who, str(grant.role))
        fact_keys.user_entity(grant.who)
    _check_user(grant)
    if grant.user not in {"", ANY}:
        fact_keys.user_entity(scope.name(grant.user, "user"))
    for project in grant.projects:
        scope.name(project, "project")
    permissions.check(grant.verbs)
    return grant


def _has_ended(key: Key, now: str) -> bool:
    """Whether its time is over; whoever does not know the time cannot say that it is not."""
    return bool(key.expires) and not (now and now <= key.expires)


def _check_user(grant: Grant) -> None:
    if grant.role is Role.USER and grant.user in {"", ANY}:
        raise InputError("a user's key needs a user: --user")
    if grant.persona is Persona.SUBCONSCIOUS and grant.user:
        raise InputError("the Subconscious speaks for no user")


def _made(known: Iterable[Key], retry: Retry | None) -> Key | None:
    """The key that was made under this name; the name with other words is refused."""
    for each in known if retry else ():
        if retry and each.made and each.made.name == retry.name:
            if each.made.said != retry.said:
                raise KeyReusedError
            return each
    return None


def _text(key_id: str, secret: bytes) -> str:
    whole = f"mk_{key_id}_{base64.urlsafe_b64encode(secret).rstrip(b'=').decode()}"
    return f"{whole}_{zlib.crc32(whole.encode()):08x}"


def _fresh_ids() -> Iterator[str]:
    while True:
        yield _drawn(4)


def _drawn(size: int) -> str:
    import secrets  # late, for it loads every kind of chance

    return secrets.token_hex(size)


class _KeyList(msgspec.Struct, frozen=True, kw_only=True):
    """What the file holds: a bit that flips in a grant must not make another grant of it."""

    keys: list[Key]
    sha256: str


def _read(path: Path) -> dict[str, Key]:
    try:
        found = msgspec.json.decode(path.read_bytes(), type=_KeyList)
    except (OSError, *UNREADABLE) as error:
        raise KeystoreError("the file of the API keys cannot be read") from error
    if found.sha256 != _digest(found.keys):
        raise KeystoreError("the file of the API keys is damaged, or another program changed it")
    return {each.key_id: each for each in found.keys}


def _digest(keys: list[Key]) -> str:
    return hashlib.sha256(msgspec.json.encode(keys)).hexdigest()


def _write(path: Path, known: dict[str, Key]) -> None:
    keys = _sorted(known.values())
    told = _KeyList(keys=keys, sha256=_digest(keys))
    data = msgspec.json.format(msgspec.json.encode(told), indent=1)
    with errors.border():
        durable_files.put_file(path, data, fresh=path.with_suffix(".new"))


def _sorted(known: Iterable[Key]) -> list[Key]:
    return sorted(known, key=lambda each: (each.created, each.key_id))
