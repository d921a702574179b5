"""
Posts of an Instagram account, through instaloader or, where instaloader is refused, through a browser.

MILLRACE_INSTAGRAM_USERNAME      the account with which the worker logs in, if any
MILLRACE_INSTAGRAM_PASSWORD      its password, used when there is no session or the session has ended
MILLRACE_INSTAGRAM_SESSION_FILE  where the session is kept (default: ~/.local/state/millrace/instagram-<username>.session)
MILLRACE_INSTAGRAM_BROWSER       true: use a browser for accounts that instaloader is refused, as with --browser
MILLRACE_INSTAGRAM_URL           the address to use instead of www.instagram.com and i.instagram.com

One request returns the account with its twelve newest posts. A second request is made only if a command wants more posts
and does not say that they are known (`since`). Older pages cost one request, and another one on a worker that has not seen
the account recently.
"""

from __future__ import annotations

import logging
import os
from typing import Callable, Mapping, Optional, Tuple

from ..errors import FetchError
from ..messages import Command, Page
from ..registry import fetcher
from .instagram_context import Context
from .instagram_refusal import LoginRequired
from .instagram_session import Session
from .instagram_sessions import Sessions
from .instagram_timeline import MIN_POSTS, Account, Nodes, Timeline, account_of, nodes_in, page_of, page_size, username_of
from .expiring_cache import ExpiringCache
from .settings import address, setting

log = logging.getLogger(__name__)

_HOW_TO_LOG_IN = "MILLRACE_INSTAGRAM_USERNAME and MILLRACE_INSTAGRAM_PASSWORD give the worker a login"


class Instagram:
    """Remembers accounts for the time of paging through them. The newest page always requests the account again."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self.sessions = Sessions(environ)
        self._accounts: ExpiringCache[Account] = ExpiringCache(max_values=1_000, seconds=15 * 60)

    def fetch(self, command: Command) -> Page:
        username = username_of(command)
        session = self.sessions.current(command)
        try:
            return self._fetch(username, self._timeline(session, command))
        except LoginRequired as refusal:
            if session is None:
                raise LoginRequired(f"{refusal.message}. {_HOW_TO_LOG_IN}") from refusal
            renewed = self.sessions.renew(session, command)
            return self._fetch(username, self._timeline(renewed, command))

    def _timeline(self, session: Optional[Session], command: Command) -> Timeline:
        return Timeline(Context(address(self._environ, "MILLRACE_INSTAGRAM_URL"), session), command)

    def _fetch(self, username: str, timeline: Timeline) -> Page:
        command = timeline.command
        if command.cursor is None:
            return self._newest(timeline, username)
        account = self._accounts.get(username) or self._look_up(timeline, username)[0]
        return page_of(account, timeline.older(account, command.cursor, page_size(command)), command)

    def _newest(self, timeline: Timeline, username: str) -> Page:
        account, newest = self._look_up(timeline, username)
        command = timeline.command
        page = page_of(account, newest, command)
        missing = page_size(command) - len(newest.nodes)
        hidden = not newest.nodes and newest.total
        if not hidden and (missing < MIN_POSTS or not page.has_more):
            return page
        try:
            older = timeline.older(account, newest.end_cursor, missing)
        except FetchError as error:
            if hidden:
                raise
            # The posts are valid, and following their cursor shows the same error.
            log.warning("fetched only the newest posts of %s: %s", username, error)
            return page
        return page_of(account, Nodes(newest.nodes + older.nodes, older.end_cursor, newest.total), command)

    def _look_up(self, timeline: Timeline, username: str) -> Tuple[Account, Nodes]:
        user = timeline.look_up(username)
        account = account_of(user)
        self._accounts.put(username, account)
        return account, nodes_in(user.get("edge_owner_to_timeline_media"))


def _fetch() -> Callable[[Command], Page]:
    instagram = Instagram(os.environ)
    if setting(os.environ, "MILLRACE_INSTAGRAM_BROWSER") != "true":
        return instagram.fetch
    from .instagram_fallback import BrowserFallback

    return BrowserFallback(instagram.fetch, instagram.sessions, os.environ).fetch


fetcher("instagram")(_fetch())
