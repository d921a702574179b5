"""Fetches with instaloader, and through a browser what Instagram refuses to instaloader."""

from __future__ import annotations

import atexit
import time
from typing import Callable, Mapping, Optional, Union

from ..errors import AuthError, InvalidCommand, RateLimited
from ..logs import fields, log
from ..messages import Command, Page
from .instagram_refusal import ChallengeRequired, LoginRequired
from .instagram_sessions import Sessions
from .instagram_timeline import page_of, page_size, username_of
from .expiring_cache import ExpiringCache

try:
    from .instagram_browser import InstagramBrowser, is_browser_cursor
except ImportError as error:
    raise ImportError(f"the browser needs selenium: pip install 'millrace-worker[browser]' ({error})") from error

# The refusals that concern a request. A login that fails is a mistake to correct, so it is reported instead.
Refusal = Union[LoginRequired, ChallengeRequired, RateLimited]

_REFUSED_SECONDS = 60 * 60.0


class BrowserFallback:
    """Remembers for an hour that instaloader is refused an account, and how long Instagram limits its requests."""

    def __init__(self, fetch: Callable[[Command], Page], sessions: Sessions, environ: Mapping[str, str]) -> None:
        self._fetch = fetch
        self._sessions = sessions
        self._browser = InstagramBrowser(environ)
        atexit.register(self.close)
        self._refused: ExpiringCache[Refusal] = ExpiringCache(max_values=10_000, seconds=_REFUSED_SECONDS)
        self._limit: Optional[RateLimited] = None
        self._limited_until = 0.0

    def fetch(self, command: Command) -> Page:
        username = username_of(command)
        refusal = self._known_refusal(username)
        if command.cursor is not None and is_browser_cursor(command.cursor):
            return self._read(username, command, refusal)
        if refusal is None:
            try:
                return self._fetch(command)
            except (LoginRequired, ChallengeRequired, RateLimited) as error:
                refusal = error
                self._remember(username, refusal)
        if command.cursor is not None and not isinstance(refusal, RateLimited):
            # Millrace then continues from the newest posts, which the browser can read.
            raise InvalidCommand(f"params.cursor: a browser cannot continue from it, and {refusal.message}")
        return self._read_instead(username, command, refusal)

    def close(self) -> None:
        self._browser.close()

    def _known_refusal(self, username: str) -> Optional[Refusal]:
        if self._limit and time.monotonic() < self._limited_until:
            return self._limit
        return self._refused.get(username)

    def _remember(self, username: str, refusal: Refusal) -> None:
        log.info("instaloader was refused", extra=fields(account=username, reason=refusal.message))
        if isinstance(refusal, RateLimited):
            self._limit = refusal
            self._limited_until = time.monotonic() + float(refusal.details.get("retryAfterSeconds", 0))
        else:
            self._refused.put(username, refusal)

    def _read_instead(self, username: str, command: Command, refusal: Refusal) -> Page:
        if command.cursor is not None:
            raise refusal.with_traceback(None)
        try:
            return self._read(username, command, refusal)
        except (AuthError, RateLimited) as error:
            message = f"{refusal.message}. The browser was refused, too: {error.message}"
            kind = RateLimited if isinstance(refusal, RateLimited) else AuthError
            raise kind(message, details=refusal.details) from error

    def _read(self, username: str, command: Command, refusal: Optional[Refusal]) -> Page:
        # A session that instaloader may not use would be refused in a browser, too.
        is_visitor = isinstance(refusal, (LoginRequired, ChallengeRequired))
        session = None if is_visitor else self._sessions.current(command)
        account, found = self._browser.read(username, command, page_size(command), session)
        return page_of(account, found, command)
