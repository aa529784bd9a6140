"""What cannot be looked at is not taken for absent: nothing is made in its place."""

from pathlib import Path

import pytest

import muniment
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.system.path_exists import is_there
from muniment.model.errors import MunimentError


def around_in_circles(path: Path) -> Path:
    """Which even root cannot look at."""
    path.unlink(missing_ok=True)
    path.symlink_to(path)
    return path


def test_only_what_is_not_there_is_absent(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    assert is_there(tmp_path / "file")
    assert not is_there(tmp_path / "nothing")
    assert not is_there(tmp_path / "file" / "inside")
    with pytest.raises(OSError, match="symbolic links"):
        is_there(around_in_circles(tmp_path / "circle"))
    with pytest.raises(OSError, match="too long"):
        is_there(tmp_path / ("x" * 5000))


def test_a_policy_that_cannot_be_read_is_not_replaced_by_the_default(tmp_path: Path) -> None:
    around_in_circles(tmp_path / "policy.toml")
    with pytest.raises((OSError, MunimentError)), open_memory(tmp_path, Settings()) as memory:
        memory.agent("ada", user="tuff").remember("hello")


def test_a_master_key_that_cannot_be_read_is_not_made_anew(tmp_path: Path) -> None:
    with muniment.open(tmp_path) as memory:
        memory.agent("ada", user="tuff").remember("hello")
    (key,) = tmp_path.rglob("master.key")
    around_in_circles(key)

    with pytest.raises((OSError, MunimentError)):
        muniment.open(tmp_path).agent("ada", user="tuff").remember("hello")
    assert key.is_symlink()
