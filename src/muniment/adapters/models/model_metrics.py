"""Model metrics for Prometheus: requests, failures, tokens, money, budgets, and what waits."""

from collections.abc import Iterator
from typing import Any, Final

from muniment.adapters.models.learning_worker import LearningWorker
from muniment.adapters.models.usage import MILLION, DayUsage, total

KINDS: Final = {
    "requests": ("muniment_model_requests", "Requests to a model."),
    "failures": ("muniment_model_failures", "Requests that no usable answer came to."),
}


class ModelCollector:
    """Reads the ledger and the worker when it is scraped; it names models, and nobody else."""

    def __init__(self, worker: LearningWorker) -> None:
        self._worker = worker

    def collect(self) -> Iterator[Any]:
        from prometheus_client.core import GaugeMetricFamily

        yield from self._counted()
        waiting = GaugeMetricFamily("muniment_model_waiting_texts", "Texts that no model has read.")
        waiting.add_metric([], sum(self._worker.waiting.values()))
        resting = GaugeMetricFamily(
            "muniment_model_resting", "1 while a failed server is left alone."
        )
        resting.add_metric([], int(self._worker.is_resting))
        yield from (waiting, resting)
        if usage := self._worker.usage:
            today, budget = usage.today(), usage.budget
            for name, value in (
                ("tokens_today", today.tokens),
                ("tokens_per_day", budget.tokens_per_day),
                ("money_today", today.micros / MILLION),
                ("money_per_day", budget.micros_per_day / MILLION),
            ):
                told = f"Of all models: {name.replace('_', ' ')}; a budget of 0 is none."
                gauge = GaugeMetricFamily(f"muniment_model_{name}", told)
                gauge.add_metric([], value)
                yield gauge

    def _counted(self) -> Iterator[Any]:
        from prometheus_client.core import CounterMetricFamily

        usage = self._worker.usage
        models = _by_model(usage.days()) if usage else {}
        for field, (name, told) in KINDS.items():
            counter = CounterMetricFamily(name, told, labels=["model"])
            for model, spent in models.items():
                counter.add_metric([model], getattr(spent, field))
            yield counter
        tokens = CounterMetricFamily(
            "muniment_model_tokens", "Tokens, as the server counts them.", labels=["model", "type"]
        )
        money = CounterMetricFamily("muniment_model_money", "Money spent.", labels=["model"])
        for model, spent in models.items():
            tokens.add_metric([model, "input"], spent.sent_tokens)
            tokens.add_metric([model, "output"], spent.received_tokens)
            money.add_metric([model], spent.micros / MILLION)
        yield from (tokens, money)


def _by_model(days: dict[str, dict[str, DayUsage]]) -> dict[str, DayUsage]:
    """What each model was asked on all days that are kept."""
    names = sorted({model for models in days.values() for model in models})
    return {
        name: total(models[name] for models in days.values() if name in models) for name in names
    }
