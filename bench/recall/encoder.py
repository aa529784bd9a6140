"""Train the encoder: `python bench/recall/encoder.py model.safetensors texts.npz weights.npz`.

Three small layers of attention learn where MiniLM's vector of a text points, how alike any two
texts of a batch are by it, and which of them are nearest to each; half of the batches are made of
neighbours, for a batch of strangers says little about who is nearest. It begins with the rows that
the table begins with. `training_texts` makes the texts, `encoder_file` the file that ships.

Nothing but torch, numpy and safetensors is needed. It trains for so many seconds (`--seconds`), on
a GPU where there is one: what ships took 535 on an H200, about 43,000 batches.
"""

import argparse
import math
import sys
import time
from collections.abc import Iterator
from itertools import chain, repeat
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

sys.path.insert(0, str(Path(__file__).parents[2]))  # so that it runs where nothing is installed
from bench.recall.distil import LETTERS, directions, rarity
from bench.recall.teacher import DEVICE, Teacher, Texts, training

WIDTH, INNER, HEADS, LAYERS, DIMS = 192, 384, 6, 3, 128
PLACES = 128
CROPS, JOINS = 350_000, 150_000
CROP_MIN = 4
CLUSTERS, CLUSTER_ROUNDS, NEIGHBOURS = 3_000, 6, 128
TEMPERATURE = 0.05
PAIRS_COUNT, NEAREST_COUNT = 10.0, 0.1
WARM_UP = 500
ROW_SCALE, START_SCALE = 0.3, 0.02


class Block(nn.Module):  # type: ignore[misc]
    """Attention, then two layers for each piece by itself; each adds to what was there."""

    def __init__(self) -> None:
        super().__init__()
        self.before_attention = nn.RMSNorm(WIDTH, eps=1e-5)
        self.before_inner = nn.RMSNorm(WIDTH, eps=1e-5)
        self.query_key_value = nn.Linear(WIDTH, 3 * WIDTH, bias=False)
        self.attended = nn.Linear(WIDTH, WIDTH, bias=False)
        self.up, self.down = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        nn.init.normal_(self.attended.weight, std=START_SCALE)
        nn.init.normal_(self.down.weight, std=START_SCALE)
        nn.init.zeros_(self.down.bias)

    def forward(self, state: Tensor, there: Tensor) -> Tensor:
        parts = self.query_key_value(self.before_attention(state)).chunk(3, -1)
        query, key, value = (part.unflatten(-1, (HEADS, -1)).transpose(1, 2) for part in parts)
        seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=there)
        state = state + self.attended(seen.transpose(1, 2).flatten(2))
        return state + self.down(functional.relu(self.up(self.before_inner(state))))


class Encoder(nn.Module):  # type: ignore[misc]
    def __init__(self, begun: Tensor) -> None:
        super().__init__()
        rows = torch.randn(len(begun), WIDTH) * START_SCALE
        rows[:, :DIMS] = begun / begun.std() * ROW_SCALE
        self.rows = nn.Parameter(rows)
        self.weights = nn.Parameter(rarity(len(begun)).clamp(min=0.05).log())
        self.places = nn.Parameter(torch.zeros(PLACES, WIDTH))
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.out = nn.Linear(WIDTH, DIMS, bias=False)
        nn.init.normal_(self.out.weight, std=START_SCALE)
        with torch.no_grad():
            self.out.weight[:, :DIMS] += torch.eye(DIMS)

    def forward(self, pieces: Tensor, there: Tensor) -> Tensor:
        # What is not there has a gradient of nothing, and adding that up takes most of a step.
        state = functional.embedding(pieces, self.rows, padding_idx=0)
        state = state + self.places[: pieces.shape[1]]
        for block in self.blocks:
            state = block(state, there[:, None, None, :])
        rare = functional.embedding(pieces, self.weights[:, None], padding_idx=0)
        weight = rare.exp() * there[..., None]
        summed = (state.float() * weight).sum(1) / weight.sum(1).clamp(min=1e-6)
        return functional.normalize(self.out(summed).float(), dim=1, eps=1e-9)


def main() -> None:
    asked = arguments()
    torch.manual_seed(0)
    started = time.monotonic()
    texts = enlarged(Texts(asked.texts_file, asked.texts), asked.texts)
    teacher = Teacher(asked.model)
    wanted = teacher.of(texts, 2048 if DEVICE == "cuda" else 64)
    alone = teacher.alone(asked.vocabulary)
    print(f"{len(texts):,} texts by the teacher: {time.monotonic() - started:.0f} s", flush=True)
    main_ones = directions(wanted, DIMS)
    encoder = Encoder((alone - alone[LETTERS:].mean(0)) @ main_ones).to(DEVICE)
    train(encoder, texts, wanted, main_ones, asked)
    held = {name: each.cpu().numpy() for name, each in encoder.state_dict().items()}
    held["row_units"] = np.ones(len(held["rows"]), np.float32)
    np.savez(asked.target, **held)
    print(f"done: {time.monotonic() - started:.0f} s", flush=True)


def arguments() -> argparse.Namespace:
    files = ("model", "texts_file", "target")
    parser = training("Distil MiniLM into a small encoder.", *files, batch=1024, rate=1.5e-3)
    parser.add_argument("--seconds", type=float, default=535)
    parser.add_argument("--texts", type=int, help="draw so many")
    parser.add_argument("--row-rate", type=float, default=2e-3, help="of the rows of pieces")
    parser.add_argument("--vocabulary", type=int, default=30_522)
    return parser.parse_args()


def enlarged(texts: Texts, most: int | None) -> Texts:
    """With parts of what people said, and with two texts as one, which few texts are by nature."""
    draw = np.random.default_rng(1)
    ends = texts.lengths.cumsum(0).numpy()
    starts, pieces = ends - texts.lengths.numpy(), texts.pieces.numpy()
    said = np.flatnonzero(texts.times.numpy() > 1)
    share = min(1.0, most / 777_679) if most else 1.0
    more = []
    for number in draw.choice(said, int(CROPS * share)):
        length = ends[number] - starts[number]
        if length > 2 * CROP_MIN:
            count = draw.integers(CROP_MIN, length)
            start = starts[number] + draw.integers(0, length - count + 1)
            more.append(pieces[start : start + count])
    joins = int(JOINS * share)
    pairs = zip(draw.choice(len(texts), joins), draw.choice(said, joins), strict=True)
    for one, other in pairs:
        both = [pieces[starts[number] : ends[number]] for number in (one, other)]
        more.append(np.concatenate(both)[: PLACES - 2])
    texts.pieces = torch.cat([texts.pieces, torch.from_numpy(np.concatenate(more))])
    texts.lengths = torch.cat([texts.lengths, torch.tensor([len(each) for each in more])])
    texts.times = torch.cat([texts.times, torch.ones(len(more), dtype=torch.int64)])
    texts.ends = texts.lengths.cumsum(0)
    return texts


def train(
    encoder: Encoder, texts: Texts, wanted: Tensor, main_ones: Tensor, asked: argparse.Namespace
) -> None:
    goal, wanted = functional.normalize(wanted @ main_ones, dim=1).to(DEVICE), wanted.to(DEVICE)
    held = texts.on(DEVICE)
    layers = [each for name, each in encoder.named_parameters() if name not in {"rows", "weights"}]
    groups = [
        {"params": [encoder.rows, encoder.weights], "lr": asked.row_rate},
        {"params": layers, "lr": asked.rate},
    ]
    taught = torch.optim.AdamW(groups, weight_decay=0.0, betas=(0.9, 0.98))
    rates = [group["lr"] for group in taught.param_groups]
    began = time.monotonic()
    for step, chosen in enumerate(batches(texts, clusters(wanted), asked.batch)):
        done = (time.monotonic() - began) / asked.seconds
        if done >= 1:
            return
        share = min(1.0, (step + 1) / WARM_UP) * 0.5 * (1 + math.cos(math.pi * done))
        for group, rate in zip(taught.param_groups, rates, strict=True):
            group["lr"] = rate * share
        drawn = chosen.to(DEVICE)
        with torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cuda"):
            here = encoder(*padded(held, drawn))
        lost = loss(here.float(), goal[drawn], wanted[drawn])
        taught.zero_grad(set_to_none=True)
        lost.backward()
        nn.utils.clip_grad_norm_(layers, 1.0)
        taught.step()
        if step % 1000 == 0:
            print(f"step {step:,}, {done:.0%}: {lost.item():.4f}", flush=True)


def loss(here: Tensor, goal: Tensor, there: Tensor) -> Tensor:
    """Where a text points, how alike any two are, and who is nearest to whom."""
    alike, wanted = here @ here.T, there @ there.T
    oneself = torch.eye(len(here), device=here.device, dtype=torch.bool)
    near, nearest = (
        (each / TEMPERATURE).masked_fill(oneself, -1e4).log_softmax(1) for each in (alike, wanted)
    )
    ranks = functional.kl_div(near, nearest, log_target=True, reduction="batchmean")
    angle = 1 - (here * goal).sum(1).mean()
    return angle + PAIRS_COUNT * (alike - wanted).square().mean() + NEAREST_COUNT * ranks


def padded(texts: Texts, chosen: Tensor) -> tuple[Tensor, Tensor]:
    """The pieces of these texts, each in a row of its own, and which of them are there."""
    lengths = texts.lengths[chosen]
    places = torch.arange(max(int(lengths.max()), 1), device=lengths.device)
    there = places < lengths[:, None]
    numbers = ((texts.ends[chosen] - lengths)[:, None] + places).clamp(max=len(texts.pieces) - 1)
    return torch.where(there, texts.pieces[numbers], 0), there


def clusters(wanted: Tensor) -> Tensor:
    """K-means by the teacher's vectors: texts of one number are neighbours."""
    middles = wanted[torch.randperm(len(wanted))[:CLUSTERS].to(wanted.device)].clone()
    found = torch.zeros(len(wanted), dtype=torch.int64)
    for _ in range(CLUSTER_ROUNDS):
        found = torch.cat([(part @ middles.T).argmax(1) for part in wanted.split(20_000)])
        summed = torch.zeros_like(middles).index_add_(0, found, wanted)
        middles = functional.normalize(summed + 1e-6 * middles, dim=1)
    return found.cpu()


def batches(texts: Texts, cluster: Tensor, size: int) -> Iterator[Tensor]:
    """One of neighbours, one of strangers of about one length, by turns and without an end."""
    every = torch.arange(len(texts)).repeat_interleave(texts.times)
    neighbours = chain.from_iterable(_near(every, cluster, size) for _ in repeat(None))
    strangers = chain.from_iterable(_strange(texts, every, size) for _ in repeat(None))
    for both in zip(neighbours, strangers, strict=False):
        yield from both


def _near(every: Tensor, cluster: Tensor, size: int) -> Iterator[Tensor]:
    shuffled = every[torch.randperm(len(every))]
    parts = shuffled[cluster[shuffled].argsort(stable=True)].split(NEIGHBOURS)
    order = torch.randperm(len(parts)).tolist()
    for start in range(0, len(order) - size // NEIGHBOURS + 1, max(size // NEIGHBOURS, 1)):
        yield torch.cat([parts[part] for part in order[start : start + max(size // NEIGHBOURS, 1)]])


def _strange(texts: Texts, every: Tensor, size: int) -> Iterator[Tensor]:
    for many in every[torch.randperm(len(every))].split(32 * size):
        some = many[texts.lengths[many].argsort()].split(size)
        yield from (some[number] for number in torch.randperm(len(some)).tolist())


if __name__ == "__main__":
    main()
