"""The screen by hand: what each command is kept as, with a detector that knows four words."""

import re

import msgspec
import pytest

from muniment.model.commands import (
    AnyCommand,
    PutFact,
    RecordRecall,
    Remember,
    RememberMany,
    RequestPromotion,
    WriteEpisode,
)
from muniment.model.commands.conversation import RecordInteraction
from muniment.model.commands.exchange import CarryRecords
from muniment.model.commands.loops import MirrorEvent, ProposePatch
from muniment.model.commands.reads import RecordContext
from muniment.model.events.redaction import Redaction
from muniment.model.kinds.carried_record import CarriedRecord
from muniment.model.kinds.conversation_item import Source, Space
from muniment.model.kinds.episode import Evidence
from muniment.model.kinds.loop import EventKind, Visibility
from muniment.model.kinds.receipts import Basis
from muniment.model.kinds.recollection import Message
from muniment.model.policy import Action, Privacy
from muniment.rules.privacy import screen as screens
from muniment.rules.privacy.redactor import Redactor
from muniment.rules.privacy.rule import Category, PrivacyFinding, Risk
from muniment.rules.privacy.screen import BLOCKED, NEEDS_CONSENT, REFUSED_TEXT, SENSITIVE, Screened

MADE = "ep:01234567-89ab-8cde-8fab-0123456789ab"  # an id as the engine makes them
KNOWN: dict[str, tuple[Category, str, Risk]] = {
    "TOKEN": ("secret", "api_key", "high"),
    "CARD": ("pii", "card", "high"),
    "MAIL": ("pii", "email", "medium"),
    "ADDR": ("pii", "ip", "low"),
}


def four_words(text: str, regions: tuple[str, ...]) -> tuple[PrivacyFinding, ...]:
    """Finds its words, also in lower case; of the word `broken` it can say nothing."""
    assert regions == Privacy().phone_regions
    if "broken" in text:
        raise RuntimeError("no detector today")
    return tuple(
        PrivacyFinding(
            category=KNOWN[found[0]][0],
            kind=KNOWN[found[0]][1],
            risk=KNOWN[found[0]][2],
            rule=f"by_hand.{found[0].lower()}",
            start=found.start(),
            end=found.end(),
        )
        for found in re.finditer("TOKEN|CARD|MAIL|ADDR", text)
    )


def screened(command: AnyCommand, privacy: Privacy | None = None, **given: bool) -> Screened:
    return screens.screen(
        command,
        privacy or Privacy(),
        consented=given.get("consented", False),
        pseudonym=lambda text: f"#{text.lower()}",
        detector=four_words,
    )


def taken(path: str, word: str) -> Redaction:
    """What is noted of a word that was taken out."""
    return _noted(path, word, Action.REDACT, f"#{word.lower()}")


def denied(path: str) -> Redaction:
    return _noted(path, "TOKEN", Action.DENY, "")


def _noted(path: str, word: str, action: Action, tag: str) -> Redaction:
    _, kind, risk = KNOWN[word]
    rule = f"by_hand.{word.lower()}"
    return Redaction(path=path, kind=kind, risk=risk, rule=rule, action=action, hash=tag)


# ── One command ─────────────────────────────────────────────────────────────────────────────────


def test_what_holds_nothing_personal_is_kept_as_it_is() -> None:
    command = Remember(text="tea", tags=["a", 1, None, True], metadata={"n": 2})

    assert screened(command) == Screened(command=command, redactions=(), refused="")


def test_words_values_and_handles_are_redacted_where_they_stand_and_noted_in_order() -> None:
    command = Remember(text="to MAIL or CARD!", tags=["MAIL", "x"], metadata={"CARD": ["MAIL"]})

    told = screened(command)

    clean = Remember(
        text="to [email:#mail] or [card:#card]!",
        tags=["[email:#mail]", "x"],
        metadata={"[card:#card]": ["[email:#mail]"]},
    )
    paths = ["text", "text", "tags.1", "metadata.key", "metadata.key1.1"]
    words = ["MAIL", "CARD", "MAIL", "CARD", "MAIL"]
    in_order = {each.path: each for each in told.redactions}
    assert told.command == clean
    assert told.refused == ""
    assert sorted(told.redactions, key=repr) == sorted(
        (taken(*each) for each in zip(paths, words, strict=True)), key=repr
    )
    assert [each.kind for each in told.redactions if each.path == "text"] == ["email", "card"]
    assert set(in_order) == set(paths)


def test_what_a_policy_allows_is_noted_and_kept() -> None:
    command = Remember(text="from ADDR")

    told = screened(command)

    assert told.command == command
    assert told.redactions == (_noted("text", "ADDR", Action.ALLOW, ""),)
    assert told.refused == ""


def test_a_key_that_a_policy_allows_is_in_no_path_either() -> None:
    told = screened(Remember(text="x", metadata={"plain": 1, "ADDR": {"deep": "MAIL"}}))

    assert [each.path for each in told.redactions] == ["metadata.key", "metadata.key2.deep"]


def test_a_secret_in_one_field_empties_all_fields_that_say_something() -> None:
    command = Remember(
        text="the TOKEN", tags=["MAIL"], metadata={"a": 1}, speaker="Ann", session="s1", source="w"
    )

    told = screened(command)

    assert told.refused == SENSITIVE
    assert told.command == Remember(
        text=REFUSED_TEXT,
        tags=[],
        metadata=REFUSED_TEXT,
        speaker=REFUSED_TEXT,
        session="s1",
        source="w",
    )
    assert denied("text") in told.redactions
    assert taken("tags.1", "MAIL") in told.redactions


def test_numbers_of_a_refused_value_go_and_yes_and_nothing_stay() -> None:
    told = screened(WriteEpisode(summary="TOKEN", payload=77, evidence=(Evidence(note="n"),)))
    truth = screened(WriteEpisode(summary="TOKEN", payload=True))

    assert told.command == WriteEpisode(summary=REFUSED_TEXT, payload=REFUSED_TEXT, evidence=())
    assert truth.command == WriteEpisode(summary=REFUSED_TEXT, payload=True)


def test_where_the_detector_fails_nothing_is_kept_and_nothing_noted() -> None:
    told = screened(Remember(text="MAIL", tags=["broken"]))

    assert told == Screened(
        command=Remember(text=REFUSED_TEXT, tags=[]), redactions=(), refused=BLOCKED
    )


def test_an_empty_text_is_not_looked_at_and_stays_empty() -> None:
    told = screened(WriteEpisode(summary="", payload={"note": "", "to": "TOKEN"}))

    assert told.command == WriteEpisode(summary="", payload=REFUSED_TEXT)


def test_the_built_in_detector_reads_numbers_in_the_plans_of_the_policys_regions() -> None:
    number = "call 020 7946 0958"

    def kinds(region: str) -> list[str]:
        privacy = Privacy(phone_regions=(region,))
        told = screens.screen(
            Remember(text=number), privacy, consented=False, pseudonym=lambda _: ""
        )
        return [each.kind for each in told.redactions]

    assert (kinds("GB"), kinds("US")) == (["phone"], [])


# ── Consent ─────────────────────────────────────────────────────────────────────────────────────


def test_a_fact_with_something_personal_needs_consent_and_is_whole_with_it() -> None:
    key = "user/profile/ann/contact"
    command = PutFact(key=key, value={"a": {"c": "MAIL"}, "b": "ADDR"}, notes="MAIL")

    refused, told = screened(command), screened(command, consented=True)

    clean = "[email:#mail]"
    assert refused.refused == NEEDS_CONSENT
    assert refused.command == PutFact(key=key, value={"a": {"c": clean}, "b": "ADDR"}, notes=clean)
    noted = (
        taken("value.a.c", "MAIL"),
        _noted("value.b", "ADDR", Action.ALLOW, ""),
        taken("notes", "MAIL"),
    )
    assert refused.redactions == noted
    assert (told.command, told.refused) == (command, "")
    assert [each.action for each in told.redactions] == [Action.ALLOW] * 3
    assert [each.hash for each in told.redactions] == [each.hash for each in noted]


def test_a_fact_whose_reasons_alone_are_personal_is_written_and_its_reasons_redacted() -> None:
    command = RequestPromotion(
        episodic_id="e", target_sem_key="k", value="ADDR", justification="MAIL said"
    )

    told = screened(command)

    assert told.refused == ""
    assert told.command == msgspec.structs.replace(command, justification="[email:#mail] said")


def test_a_request_to_keep_the_raw_form_needs_consent() -> None:
    wish = Remember(text="MAIL", tags=["t"], keep_raw=True)

    refused, told = screened(wish), screened(wish, consented=True)

    clean = Remember(text="[email:#mail]", tags=["t"], keep_raw=True)
    assert refused == Screened(command=clean, redactions=(taken("text", "MAIL"),), refused=BLOCKED)
    assert told == Screened(
        command=msgspec.structs.replace(clean, raw={"text": "MAIL", "tags": ["t"]}),
        redactions=(taken("text", "MAIL"),),
    )


def test_a_consent_alone_keeps_nothing_raw() -> None:
    told = screened(Remember(text="MAIL"), consented=True)

    assert told.command == Remember(text="[email:#mail]")
    assert told.refused == ""


def test_a_value_is_redacted_where_a_mark_stands_in_it() -> None:
    mark = "[email:0123456789abcdef]"

    marked = [screens.is_redacted(each) for each in ({"a": ["x", mark]}, {mark: 1}, f"to {mark}")]
    plain = [screens.is_redacted(each) for each in ("plain", "[email]", None, {"a": 7})]

    assert (marked, plain) == ([True] * 3, [False] * 4)


def test_one_text_is_kept_as_a_command_that_holds_it_would_be() -> None:
    def kept(text: str) -> str:
        return screens.screen_text(
            text, Privacy(), pseudonym=lambda found: f"#{found.lower()}", detector=four_words
        )

    assert [kept(each) for each in ("tea", "to MAIL", "a TOKEN", "broken", "ADDR")] == [
        "tea",
        "to [email:#mail]",
        REFUSED_TEXT,
        REFUSED_TEXT,
        "ADDR",
    ]


# ── Names ───────────────────────────────────────────────────────────────────────────────────────


def test_a_secret_in_a_name_empties_names_and_words_alike() -> None:
    told = screened(Remember(text="tea", session="TOKEN", source="w", speaker="Ann"))

    assert told.refused == SENSITIVE
    assert told.redactions == ()
    assert told.command == Remember(
        text=REFUSED_TEXT,
        session=REFUSED_TEXT,
        source=REFUSED_TEXT,
        speaker=REFUSED_TEXT,
        tags=None,
        metadata=None,
        happened_at=REFUSED_TEXT,
        expires=REFUSED_TEXT,
    )


def test_personal_data_in_a_name_stays_or_it_would_name_something_else() -> None:
    command = Remember(text="tea", session="MAIL", subject="TOKEN")

    assert screened(command) == Screened(command=command)


def test_a_name_of_which_the_detector_can_say_nothing_is_refused() -> None:
    told = screened(Remember(text="tea", session="broken"))

    assert (told.refused, told.redactions) == (BLOCKED, ())
    assert "tea" not in repr(told.command)


def test_each_of_several_names_is_looked_at_and_so_is_each_owner_of_a_place() -> None:
    several = ProposePatch(patch={}, reason="r", loops=("a", "TOKEN"), rubric="plain")
    message = Message(source=Source.USER, text="tea")
    owner = RecordInteraction(messages=(message,), session="s", owners={Space.PROJECT: "TOKEN"})
    place = RecordInteraction(messages=(message,), session="s", places={Space.PROJECT: "TOKEN"})

    assert screened(several).refused == SENSITIVE
    assert screened(several).command == ProposePatch(
        patch=REFUSED_TEXT, reason=REFUSED_TEXT, loops=(), rubric=REFUSED_TEXT
    )
    for each in (owner, place):
        told = screened(each)
        assert told.refused == SENSITIVE
        assert isinstance(told.command, RecordInteraction)
        assert told.command.messages == ()
        assert told.command.session == REFUSED_TEXT
        assert "TOKEN" not in repr(told.command)
    blanked = screened(owner).command
    assert isinstance(blanked, RecordInteraction)
    assert (blanked.owners, blanked.places) == ({Space.PROJECT: REFUSED_TEXT}, {})


def test_a_name_that_looks_made_is_looked_at_unless_the_engine_derives_the_command() -> None:
    made = "TOKEN0123456789ABCDEFGHJKM"  # has the form of no id; those below have
    command = MirrorEvent(
        source_id=MADE,
        source_seq=3,
        loop_id="loop:01KGMNH820C1SS3P8663TJ1C5C",
        kind=EventKind.USER_INPUT,
        visibility=Visibility.EXTERNAL,
        ts="2026-02-04T15:50:00.000Z",
        summary="s",
        importance=1,
    )
    named = msgspec.structs.replace(command, model=made)

    def all_is_secret(text: str, regions: tuple[str, ...]) -> tuple[PrivacyFinding, ...]:
        del regions
        return tuple(
            msgspec.structs.replace(each, start=0, end=len(text))
            for each in four_words("TOKEN", Privacy().phone_regions)
        )

    def refused(of: AnyCommand) -> str:
        return screens.screen(
            of, Privacy(), consented=False, pseudonym=lambda _: "", detector=all_is_secret
        ).refused

    assert refused(command) == ""
    assert refused(named) == SENSITIVE
    assert refused(Remember(text="", session=MADE)) == SENSITIVE


# ── Many sentences, messages and records ────────────────────────────────────────────────────────


def test_sentences_do_not_answer_for_each_other() -> None:
    texts, speakers = ("a", "TOKEN", "at MAIL", "broken"), ("Ann", "Bob", "MAIL", "")

    told = screened(RememberMany(texts=texts, speakers=speakers, tags=["t"]))

    assert told == Screened(
        command=RememberMany(
            texts=("a", REFUSED_TEXT, "at [email:#mail]", REFUSED_TEXT),
            speakers=("Ann", "Bob", "[email:#mail]", ""),
            tags=["t"],
        ),
        redactions=(denied("texts.2"), taken("texts.3", "MAIL"), taken("speakers.3", "MAIL")),
    )


def test_a_sentence_whose_speaker_is_a_secret_goes_with_its_speaker() -> None:
    told = screened(RememberMany(texts=("a", "b"), speakers=("TOKEN", "Bob")))

    assert told.command == RememberMany(texts=(REFUSED_TEXT, "b"), speakers=("", "Bob"))
    assert (told.redactions, told.refused) == ((denied("speakers.1"),), "")


def test_a_secret_before_the_handles_does_not_refuse_them() -> None:
    told = screened(RememberMany(texts=("TOKEN",), tags=["MAIL"]))

    assert told.refused == ""
    assert told.command == RememberMany(texts=(REFUSED_TEXT,), tags=["[email:#mail]"])
    assert told.redactions == (denied("texts.1"), taken("tags.1", "MAIL"))


@pytest.mark.parametrize(("word", "reason"), [("TOKEN", SENSITIVE), ("broken", BLOCKED)])
def test_what_is_refused_of_the_handles_refuses_all_sentences(word: str, reason: str) -> None:
    told = screened(
        RememberMany(texts=("a MAIL",), speakers=("Ann",), tags=["t"], metadata={"k": word})
    )

    assert told.refused == reason
    assert told.command == RememberMany(texts=(), speakers=(), tags=[], metadata=REFUSED_TEXT)
    noted = (taken("texts.1", "MAIL"), denied("metadata.k"))
    assert told.redactions == (noted if reason == SENSITIVE else ())


def test_messages_do_not_answer_for_each_other_and_their_handles_answer_for_all() -> None:
    messages = (
        Message(source=Source.USER, text="to MAIL"),
        Message(source=Source.TOOL, text="leaks TOKEN"),
    )
    command = RecordInteraction(messages=messages, session="s", tags=["x"])

    told = screened(command)
    refused = screened(msgspec.structs.replace(command, tags=["TOKEN"]))

    assert isinstance(told.command, RecordInteraction)
    assert told.command == msgspec.structs.replace(
        command,
        messages=(
            Message(source=Source.USER, text="to [email:#mail]"),
            Message(source=Source.TOOL, text=REFUSED_TEXT),
        ),
    )
    assert told.redactions == (taken("messages.1", "MAIL"), denied("messages.2"))
    assert told.refused == ""
    assert refused.refused == SENSITIVE
    assert refused.command == msgspec.structs.replace(command, messages=(), tags=[])


def carried(*records: CarriedRecord) -> Screened:
    return screened(CarryRecords(records=records, source=MADE))


def of_episode(**data: object) -> CarriedRecord:
    return CarriedRecord(event="episodic_written", data=data, owner="ann")


def test_the_names_of_a_carried_record_stay_and_its_words_are_redacted() -> None:
    words = {"summary": "to MAIL", "n": 7, "told": [{"id": "MAIL"}, "MAIL"]}
    names = {"episodic_id": "MAIL", "sem_keys": ["MAIL", "x"]}
    deeper = {"meta": {"id": "MAIL", "note": "MAIL"}, "evidence": [{"id": "MAIL", "note": "MAIL"}]}
    no_struct = {"hold": "MAIL", "link": 7}

    told = carried(of_episode(a=1), of_episode(**words, **names, **deeper, **no_struct))

    clean = "[email:#mail]"
    assert told.command == CarryRecords(
        records=(
            of_episode(a=1),
            of_episode(
                summary=f"to {clean}",
                n=7,
                told=[{"id": clean}, clean],
                **names,
                meta={"id": "MAIL", "note": clean},
                evidence=[{"id": "MAIL", "note": clean}],
                hold=clean,
                link=7,
            ),
        ),
        source=MADE,
    )
    assert [each.path for each in told.redactions] == [
        "records.2.summary",
        "records.2.told.1.id",
        "records.2.told.2",
        "records.2.meta.note",
        "records.2.evidence.1.note",
        "records.2.hold",
    ]


@pytest.mark.parametrize(
    "record",
    [
        of_episode(summary="TOKEN"),
        of_episode(episodic_id="TOKEN"),
        of_episode(sem_keys=["x", "TOKEN"]),
        of_episode(summary="broken"),
        CarriedRecord(event="episodic_written", data={"a": 1}, owner="TOKEN"),
        CarriedRecord(event="episodic_written", data={"a": 1}, owner="broken"),
    ],
)
def test_of_a_carried_record_that_is_refused_only_the_name_of_its_event_stays(
    record: CarriedRecord,
) -> None:
    told = carried(record, of_episode(summary="tea"))

    empty = CarriedRecord(event="episodic_written", data=None)
    assert told.command == CarryRecords(records=(empty, of_episode(summary="tea")), source=MADE)
    assert told.refused == ""


def test_where_a_name_was_a_secret_and_where_one_was_no_text_is_noted() -> None:
    one, several = of_episode(episodic_id="TOKEN"), of_episode(sem_keys=["x", "TOKEN"])

    told = carried(one, several, of_episode(item_id={"a": "MAIL"}))

    assert told.redactions == (
        denied("records.1.episodic_id"),
        denied("records.2.sem_keys.2"),
        taken("records.3.item_id.a", "MAIL"),
    )


def test_of_a_carried_record_of_no_known_event_not_even_its_name_stays() -> None:
    told = carried(CarriedRecord(event="other", data={"a": 1}))

    assert told.command == CarryRecords(
        records=(CarriedRecord(event=REFUSED_TEXT, data=None),), source=MADE
    )


def test_a_name_that_is_no_text_is_looked_at_as_words_are() -> None:
    told = carried(of_episode(episodic_id={"a": "MAIL"}, sem_keys=["MAIL", 7]))

    assert told.command == CarryRecords(
        records=(of_episode(episodic_id={"a": "[email:#mail]"}, sem_keys=["[email:#mail]", 7]),),
        source=MADE,
    )


# ── Receipts ────────────────────────────────────────────────────────────────────────────────────


def every_word_is_personal(text: str, regions: tuple[str, ...]) -> tuple[PrivacyFinding, ...]:
    """Finds all but the names of fields."""
    del regions
    if text in {"episodic_id", "note"}:
        return ()
    (found,) = four_words("MAIL", Privacy().phone_regions)
    return (msgspec.structs.replace(found, end=len(text)),)


def test_of_a_receipt_names_that_the_engine_made_are_not_looked_at_and_others_are() -> None:
    receipt = RecordRecall(
        query="q", evidence=(Evidence(episodic_id=MADE), Evidence(episodic_id=MADE, note="n"))
    )

    told = screens.screen(
        receipt,
        Privacy(),
        consented=False,
        pseudonym=lambda _: "0",
        detector=every_word_is_personal,
    )

    assert isinstance(told.command, RecordRecall)
    assert told.command.query == "[email:0]"
    assert told.command.evidence[0] == Evidence(episodic_id=MADE)
    assert told.command.evidence[1].note == "[email:0]"
    assert told.command.evidence[1].episodic_id == MADE


def test_of_a_ranking_only_the_question_is_looked_at() -> None:
    basis = Basis(index="i", embedder="e", words="w")
    receipt = RecordRecall(query="MAIL", evidence=(Evidence(note="MAIL"),), basis=basis)

    told = screened(receipt)

    assert told.command == msgspec.structs.replace(receipt, query="[email:#mail]")
    assert [each.path for each in told.redactions] == ["query"]


def test_a_context_does_not_look_at_names_of_its_own_making() -> None:
    receipt = RecordContext(query=MADE)

    told = screens.screen(
        receipt,
        Privacy(),
        consented=False,
        pseudonym=lambda _: "0",
        detector=every_word_is_personal,
    )

    assert told == Screened(command=receipt)


# ── The redactor ────────────────────────────────────────────────────────────────────────────────


def test_a_number_stays_a_number_unless_it_is_personal_itself() -> None:
    def of_sevens(text: str, regions: tuple[str, ...]) -> tuple[PrivacyFinding, ...]:
        (found,) = four_words("CARD", regions)
        return (msgspec.structs.replace(found, end=len(text)),) if text == "777" else ()

    eye = Redactor(Privacy(), lambda text: f"#{text}", of_sevens)
    value = {"a": 777, "b": 78, "c": {"$fraction": "777"}, "d": {"$fraction": "7.5"}, "e": True}

    told = eye.look(value, "at")

    assert told == {
        "a": "[card:#777]",
        "b": 78,
        "c": "[card:#777]",
        "d": {"$fraction": "7.5"},
        "e": True,
    }
    assert [each.path for each in eye.redactions] == ["at.a", "at.c"]


def test_a_row_of_names_that_the_engine_made_is_not_looked_at_where_those_are_known() -> None:
    def everything(text: str, regions: tuple[str, ...]) -> tuple[PrivacyFinding, ...]:
        (found,) = four_words("MAIL", regions)
        return (msgspec.structs.replace(found, end=len(text)),)

    def looked(value: object, **given: bool) -> object:
        return Redactor(Privacy(), lambda _: "0", everything, **given).look(value, "at")

    row, other = {"episodic_id": MADE}, {"episodic_id": MADE, "note": "n"}

    assert looked(row, knows_own_names=True) == row
    assert looked(MADE, knows_own_names=True) == MADE
    assert looked(row) == {"[email:0]": "[email:0]"}
    assert looked(MADE) == "[email:0]"
    assert looked(other, knows_own_names=True) == {"[email:0]": "[email:0]"}


def test_one_text_is_given_to_the_detector_once() -> None:
    seen: list[str] = []

    def noting(text: str, regions: tuple[str, ...]) -> tuple[PrivacyFinding, ...]:
        seen.append(text)
        return four_words(text, regions)

    eye = Redactor(Privacy(), lambda text: text.lower(), noting)

    assert eye.look(["MAIL", "tea", "MAIL", "tea"], "at") == ["[email:mail]", "tea"] * 2
    assert not eye.is_secret("tea")
    assert seen == ["MAIL", "tea"]
    assert [each.path for each in eye.redactions] == ["at.1", "at.3"]
