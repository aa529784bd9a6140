"""Private PostgreSQL server: a child process on a socket that only its owner can reach.

For tests, for trying things out, for one person's machine. It has no network, its folder is
private, and it ends with the process that started it. Data pages carry checksums.
"""

import contextlib
import ctypes
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Self

import psycopg

from muniment.adapters.storage.postgres import binaries
from muniment.model.errors import InputError, StoreError

START_SECONDS: Final = 60
STOP_SECONDS: Final = 30
PAUSE_SECONDS: Final = 0.05
SOCKET_PATH_MAX: Final = 90  # systems allow about 107 bytes, the socket's own name included
ORDINARY_USERS: Final = ("postgres", "nobody")  # the server refuses to run as root
OWNER: Final = "muniment"
DATABASE: Final = "postgres"
# Small, and nothing here trades safety for speed: syncing is on unless somebody turns it off.
SETTINGS: Final = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "shared_buffers": "32MB",
    "max_connections": "60",
    "logging_collector": "off",
}


class PostgresServer:
    """Started by `with Server() as server`, spoken to at `server.dsn`, gone afterwards."""

    def __init__(
        self,
        folder: Path | None = None,
        *,
        settings: Mapping[str, str] | None = None,
        packed: bool = False,
    ) -> None:
        """Without a folder the data live in a temporary one and end with the server.

        `packed` takes the server out of the wheel, even where another one is installed.
        """
        self._packed = packed
        self._settings = {**SETTINGS, **(settings or {})}
        self._user = _ordinary_user()
        self._kept = folder is not None
        self.folder = folder or Path(tempfile.mkdtemp(prefix="muniment-pg-"))
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not self._is_initialised and any(self.folder.iterdir()):
            raise InputError(
                f"{str(self.folder)!r} is not empty, and a server needs an empty folder"
            )
        if len(str(self.folder)) > SOCKET_PATH_MAX:
            raise StoreError(f"the folder's name is too long for a socket: {self.folder}")
        if self._user is not None:
            os.chown(self.folder, self._user.pw_uid, self._user.pw_gid)
        self._process: subprocess.Popen[bytes] | None = None
        self._bin: Path | None = None

    @property
    def dsn(self) -> str:
        return f"postgresql:///{DATABASE}?host={self.folder}&user={OWNER}"

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        if self.is_running:
            return
        programs = self._programs()
        if not self._is_initialised:
            self._initdb(programs)
        settings = [
            word for name, value in self._settings.items() for word in ("-c", f"{name}={value}")
        ]
        with (self.folder / "server.log").open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603
                [programs / "postgres", "-D", self._data, "-k", self.folder, *settings],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                env=_environment(programs),
                preexec_fn=_end_with_parent(),  # noqa: PLW1509
                **self._run_as(),
            )
        self._wait_until_ready()

    def stop(self) -> None:
        """Finish what runs, write everything down, end."""
        self._end(signal.SIGINT)

    def copy_of(self, other: "PostgresServer", *, follows: bool = True) -> None:
        """Begin with the data of a running server: as its replica, or as a backup of it."""
        programs = self._programs()
        order: list[str | Path] = ["-D", self._data, "-X", "stream", "-c", "fast"]
        order += ["-R"] if follows else []
        order += ["-h", str(other.folder), "-U", OWNER]
        order += [] if self._kept else ["--no-sync"]
        self._run([programs / "pg_basebackup", *order])

    def recover_to(self, point: str, archive: Path) -> None:
        """Let the next start read the archive up to a named point, and go on from there."""
        lines = (
            f"restore_command = 'cp {archive}/%f %p'",
            f"recovery_target_name = '{point}'",
            "recovery_target_action = 'promote'",
            "archive_mode = 'off'",
        )
        with (self._data / "postgresql.auto.conf").open("a") as told:
            told.write("\n".join(lines) + "\n")
        (self._data / "recovery.signal").touch()

    def crash(self) -> None:
        """Stop dead, as if the machine had: the next start recovers from the server's own log."""
        self._end(signal.SIGQUIT)

    def remove(self) -> None:
        if not self._kept:
            shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.stop()
            self.remove()
            raise
        return self

    def __exit__(self, *told: object) -> None:
        self.stop()
        self.remove()

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    @property
    def _is_initialised(self) -> bool:
        return (self._data / "PG_VERSION").exists()

    @property
    def _answers(self) -> bool:
        """Whether it is our process that listens here, and not one that is about to leave."""
        assert self._process is not None, "it was started"
        first, _, _ = (self._data / "postmaster.pid").read_text().partition("\n")
        return first == str(self._process.pid)

    def _run_as(self) -> dict[str, Any]:
        if self._user is None:
            return {}
        return {"user": self._user.pw_uid, "group": self._user.pw_gid, "extra_groups": []}

    def _programs(self) -> Path:
        if self._bin is None:
            run_as = self._run_as()
            self._bin = binaries.find(self.folder, run_as=run_as, packed_only=self._packed)
        return self._bin

    def _initdb(self, folder: Path) -> None:
        # Trust is for whoever can reach the socket, and that is the folder's owner alone.
        order = ["-U", OWNER, "-A", "trust", "-E", "UTF8", "--locale=C", "--data-checksums"]
        order += [] if self._kept else ["--no-sync"]  # what ends with us need not outlive a crash
        self._run([folder / "initdb", "-D", self._data, *order])

    def _run(self, order: Sequence[str | Path]) -> None:
        done = subprocess.run(  # noqa: S603
            order,
            cwd=self.folder,
            env=_environment(self._programs()),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            text=True,
            **self._run_as(),
        )
        if done.returncode:
            raise StoreError(f"{Path(order[0]).name} failed: {done.stderr.strip()}")

    def _wait_until_ready(self) -> None:
        late, deadline = False, time.monotonic() + START_SECONDS
        while self.is_running and not late:
            late = time.monotonic() > deadline  # looked at first: we may have stood still ourselves
            with contextlib.suppress(psycopg.OperationalError, OSError):
                psycopg.connect(self.dsn, connect_timeout=START_SECONDS).close()
                if self._answers:
                    return
            time.sleep(PAUSE_SECONDS)
        self.crash()
        log = (self.folder / "server.log").read_text(errors="replace").splitlines()
        raise StoreError("the server did not start: " + " / ".join(log[-3:]))

    def _end(self, how: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        for order in (how, signal.SIGQUIT, signal.SIGKILL):
            if process.poll() is not None:
                return
            process.send_signal(order)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(STOP_SECONDS)


def _environment(folder: Path) -> dict[str, str]:
    """Nothing of ours leaks in; a server from a wheel finds the libraries that came with it."""
    libraries = folder.parent / "lib"
    return {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "LD_LIBRARY_PATH": str(libraries)}


def _ordinary_user() -> pwd.struct_passwd | None:
    """Whom the server runs as when we are root; None for ourselves."""
    if os.geteuid() != 0:
        return None
    for name in ORDINARY_USERS:
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    raise StoreError("PostgreSQL refuses to run as root, and there is no user to run it as")


def _end_with_parent() -> Callable[[], None] | None:
    """Linux can stop the server when the process that started it is killed."""
    if sys.platform != "linux":
        return None
    library = ctypes.CDLL(None)
    parent_death_signal = 1
    return lambda: library.prctl(parent_death_signal, int(signal.SIGINT))
