"""
Posts of an Instagram account, through instaloader.

MILLRACE_INSTAGRAM_USERNAME      the account with which the worker logs in, if any
MILLRACE_INSTAGRAM_PASSWORD      its password, used when there is no session or the session has ended
MILLRACE_INSTAGRAM_SESSION_FILE  where the session is kept (default: ~/.local/state/millrace/instagram-<username>.session)
MILLRACE_INSTAGRAM_URL           the address to use instead of www.instagram.com and i.instagram.com

One request returns the account with its twelve newest posts. A second request is made only if a command wants more posts
and does not say that they are known (`since`). Older pages cost one request, and another one on a worker that has not seen
the account recently.
"""

from __future__ import annotations

import logging
import os
import re
from typing import Mapping, Optional

from ..errors import AuthError, FetchError, InvalidCommand
from ..messages import Command, Page
from ..registry import fetcher
from .instagram_context import Context
from .instagram_posts import to_post
from .instagram_refusal import LoginRequired
from .instagram_session import Session
from .instagram_sessions import Sessions
from .instagram_timeline import Account, Nodes, Timeline, account_of, nodes_in
from .recent import Recent
from .settings import address

log = logging.getLogger(__name__)

_USERNAME = re.compile(r"@?([A-Za-z0-9._]{1,30})")
_MIN_POSTS, _MAX_POSTS = 12, 50
_HOW_TO_LOG_IN = "MILLRACE_INSTAGRAM_USERNAME and MILLRACE_INSTAGRAM_PASSWORD give the worker a login"


class Instagram:
    """Remembers accounts for the time of paging through them. The newest page always requests the account again."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._sessions = Sessions(environ)
        self._accounts: Recent[Account] = Recent(max_values=1_000, seconds=15 * 60)

    def fetch(self, command: Command) -> Page:
        username = _username(command)
        session = self._sessions.current(command)
        try:
            return self._fetch(username, self._timeline(session, command))
        except LoginRequired as refusal:
            if session is None:
                raise AuthError(f"{refusal.message}. {_HOW_TO_LOG_IN}") from refusal
            renewed = self._sessions.renew(session, command)
            return self._fetch(username, self._timeline(renewed, command))

    def _timeline(self, session: Optional[Session], command: Command) -> Timeline:
        return Timeline(Context(address(self._environ, "MILLRACE_INSTAGRAM_URL"), session), command)

    def _fetch(self, username: str, timeline: Timeline) -> Page:
        command = timeline.command
        if command.cursor is None:
            return self._newest(timeline, username)
        account = self._accounts.get(username) or self._look_up(timeline, username)[0]
        return _page(account, timeline.older(account, command.cursor, _page_size(command)), command)

    def _newest(self, timeline: Timeline, username: str) -> Page:
        account, newest = self._look_up(timeline, username)
        command = timeline.command
        page = _page(account, newest, command)
        missing = _page_size(command) - len(newest.nodes)
        hidden = not newest.nodes and newest.total
        if not hidden and (missing < _MIN_POSTS or not page.has_more):
            return page
        try:
            older = timeline.older(account, newest.end_cursor, missing)
        except FetchError as error:
            if hidden:
                raise
            # The posts are valid, and following their cursor shows the same error.
            log.warning("fetched only the newest posts of %s: %s", username, error)
            return page
        return _page(account, Nodes(newest.nodes + older.nodes, older.end_cursor, newest.total), command)

    def _look_up(self, timeline: Timeline, username: str) -> tuple[Account, Nodes]:
        user = timeline.look_up(username)
        account = account_of(user)
        self._accounts.put(username, account)
        return account, nodes_in(user.get("edge_owner_to_timeline_media"))


def _page(account: Account, found: Nodes, command: Command) -> Page:
    """Pinned posts precede newer ones, so the last post shows how far back a page goes."""
    posts = [post for post in (to_post(node, account.author) for node in found.nodes) if post]
    since = command.since
    new_posts = [post for post in posts if since is None or post.published_at >= since]
    reaches_since = since is not None and bool(posts) and posts[-1].published_at < since
    is_last = reaches_since or found.end_cursor is None or found.end_cursor == command.cursor
    cursor: Optional[str] = None if is_last else found.end_cursor
    skipped = len(found.nodes) - len(new_posts)
    return Page(new_posts, cursor, cursor is not None, total_available=found.total, skipped=skipped)


def _page_size(command: Command) -> int:
    return min(max(command.limit or _MAX_POSTS, _MIN_POSTS), _MAX_POSTS)


def _username(command: Command) -> str:
    match = _USERNAME.fullmatch(command.external_id)
    if not match:
        raise InvalidCommand(f"externalId: {command.external_id[:100]!r} is not a name of an Instagram account")
    return match.group(1).lower()


instagram = Instagram(os.environ)
fetcher("instagram")(instagram.fetch)
