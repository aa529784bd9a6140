"""Detection rates: what is found of each kind, and what is taken for something, on drawn texts."""

from collections import Counter

import pytest
from bench.privacy import is_right, is_whole, named
from bench.privacy_corpus import LOGINS, positives
from bench.privacy_lookalikes import THINGS, lookalikes
from bench.privacy_papers import LICENCES, PAPERS, PASSPORTS

from muniment.rules.privacy.detect import detect

SEED = 42  # not the one of the bench
PART = 4  # a quarter of each kind
RECALL_FLOOR_PERCENT = {
    "card": 96,
    "iban": 100,
    "email": 100,
    "phone": 96,
    "national_id": 96,
    "passport": 96,
    "driving_licence": 96,
    "date_of_birth": 100,
    "ip": 90,
    "password": 95,
    "pin": 100,
    "api_key": 96,
    "token": 100,
}
NAMED_RIGHTLY_FLOOR_PERCENT = 95
FALSE_ALARMS_MAX_PERCENT = 1
FALSE_ALARMS_OF_ONE_KIND_MAX = 1


@pytest.mark.covers("A-011", "A-099")
def test_every_kind_is_found_whole_above_its_floor() -> None:
    asked, found = Counter[str](), Counter[str]()
    for sample in positives(SEED, of=PART):
        asked[sample.kind] += 1
        found[sample.kind] += is_whole(sample)

    assert set(asked) == set(RECALL_FLOOR_PERCENT)
    for kind, floor in RECALL_FLOOR_PERCENT.items():
        assert 100 * found[kind] >= floor * asked[kind], f"{kind}: {found[kind]} of {asked[kind]}"


def test_what_is_found_is_called_by_its_name() -> None:
    told = positives(SEED, of=PART)
    right = sum(is_right(sample, named(sample)) for sample in told)

    assert 100 * right >= NAMED_RIGHTLY_FLOOR_PERCENT * len(told)


def test_look_alikes_stay_below_their_ceiling_together_and_by_kind() -> None:
    plain = lookalikes(SEED, of=PART)
    alarms = [sample for sample in plain if detect(sample.text)]

    assert 100 * len(alarms) <= FALSE_ALARMS_MAX_PERCENT * len(plain), alarms
    assert max(Counter(each.kind for each in alarms).values(), default=0) <= (
        FALSE_ALARMS_OF_ONE_KIND_MAX
    )


def test_the_corpus_is_the_same_for_one_seed_and_has_a_thousand_of_each() -> None:
    assert positives(SEED) == positives(SEED) != positives(SEED + 1)
    assert (len(positives(SEED)), len(lookalikes(SEED))) == (1_000, 1_000)


def test_the_corpus_speaks_of_every_country_paper_and_language() -> None:
    assert len(PAPERS) >= 40
    assert len(PASSPORTS) >= 14
    assert len(LICENCES) >= 14
    assert len(LOGINS) >= 28
    assert len(THINGS) == 20
