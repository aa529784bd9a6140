"""Figures, each beside a baseline that did the same work in the same run."""

import os

# Set before numpy is loaded: idle threads of a matrix product would count as time spent.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
