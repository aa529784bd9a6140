"""The gate by hand: each score, each route and each refusal, one number at a time."""

import pytest

from muniment.model.kinds.memo import Mandate, MemoPlace, MemoSource, MemoType, Scores
from muniment.model.policy.memo_gate import Gating, RoutingRule
from muniment.rules.memos.gate import GateItem, GateVerdict, judge, weigh

WM, EM, SM = MemoPlace.WM, MemoPlace.EM, MemoPlace.SM
PLAIN = "the harbour is grey"  # speaks of no user and of no consequence


def item(**fields: object) -> GateItem:
    given: dict[str, object] = {
        "kind": MemoType.FACT,
        "text": PLAIN,
        "source": MemoSource.USER,
        "tokens": 10,
    }
    return GateItem(**given | fields)  # type: ignore[arg-type]


def gating(**fields: object) -> Gating:
    return Gating(**fields)  # type: ignore[arg-type]


def weighed(goals: tuple[str, ...] = (), **fields: object) -> Scores:
    return weigh(item(**fields), Gating(), goals)


# ── Scores ──────────────────────────────────────────────────────────────────────────────────────


def test_five_things_are_weighed_and_stand_beside_the_thresholds() -> None:
    told = weigh(
        item(likeness_ppm=250_000),
        gating(
            goal_weight_ppm=100_000,
            user_weight_ppm=200_000,
            confidence_weight_ppm=300_000,
            novelty_weight_ppm=400_000,
            actionability_weight_ppm=500_000,
            importance_min_ppm=1,
            novelty_min_ppm=2,
        ),
        (),
    )

    summed = 50_000 + 200_000 + 270_000 + 300_000 + 200_000
    assert told == Scores(
        importance=min(summed, 1_000_000),
        novelty=750_000,
        tokens=10,
        goal=500_000,
        user=1_000_000,
        confidence=900_000,
        actionability=400_000,
        given=False,
        importance_min=1,
        novelty_min=2,
    )


def test_what_is_weighed_adds_up_in_millionths() -> None:
    told = weighed(source=MemoSource.MODEL, kind=MemoType.THOUGHT)

    assert told.importance == 150_000 + 80_000 + 120_000 + 150_000 + 30_000


def test_what_is_less_than_a_millionth_does_not_count() -> None:
    only_goal = dict.fromkeys(("user", "confidence", "novelty", "actionability"), 0)
    weights = {f"{name}_weight_ppm": weight for name, weight in (only_goal | {"goal": 3}).items()}

    told = weigh(item(), gating(**weights), ()).importance

    assert (told, type(told)) == (1, int)


def test_words_about_the_user_and_of_consequence_add_to_what_they_are_about() -> None:
    plain = weighed(source=MemoSource.TOOL, kind=MemoType.TOOL_RESULT)
    of_user = weighed(source=MemoSource.TOOL, kind=MemoType.TOOL_RESULT, text="the customer left")
    of_weight = weighed(source=MemoSource.TOOL, kind=MemoType.TOOL_RESULT, text="the ferry failed")

    assert (plain.user, plain.actionability) == (400_000, 600_000)
    assert (of_user.user, of_user.actionability) == (600_000, 600_000)
    assert (of_weight.user, of_weight.actionability) == (400_000, 800_000)


def test_no_score_is_more_than_the_whole() -> None:
    told = weighed(text="my build failed", kind=MemoType.ACTION)

    assert (told.user, told.actionability) == (1_000_000, 1_000_000)
    assert weigh(item(importance_ppm=2_000_000), Gating(), ()).importance == 1_000_000


def test_what_a_caller_says_of_importance_and_confidence_counts() -> None:
    told = weighed(importance_ppm=123_456, confidence_ppm=0)

    assert (told.importance, told.given, told.confidence) == (123_456, True, 0)
    assert weighed(importance_ppm=0).importance == 0


def test_a_floor_lifts_what_is_below_it_and_nothing_else() -> None:
    low, high = item(importance_ppm=100_000), item(importance_ppm=900_000)

    assert weigh(low, Gating(), (), floor=400_000).importance == 400_000
    assert weigh(high, Gating(), (), floor=400_000).importance == 900_000
    assert weigh(item(importance_ppm=0), Gating(), ()).importance == 0


@pytest.mark.parametrize(
    ("goals", "share"),
    [
        ((), 500_000),
        (("paint the harbour",), 666_666),
        (("grey harbour",), 1_000_000),
        (("grey boat", "boat"), 500_000),
        (("boat", "grey boat"), 500_000),
        (("to of",), 0),
        (("a grey",), 1_000_000),
        (("nothing alike",), 0),
        (("ox grey",), 1_000_000),
    ],
)
def test_the_nearest_goal_counts_by_its_longer_words(goals: tuple[str, ...], share: int) -> None:
    told = weighed(goals).goal

    assert (told, type(told)) == (share, int)


# ── Mandates ────────────────────────────────────────────────────────────────────────────────────


def test_a_mandate_for_a_type_lifts_and_routes_what_is_of_that_type() -> None:
    mandate = Mandate(name="m", types=(MemoType.FACT,), places=(WM, SM), importance_ppm=700_000)
    low = item(importance_ppm=0)

    told = judge(low, Gating(), mandates=[mandate])
    other = judge(item(importance_ppm=0, kind=MemoType.SKILL), Gating(), mandates=[mandate])

    assert (told.places, told.reasons, told.rules) == ((WM, SM), ("mandate",), ("m",))
    assert told.scores.importance == 700_000
    assert (other.places, other.rules) == ((), ())
    assert other.scores.importance == 0


def test_a_mandate_for_a_tag_speaks_of_what_bears_it() -> None:
    mandate = Mandate(name="m", tags=("ship",), places=(EM,), importance_ppm=1)

    assert judge(item(tags=("x", "ship")), Gating(), mandates=[mandate]).rules == ("m",)
    assert judge(item(tags=("x",)), Gating(), mandates=[mandate]).rules == ()


def test_the_first_mandate_with_places_routes_and_the_strongest_lifts() -> None:
    types = (MemoType.FACT,)
    mandates = [
        Mandate(name="lifts", types=types, importance_ppm=600_000),
        Mandate(name="routes", types=types, places=(EM,), importance_ppm=500_000),
        Mandate(name="late", types=types, places=(WM,), importance_ppm=400_000),
    ]

    told = judge(item(importance_ppm=0), Gating(), mandates=mandates)

    assert (told.places, told.rules, told.scores.importance) == ((EM,), ("routes",), 600_000)


def test_a_mandate_that_routes_nothing_leaves_the_route_to_the_type() -> None:
    mandate = Mandate(name="m", types=(MemoType.FACT,), importance_ppm=600_000)

    told = judge(item(), Gating(), mandates=[mandate])

    assert (told.places, told.reasons, told.rules) == ((SM,), ("type:fact",), ())


# ── Routes ──────────────────────────────────────────────────────────────────────────────────────


def test_the_callers_choice_comes_before_every_mandate_and_rule() -> None:
    mandate = Mandate(name="m", types=(MemoType.FACT,), places=(WM,))

    told = judge(item(store="EM"), Gating(), mandates=[mandate])

    assert (told.places, told.reasons, told.rules) == (("EM",), ("asked:EM",), ())


def routed(rule: RoutingRule, **fields: object) -> tuple[object, ...]:
    told = judge(item(**fields), gating(routing=(rule,)))
    return told.places, told.reasons, told.rules


def test_a_rule_of_type_and_tag_speaks_where_the_tag_is() -> None:
    both = RoutingRule(places=(EM,), type=MemoType.FACT, tag="ship")
    of_type = RoutingRule(places=(EM,), type=MemoType.FACT)
    of_tag = RoutingRule(places=(EM,), tag="ship")
    by_tag = ((EM,), ("override:tag",), ("tag:ship",))
    by_type = ((EM,), ("override:type",), ("type:fact",))
    by_nature = ((SM,), ("type:fact",), ())

    assert routed(both, tags=("ship",)) == by_tag
    assert routed(both) == by_nature
    assert routed(of_type) == by_type
    assert routed(of_tag, tags=("ship",)) == by_tag
    assert routed(of_tag) == by_nature
    assert routed(of_type, kind=MemoType.SKILL)[1] == ("type:skill",)


def test_the_first_rule_that_speaks_is_the_one() -> None:
    rules = (
        RoutingRule(places=(WM,), tag="other"),
        RoutingRule(places=(EM,), tag="ship"),
        RoutingRule(places=(WM,), type=MemoType.FACT),
    )

    assert judge(item(tags=("ship",)), gating(routing=rules)).places == (EM,)


@pytest.mark.parametrize("kind", [MemoType.FACT, MemoType.SKILL, MemoType.PATTERN])
def test_what_is_of_the_moment_is_an_episode_unless_it_has_a_name(kind: MemoType) -> None:
    of_now = "Port 80 is closed RIGHT NOW"

    told = judge(item(kind=kind, text=of_now), Gating())
    named = judge(item(kind=kind, text=of_now, keyed=True), Gating())

    assert (told.places, told.reasons) == ((EM,), (f"type:{kind}", "content:of_the_moment"))
    assert (named.places, named.reasons) == ((SM,), (f"type:{kind}",))


def test_what_happens_at_the_moment_goes_where_what_happens_goes() -> None:
    told = judge(item(kind=MemoType.ACTION, text="for now I wait"), Gating())

    assert told.reasons == ("type:action",)


def test_a_summary_of_one_episode_stays_with_it_and_other_kinds_do_not() -> None:
    def routes(kind: MemoType, *, in_episode: bool) -> tuple[object, ...]:
        told = judge(item(kind=kind, in_episode=in_episode), Gating())
        return told.places, told.reasons

    of_one = ("type:summary", "content:of_one_episode")
    assert routes(MemoType.SUMMARY, in_episode=True) == ((EM,), of_one)
    assert routes(MemoType.SUMMARY, in_episode=False) == ((SM,), ("type:summary",))
    assert routes(MemoType.FACT, in_episode=True) == ((SM,), ("type:fact",))


# ── Refusals ────────────────────────────────────────────────────────────────────────────────────


def refusal(told: GateVerdict) -> str:
    (reason,) = told.reasons[1:] or ("",)
    assert bool(reason) is (SM not in told.places)
    return reason


def test_what_lasts_must_matter_more_than_the_threshold() -> None:
    at, above = item(importance_ppm=300_000), item(importance_ppm=300_001)

    assert refusal(judge(at, Gating())) == "below_importance"
    assert refusal(judge(above, Gating())) == ""


def test_what_is_distilled_must_be_as_new_as_the_threshold() -> None:
    at, below = item(likeness_ppm=900_000), item(likeness_ppm=900_001)

    assert refusal(judge(at, Gating())) == ""
    assert refusal(judge(below, Gating())) == "below_novelty"


@pytest.mark.parametrize("exempt", [{"keyed": True}, {"kind": MemoType.TOOL_RESULT}])
def test_a_version_and_an_occurrence_need_not_be_new(exempt: dict[str, object]) -> None:
    assert len(judge(item(likeness_ppm=1_000_000, **exempt), Gating()).reasons) == 1


def test_the_same_words_are_not_kept_twice_unless_they_occur() -> None:
    def told(**fields: object) -> tuple[str, ...]:
        return judge(item(is_repeated=True, **fields), Gating()).reasons[1:]

    assert told() == told(keyed=True) == ("said_already",)
    assert told(kind=MemoType.TOOL_RESULT) == ()


def test_a_turn_that_has_spent_its_tokens_keeps_what_matters_most() -> None:
    rules = gating(turn_tokens_max=100, working_guard_ppm=700_000)
    low, high = item(importance_ppm=699_999), item(importance_ppm=700_000)

    assert refusal(judge(low, rules, tokens_kept=90)) == ""
    assert refusal(judge(low, rules, tokens_kept=91)) == "turn_budget_spent"
    assert refusal(judge(high, rules, tokens_kept=91)) == ""
    assert (
        refusal(
            judge(
                item(importance_ppm=1, tokens=100),
                gating(turn_tokens_max=100, importance_min_ppm=0),
            )
        )
        == ""
    )


def test_working_memory_takes_what_is_refused_elsewhere() -> None:
    told = judge(item(kind=MemoType.PLAN, importance_ppm=0), Gating())

    assert (told.places, told.reasons) == ((WM,), ("type:plan", "below_importance"))
