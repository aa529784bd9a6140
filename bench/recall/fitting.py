"""Vectors of pieces, fitted until their sum points where a model's vector of the sentence does.

A piece that went through the model alone says what it means by itself; how much it adds to a
sentence, and in which direction, only sentences tell. First one linear map is found for all
pieces, then every piece that the sentences hold is moved by itself.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Pieces = Sequence[NDArray[np.int64]]  # of each sentence, in order

RIDGE: Final = 3.0  # keeps the map from following what only a few sentences say
PULL: Final = 0.2  # back to where the map put a piece
STEP: Final = 0.01
ROUNDS: Final = 3  # further ones fit these sentences better and others worse
AT_ONCE: Final = 512
LEAST: Final = 1e-6


def fitted(pieces: Pieces, wanted: Floats, rows: Floats, dims: int) -> Floats:
    """Rows for every piece, in as many dimensions, that sum up to what is wanted."""
    main = directions(wanted, dims)
    goal = normed(wanted @ main)
    start = mapped(pieces, wanted, rows) @ main
    start /= np.linalg.norm(summed(pieces, start), axis=1).mean()
    return moved(pieces, goal, start.astype(np.float32))


def directions(wanted: Floats, dims: int) -> Floats:
    """The main ones. None has a natural sign, so its largest part is made positive."""
    exact = wanted.astype(np.float64)
    _, found = np.linalg.eigh(exact.T @ exact)
    main = found[:, ::-1][:, :dims]
    signs = np.sign(main[np.abs(main).argmax(axis=0), np.arange(dims)])
    made: Floats = (main * signs).astype(np.float32)
    return made


def mapped(pieces: Pieces, wanted: Floats, rows: Floats) -> Floats:
    """All rows by the one linear map that brings their sums nearest to what is wanted."""
    sums = normed(summed(pieces, rows)).astype(np.float64)
    square = sums.T @ sums + RIDGE * np.eye(sums.shape[1])
    made: Floats = (rows @ np.linalg.solve(square, sums.T @ wanted)).astype(np.float32)
    return made


def moved(pieces: Pieces, goal: Floats, start: Floats) -> Floats:
    """Each piece on its own way down the slope, in ever smaller steps (AdaGrad)."""
    rows, steep = start.copy(), np.zeros_like(start)
    shuffle = np.random.default_rng(0)
    for _ in range(ROUNDS):
        order = shuffle.permutation(len(pieces))
        for first in range(0, len(order), AT_ONCE):
            chosen = order[first : first + AT_ONCE]
            held, slope = slopes([pieces[number] for number in chosen], goal[chosen], rows)
            slope += PULL * (rows[held] - start[held])
            steep[held] += slope * slope
            rows[held] -= STEP * slope / (np.sqrt(steep[held]) + LEAST)
    return rows


def slopes(pieces: Pieces, goal: Floats, rows: Floats) -> tuple[NDArray[np.int64], Floats]:
    """The pieces that are there, and for each how the angles to the goal grow with its row."""
    sums = summed(pieces, rows)
    length = np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), LEAST)
    here = sums / length
    away = -(goal - here * (here * goal).sum(axis=1, keepdims=True)) / length
    held, places = np.unique(np.concatenate(pieces), return_inverse=True)
    slope = np.zeros((len(held), rows.shape[1]), np.float32)
    np.add.at(slope, places, np.repeat(away, [len(each) for each in pieces], axis=0))
    return held, slope


def summed(pieces: Pieces, rows: Floats) -> Floats:
    """What a table makes of each sentence."""
    starts = np.cumsum([0, *(len(each) for each in pieces[:-1])])
    made: Floats = np.add.reduceat(rows[np.concatenate(pieces)], starts, axis=0)
    return made


def normed(vectors: Floats) -> Floats:
    lengths = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), LEAST)
    made: Floats = np.divide(vectors, lengths, dtype=np.float32)
    return made
