"""Remember: store one sentence, many, or those of several waiting callers in one append."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Unpack

import msgspec

from muniment.engine.conversation import wish_ends
from muniment.engine.decide.decision_context import ECHO
from muniment.engine.session.agent_session import AgentSession
from muniment.engine.streams import admission
from muniment.engine.streams.append_result import AppendResult
from muniment.engine.streams.argument_checks import checks_arguments
from muniment.engine.streams.command_pipeline import Ask
from muniment.engine.streams.handle_arguments import HandleOptions, admitted, options
from muniment.model import canonical_json
from muniment.model.commands import Remember, RememberMany
from muniment.model.errors import InputError, MunimentError
from muniment.model.events import (
    ConfirmationAsked,
    EpisodesWritten,
    EpisodeWritten,
    ItemForgotten,
    PiiRedacted,
    WriteDenied,
)
from muniment.model.events.recalls import EchoHeard

BULK_SENTENCES = 2_000  # a durable append for each so many
PART_SENTENCES = 200  # one entry holds what was asked for so many of them
PART_CHARACTERS = 40_000  # well below the size of an entry, whatever the script


class ConfirmationQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A lasting fact that the user is asked to confirm before anything governed happens."""

    confirmation_id: str
    key: str
    value: object


class Remembered(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a sentence: stored, redacted, asked back or refused, and where it stands."""

    stored: bool
    episodic_id: str
    text: str
    reason: str
    echo_of: str  # the receipt that gave out some of these words, or all
    redacted: tuple[str, ...]
    question: ConfirmationQuestion | None
    seq: int
    hash: str
    said: int = 1  # how often these words have been said by now
    like: str = ""  # the id of what says the same, or nearly, and was told before
    request_id: str = ""  # of the change of a governed fact that was asked for
    ended: tuple[str, ...] = ()  # ids of what these words asked to forget, or took the place of


class Sentence(msgspec.Struct, frozen=True, kw_only=True):
    """One sentence of a caller who waits beside others."""

    text: str
    origin: str = "user"
    source: str = ""
    speaker: str = ""
    session: str = ""
    keep_raw: bool = False
    key: str = ""
    at: str = ""  # when it was said, as fixed-width UTC text, where that is not now
    tags: Sequence[str] = ()
    metadata: Mapping[str, object] | None = None
    happened_at: str = ""
    expires: str | int = ""


@checks_arguments
class Sentences:
    """Keeps sentences as episodes of one session."""

    def __init__(self, agent_session: AgentSession) -> None:
        self._session = agent_session

    def remember(
        self,
        text: str,
        *,
        origin: str = "user",
        speaker: str = "",
        session: str = "",
        keep_raw: bool = False,
        key: str = "",
        **handles: Unpack[HandleOptions],
    ) -> Remembered:
        """Keep a sentence; private data is redacted first, secrets are refused.

        What is pasted or fetched has the origin `external`, and `source` names its source.
        Where several talk, `speaker` says who, and `session` which talk it is: recall then knows
        whose words they are, and what was said just before.
        `tags` and `metadata` are there to be found by, `happened_at` says when it was so, and
        `expires` until when it is recalled: a date, a time, or how long (seconds, "P30D").
        `key` makes a retry safe: the same key and words are stored once and answer alike.
        """
        command = Remember(
            text=text,
            origin=admission.origin(origin),
            speaker=speaker,
            session=session,
            keep_raw=keep_raw,
            subject=self._session.subject,
            **admitted(handles),
        )
        return self._kept(self._session.append(command, key=key))

    def remember_many(
        self,
        texts: Iterable[str],
        *,
        origin: str = "user",
        speakers: Iterable[str] = (),
        session: str = "",
        batch: int = BULK_SENTENCES,
        **handles: Unpack[HandleOptions],
    ) -> int:
        """Keep many sentences, one durable append for each batch; returns how many were kept.

        The turns of a talk come with their `speakers`, one for each, and with its `session`.
        `source`, `tags`, `metadata`, `happened_at` and `expires` are those of every sentence.
        Nothing is asked back here: a wish to have a fact kept for good is a sentence of its own.
        """
        if not isinstance(texts, Iterable):
            raise InputError("expected a list of sentences")
        if isinstance(texts, str) or isinstance(batch, bool) or not isinstance(batch, int):
            raise InputError("expected a list of sentences, and a whole number as size")
        if batch < 1:
            raise InputError("a batch holds at least one sentence")
        kept = 0
        like = RememberMany(
            texts=(),
            origin=admission.origin(origin),
            session=session,
            subject=self._session.subject,
            **admitted(handles),
        )
        for sentences in _chunks(_said(texts, speakers), batch):
            asks = [self._ask_many(part, like) for part in _parts(sentences)]
            told = self._session.append_asks(asks)
            lines = (line for each in told for line in each.lines)
            kept += sum(
                len(line.event.numbers) for line in lines if isinstance(line.event, EpisodesWritten)
            )
        return kept

    def remember_each(self, sentences: Sequence[Sentence]) -> list[Remembered | MunimentError]:
        """Keep sentences of callers who wait at once, in one durable append; an answer for each."""
        if not all(isinstance(each, Sentence) for each in sentences):
            raise InputError("expected a list of sentences")
        return [
            self._kept(told) if isinstance(told, AppendResult) else told
            for told in self._session.append_each([partial(self._said, each) for each in sentences])
        ]

    def _kept(self, told: AppendResult) -> Remembered:
        """With what these words asked to forget, wherever it lay."""
        ended = wish_ends.of_batch(self._session.hub, told.lines)
        return msgspec.structs.replace(remembered(told), ended=ended)

    def _said(self, sentence: Sentence) -> Ask:
        command = Remember(
            text=sentence.text,
            origin=admission.origin(sentence.origin),
            speaker=sentence.speaker,
            session=sentence.session,
            keep_raw=sentence.keep_raw,
            subject=self._session.subject,
            **admitted(options(sentence)),
        )
        ask = self._session.prepare(admission.admit(command), key=sentence.key)
        said_at = admission.moment(sentence.at)
        return msgspec.structs.replace(ask, at=said_at) if said_at else ask

    def _ask_many(self, part: "list[_Said]", like: RememberMany) -> Ask:
        texts, speakers = zip(*part, strict=True)
        told = msgspec.structs.replace(
            like, texts=texts, speakers=speakers if any(speakers) else ()
        )
        return self._session.prepare(admission.admit(told), key=self._session.calls.next_key())


_Said = tuple[str, str]  # the words, and who says them


def _said(texts: Iterable[str], speakers: Iterable[str]) -> Iterable[_Said]:
    if isinstance(speakers, str) or not isinstance(speakers, Iterable):
        raise InputError("expected a list of speakers, one for each sentence")
    names = list(speakers)
    if not names:
        return ((text, "") for text in texts)
    sentences = list(texts)
    if len(sentences) != len(names):
        raise InputError("give a speaker for each sentence, or for none")
    return zip(sentences, names, strict=True)


def _chunks(said: Iterable[_Said], size: int) -> Iterator[list[_Said]]:
    pending = iter(said)
    while chunk := list(islice(pending, size)):
        yield chunk


def _parts(said: list[_Said]) -> Iterator[list[_Said]]:
    """What fits into one entry: so many sentences, and so many characters of them."""
    part: list[_Said] = []
    characters = 0
    for text, speaker in said:
        characters += len(canonical_json.admit_text(text))
        if part and (len(part) >= PART_SENTENCES or characters > PART_CHARACTERS):
            yield part
            part, characters = [], len(text)
        part.append((text, speaker))
    if part:
        yield part


def _echo(events: Sequence[object]) -> str:
    """The receipt that gave out what was said; where it was nothing else, the refusal names it."""
    for each in events:
        if isinstance(each, EchoHeard):
            return each.receipt_id
        if isinstance(each, WriteDenied) and each.reason == ECHO:
            return each.detail
    return ""


def remembered(told: AppendResult) -> Remembered:
    events = events_of(told)
    written = next((e for e in events if isinstance(e, EpisodeWritten)), None)
    redacted = next((e for e in events if isinstance(e, PiiRedacted)), None)
    return Remembered(
        stored=written is not None,
        episodic_id=written.episodic_id if written else "",
        text=written.summary if written else "",
        reason=told.refusal.reason if told.refusal else "",
        echo_of=_echo(events),
        redacted=tuple(each.kind for each in redacted.redactions) if redacted else (),
        question=_question(events),
        seq=told.lines[-1].seq,
        hash=told.lines[-1].hash.hex(),
        said=written.said if written else 1,
        like=written.like if written else "",
        ended=tuple(each.item_id for each in events if isinstance(each, ItemForgotten)),
    )


def _question(events: list[object]) -> ConfirmationQuestion | None:
    asked = next((each for each in events if isinstance(each, ConfirmationAsked)), None)
    if asked is None:
        return None
    return ConfirmationQuestion(
        confirmation_id=asked.confirmation_id, key=asked.key, value=asked.value
    )


def events_of(told: AppendResult) -> list[object]:
    return [line.event for line in told.lines]
