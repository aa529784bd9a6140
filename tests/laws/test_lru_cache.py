"""The cache that forgets what was used longest ago: bounded, exact, and shared by threads."""

import threading

from hypothesis import given
from hypothesis import strategies as st

from muniment.model.lru_cache import LruCache


def test_the_longest_unused_leaves_and_is_handed_back() -> None:
    cache = LruCache[str, int](2)
    assert cache.put("a", 1) == []
    assert cache.put("b", 2) == []
    assert cache.get("a") == 1  # used: now "b" is the longest unused

    assert cache.put("c", 3) == [("b", 2)]
    assert cache.entries() == [("a", 1), ("c", 3)]
    assert cache.get("b") is None


def test_what_may_not_leave_stays_and_the_next_one_leaves() -> None:
    cache = LruCache[str, int](2, may_leave=lambda _, value: value != 1)
    for name, value in (("a", 1), ("b", 2)):
        cache.put(name, value)

    assert cache.put("c", 3) == [("b", 2)]
    assert cache.values() == [1, 3]


def test_where_nothing_may_leave_there_are_more_for_a_while() -> None:
    cache = LruCache[str, int](1, may_leave=lambda _, __: False)
    for name in ("a", "b", "c"):
        assert cache.put(name, 1) == []

    assert len(cache) == 3


@given(st.integers(1, 4), st.lists(st.tuples(st.booleans(), st.integers(0, 6)), max_size=40))
def test_it_holds_the_keys_used_last_and_no_other(size: int, steps: list[tuple[bool, int]]) -> None:
    cache, used = LruCache[int, int](size), list[int]()
    for put, key in steps:
        if put:
            cache.put(key, key)
        elif cache.get(key) is None:
            continue
        used = [each for each in used if each != key] + [key]
        used = used[-size:]
        assert [name for name, _ in cache.entries()] == used


def test_threads_share_it_without_an_error_and_without_growing() -> None:
    cache, trouble = LruCache[int, int](8), list[BaseException]()

    def use(start: int) -> None:
        try:
            for n in range(start, start + 3_000):
                cache.put(n % 40, n)
                cache.get((n * 7) % 40)
                cache.pop((n * 3) % 40)
                cache.entries()
        except BaseException as error:
            trouble.append(error)

    threads = [threading.Thread(target=use, args=(n * 11,)) for n in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()

    assert trouble == []
    assert len(cache) <= 8
