"""Compaction and skill extraction: does the cost grow with what is read, and no faster?"""

import time
from collections.abc import Callable
from pathlib import Path

from bench import figures
from muniment.model.kinds.loop import EventKind, IdeticEvent, Visibility
from muniment.model.policy.maintenance import Compaction, Resolution
from muniment.model.scope import Persona
from muniment.rules import skills
from muniment.rules.memos import clustering, summarise, thinning
from muniment.rules.memos.clustering import ClusterText
from muniment.rules.memos.thinning import Weighed

SIZES = (1_000, 2_000, 4_000, 10_000)
EPISODE = 50  # memos that one summary stands for
LINEAR = 1.35  # what noise may add to a cost that grows with what is read
CITIES = ("Lisbon", "Porto", "Faro", "Braga", "Sintra", "Aveiro", "Beja")


def sentence(n: int) -> str:
    city = CITIES[n % len(CITIES)]
    return f"Order {n} of {n * 7 % 991} boxes goes to {city} before {n % 24}:30. Thanks a lot!"


def summaries(count: int) -> int:
    limit = Compaction().limit(Resolution.MESO)
    texts = [sentence(n) for n in range(count)]
    made = [
        summarise.summarise(texts[start : start + EPISODE], limit)
        for start in range(0, count, EPISODE)
    ]
    return len(made)


def one_long_summary(count: int) -> int:
    texts = [sentence(n) for n in range(count)]
    return summarise.summarise(texts, Compaction().limit(Resolution.MACRO)).tokens


def clusters(count: int) -> int:
    told = [ClusterText(id=str(n), text=sentence(n // 2)) for n in range(count)]
    return len(clustering.clusters(told, 850_000))


def thinned(count: int) -> int:
    items = [
        Weighed(id=str(n), tokens=20, importance_ppm=n * 7919 % 1_000_000, age=n % 365)
        for n in range(count)
    ]
    kept = thinning.reservoir(items, count // 2, seed="bench", half_life=30)
    return len(kept) + len(thinning.evicted(items, half_life=30, items_max=count // 2))


def extracted(count: int) -> int:
    """Loops of five events each; a hundred ways of doing things among them."""
    loops = [_loop(n) for n in range(count // 5)]
    return len(skills.extract("ada__actor__ltm", "user_tuff", loops))


def _loop(n: int) -> list[IdeticEvent]:
    kinds = [
        (EventKind.USER_INPUT, f"book a ferry to {CITIES[n % len(CITIES)]}", None),
        (EventKind.TOOL_CALL, "s", {"tool_name": f"search-{n % 100}", "tool_args": {"to": n}}),
        (EventKind.TOOL_RESULT, "found", None),
        (EventKind.TOOL_CALL, "b", {"tool_name": "book", "tool_args": {"seats": 2}}),
        (EventKind.ACTOR_OUTPUT, "done", None),
    ]
    return [
        IdeticEvent(
            id=f"{n}:{place}",
            ts="2026-03-01T09:00:00.000Z",
            agent_id="ada",
            persona=Persona.ACTOR,
            loop_id=f"loop:{n}",
            kind=kind,
            visibility=Visibility.INTERNAL,
            content=content,
            metadata=metadata,
        )
        for place, (kind, content, metadata) in enumerate(kinds)
    ]


WORK: dict[str, Callable[[int], int]] = {
    "summaries of episodes": summaries,
    "one summary of all": one_long_summary,
    "clusters of likeness": clusters,
    "reservoir and density": thinned,
    "skill extraction": extracted,
}


def run(folder: Path) -> None:
    del folder  # rules need no disk
    rows: list[list[str]] = []
    ratios: dict[str, float] = {}
    for name, work in WORK.items():
        seconds = [_best(work, size) for size in SIZES]
        each = [cost / size for cost, size in zip(seconds, SIZES, strict=True)]
        ratios[name] = each[-1] / each[0]
        told = [f"{cost * 1e3:.0f} ms" for cost in seconds]
        rows.append([name, *told, f"{each[-1] * 1e6:.0f} us", f"{ratios[name]:.2f}"])
    head = [
        "work (CPU)",
        *(f"{size} items" for size in SIZES),
        "per item",
        "last : first",
    ]
    figures.table("Compaction and skill extraction", head, rows)
    for name, ratio in ratios.items():
        figures.goal(f"{name}: linear, an item costs {ratio:.2f} times", met=ratio < LINEAR)


def _best(work: Callable[[int], int], size: int) -> float:
    """The least of three: what the work costs when nobody else wants the machine."""
    found = []
    for _ in range(3):
        began = time.process_time()
        work(size)
        found.append(time.process_time() - began)
    return min(found)
