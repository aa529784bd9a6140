"""Distil the default embedder's rows: `python distil.py model.safetensors texts.npz rows.npz`.

A row for each piece of the vocabulary and a weight beside it, trained until the weighted sum of a
text's rows points where MiniLM's vector of the text does, and until any two texts are as alike by
their sums as they are by MiniLM. It begins with what MiniLM makes of each piece alone, in the main
directions of its sentences. `training_texts` makes the texts, `table_file` the table that ships.

Nothing but torch, numpy and safetensors is needed; it takes a GPU where there is one (two minutes),
and a CPU where there is none (`--texts 100000 --epochs 6`; how long that takes was not measured).
"""

import argparse
import math
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file
from torch import Tensor
from torch.nn import functional

HEADS = 12
BEGIN, END = 101, 102
LETTERS = 1996  # where the words begin
RARITY = 1e-3  # how common a word may be and still count half
ZIPF_SHIFT = 1.7
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


class Texts:
    """Texts as pieces, one behind the other."""

    def __init__(self, path: Path, most: int | None) -> None:
        data = np.load(path)
        self.pieces = torch.from_numpy(data["pieces"].astype(np.int64))
        self.lengths = torch.from_numpy(data["lengths"].astype(np.int64))
        self.times = torch.from_numpy(data["times"].astype(np.int64))
        self.ends = self.lengths.cumsum(0)
        if most:
            chosen = torch.randperm(len(self))[:most]
            self.pieces, _ = self.of(chosen)
            self.lengths, self.times = self.lengths[chosen], self.times[chosen]
            self.ends = self.lengths.cumsum(0)

    def __len__(self) -> int:
        return len(self.lengths)

    def of(self, chosen: Tensor) -> tuple[Tensor, Tensor]:
        """The pieces of these texts, one behind the other, and where each begins."""
        lengths = self.lengths[chosen]
        starts = lengths.cumsum(0) - lengths
        places = torch.arange(int(lengths.sum())) - starts.repeat_interleave(lengths)
        firsts = (self.ends[chosen] - lengths).repeat_interleave(lengths)
        return self.pieces[firsts + places], starts


class Teacher:
    """MiniLM: the mean of the last layer, of length one."""

    def __init__(self, path: Path) -> None:
        kind = torch.float16 if DEVICE == "cuda" else torch.float32
        named = {name: each for name, each in load_file(path).items() if each.is_floating_point()}
        self._held = {name: each.to(DEVICE, kind) for name, each in named.items()}

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def __call__(self, framed: Tensor, there: Tensor) -> Tensor:
        held = self._held
        places = torch.arange(framed.shape[1], device=DEVICE)
        state = held["embeddings.word_embeddings.weight"][framed]
        state = state + held["embeddings.position_embeddings.weight"][places]
        state = state + held["embeddings.token_type_embeddings.weight"][0]
        state = self._normed(state, "embeddings.LayerNorm")
        mask = there[:, None, None, :]
        for number in range(6):
            layer = f"encoder.layer.{number}"
            state = self._layer(state, mask, layer)
        weight = there[..., None].to(state.dtype)
        mean = (state * weight).sum(1).float() / weight.sum(1).float()
        return functional.normalize(mean, dim=1)

    def _layer(self, state: Tensor, mask: Tensor, layer: str) -> Tensor:
        parts = [
            self._mapped(state, f"{layer}.attention.self.{part}").unflatten(-1, (HEADS, -1))
            for part in ("query", "key", "value")
        ]
        query, key, value = (part.transpose(1, 2) for part in parts)
        seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        told = self._mapped(seen.transpose(1, 2).flatten(2), f"{layer}.attention.output.dense")
        state = self._normed(state + told, f"{layer}.attention.output.LayerNorm")
        wide = functional.gelu(self._mapped(state, f"{layer}.intermediate.dense"))
        state = state + self._mapped(wide, f"{layer}.output.dense")
        return self._normed(state, f"{layer}.output.LayerNorm")

    def _mapped(self, state: Tensor, name: str) -> Tensor:
        return functional.linear(state, self._held[f"{name}.weight"], self._held[f"{name}.bias"])

    def _normed(self, state: Tensor, name: str) -> Tensor:
        weight, bias = self._held[f"{name}.weight"], self._held[f"{name}.bias"]
        return functional.layer_norm(state, state.shape[-1:], weight, bias, 1e-12)

    def of(self, texts: Texts, at_once: int) -> Tensor:
        """Of each text; those of one length together."""
        order = texts.lengths.argsort(stable=True)
        found = torch.empty(len(texts), 384)
        for chosen in order.split(at_once):
            found[chosen] = self._batch(texts, chosen).cpu()
        return found

    def _batch(self, texts: Texts, chosen: Tensor) -> Tensor:
        pieces, starts = texts.of(chosen)
        lengths = texts.lengths[chosen]
        framed = torch.zeros(len(chosen), int(lengths.max()) + 2, dtype=torch.int64)
        rows = torch.arange(len(chosen)).repeat_interleave(lengths)
        places = torch.arange(len(pieces)) - starts.repeat_interleave(lengths)
        framed[:, 0] = BEGIN
        framed[rows, places + 1] = pieces
        framed[torch.arange(len(chosen)), lengths + 1] = END
        framed = framed.to(DEVICE)
        return self(framed, framed != 0)

    def alone(self, count: int) -> Tensor:
        """Of each piece by itself."""
        found = []
        for numbers in torch.arange(count).split(1024):
            framed = torch.stack([torch.full_like(numbers, BEGIN), numbers, numbers * 0 + END], 1)
            there = torch.ones_like(framed, dtype=torch.bool)
            found.append(self(framed.to(DEVICE), there.to(DEVICE)).cpu())
        return torch.cat(found)


def main() -> None:
    asked = arguments()
    torch.manual_seed(0)
    started = time.monotonic()
    teacher, texts = Teacher(asked.model), Texts(asked.texts_file, asked.texts)
    wanted = teacher.of(texts, 2048 if DEVICE == "cuda" else 64)
    alone = teacher.alone(asked.vocabulary)
    print(f"{len(texts):,} texts by the teacher: {time.monotonic() - started:.0f} s", flush=True)
    main_ones = directions(wanted, asked.dims)
    begun = (alone - alone[LETTERS:].mean(0)) @ main_ones
    rows, weights = trained(texts, wanted, main_ones, begun, asked)
    made = (rows * weights[:, None]).cpu().numpy()
    np.savez(asked.target, rows=made.astype(np.float16))
    print(f"done: {time.monotonic() - started:.0f} s", flush=True)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Distil MiniLM into a table of pieces.")
    parser.add_argument("model", type=Path)
    parser.add_argument("texts_file", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--dims", type=int, default=128)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--texts", type=int, help="draw so many")
    parser.add_argument("--batch", type=int, default=1024)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--pairs", type=float, default=10.0, help="what likeness of pairs counts")
    parser.add_argument("--vocabulary", type=int, default=30_522)
    return parser.parse_args()


def directions(wanted: Tensor, dims: int) -> Tensor:
    """The main ones. None has a natural sign, so its largest part is made positive."""
    exact = wanted.double()
    _, found = torch.linalg.eigh(exact.T @ exact)
    main_ones = found.flip(1)[:, :dims]
    signs = main_ones.gather(0, main_ones.abs().argmax(0, keepdim=True)).sign()
    return (main_ones * signs).float()


def rarity(count: int) -> Tensor:
    """Smooth inverse frequency, with Zipf's law in place of a count."""
    share = 1 / ((torch.arange(count) - LETTERS + 1.0).clamp(min=1) + ZIPF_SHIFT)
    share /= share[LETTERS:].sum()
    return RARITY / (RARITY + share)


def trained(
    texts: Texts, wanted: Tensor, main_ones: Tensor, begun: Tensor, asked: argparse.Namespace
) -> tuple[Tensor, Tensor]:
    rows = torch.nn.Parameter(begun.to(DEVICE))
    weights = torch.nn.Parameter(rarity(len(begun)).clamp(min=0.05).log().to(DEVICE))
    taught = torch.optim.AdamW([rows, weights], lr=asked.rate, weight_decay=0.0)
    steps = asked.epochs * (int(texts.times.sum()) // asked.batch)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        taught, lambda step: 0.5 * (1 + math.cos(math.pi * min(step / steps, 1)))
    )
    goal, wanted = functional.normalize(wanted @ main_ones, dim=1).to(DEVICE), wanted.to(DEVICE)
    lost = torch.zeros(2, device=DEVICE)
    for step, chosen in enumerate(batches(texts.times, asked)):
        pieces, starts = (each.to(DEVICE) for each in texts.of(chosen))
        summed = functional.embedding_bag(
            pieces, rows, starts, mode="sum", per_sample_weights=weights.exp()[pieces]
        )
        here, there = functional.normalize(summed, dim=1), wanted[chosen.to(DEVICE)]
        angle = 1 - (here * goal[chosen.to(DEVICE)]).sum(1).mean()
        pairs = (here @ here.T - there @ there.T).square().mean()
        taught.zero_grad(set_to_none=True)
        (angle + asked.pairs * pairs).backward()
        taught.step()
        schedule.step()
        lost = 0.99 * lost + 0.01 * torch.stack([angle.detach(), pairs.detach()])
        if step % 1000 == 0:
            print(f"step {step:,} of {steps:,}: {lost.tolist()}", flush=True)
    return rows.detach(), weights.detach().exp()


def batches(times: Tensor, asked: argparse.Namespace) -> Iterator[Tensor]:
    every = torch.arange(len(times)).repeat_interleave(times)
    whole = len(every) // asked.batch * asked.batch
    for _ in range(asked.epochs):
        yield from every[torch.randperm(len(every))[:whole]].split(asked.batch)


if __name__ == "__main__":
    main()
