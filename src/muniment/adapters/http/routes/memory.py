"""Routes of an agent and its user: remember, recall, context, forget, confirm, facts."""

from collections.abc import Sequence
from typing import Any, Final

from muniment.adapters.gateway import origins
from muniment.adapters.gateway.gateway import Hands
from muniment.adapters.http.route import joint, route, tagged
from muniment.adapters.requests.answers import Done, Requested, StoredFact
from muniment.adapters.requests.memory import (
    ConfirmRequest,
    Consented,
    ConsentRequest,
    CorrectRequest,
    EpisodeRequest,
    EpisodicQueryRequest,
    ForgetRequest,
    ForgetWhereRequest,
    GetRecordRequest,
    KeptMany,
    OwnErasureRequest,
    PetitionRequest,
    PetitionsRequest,
    PromptContextRequest,
    QuestionsRequest,
    RecordsRequest,
    RememberManyRequest,
    RememberRequest,
    RestoredRecords,
    RestoreRequest,
    RevokeConsentRequest,
    Revoked,
    RollBackRequest,
    SemGetRequest,
    SemPutRequest,
    SemSearchRequest,
    UndoRollbackRequest,
    VouchRequest,
)
from muniment.adapters.requests.recall import RecallRequest
from muniment.engine.api.remember import PART_CHARACTERS, Remembered, Sentence
from muniment.engine.context.assemble import Context
from muniment.engine.conversation.bulk_forget import ForgottenRecords
from muniment.engine.evidence.rollback import RolledBack
from muniment.engine.search.recall_results import Bundle
from muniment.engine.search.record_list import RecordPage
from muniment.engine.streams import handle_arguments
from muniment.model.errors import InputError, MunimentError, PermissionDeniedError
from muniment.model.scope import Role
from muniment.retrieval.scoring.word_overlap import Scored

KEPT_AS_SAID: Final = ("speaker", "session", "keep_raw")


def remember(hands: Hands, asked: RememberRequest) -> Remembered:
    return hands.agent.remember(asked.text, **_how(hands, asked))


def remember_each(
    hands: Hands, asked: Sequence[tuple[RememberRequest, str]]
) -> list[Remembered | MunimentError]:
    """Those who wait at once share one append, each with its own answer."""
    return hands.agent.remember_each(
        [Sentence(text=each.text, key=key, **_how(hands, each)) for each, key in asked]
    )


def _how(hands: Hands, asked: RememberRequest) -> dict[str, Any]:
    said = {name: getattr(asked, name) for name in KEPT_AS_SAID}
    return said | {
        "origin": origins.admitted(hands, asked.origin),
        **handle_arguments.options(asked),
    }


def _remember_many(hands: Hands, asked: RememberManyRequest) -> KeptMany:
    origin = origins.admitted(hands, asked.origin)
    if sum(map(len, asked.texts)) > PART_CHARACTERS:
        # One part is one entry, and one entry is what a key can answer for.
        raise InputError(f"at most {PART_CHARACTERS} characters at once")
    kept = hands.agent.remember_many(
        asked.texts,
        origin=origin,
        speakers=asked.speakers,
        session=asked.session,
        **handle_arguments.options(asked),
    )
    return KeptMany(kept=kept)


def for_people(hands: Hands, *, quarantined: bool) -> bool:
    """What waits for a yes is shown to whoever can give it: a person, with a key of their own."""
    if quarantined and hands.grant.role is not Role.USER:
        raise PermissionDeniedError("quarantined items are shown to people only")
    return quarantined


def recall(hands: Hands, asked: RecallRequest) -> Bundle:
    return hands.agent.recall(
        asked.query,
        limit=asked.limit,
        **asked.then,
        purpose=asked.purpose,
        quarantined=for_people(hands, quarantined=asked.quarantined),
        explain=asked.explain,
        where=asked.where,
    )


def records(hands: Hands, asked: RecordsRequest) -> RecordPage:
    return hands.agent.records(
        where=asked.where,
        limit=asked.limit,
        after=asked.after,
        **asked.then,
        quarantined=for_people(hands, quarantined=asked.quarantined),
    )


def context(hands: Hands, asked: PromptContextRequest) -> Context:
    return hands.agent.context(
        asked.prompt,
        budget=asked.budget,
        filters=asked.filters,
        where=asked.where,
        **asked.then,
        quarantined=for_people(hands, quarantined=asked.quarantined),
        recent=asked.recent,
    )


def _episodic_query(hands: Hands, asked: EpisodicQueryRequest) -> list[Scored]:
    return hands.agent.episodic_query(
        asked.query,
        asked.max_results,
        window_n=asked.window_n,
        time_window=asked.time_window,
        **asked.then,
    )


def forget(hands: Hands, asked: ForgetRequest) -> Done:
    return Done(seq=hands.agent.forget(asked.item_id, reason=asked.reason))


def forget_where(hands: Hands, asked: ForgetWhereRequest) -> ForgottenRecords:
    return hands.agent.forget_where(asked.where, reason=asked.reason, preview=asked.preview)


def _restore(hands: Hands, asked: RestoreRequest) -> RestoredRecords:
    return RestoredRecords(
        restored=hands.agent.restore(asked.item_id, first=asked.first, last=asked.last)
    )


def _roll_back(hands: Hands, asked: RollBackRequest) -> RolledBack:
    return hands.agent.roll_back(asked.by, asked.name, reason=asked.reason, preview=asked.preview)


def _undo_rollback(hands: Hands, asked: UndoRollbackRequest) -> RestoredRecords:
    return RestoredRecords(restored=hands.agent.undo_rollback(asked.first))


def correct(hands: Hands, asked: CorrectRequest) -> Remembered:
    origin = origins.admitted(hands, asked.origin)
    return hands.agent.correct(asked.item_id, asked.text, origin=origin)


def _confirm(hands: Hands, asked: ConfirmRequest) -> Requested:
    told = hands.agent.confirm(asked.confirmation_id, yes=asked.yes, direct=asked.direct)
    return Requested(request_id=told)


def _revoke(hands: Hands, asked: RevokeConsentRequest) -> Revoked:
    hands.agent.revoke_consent(asked.consent_id)
    return Revoked(revoked=asked.consent_id)


def _petition(hands: Hands, asked: PetitionRequest) -> Requested:
    told = hands.agent.memory_promote_request(
        asked.episodic_id,
        asked.target_sem_key,
        asked.justification,
        asked.evidence,
        value=asked.value,
    )
    return Requested(request_id=told)


def _erasure(hands: Hands, asked: OwnErasureRequest) -> Requested:
    return Requested(request_id=hands.eraser.request(hands.grant.user, reason=asked.reason))


ROUTES: Final = tagged(
    "memory",
    [
        joint(route(RememberRequest, remember), remember_each, "origin"),
        route(RememberManyRequest, _remember_many),
        route(RecallRequest, recall),
        route(PromptContextRequest, context),
        route(RecordsRequest, records),
        route(GetRecordRequest, lambda hands, asked: hands.agent.get(asked.item_id, **asked.then)),
        route(ForgetRequest, forget),
        route(ForgetWhereRequest, forget_where),
        route(RestoreRequest, _restore),
        route(RollBackRequest, _roll_back),
        route(UndoRollbackRequest, _undo_rollback),
        route(CorrectRequest, correct),
        route(
            VouchRequest,
            lambda hands, asked: Done(seq=hands.agent.vouch(asked.item_id, reason=asked.reason)),
        ),
        route(
            EpisodeRequest,
            lambda hands, asked: hands.agent.episode(asked.episodic_id, **asked.then),
        ),
        route(EpisodicQueryRequest, _episodic_query),
        route(ConfirmRequest, _confirm),
        route(
            ConsentRequest,
            lambda hands, asked: Consented(consent_id=hands.agent.consent(asked.text)),
        ),
        route(RevokeConsentRequest, _revoke),
        route(
            SemSearchRequest,
            lambda hands, asked: hands.agent.sem_search(asked.prefix, **asked.then),
        ),
        route(
            SemGetRequest,
            lambda hands, asked: hands.agent.sem_get(asked.canonical_key, **asked.then),
        ),
        route(
            SemPutRequest,
            lambda hands, asked: StoredFact(
                key=hands.agent.sem_put(asked.canonical_key, asked.value)
            ),
        ),
        route(PetitionRequest, _petition),
        route(QuestionsRequest, lambda hands, _: hands.agent.questions()),
        route(PetitionsRequest, lambda hands, asked: hands.agent.requests(settled=asked.settled)),
        route(OwnErasureRequest, _erasure),
    ],
)
