"""The encoder's file: `python -m bench.recall.encoder_file weights.npz`.

What `encoder` trained is written as int8 with a unit for each row: the weights of norms become part
of the matrices behind them, the square root of a head's width part of the queries.
"""

import json
import math
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from muniment.adapters.embedders import encoder_embedder, exact_transformer

TARGET = Path(__file__).parents[2] / "src" / encoder_embedder.PACKAGE / encoder_embedder.FILE
HEADS = 6
SHARE_UNIT = 4095  # the best score's share before all are added up
EXPONENT_MAX = 12
WEIGHT_MAX = 65_535

Floats = NDArray[np.float32]
Arrays = dict[str, NDArray[np.generic]]


def main() -> None:
    with np.load(sys.argv[1]) as trained:
        weights = {name: trained[name].astype(np.float32) for name in trained.files}
    data = packed(weights)
    TARGET.write_bytes(data)
    print(f"{TARGET.name}: {len(data):,} bytes")


def packed(weights: dict[str, Floats]) -> bytes:
    layers = 1 + max(int(name.split(".")[1]) for name in weights if name.startswith("blocks."))
    arrays: Arrays = {}
    arrays |= coded("rows", weights["rows"] * weights["row_units"][:, None], "row_units")
    arrays["places"] = weights["places"].astype("<f4")
    shares = np.exp(weights["weights"] - weights["weights"].max())
    arrays["weights"] = np.maximum(np.rint(shares * WEIGHT_MAX), 1).astype("<u2")
    arrays["exponential"] = exponential()
    for number in range(layers):
        arrays |= layer(weights, number)
    arrays |= coded("out", weights["out.weight"], "out_units")
    header = json.dumps(
        {
            "format": exact_transformer.FORMAT,
            "name": encoder_embedder.EncoderEmbedder.name,
            "dims": len(weights["out.weight"]),
            "heads": HEADS,
            "layers": layers,
            "from": "sentence-transformers/all-MiniLM-L6-v2, Apache-2.0",
            "arrays": [(name, each.dtype.str, each.shape) for name, each in arrays.items()],
        }
    ).encode()
    parts = [len(header).to_bytes(4, "little"), header]
    return b"".join(parts + [each.tobytes() for each in arrays.values()])


def layer(weights: dict[str, Floats], number: int) -> Arrays:
    held = {name.split(".", 2)[2]: each for name, each in weights.items() if _is_of(name, number)}
    projected = held["query_key_value.weight"] * held["before_attention.weight"]
    width = projected.shape[1]
    projected[:width] /= math.sqrt(width / HEADS)
    made: Arrays = {}
    made |= coded(f"{number}.query_key_value", projected)
    made |= coded(f"{number}.attended", held["attended.weight"])
    made |= coded(f"{number}.up", held["up.weight"] * held["before_inner.weight"])
    made |= coded(f"{number}.down", held["down.weight"])
    made |= {f"{number}.{part}.bias": held[f"{part}.bias"].astype("<f4") for part in ("up", "down")}
    return made


def _is_of(name: str, number: int) -> bool:
    return name.startswith(f"blocks.{number}.")


def coded(name: str, rows: Floats, units_name: str | None = None) -> Arrays:
    """Each row in units of its own."""
    units = np.maximum(np.abs(rows).max(axis=1), 1e-12) / 127
    codes = np.rint(rows / units[:, None]).astype(np.int8)
    return {name: codes, units_name or f"{name}.units": units.astype("<f4")}


def exponential() -> NDArray[np.uint16]:
    """Of each step below the best score, how much it counts; the last counts nothing."""
    steps = np.arange(EXPONENT_MAX * int(exact_transformer.STEPS) + 1)
    counted = np.rint(np.exp(-steps / float(exact_transformer.STEPS)) * SHARE_UNIT)
    made: NDArray[np.uint16] = counted.astype("<u2")
    return made


if __name__ == "__main__":
    main()
