"""The teacher: MiniLM, and the texts and pairs that are learnt from, as `training_*` wrote them.

Nothing but torch, numpy and safetensors is needed.
"""

import argparse
from copy import copy
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file
from torch import Tensor
from torch.nn import functional

HEADS = 12
BEGIN, END = 101, 102
OTHERS = 2  # of what else was told to each memory, beside what the others of a batch were told
TEMPERATURE = 0.05
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def training(about: str, *files: str, batch: int, rate: float) -> argparse.ArgumentParser:
    """What every training is told: its files, how many texts at once, and how fast."""
    parser = argparse.ArgumentParser(description=about)
    for name in files:
        parser.add_argument(name, type=Path)
    parser.add_argument("--batch", type=int, default=batch)
    parser.add_argument("--rate", type=float, default=rate)
    return parser


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

    def add(self, others: "Texts", *, times: int) -> None:
        """And these, each looked at so often."""
        self.pieces = torch.cat([self.pieces, others.pieces])
        self.lengths = torch.cat([self.lengths, others.lengths])
        self.times = torch.cat([self.times, others.times * times])
        self.ends = self.lengths.cumsum(0)

    def __len__(self) -> int:
        return len(self.lengths)

    def on(self, device: str) -> "Texts":
        """The same, where they are learnt from: a batch drawn here waits for the way there."""
        there = copy(self)
        there.pieces, there.lengths = self.pieces.to(device), self.lengths.to(device)
        there.times, there.ends = self.times.to(device), self.ends.to(device)
        return there

    def of(self, chosen: Tensor) -> tuple[Tensor, Tensor]:
        """The pieces of these texts, one behind the other, and where each begins."""
        lengths = self.lengths[chosen]
        starts = lengths.cumsum(0) - lengths
        places = torch.arange(int(lengths.sum())) - starts.repeat_interleave(lengths)
        firsts = (self.ends[chosen] - lengths).repeat_interleave(lengths)
        return self.pieces[firsts + places], starts


class Pairs:
    """What is asked, what answers it, and what else was told there."""

    def __init__(self, path: Path) -> None:
        self.texts, data = Texts(path, None), np.load(path)
        self.asked, self.answers, self.others = (
            torch.from_numpy(data[name].astype(np.int64)) for name in ("asked", "answers", "others")
        )

    def drawn(self, chosen: Tensor) -> tuple[Tensor, Tensor]:
        """The questions, and as many answers with others behind them."""
        answers = self.answers[chosen]
        others = torch.stack([_one_of(self.others[chosen]) for _ in range(OTHERS)]).flatten()
        return self.asked[chosen], torch.cat([answers, others[others >= 0]])


def _one_of(numbers: Tensor) -> Tensor:
    """Of each row one that is there; -1 where there is none."""
    there = numbers >= 0
    picked = torch.where(there, torch.rand(numbers.shape), -1.0).argmax(1)
    return numbers.gather(1, picked[:, None])[:, 0]


class Teacher:
    """MiniLM: the mean of the last layer, of length one."""

    def __init__(self, path: Path, *, learns: bool = False) -> None:
        half = DEVICE == "cuda" and not learns
        kind = torch.float16 if half else torch.float32
        named = {name: each for name, each in load_file(path).items() if each.is_floating_point()}
        self.held = {name: each.to(DEVICE, kind) for name, each in named.items()}
        for each in self.held.values():
            each.requires_grad_(learns)

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def __call__(self, framed: Tensor, there: Tensor) -> Tensor:
        return self.mean(framed, there)

    def mean(self, framed: Tensor, there: Tensor) -> Tensor:
        held = self.held
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
        return functional.linear(state, self.held[f"{name}.weight"], self.held[f"{name}.bias"])

    def _normed(self, state: Tensor, name: str) -> Tensor:
        weight, bias = self.held[f"{name}.weight"], self.held[f"{name}.bias"]
        return functional.layer_norm(state, state.shape[-1:], weight, bias, 1e-12)

    def of(self, texts: Texts, at_once: int) -> Tensor:
        """Of each text; those of one length together."""
        order = texts.lengths.argsort(stable=True)
        found = torch.empty(len(texts), 384)
        for chosen in order.split(at_once):
            found[chosen] = self._batch(texts, chosen).cpu()
        return found

    def _batch(self, texts: Texts, chosen: Tensor) -> Tensor:
        return self(*in_frames(texts, chosen))

    def alone(self, count: int) -> Tensor:
        """Of each piece by itself."""
        found = []
        for numbers in torch.arange(count).split(1024):
            framed = torch.stack([torch.full_like(numbers, BEGIN), numbers, numbers * 0 + END], 1)
            there = torch.ones_like(framed, dtype=torch.bool)
            found.append(self(framed.to(DEVICE), there.to(DEVICE)).cpu())
        return torch.cat(found)


def in_frames(texts: Texts, chosen: Tensor) -> tuple[Tensor, Tensor]:
    """The pieces of these texts between a begin and an end, each in a row of its own."""
    pieces, starts = texts.of(chosen)
    lengths = texts.lengths[chosen]
    framed = torch.zeros(len(chosen), int(lengths.max()) + 2, dtype=torch.int64)
    numbers = torch.arange(len(chosen)).repeat_interleave(lengths)
    places = torch.arange(len(pieces)) - starts.repeat_interleave(lengths)
    framed[:, 0] = BEGIN
    framed[numbers, places + 1] = pieces
    framed[torch.arange(len(chosen)), lengths + 1] = END
    framed = framed.to(DEVICE)
    return framed, framed != 0


def found(asked: Tensor, told: Tensor, numbers: Tensor) -> Tensor:
    """How hard it is to find each answer, which stand first, among all that was told."""
    wanted = torch.arange(len(asked))
    again = numbers == numbers[: len(asked), None]  # told once more, for another question
    again[wanted, wanted] = False
    alike = (asked @ told.T).float() / TEMPERATURE
    return functional.cross_entropy(
        alike.masked_fill(again.to(asked.device), -1e4), wanted.to(asked.device)
    )
