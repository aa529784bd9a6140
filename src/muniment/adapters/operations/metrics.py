"""Metrics of a store: logs, pending work, failures and model usage, as Prometheus text.

They hold counts and names of models, and never content or a person.
"""

import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec

import muniment
from muniment.adapters.models.usage import MILLION, DayUsage, UsageLedger, total
from muniment.engine.api.memory import Memory

GAUGE: Final = "gauge"
COUNTER: Final = "counter"
ESCAPED: Final = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})

Labels = Mapping[str, str]
Sample = tuple[Labels, int | float]


class Metric(msgspec.Struct, frozen=True, kw_only=True):
    """One metric and its samples, each with its labels."""

    name: str
    kind: str
    help: str
    samples: tuple[Sample, ...]


def store_metrics(memory: Memory, *, pending: int, open_incidents: int) -> Iterator[Metric]:
    """What a tenant's store holds, and what waits for somebody."""
    streams = memory.streams()
    logs = Counter(str(each.kind) for each in streams)
    entries: Counter[str] = Counter()
    for each in streams:
        entries[str(each.kind)] += memory.head(each)
    yield _one("muniment_info", GAUGE, "Version.", {"version": muniment.__version__}, 1)
    yield _by("muniment_logs", GAUGE, "Logs, by kind.", "kind", logs)
    yield _by("muniment_log_entries_total", COUNTER, "Entries of all logs.", "kind", entries)
    yield _one("muniment_requests_pending", GAUGE, "Requests that wait for a vote.", {}, pending)
    yield _one(
        "muniment_incidents_open", GAUGE, "Failures for an administrator.", {}, open_incidents
    )


def disk_metric(folder: str) -> Metric:
    """Free space, where the store is a folder."""
    free = shutil.disk_usage(folder).free
    return _one("muniment_store_free_bytes", GAUGE, "Free space of the store's disk.", {}, free)


def model_metrics(memory: Memory) -> Iterator[Metric]:
    """What waits for a model, and requests, tokens and cost of each over the days that are kept.

    Where no model is named nothing waits for one, and no log is read to count it.
    """
    extraction = memory.extraction()
    if extraction.model is None:
        return
    waiting = sum(extraction.waiting().values())
    yield _one("muniment_model_waiting_texts", GAUGE, "Texts no model has read.", {}, waiting)
    usage = getattr(extraction.model, "usage", None)
    if not isinstance(usage, UsageLedger):
        return
    days = usage.days()
    names = sorted({name for models in days.values() for name in models})
    sums = {
        name: total(models[name] for models in days.values() if name in models) for name in names
    }
    for name, told, parts in (
        ("muniment_model_requests_total", "Requests to a model.", _requests),
        ("muniment_model_failures_total", "Requests without a usable answer.", _failures),
        ("muniment_model_tokens_total", "Tokens, as the server counts them.", _tokens),
        ("muniment_model_money_total", "Money spent.", _money),
    ):
        samples = tuple(
            ({"model": model, **labels}, value)
            for model, its in sums.items()
            for labels, value in parts(its)
        )
        yield Metric(name=name, kind=COUNTER, help=told, samples=samples)


def prometheus_text(metrics: Iterable[Metric]) -> str:
    """The text exposition format of Prometheus, version 0.0.4."""
    lines: list[str] = []
    for each in metrics:
        lines += [f"# HELP {each.name} {each.help}", f"# TYPE {each.name} {each.kind}"]
        lines += [f"{each.name}{_labels(labels)} {value}" for labels, value in each.samples]
    return "".join(f"{line}\n" for line in lines)


def _requests(its: DayUsage) -> list[Sample]:
    return [({}, its.requests)]


def _failures(its: DayUsage) -> list[Sample]:
    return [({}, its.failures)]


def _tokens(its: DayUsage) -> list[Sample]:
    return [({"type": "input"}, its.sent_tokens), ({"type": "output"}, its.received_tokens)]


def _money(its: DayUsage) -> list[Sample]:
    return [({}, its.micros / MILLION)]


def _labels(labels: Labels) -> str:
    told = ",".join(f'{name}="{value.translate(ESCAPED)}"' for name, value in labels.items())
    return f"{{{told}}}" if told else ""


def _one(name: str, kind: str, told: str, labels: Labels, value: int) -> Metric:
    return Metric(name=name, kind=kind, help=told, samples=((labels, value),))


def _by(name: str, kind: str, told: str, label: str, counts: Mapping[str, int]) -> Metric:
    samples = tuple(({label: each}, count) for each, count in sorted(counts.items()))
    return Metric(name=name, kind=kind, help=told, samples=samples)
