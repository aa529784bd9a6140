"""Teach MiniLM what answers a question: `python teach.py model texts.npz pairs.npz target`.

Each question comes nearer to what answers it than to anything else that is told in its batch, while
any two other texts stay as alike as they were: what it knew of the world is not to be lost. Table
and encoder are distilled from what is written here, and nothing else reads it.

Nothing but torch, numpy and safetensors is needed; it takes a minute on a GPU.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import Tensor

sys.path.insert(0, str(Path(__file__).parents[2]))  # so that it runs where nothing is installed
from bench.recall.teacher import DEVICE, Pairs, Teacher, Texts, found, in_frames, training

WARM_UP = 0.1  # the share of steps in which the rate rises


def main() -> None:
    asked = arguments()
    torch.manual_seed(0)
    started = time.monotonic()
    pupil = Teacher(asked.model, learns=True)
    train(pupil, asked)
    held = {name: each.detach().half().cpu() for name, each in pupil.held.items()}
    save_file(held, asked.target)
    print(f"done: {time.monotonic() - started:.0f} s", flush=True)


def train(pupil: Teacher, asked: argparse.Namespace) -> None:
    teacher = Teacher(asked.model)
    texts, pairs = Texts(asked.texts_file, None), Pairs(asked.pairs_file)
    taught = torch.optim.AdamW(pupil.held.values(), lr=asked.rate, weight_decay=0.01)
    steps = asked.epochs * (len(pairs.asked) // asked.batch)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        taught, lambda step: min(step / (WARM_UP * steps), (steps - step) / ((1 - WARM_UP) * steps))
    )
    for step, chosen in enumerate(batches(pairs, asked)):
        questions, told = pairs.drawn(chosen)
        some = in_frames(texts, torch.randint(len(texts), (asked.batch,)))
        with torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cuda"):
            here, there = (pupil.mean(*in_frames(pairs.texts, each)) for each in (questions, told))
            now, before = pupil.mean(*some), teacher(*some)
        kept = (now @ now.T - before @ before.T).square().mean()
        missed = found(here, there, told)
        taught.zero_grad(set_to_none=True)
        (missed + asked.keep * kept).backward()
        taught.step()
        schedule.step()
        if step % 50 == 0:
            print(f"step {step:,} of {steps:,}: {missed.item():.3f} {kept.item():.5f}", flush=True)


def batches(pairs: Pairs, asked: argparse.Namespace) -> Iterator[Tensor]:
    whole = len(pairs.asked) // asked.batch * asked.batch
    for _ in range(asked.epochs):
        yield from torch.randperm(len(pairs.asked))[:whole].split(asked.batch)


def arguments() -> argparse.Namespace:
    files = ("model", "texts_file", "pairs_file", "target")
    parser = training("Teach MiniLM what answers a question.", *files, batch=256, rate=3e-5)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--keep", type=float, default=10.0, help="what staying alike counts")
    return parser.parse_args()


if __name__ == "__main__":
    main()
