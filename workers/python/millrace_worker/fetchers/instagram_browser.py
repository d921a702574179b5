"""Reads the posts of an account from its page in a browser, and scrolls as far as a command needs."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Dict, List, Mapping, Optional, Tuple
from urllib.parse import urlsplit

from ..errors import AuthError, FetchError, NetworkError, NotFound, RateLimited, TimedOut, UnknownError
from ..messages import Author, Command
from .browser import Browser, BrowserPage, Response
from .instagram_page import PageData
from .instagram_posts import media_id_of, to_post
from .instagram_refusal import Answer, rate_limit_in, refusal_in
from .instagram_session import Session
from .instagram_timeline import Account, Nodes, account_of, require_visible
from .settings import address

_MAX_SECONDS = 90.0
# The reading ends before the browser is killed, so that posts that were found are not lost.
_SECONDS_TO_ANSWER = 3.0
_QUIET_SECONDS = 8.0
_SCROLL_SECONDS = 1.0
_POLL_SECONDS = 0.1
_CURSOR = re.compile(r"browser-([0-9]{1,20})")
_DATA = ("graphql", "web_profile_info")
_UNAVAILABLE = re.compile(r"(page|profile) isn.t available", re.IGNORECASE)


def is_browser_cursor(cursor: str) -> bool:
    """Cursors of instaloader mean nothing on a page."""
    return _CURSOR.fullmatch(cursor) is not None


class InstagramBrowser:
    def __init__(self, environ: Mapping[str, str]) -> None:
        """Raises ValueError if a program is missing."""
        self._url = address(environ, "MILLRACE_INSTAGRAM_URL") or "https://www.instagram.com"
        self._browser = Browser(environ)

    def read(self, username: str, command: Command, page_size: int, session: Optional[Session]) -> Tuple[Account, Nodes]:
        left = command.seconds_left()
        seconds = _MAX_SECONDS if left is None else min(left, _MAX_SECONDS)
        if seconds <= 0:
            raise TimedOut("no time left for a page of Instagram")
        cursor = _CURSOR.fullmatch(command.cursor or "")
        goal = Goal(
            username,
            after=int(cursor.group(1)) if cursor else None,
            since=command.since,
            page_size=page_size,
            viewer=session.username if session else None,
        )
        with self._browser.page(f"{self._url}/{username}/", seconds, session.cookies if session else None) as page:
            return _Reading(page, goal).run(max(seconds - _SECONDS_TO_ANSWER, seconds / 2))

    def close(self) -> None:
        self._browser.close()


@dataclass(frozen=True)
class Goal:
    """`after` is the id of a post. Posts before it are skipped."""

    username: str
    after: Optional[int]
    since: Optional[datetime]
    page_size: int
    viewer: Optional[str]


class _Reading:
    def __init__(self, page: BrowserPage, goal: Goal) -> None:
        self._page = page
        self._goal = goal
        self._data = PageData(goal.username)
        self._refusal: Optional[FetchError] = None

    def run(self, seconds: float) -> Tuple[Account, Nodes]:
        progress = scrolled = time.monotonic()
        end = progress + seconds
        while not self._is_complete():
            now = time.monotonic()
            if self._load():
                progress = now
            elif now > progress + _QUIET_SECONDS or now > end:
                self._explain_missing_posts(is_late=now > end)
                break
            elif self._data.nodes and now > scrolled + _SCROLL_SECONDS:
                self._page.scroll_down()
                scrolled = now
            time.sleep(_POLL_SECONDS)
        return self._account(), self._found()

    def _load(self) -> bool:
        """Returns whether the page brought something new."""
        before = (len(self._data.nodes), self._data.has_timeline, self._data.user)
        for response in self._page.responses():
            self._examine(response)
            self._data.add(response.text, response.is_document)
        _refuse_location(self._page.location)
        if self._data.user:
            require_visible(self._data.user, self._goal.username, self._goal.viewer)
        return before != (len(self._data.nodes), self._data.has_timeline, self._data.user)

    def _examine(self, response: Response) -> None:
        answer = Answer(response.url, response.status, response.headers, response.text)
        if response.is_document:
            _refuse_location(response.url)
            if response.status == 404:
                raise NotFound(f"Instagram account {self._goal.username} does not exist")
            limit = rate_limit_in(answer)
            if limit:
                raise limit
            if response.status >= 500:
                raise NetworkError(f"Instagram failed: status {response.status}")
        elif any(part in answer.url.path for part in _DATA):
            refusal = refusal_in(answer)
            if isinstance(refusal, NotFound):
                raise refusal
            # The page may still show posts, so a refusal counts only if it does not.
            if isinstance(refusal, (RateLimited, AuthError)):
                self._refusal = self._refusal or refusal

    def _is_complete(self) -> bool:
        data, goal = self._data, self._goal
        if not data.has_timeline or not data.user:
            return False
        if not data.nodes:
            return data.total == 0
        if not data.has_more:
            return True
        reaches_since = goal.since is not None and _is_before(data.nodes[-1], goal.since)
        return reaches_since or len(self._rest()) >= goal.page_size

    def _rest(self) -> List[Dict[str, Any]]:
        """Returns the posts after the cursor, also if its post has been deleted. Pinned posts are out of order."""
        after = self._goal.after
        if after is None:
            return self._data.nodes
        newer = [index for index, node in enumerate(self._data.nodes) if int(media_id_of(node)) >= after]
        if not newer or self._data.last_id is None or self._data.last_id > after:
            return []
        return self._data.nodes[newer[-1] + 1 :]

    def _explain_missing_posts(self, is_late: bool) -> None:
        if self._rest():
            return
        name = self._goal.username
        if self._refusal:
            raise self._refusal
        if self._data.is_missing or _UNAVAILABLE.search(self._page.text()):
            raise NotFound(f"Instagram account {name} does not exist")
        if self._data.nodes:
            raise TimedOut(f"Instagram's page of {name} did not load the posts after the cursor in time")
        if is_late:
            raise TimedOut(f"Instagram's page of {name} loaded no posts in time")
        raise UnknownError(f"Instagram's page of {name} has no posts in the expected place")

    def _account(self) -> Account:
        name = self._goal.username
        return account_of(self._data.user) if self._data.user else Account("", Author(name, name))

    def _found(self) -> Nodes:
        rest = self._rest()
        nodes = rest[: self._goal.page_size]
        has_more = len(rest) > len(nodes) or self._data.has_more
        cursor = f"browser-{media_id_of(nodes[-1])}" if nodes and has_more else None
        return Nodes(nodes, cursor, self._data.total)


def _is_before(node: Dict[str, Any], since: datetime) -> bool:
    post = to_post(node, Author("", ""))
    return post is not None and post.published_at < since


def _refuse_location(location: str) -> None:
    """Scripts of the page may also lead to the login."""
    refusal = refusal_in(Answer(location, 302, {"location": urlsplit(location).path}, ""))
    if refusal:
        raise refusal
