"""The file that keeps a login to Instagram, in instaloader's format. Workers that use the same file share the login."""

from __future__ import annotations

import os
import pickle
import tempfile
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Dict, Iterator, NoReturn, Optional

from ..errors import AuthError, TimedOut
from ..logs import fields, log
from ..messages import Command

try:
    import fcntl
except ImportError:  # Windows has no such locks, so workers on it can log in at the same time.
    fcntl = None  # type: ignore[assignment]

Cookies = Dict[str, str]

_LOCK_SECONDS = 60.0
_POLL_SECONDS = 0.1


@dataclass(frozen=True)
class Session:
    username: str
    cookies: Cookies = field(repr=False)
    # When the login succeeded, in seconds since 1970.
    since: float


class SessionFile:
    def __init__(self, path: Path, username: str) -> None:
        self.path = path
        self._username = username
        self._has_warned = False

    def read(self) -> Optional[Session]:
        """Returns None if the file does not exist."""
        try:
            with self.path.open("rb") as file:
                status = os.fstat(file.fileno())
                cookies = _Cookies(file).load()
        except FileNotFoundError:
            return None
        except Exception as error:  # Unpickling a wrong file may raise anything.
            raise AuthError(f"MILLRACE_INSTAGRAM_SESSION_FILE: could not read {self.path}: {error!r}") from error
        if not isinstance(cookies, dict) or not cookies.get("sessionid") or not cookies.get("csrftoken"):
            raise AuthError(f"MILLRACE_INSTAGRAM_SESSION_FILE: {self.path} is not a session of instaloader")
        if status.st_mode & 0o077 and os.name == "posix" and not self._has_warned:
            self._has_warned = True
            log.warning("other users may read the session file", extra=fields(path=str(self.path), fix="chmod 600"))
        return Session(self._username, {str(name): str(value) for name, value in cookies.items()}, status.st_mtime)

    def write(self, cookies: Cookies) -> Session:
        """Only the user who runs the worker may read the file."""
        content = pickle.dumps(cookies)
        try:
            with tempfile.NamedTemporaryFile(dir=self.path.parent, prefix=f".{self.path.name}.", delete=False) as file:
                file.write(content)
            try:
                os.replace(file.name, self.path)
            except OSError:  # A file that is mounted into a container can only be overwritten.
                os.unlink(file.name)
                with self.path.open("wb") as existing:
                    os.chmod(existing.fileno(), 0o600)
                    existing.write(content)
        except OSError as error:
            self._refuse_folder(error)
        return Session(self._username, cookies, time.time())

    @contextmanager
    def locked(self, command: Optional[Command] = None) -> Iterator[None]:
        """Excludes other workers that use the file. Also shows that the folder can be written before somebody logs in."""
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = self.path.with_name(f"{self.path.name}.lock").open("w")
        except OSError as error:
            self._refuse_folder(error)
        with lock:
            _wait_for(lock, command)
            yield

    def _refuse_folder(self, error: OSError) -> NoReturn:
        raise AuthError(
            f"MILLRACE_INSTAGRAM_SESSION_FILE: could not write to {self.path.parent}: {error.strerror}. "
            "Without the file, every start of a worker would be a new login"
        ) from error


class _Cookies(pickle.Unpickler):
    """Reads texts, numbers, lists and dictionaries only, so that a foreign file cannot run code."""

    def find_class(self, module: str, name: str) -> NoReturn:
        raise pickle.UnpicklingError(f"it contains {module}.{name}")


def _wait_for(lock: IO[Any], command: Optional[Command]) -> None:
    if fcntl is None:
        return
    left = command.seconds_left() if command else None
    end = time.monotonic() + (_LOCK_SECONDS if left is None else min(left, _LOCK_SECONDS))
    while True:
        with suppress(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        if time.monotonic() > end:
            raise TimedOut("another worker is still logging in to Instagram")
        time.sleep(_POLL_SECONDS)
