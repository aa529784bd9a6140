"""Model usage: requests, tokens and money of each day, counted in a file, and a daily budget."""

import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

from muniment.adapters.models.chat_apis import ChatUsage
from muniment.adapters.system import durable_files
from muniment.adapters.system.path_exists import is_there
from muniment.model import ids

FILE: Final = "model-usage.json"
DAYS_KEPT: Final = 400
MILLION: Final = 1_000_000


class DayUsage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one model was asked on one day; money in millionths of whatever prices are in."""

    requests: int = 0
    failures: int = 0
    sent_tokens: int = 0
    received_tokens: int = 0
    micros: int = 0

    @property
    def tokens(self) -> int:
        return self.sent_tokens + self.received_tokens


class ModelBudget(msgspec.Struct, frozen=True, kw_only=True):
    """What may be spent on a day (0: whatever it takes), and what a million tokens cost."""

    tokens_per_day: int = 0
    micros_per_day: int = 0
    sent_price_micros: int = 0  # of a million tokens
    received_price_micros: int = 0

    def cost(self, spent: ChatUsage) -> int:
        """What a request cost, in millionths, rounded up."""
        owed = spent.sent * self.sent_price_micros + spent.received * self.received_price_micros
        return -(-owed // MILLION)

    def is_spent(self, today: DayUsage) -> bool:
        tokens = bool(self.tokens_per_day) and today.tokens >= self.tokens_per_day
        return tokens or (bool(self.micros_per_day) and today.micros >= self.micros_per_day)


class UsageLedger:
    """Counts by day and model, kept in a folder if there is one, else until the process ends."""

    def __init__(self, folder: Path | None = None, budget: ModelBudget | None = None) -> None:
        self._path = folder / FILE if folder else None
        self.budget = budget or ModelBudget()
        self._days: dict[str, dict[str, DayUsage]] = {}
        self._lock = threading.Lock()

    def days(self) -> dict[str, dict[str, DayUsage]]:
        """By day and by model, oldest first."""
        with self._lock:
            return self._read()

    def today(self) -> DayUsage:
        """All models together."""
        return total(self.days().get(_today(), {}).values())

    def is_spent(self) -> bool:
        return self.budget.is_spent(self.today())

    def count(self, model: str, spent: ChatUsage, *, failed: bool = False) -> None:
        """Add one request."""
        with self._lock:
            days = self._read()
            models = days.setdefault(_today(), {})
            more = DayUsage(
                requests=1,
                failures=int(failed),
                sent_tokens=spent.sent,
                received_tokens=spent.received,
                micros=self.budget.cost(spent),
            )
            models[model] = total([models.get(model, DayUsage()), more])
            self._write({day: days[day] for day in sorted(days)[-DAYS_KEPT:]})

    def _read(self) -> dict[str, dict[str, DayUsage]]:
        if self._path is None or not is_there(self._path):
            return dict(self._days)
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=dict[str, dict[str, DayUsage]])
        except msgspec.MsgspecError:
            return {}  # counts are a courtesy: a torn file is no reason to stop

    def _write(self, days: dict[str, dict[str, DayUsage]]) -> None:
        self._days = days
        if self._path is not None:
            fresh = self._path.with_suffix(".fresh")
            durable_files.put_file(self._path, msgspec.json.encode(days), fresh=fresh)


def _today() -> str:
    return ids.time_text(time.time_ns() // MILLION)[:10]


def total(parts: Iterable[DayUsage]) -> DayUsage:
    """Several days or models as one."""
    totals = dict.fromkeys(DayUsage.__struct_fields__, 0)
    for each in parts:
        for name in totals:
            totals[name] += getattr(each, name)
    return DayUsage(**totals)
