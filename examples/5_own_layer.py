"""A kind of memory of your own: it needs five small functions, and no change to anything else."""

import muniment
from muniment import Capacity, Memo


class Moods:
    """How the user feels, as a count for each mood; its state is a fold over the log."""

    name, version = "moods", "1"

    def empty(self) -> dict[str, int]:
        return {}

    def accepts(self, memo: Memo) -> bool:
        return any(tag.startswith("mood:") for tag in memo.tags)

    def memorize(self, state: dict[str, int], memo: Memo) -> dict[str, int]:
        moods = [tag.removeprefix("mood:") for tag in memo.tags if tag.startswith("mood:")]
        return state | {mood: state.get(mood, 0) + 1 for mood in moods}

    def remember(self, state: dict[str, int], prompt: str) -> list[str]:
        return [f"the user was {mood} {times} times" for mood, times in sorted(state.items())]

    def forget(self, state: dict[str, int], instructions: str) -> dict[str, int]:
        return {mood: times for mood, times in state.items() if mood != instructions}

    def summarize(self, state: dict[str, int], scope: str, token_limit: int) -> str:
        return ", ".join(sorted(state, key=lambda mood: -state[mood]))

    def get_capacity_info(self, state: dict[str, int]) -> Capacity:
        return Capacity(items=len(state), tokens=0)


memory = muniment.open(":memory:", memory_types=[muniment.guest(Moods())])
with memory.agent("ada", user="tuff").job() as job:
    job.memorize({"type": "observation", "text": "Tuff sounds tired", "tags": ["mood:tired"]})
    print(job.assemble_context("How is the user?", budget=200))
