"""
Posts of an Instagram account, through instaloader.

MILLRACE_INSTAGRAM_USERNAME      the account with which the worker logs in, if any
MILLRACE_INSTAGRAM_SESSION_FILE  the session of that account, as `instaloader --login` saves it
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

from ..errors import FetchError, InvalidCommand
from ..messages import Command, Page
from ..registry import fetcher
from .instagram_context import Context
from .instagram_posts import to_post
from .instagram_timeline import Account, Nodes, Timeline, account_of, nodes_in
from .recent import Recent

log = logging.getLogger(__name__)

_USERNAME = re.compile(r"@?([A-Za-z0-9._]{1,30})")
_FEWEST, _MOST = 12, 50


class Instagram:
    """Remembers accounts for the time of paging through them. The newest page always requests the account again."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._accounts: Recent[Account] = Recent(max_values=1_000, seconds=15 * 60)

    def fetch(self, command: Command) -> Page:
        username = _username(command)
        timeline = Timeline(Context(self._environ), command)
        if command.cursor is None:
            return self._newest(timeline, username)
        account = self._accounts.get(username) or self._look_up(timeline, username)[0]
        return _page(account, timeline.older(account, command.cursor, _wanted(command)), command)

    def _newest(self, timeline: Timeline, username: str) -> Page:
        account, newest = self._look_up(timeline, username)
        command = timeline.command
        page = _page(account, newest, command)
        missing = _wanted(command) - len(newest.nodes)
        hidden = not newest.nodes and newest.total
        if not hidden and (missing < _FEWEST or not page.has_more):
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
    wanted = [post for post in posts if since is None or post.published_at >= since]
    arrived = since is not None and bool(posts) and posts[-1].published_at < since
    ends = arrived or found.end_cursor is None or found.end_cursor == command.cursor
    cursor: Optional[str] = None if ends else found.end_cursor
    skipped = len(found.nodes) - len(wanted)
    return Page(wanted, cursor, cursor is not None, total_available=found.total, skipped=skipped)


def _wanted(command: Command) -> int:
    return min(max(command.limit or _MOST, _FEWEST), _MOST)


def _username(command: Command) -> str:
    match = _USERNAME.fullmatch(command.external_id)
    if not match:
        raise InvalidCommand(f"externalId: {command.external_id[:100]!r} is not a name of an Instagram account")
    return match.group(1).lower()


instagram = Instagram(os.environ)
fetcher("instagram")(instagram.fetch)
