"""Train the learned order: `learn_order.py examples.npz … --target learned_order.bin`.

Examples come from `order_examples`. Printed is first what trees that were trained without one
writer's worlds do with them: the share of questions answered first, among five, and with what was
so once, beside the order that they were given. Needs numpy and lightgbm, and two minutes.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Values = NDArray[np.float64]

FORMAT, LEAVES = 1, 8  # what `muniment.retrieval.ranking.learned_order` reads
UNIT = 1_000_000
LEARNED = 20  # by all trees together: with less they learn too little of what memories differ in
BEYOND = np.iinfo(np.int32).max  # a bound that everything holds


@dataclass(frozen=True)
class Examples:
    names: tuple[str, ...]
    features: Numbers
    right: NDArray[np.int8]  # 2 states the answer, 1 names it
    old: NDArray[np.bool_]
    sizes: Numbers
    sources: NDArray[np.str_]

    def where(self, wanted: NDArray[np.bool_]) -> "Examples":
        rows = np.repeat(wanted, self.sizes)
        return Examples(
            self.names,
            self.features[rows],
            self.right[rows],
            self.old[rows],
            self.sizes[wanted],
            self.sources[wanted],
        )


def read(paths: Sequence[Path]) -> Examples:
    found = [np.load(path) for path in paths]
    names = tuple(found[0]["names"].tolist())
    assert all(tuple(each["names"].tolist()) == names for each in found)
    columns = ("features", "right", "old", "sizes", "sources")
    return Examples(names, *(np.concatenate([each[name] for each in found]) for name in columns))


def trained(examples: Examples, *, trees: int, leaves: int, seed: int = 0) -> lightgbm.Booster:
    settings = {
        "objective": "lambdarank",
        "num_leaves": leaves,
        "learning_rate": LEARNED / trees,
        "lambdarank_truncation_level": 5,  # what counts is who comes first
        "min_data_in_leaf": 100,
        "bagging_fraction": 0.8,
        "bagging_freq": 1,
        "feature_fraction": 0.5,
        "deterministic": True,
        "force_row_wise": True,
        "num_threads": 1,
        "verbosity": -1,
        "seed": seed,
    }
    told = lightgbm.Dataset(
        examples.features, examples.right, group=examples.sizes, free_raw_data=False
    )
    return lightgbm.train(settings, told, trees)


def figures(examples: Examples, values: Values) -> tuple[float, float, float]:
    """Of the questions, in percent: answered first, among five, first with what was so once."""
    counts = np.zeros(3)
    place = 0
    for size in examples.sizes.tolist():
        part = slice(place, place + size)
        place += size
        order = np.argsort(-values[part], kind="stable")
        right, old = examples.right[part][order] > 0, examples.old[part][order]
        counts += right[0], right[:5].any(), old[0]
    first, five, stale = 100 * counts / max(len(examples.sizes), 1)
    return first, five, stale


def given_order(examples: Examples) -> Values:
    return -np.concatenate([np.arange(size) for size in examples.sizes.tolist()]).astype(float)


def folds(
    examples: Examples, how: dict[str, Any]
) -> Iterator[tuple[str, Examples, Values, Values]]:
    """Each writer's worlds as trees see them that know only the others'."""
    writers = np.array([each.partition(":")[0] for each in examples.sources.tolist()])
    for writer in sorted(set(writers.tolist())):
        held = examples.where(writers == writer)
        forest = trained(examples.where(writers != writer), **how)
        yield writer, held, given_order(held), forest.predict(held.features)


def packed(forest: lightgbm.Booster, names: Sequence[str], name: str) -> bytes:
    """As the product reads it: see `learned_order.Trees`."""
    told = [each["tree_structure"] for each in forest.dump_model()["tree_info"]]
    splits = LEAVES - 1
    feature = np.zeros((len(told), splits), "u1")
    bound = np.full((len(told), splits), BEYOND, "<i4")
    left = np.full((len(told), splits), 0xFF, "u1")
    values = np.zeros((len(told), LEAVES), "<i4")

    def walk(tree: int, node: dict[str, Any], leaf: int, split: int) -> tuple[int, int]:
        """The leaves and splits below a node, numbered on from these."""
        if "leaf_value" in node:
            values[tree, leaf] = round(node["leaf_value"] * UNIT)
            return leaf + 1, split
        assert node["decision_type"] == "<="
        mine = split
        middle, split = walk(tree, node["left_child"], leaf, split + 1)
        after, split = walk(tree, node["right_child"], middle, split)
        feature[tree, mine] = node["split_feature"]
        bound[tree, mine] = np.clip(np.floor(node["threshold"]), -BEYOND, BEYOND)
        left[tree, mine] = 0xFF & ~(((1 << (middle - leaf)) - 1) << leaf)
        return after, split

    for number, tree in enumerate(told):
        walk(number, tree, 0, 0)
    header = {"format": FORMAT, "name": name, "features": list(names)}
    header |= {"trees": len(told), "splits": splits}
    text = json.dumps(header).encode()
    columns = (feature, bound, left, values)
    return len(text).to_bytes(4, "little") + text + b"".join(each.tobytes() for each in columns)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("examples", type=Path, nargs="+")
    parser.add_argument("--held-out", type=Path, nargs="*", default=[], help="only looked at")
    parser.add_argument("--target", type=Path)
    parser.add_argument("--name", default="trees-1")
    parser.add_argument("--trees", type=int, default=250)
    parser.add_argument("--leaves", type=int, default=7)
    parser.add_argument("--folds", action="store_true", help="each writer by all others")
    given = parser.parse_args()
    how = {"trees": given.trees, "leaves": given.leaves}
    examples = read(given.examples)
    print(f"{'':24} asked | given: first in5 stale | learned: first in5 stale")
    for name, held, before, after in folds(examples, how) if given.folds else ():
        show(name, held, before, after)
    forest = trained(examples, **how)
    for path in given.held_out:
        held = read([path])
        for source in sorted(set(held.sources.tolist())):
            some = held.where(held.sources == source)
            show(source, some, given_order(some), forest.predict(some.features))
    if given.target:
        given.target.write_bytes(packed(forest, examples.names, given.name))
        print(f"{given.target}: {given.target.stat().st_size:,} bytes")


def show(name: str, held: Examples, before: Values, after: Values) -> None:
    parts = [
        "  ".join(f"{each:5.1f}" for each in figures(held, values)) for values in (before, after)
    ]
    print(f"{name:24} {len(held.sizes):5} | {parts[0]} | {parts[1]}", flush=True)


if __name__ == "__main__":
    main()
