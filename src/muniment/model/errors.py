"""Errors: each has a stable code, whose fault it is, and one sentence for the user.

A refusal ("no") is not here: it is an event with a reason code. These are raised when a promise
cannot be kept (the store is down, the chain is torn) or when a caller asked something that has
no meaning.
"""

from typing import ClassVar, Final

import msgspec

# The sentence of the failed write is fixed word for word: people may have built on it.
MEMORY_FAILED: Final = (
    "I tried to save that but my memory failed. I might not remember this next time."
)


# What a person reads when private data may not be kept as it is; fixed for the same reason.
PRIVACY_BLOCKED: Final = (
    "I did not save that: it holds private information that I may not keep as it is."
)
HELD: Final = "held"  # the reason of what a legal hold refuses; the detail names the hold
# The reason of what a user may not end or put right: it is everybody's, and no one person's.
ABOUT_NOBODY: Final = "about_nobody"
HELD_BY: Final = "I did not do that: it is under the legal hold {}."
# What to do, where a program cannot guess it from "no".
WAYS_OUT: Final = {
    "job_seed_used": (
        "I did not do that: a job with that seed was opened before. Give another seed, or none."
    ),
    "expires_already": (
        "I did not keep that: it would have ended before it was told. Name a later `expires`."
    ),
    ABOUT_NOBODY: (
        "I did not do that: it is about nobody, so everybody finds it. "
        "Only who speaks for no user may change it."
    ),
}
PRIVATE_REASONS: Final = frozenset({"PII_BLOCKED", "privacy_deny_sensitive", "pii_needs_consent"})


# What a decoder raises at bytes that it cannot read: no JSON or TOML, not what was expected, not
# UTF-8, a number without end, nested too deep. Whoever reads what others wrote expects them all.
UNREADABLE: Final = (msgspec.MsgspecError, ValueError, RecursionError)


class Envelope(msgspec.Struct, frozen=True, kw_only=True):
    """What every door answers when a promise is broken."""

    error_code: str
    status: int
    severity: str
    user_message: str
    developer_message: str
    retryable: bool
    outcome: str  # "not_written" or "unknown"
    meta: dict[str, str]


class MunimentError(Exception):
    """The parent of every error here; only its children are raised."""

    code: ClassVar[str] = "INTERNAL"
    status: ClassVar[int] = 500
    severity: ClassVar[str] = "error"
    sentence: str = "Something went wrong inside the memory."
    retryable: ClassVar[bool] = False
    outcome: str = "not_written"

    def __init__(self, detail: str = "", **meta: str) -> None:
        super().__init__(detail or self.sentence)
        self.detail = detail or self.sentence
        self.meta = meta

    def envelope(self, *, query_id: str = "", timestamp: str = "", trace_id: str = "") -> Envelope:
        where = {"query_id": query_id, "timestamp": timestamp, "trace_id": trace_id}
        return Envelope(
            error_code=self.code,
            status=self.status,
            severity=self.severity,
            user_message=self.sentence,
            developer_message=self.detail,
            retryable=self.retryable,
            outcome=self.outcome,
            meta=where | self.meta,
        )


# ── The caller's fault ──────────────────────────────────────────────────────────────────────────


class InputError(MunimentError):
    """What was given has no meaning here; nothing was changed."""

    code = "INVALID_INPUT"
    status = 400
    severity = "info"
    sentence = "I could not understand that."


class PolicyError(InputError, ValueError):
    """The policy names a field or a value that does not exist; the path says which.

    A ValueError too: whoever reads a file adds the path of the field that raised it.
    """

    code = "INVALID_POLICY"
    sentence = "The policy is not valid."


class RegistryError(InputError):
    """A memory type is not there, or is there already."""

    code = "MEMORY_TYPE"
    status = 409
    sentence = "There is no memory type of that name, or the name is taken."


class NotFoundError(MunimentError):
    """Nothing of that name can be seen from here; absent and foreign answer alike."""

    code = "NOT_FOUND"
    status = 404
    severity = "info"
    sentence = "I have nothing by that name."


class PermissionDeniedError(MunimentError):
    """A principal asked for what it may not do."""

    code = "PERMISSION_DENIED"
    status = 403
    severity = "warning"
    sentence = "You are not allowed to do that."


class KeyReusedError(MunimentError):
    """The idempotency key is known with other bytes."""

    code = "IDEMPOTENCY_KEY_REUSED"
    status = 422
    severity = "warning"
    sentence = "That key was already used for something else."


class RefusedError(MunimentError):
    """The answer was no: it is kept as an event, and this carries its stable reason."""

    code = "REFUSED"
    status = 403
    severity = "info"
    sentence = "I did not do that."

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(detail or reason, reason=reason)
        self.args = (reason, detail)  # what a copy of it, in another process, is made of
        self.reason = reason
        self.sentence = WAYS_OUT.get(reason, self.sentence)
        if reason in PRIVATE_REASONS:
            self.sentence = PRIVACY_BLOCKED
        if reason == HELD and detail:
            self.sentence = HELD_BY.format(detail)

    def __str__(self) -> str:
        """The reason first: without it a detail (`ep:…`) says nothing to whoever reads a log."""
        return self.reason if self.detail == self.reason else f"{self.reason}: {self.detail}"


class AwaitsApprovalError(MunimentError):
    """It was asked for, and somebody must say yes first; the request's id is in `request_ids`."""

    code = "AWAITS_APPROVAL"
    status = 202
    severity = "info"
    sentence = "That needs approval first."

    def __init__(self, request_ids: tuple[str, ...]) -> None:
        super().__init__(f"waiting for approval: {', '.join(request_ids)}")
        self.request_ids = request_ids
        self.meta = {"request_id": request_ids[0] if request_ids else ""}


class JobClosedError(MunimentError):
    """The job has ended; open another one."""

    code = "JOB_CLOSED"
    status = 409
    severity = "info"
    sentence = "That job has already ended."


class BeingErasedError(MunimentError):
    """The person is being erased at this moment; afterwards the same call begins a new memory."""

    code = "BEING_ERASED"
    status = 409
    severity = "info"
    sentence = "That person's memory is being erased. Try again in a moment."
    retryable = True


# ── The store's fault ───────────────────────────────────────────────────────────────────────────


class StoreError(MunimentError):
    """The store failed before it committed; the same call may succeed later."""

    code = "STORE_UNAVAILABLE"
    status = 503
    sentence = MEMORY_FAILED
    retryable = True


class OutcomeUnknownError(StoreError):
    """The store died around the commit; a lookup by key decides what happened."""

    code = "OUTCOME_UNKNOWN"
    outcome = "unknown"


class MemoryWriteFailError(MunimentError):
    """Both attempts failed; the stream is fenced until the failure is recorded."""

    code = "MEMORY_WRITE_FAIL"
    sentence = MEMORY_FAILED
    retryable = True


class StorageFullError(MunimentError):
    """The log has no room; nothing was dropped, nothing was written."""

    code = "STORAGE_FULL"
    status = 507
    severity = "critical"
    sentence = "I tried to save that but my memory is full."


class ReadOnlyError(MunimentError):
    """The memory lies where nothing can be written; reading goes on, and leaves no trace."""

    code = "READ_ONLY"
    status = 403
    severity = "warning"
    sentence = "My memory is read-only here, so I did not save that."


class IntegrityError(MunimentError):
    """The log contradicts itself; the stream is read-only until someone has looked."""

    code = "INTEGRITY_FAIL"
    severity = "critical"
    sentence = "My memory failed its integrity check, so I have stopped writing to it."


class NewerError(MunimentError):
    """A newer program has written here; this one leaves everything as it is."""

    code = "NEWER_MEMORY"
    severity = "critical"
    sentence = "A newer version has written to my memory, so I do not open it."


class UnfinishedError(MunimentError):
    """A copy was cut short here: it would answer with the half that it holds."""

    code = "UNFINISHED_COPY"
    severity = "critical"
    sentence = "This copy of my memory was never finished, so I do not open it."


class KeystoreError(MunimentError):
    """The keys cannot be read; without them the memory cannot be opened."""

    code = "KEYSTORE_UNREADABLE"
    severity = "critical"
    sentence = "I cannot open my memory: its keys are missing or do not fit."


class EmbedderError(MunimentError):
    """A text could not become a vector: it is kept, and asked for again later. Or nobody is here
    by the name that a policy or a receipt gives.
    """

    code = "EMBEDDER_UNAVAILABLE"
    status = 503
    severity = "warning"
    sentence = "I stored that, but I cannot search for it by meaning yet."
    retryable = True


class HeadMovedError(MunimentError):
    """Someone else appended first; look again and decide again."""

    code = "WRONG_EXPECTED_SEQ"
    status = 409
    severity = "info"
    sentence = "Somebody else wrote at the same moment."
    retryable = True


class ReplayDivergedError(MunimentError):
    """Deciding again gave another answer than the log holds."""

    code = "REPLAY_DIVERGENCE"
    severity = "critical"
    sentence = "Replaying my memory gave a different answer."


class DerivedError(ReplayDivergedError):
    """What was derived from a log does not open or does not follow; the log gives it again."""

    code = "DERIVED_DAMAGE"
    sentence = "Data that is derived from my log is damaged; it can be rebuilt."


class ErasureUnfinishedError(DerivedError):
    """An erasure was cut off: what it has not come to yet no longer follows from the log."""

    code = "ERASURE_UNFINISHED"
    sentence = "An erasure was interrupted; it has to be carried out again."
