"""Measuring: CPU time is the figure to trust, wall time is shown beside it; noise is shared."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass
class Timing:
    """Many calls of one thing."""

    name: str
    cpu: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)

    def run(self, call: Callable[[], object]) -> None:
        cpu, wall = time.process_time(), time.perf_counter()
        call()
        self.wall.append(time.perf_counter() - wall)
        self.cpu.append(time.process_time() - cpu)

    @property
    def cpu_us(self) -> float:
        return statistics.fmean(self.cpu) * 1e6

    @property
    def cpu_p50_us(self) -> float:
        return statistics.median(self.cpu) * 1e6

    def wall_ms(self, percent: int) -> float:
        if len(self.wall) == 1:
            return self.wall[0] * 1e3
        return statistics.quantiles(self.wall, n=100)[percent - 1] * 1e3


def table(title: str, head: list[str], rows: list[list[str]]) -> None:
    widths = [max(len(row[n]) for row in [head, *rows]) for n in range(len(head))]
    print(f"\n{title}")
    for row in [head, ["-" * width for width in widths], *rows]:
        print("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)))


def goal(text: str, *, met: bool) -> None:
    print(f"  {'met    ' if met else 'NOT MET'}  {text}")
