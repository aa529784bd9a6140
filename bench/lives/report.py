"""The report of lives: how many questions were answered, by door, kind, change and age; costs."""

from collections.abc import Callable, Iterable, Sequence
from statistics import fmean

from bench.figures import goal, table
from bench.lives.living import BUDGETS, Answer, Lived, Stage

AGES = ((1, "0-1 days"), (7, "2-7 days"), (30, "8-30 days"), (10_000, "over 30 days"))
HEAD = ["", "asked", "first", "top 5", *(f"in {each:,}" for each in BUDGETS), "stale", "talk"]
FORGOTTEN = "forgotten"
ENTRIES_MAX, BYTES_MAX = 8, 8_192  # a turn
RECORD_MS_MAX, CONTEXT_MS_MAX, GROWN = 12, 40, 1.5
PROVED_MIN = 1_000  # entries a second
EARLY, AROUND = 200, 50  # turns


def show(lives: Sequence[Lived], *, misses: int = 0) -> None:
    by_door: dict[str, list[Lived]] = {}
    for each in lives:
        by_door.setdefault(each.door, []).append(each)
    table("Answers by door, percent", HEAD, [_row(*each) for each in _doors(by_door)])
    for door, lived in by_door.items():
        asked = _current(lived)
        for title, of in (("kind", _kind), ("what last happened", _how), ("age", _age)):
            rows = [_row(name, some) for name, some in _groups(asked, of)]
            table(f"{door}: by {title}", HEAD, rows)
        _costs(door, lived)
        _goals(door, lived)
        _forgotten(door, lived)
    leaks = [told for life in lives for told in life.answers if told.leaked]
    for name, some in (("miss", list(_missed(lives))), ("leak", leaks)):
        for one in some[:misses]:
            print(f"  {name}  {one.question!r} wanted {one.wanted!r} given {one.given[:90]!r}")


def summary(lives: Iterable[Lived]) -> dict[str, float]:
    """The figures of some lives together, as shares of one."""
    lived = list(lives)
    asked = _current(lived)
    share = {"asked": float(len(asked)), "first": _share(asked, lambda each: each.first)}
    share["top5"] = _share(asked, lambda each: each.top)
    for n, budget in enumerate(BUDGETS):
        share[f"in{budget}"] = _share(asked, lambda each, n=n: each.inside[n])  # type: ignore[misc]
    share["stale"] = _share(asked, lambda each: each.stale)
    share["leaked"] = float(sum(each.leaked for one in lived for each in one.answers))
    turns = sum(stage.turns for one in lived for stage in one.stages)
    share["entries"] = sum(stage.entries for one in lived for stage in one.stages) / max(turns, 1)
    share["bytes"] = sum(stage.bytes for one in lived for stage in one.stages) / max(turns, 1)
    return share


def _doors(by_door: dict[str, list[Lived]]) -> Iterable[tuple[str, list[Answer]]]:
    for door, lived in by_door.items():
        yield door, _current(lived)


def _current(lived: Iterable[Lived]) -> list[Answer]:
    return [each for one in lived for each in one.answers if each.how != FORGOTTEN]


def _row(name: str, some: list[Answer]) -> list[str]:
    inside = [_percent(some, lambda each, n=n: each.inside[n]) for n in range(len(BUDGETS))]  # type: ignore[misc]
    talked = [each for each in some if each.talk is not None]
    return [
        name,
        str(len(some)),
        _percent(some, lambda each: each.first),
        _percent(some, lambda each: each.top),
        *inside,
        _percent(some, lambda each: each.stale),
        _percent(talked, lambda each: bool(each.talk)) if talked else "",
    ]


def _groups(asked: list[Answer], of: Callable[[Answer], str]) -> Iterable[tuple[str, list[Answer]]]:
    found: dict[str, list[Answer]] = {}
    for each in asked:
        found.setdefault(of(each), []).append(each)
    order = [name for _, name in AGES]
    return sorted(
        found.items(), key=lambda each: (order.index(each[0]) if each[0] in order else 0, each[0])
    )


def _kind(answer: Answer) -> str:
    return answer.kind


def _how(answer: Answer) -> str:
    return answer.how


def _age(answer: Answer) -> str:
    return next(name for days, name in AGES if answer.age_days <= days)


def _costs(door: str, lived: list[Lived]) -> None:
    """Quarter by quarter, the lives of a door together."""
    rows = []
    for n in range(max(len(one.stages) for one in lived)):
        stages = [one.stages[n] for one in lived if n < len(one.stages)]
        rows.append([f"{n + 1}", *_cost(stages)])
    head = ["quarter", "turns", "entries/turn", "bytes/turn", "write ms", "context ms"]
    table(f"{door}: costs as the life grows (CPU, means)", head, rows)


def _cost(stages: list[Stage]) -> list[str]:
    turns = sum(each.turns for each in stages)
    writes = [ms for each in stages for ms in each.write_ms]
    contexts = [ms for each in stages for ms in each.context_ms]
    return [
        str(turns),
        f"{sum(each.entries for each in stages) / turns:.1f}",
        f"{sum(each.bytes for each in stages) / turns:,.0f}",
        f"{fmean(writes):.1f}" if writes else "",
        f"{fmean(contexts):.1f}" if contexts else "",
    ]


def _goals(door: str, lived: list[Lived]) -> None:
    """What a turn of an ordinary life may cost, and how little more it may cost at its end."""
    for one in lived:
        writes = [ms for each in one.stages for ms in each.write_ms]
        contexts = [ms for each in one.stages for ms in each.context_ms]
        turns = sum(each.turns for each in one.stages)
        entries = sum(each.entries for each in one.stages) / turns
        size = sum(each.bytes for each in one.stages) / turns
        print(f"  {door}, seed {one.plan.seed}: {turns:,} turns")
        goal(f"{entries:.1f} log entries a turn (8)", met=entries <= ENTRIES_MAX)
        if size:
            goal(f"{size:,.0f} bytes of disk a turn (8,192)", met=size <= BYTES_MAX)
        _growth("record", writes, RECORD_MS_MAX)
        _growth("context", contexts, CONTEXT_MS_MAX)
        rate = one.proved / one.prove_seconds
        goal(f"prove: {rate:,.0f} entries a second of CPU (1,000)", met=rate >= PROVED_MIN)
        if one.raw_cpu_ms:
            bare = f"{one.raw_cpu_ms:.2f} ms of CPU, {one.raw_wall_ms:.2f} ms by the clock"
            print(f"           a bare durable insert into SQLite beside it: {bare}")


def _growth(name: str, spent: list[float], most: float) -> None:
    """The mean around turn 200 beside that of the last turns: one late call counts for little."""
    if len(spent) < EARLY + 2 * AROUND:
        return
    early, late = fmean(spent[EARLY - AROUND : EARLY + AROUND]), fmean(spent[-2 * AROUND :])
    goal(f"CPU of a {name} at the end: {late:.1f} ms ({most:g})", met=late <= most)
    grown = late / early
    goal(f"of which at turn {EARLY}: {early:.1f} ms, grown {grown:.2f} x (1.5)", met=grown <= GROWN)


def _forgotten(door: str, lived: list[Lived]) -> None:
    gone = [each for one in lived for each in one.answers if each.how == FORGOTTEN]
    leaks = sum(each.leaked for each in gone)
    others = sum(each.leaked for each in _current(lived))
    for each in (each for one in lived for each in one.answers if each.leaked):
        print(
            f"  {door}: LEAK  {each.question!r} ({each.how}, day {each.day}): {each.given[:80]!r}"
        )
    print(f"  {door}: forgotten ones given out {leaks} of {len(gone)}, other people's {others}")
    refused: dict[str, int] = {}
    for one in lived:
        for code, count in one.refused.items():
            refused[code] = refused.get(code, 0) + count
    if refused:
        print(f"  {door}: refused {', '.join(f'{k} {v}' for k, v in sorted(refused.items()))}")
    upkeep, spent = sum(one.maintenance_ms for one in lived), sum(one.seconds for one in lived)
    print(f"  {door}: maintenance {upkeep / 1e3:.1f} s of CPU, {spent:.1f} s in all")


def _missed(lives: Sequence[Lived]) -> Iterable[Answer]:
    return (each for each in _current(lives) if not each.inside[1])


def _share(some: list[Answer], is_so: Callable[[Answer], bool]) -> float:
    return sum(map(is_so, some)) / len(some) if some else 0.0


def _percent(some: list[Answer], is_so: Callable[[Answer], bool]) -> str:
    return f"{100 * _share(some, is_so):.0f}" if some else "-"
