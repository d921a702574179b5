"""Decides when a worker logs in to Instagram: rarely, because Instagram locks accounts that log in often."""

from __future__ import annotations

import math
import os
import time
from pathlib import Path
from typing import Callable, Mapping, Optional

from ..errors import AuthError, FetchError, NetworkError, RateLimited, TimedOut
from ..logs import fields, log
from ..messages import Command
from .instagram_login import Credentials, Login, LoginRefused
from .instagram_refusal import LoginRequired
from .instagram_session import Session, SessionFile
from .settings import address, setting

# A session that ends sooner was ended by Instagram, which a new login would not change.
_MIN_SESSION_SECONDS = 60 * 60.0
_WAIT_AFTER_FAILURE_SECONDS = 5 * 60.0
_WAIT_AFTER_REFUSAL_SECONDS = 6 * 60 * 60.0


class Sessions:
    """The login of a worker. All its commands share it, and so do other workers that use the same file."""

    def __init__(self, environ: Mapping[str, str], clock: Callable[[], float] = time.time) -> None:
        self._environ = environ
        self._clock = clock
        self._file: Optional[SessionFile] = None
        self._failure: Optional[FetchError] = None
        self._next_login = -math.inf

    def current(self, command: Command) -> Optional[Session]:
        """Returns None if no login is configured. Logs in if there is no session yet."""
        username = setting(self._environ, "MILLRACE_INSTAGRAM_USERNAME")
        if username is None:
            self._refuse_half_a_login()
            return None
        file = self._session_file(username)
        session = file.read()
        if session:
            return session
        if not self._has_password():
            raise _missing_password(f"there is no session for {username} in {file.path}")
        with file.locked(command):
            # Another worker may have logged in.
            return file.read() or self._log_in(username, file, command)

    def renew(self, ended: Session, command: Command) -> Session:
        """Replaces a session that Instagram no longer accepts."""
        file = self._session_file(ended.username)
        if not self._has_password():
            raise _missing_password(f"Instagram no longer accepts the session of {ended.username} in {file.path}")
        with file.locked(command):
            latest = file.read()
            if latest and latest.cookies != ended.cookies:
                return latest
            age = self._clock() - ended.since
            if age < _MIN_SESSION_SECONDS:
                raise LoginRequired(
                    f"Instagram refuses the session of {ended.username}, although its login was accepted "
                    f"{age / 60:.0f} minutes ago. The worker does not log in more often than once an hour"
                )
            return self._log_in(ended.username, file, command)

    def _log_in(self, username: str, file: SessionFile, command: Command) -> Session:
        if self._failure and self._clock() < self._next_login:
            raise self._failure.with_traceback(None)
        credentials = Credentials(username, self._environ["MILLRACE_INSTAGRAM_PASSWORD"])
        try:
            session = file.write(Login(address(self._environ, "MILLRACE_INSTAGRAM_URL"), credentials, command).run())
        except FetchError as error:
            self._failure, self._next_login = error, self._clock() + wait_after(error)
            raise
        log.info("logged in to Instagram", extra=fields(username=username, file=str(file.path)))
        return session

    def _session_file(self, username: str) -> SessionFile:
        self._file = self._file or session_file(self._environ, username)
        return self._file

    def _has_password(self) -> bool:
        return bool(self._environ.get("MILLRACE_INSTAGRAM_PASSWORD"))

    def _refuse_half_a_login(self) -> None:
        for name in ("MILLRACE_INSTAGRAM_PASSWORD", "MILLRACE_INSTAGRAM_SESSION_FILE"):
            if setting(self._environ, name) is not None:
                raise AuthError(f"{name} is set, but MILLRACE_INSTAGRAM_USERNAME is not; a login needs both")


def wait_after(error: FetchError) -> float:
    """Returns the seconds until the next login after one that failed. The same wrong password is not sent twice."""
    if isinstance(error, LoginRefused) and error.is_final:
        return math.inf
    if isinstance(error, RateLimited):
        return max(float(error.details.get("retryAfterSeconds", 0)), _WAIT_AFTER_FAILURE_SECONDS)
    if isinstance(error, (NetworkError, TimedOut)):
        return _WAIT_AFTER_FAILURE_SECONDS
    return _WAIT_AFTER_REFUSAL_SECONDS


def session_file(environ: Mapping[str, str], username: str) -> SessionFile:
    given = setting(environ, "MILLRACE_INSTAGRAM_SESSION_FILE")
    if given is not None:
        return SessionFile(Path(given), username)
    state = setting(environ, "XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    return SessionFile(Path(state) / "millrace" / f"instagram-{username}.session", username)


def _missing_password(reason: str) -> AuthError:
    return AuthError(f"{reason}: set MILLRACE_INSTAGRAM_PASSWORD, or run `millrace-worker instagram --login`")
