"""The detector on 1,000 texts that hold something and 1,000 look-alikes, kind by kind."""

from collections import Counter
from pathlib import Path

from bench.figures import Timing, goal, table
from bench.privacy_corpus import positives
from bench.privacy_lookalikes import lookalikes
from bench.privacy_samples import Sample
from muniment.rules.privacy.detect import detect, detector_version

SEED = 20_261_117
RECALL_MIN_PERCENT = 95
FALSE_ALARMS_MAX_PERCENT = 1
SECRETS = frozenset({"password", "pin", "api_key", "token"})
# What is found of these is right under another name too: a bare number may be several things.
ALSO = {"passport": {"national_id"}, "driving_licence": {"national_id", "passport"}}


def is_whole(sample: Sample) -> bool:
    """Whether every letter and digit of it would be cut out."""
    covered = {at for each in detect(sample.text) for at in range(each.start, each.end)}
    start = sample.text.index(sample.value)
    return all(start + at in covered for at, sign in enumerate(sample.value) if sign.isalnum())


def named(sample: Sample) -> str:
    """As what it was found."""
    start = sample.text.index(sample.value)
    end = start + len(sample.value)
    return next(
        (each.kind for each in detect(sample.text) if each.start < end and each.end > start), ""
    )


def is_right(sample: Sample, kind: str) -> bool:
    secret = sample.kind in SECRETS and kind in {
        *SECRETS,
        *("jwt", "bearer_token", "connection_string", "basic_auth", "private_key"),
    }
    return secret or kind == sample.kind or kind in ALSO.get(sample.kind, set())


def run(folder: Path) -> None:
    del folder
    told, plain = positives(SEED), lookalikes(SEED)
    asked, found, right, alarms = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    timing = Timing("one text")
    for sample in told:
        timing.run(lambda sample=sample: detect(sample.text))  # type: ignore[misc]
        asked[sample.kind] += 1
        found[sample.kind] += is_whole(sample)
        right[sample.kind] += is_right(sample, named(sample))
    wrong = Counter(named(each) for each in told if not is_right(each, named(each)) and named(each))
    for sample in plain:
        kinds = {each.kind for each in detect(sample.text)}
        alarms.update({kind if kind not in {"jwt"} else "token" for kind in kinds})
    _print(asked, found, right, wrong + alarms)
    flagged = [each for each in plain if detect(each.text)]
    _by_lookalike(plain, flagged)
    recall = 100 * found.total() / asked.total()
    rate = 100 * len(flagged) / len(plain)
    print(f"  detector {detector_version()}, {timing.cpu_us:.0f} µs of CPU a text")
    goal(
        f"{recall:.1f} % of {asked.total():,} are found whole "
        f"(goal: at least {RECALL_MIN_PERCENT})",
        met=recall >= RECALL_MIN_PERCENT,
    )
    goal(
        f"{rate:.1f} % of {len(plain):,} look-alikes are taken for something "
        f"(goal: at most {FALSE_ALARMS_MAX_PERCENT})",
        met=rate <= FALSE_ALARMS_MAX_PERCENT,
    )


def _print(
    asked: Counter[str], found: Counter[str], right: Counter[str], false: Counter[str]
) -> None:
    table(
        "Personal data and secrets, by kind",
        ["kind", "texts", "found whole", "recall %", "named rightly %", "precision %"],
        [
            [
                kind,
                str(count),
                str(found[kind]),
                f"{100 * found[kind] / count:.1f}",
                f"{100 * right[kind] / count:.1f}",
                f"{100 * right[kind] / max(1, right[kind] + false[kind]):.1f}",
            ]
            for kind, count in asked.items()
        ],
    )


def _by_lookalike(plain: list[Sample], flagged: list[Sample]) -> None:
    of, bad = Counter(each.kind for each in plain), Counter(each.kind for each in flagged)
    table(
        "Look-alikes",
        ["kind", "texts", "taken for something"],
        [[kind, str(count), str(bad[kind])] for kind, count in of.items()],
    )
