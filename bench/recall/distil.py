"""Distil the default embedder's rows: `python distil.py model texts.npz pairs.npz rows.npz`.

A row for each piece of the vocabulary and a weight beside it, trained until the weighted sum of a
text's rows points where the teacher's vector of the text does, and until any two texts are as alike
by their sums as they are by the teacher. It begins with what the teacher makes of each piece alone,
in the main directions of its sentences. `training_texts` makes the texts, `training_pairs` the
pairs, whose texts are learnt from as well, `teach` the teacher, `table_file` the table that ships.

Nothing but torch, numpy and safetensors is needed; it takes a GPU where there is one (a minute),
and a CPU where there is none (`--texts 100000 --epochs 6`; how long that takes was not measured).
"""

import argparse
import math
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

sys.path.insert(0, str(Path(__file__).parents[2]))  # so that it runs where nothing is installed
from bench.recall.teacher import DEVICE, Teacher, Texts, training

LETTERS = 1996  # where the words begin
RARITY = 1e-3  # how common a word may be and still count half
ZIPF_SHIFT = 1.7
PAIRS_TIMES = 8  # how often what pairs say is looked at, for what was made up once


def main() -> None:
    asked = arguments()
    torch.manual_seed(0)
    started = time.monotonic()
    teacher, texts = Teacher(asked.model), Texts(asked.texts_file, asked.texts)
    texts.add(Texts(asked.pairs_file, None), times=PAIRS_TIMES)
    wanted = teacher.of(texts, 2048 if DEVICE == "cuda" else 64)
    alone = teacher.alone(asked.vocabulary)
    print(f"{len(texts):,} texts by the teacher: {time.monotonic() - started:.0f} s", flush=True)
    main_ones = directions(wanted, asked.dims)
    begun = (alone - alone[LETTERS:].mean(0)) @ main_ones
    goals = wanted.to(DEVICE), functional.normalize(wanted @ main_ones, dim=1).to(DEVICE)
    rows, weights = trained(texts, goals, begun, asked)
    made = (rows * weights[:, None]).cpu().numpy()
    np.savez(asked.target, rows=made.astype(np.float16))
    print(f"done: {time.monotonic() - started:.0f} s", flush=True)


def arguments() -> argparse.Namespace:
    files = ("model", "texts_file", "pairs_file", "target")
    parser = training("Distil MiniLM into a table of pieces.", *files, batch=1024, rate=3e-3)
    parser.add_argument("--dims", type=int, default=128)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--texts", type=int, help="draw so many")
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
    texts: Texts, goals: tuple[Tensor, Tensor], begun: Tensor, asked: argparse.Namespace
) -> tuple[Tensor, Tensor]:
    """`goals` are the teacher's vectors, and where they point in the main directions."""
    rows = torch.nn.Parameter(begun.to(DEVICE))
    weights = torch.nn.Parameter(rarity(len(begun)).clamp(min=0.05).log().to(DEVICE))
    taught = torch.optim.AdamW([rows, weights], lr=asked.rate, weight_decay=0.0)
    steps = asked.epochs * (int(texts.times.sum()) // asked.batch)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        taught, lambda step: 0.5 * (1 + math.cos(math.pi * min(step / steps, 1)))
    )
    wanted, goal = goals

    lost = torch.zeros(2, device=DEVICE)
    for step, chosen in enumerate(batches(texts.times, asked)):
        pieces, starts = (each.to(DEVICE) for each in texts.of(chosen))
        summed = functional.embedding_bag(
            pieces, rows, starts, mode="sum", per_sample_weights=weights.exp()[pieces]
        )
        here, there = functional.normalize(summed, dim=1), wanted[chosen.to(DEVICE)]
        angle = 1 - (here * goal[chosen.to(DEVICE)]).sum(1).mean()
        alike = (here @ here.T - there @ there.T).square().mean()
        taught.zero_grad(set_to_none=True)
        (angle + asked.pairs * alike).backward()
        taught.step()
        schedule.step()
        lost = 0.99 * lost + 0.01 * torch.stack([angle.detach(), alike.detach()])
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
