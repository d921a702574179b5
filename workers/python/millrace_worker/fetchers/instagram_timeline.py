"""Requests an account and pages of its posts like Instagram's own pages do."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Dict, List, Optional

from ..errors import FetchError, InvalidCommand, NotFound, PrivateProfile, UnknownError
from ..messages import Author, Command, Page
from .instagram_context import Context
from .instagram_posts import author_of, to_post
from .timeouts import with_timeout

# The timeline queries of instaloader up to 4.12, and of later versions for visitors and for users who are logged in.
_QUERY_HASH = "003056d32c2554def87228bc3fd9668a"
_VISITORS_DOC = "7950326061742207"
_MEMBERS_DOC = "7898261790222653"
_USERNAME = re.compile(r"@?([A-Za-z0-9._]{1,30})")
MIN_POSTS, _MAX_POSTS = 12, 50


@dataclass(frozen=True)
class Account:
    id: str
    author: Author


@dataclass(frozen=True)
class Nodes:
    """Unparsed posts, and where older ones begin."""

    nodes: List[Dict[str, Any]]
    end_cursor: Optional[str]
    total: Optional[int]


@dataclass(frozen=True)
class Timeline:
    context: Context
    command: Command

    def look_up(self, username: str) -> Dict[str, Any]:
        """Returns the account with its newest posts, in one request."""
        path = f"api/v1/users/web_profile_info/?username={username}"
        user = _value_at(self._request(lambda: self.context.get_iphone_json(path, {})), "data", "user")
        if user is None:
            raise NotFound(f"Instagram account {username} does not exist")
        if not isinstance(user, dict) or not user.get("id"):
            raise UnknownError("Instagram's answer to a request for an account has no account")
        require_visible(user, username, self.context.username)
        return user

    def older(self, account: Account, after: Optional[str], count: int) -> Nodes:
        """Returns the posts after a cursor, or the newest ones, in one request."""
        if not hasattr(self.context, "doc_id_graphql_query"):
            variables = {"id": account.id, "first": count, **({} if after is None else {"after": after})}
            answer = self._request(lambda: self.context.graphql_query(_QUERY_HASH, variables, _referer(account)))
        else:
            doc_id = _MEMBERS_DOC if self.context.is_logged_in else _VISITORS_DOC
            variables = _doc_variables(account, after, count)
            answer = self._request(lambda: self.context.doc_id_graphql_query(doc_id, variables, _referer(account)))
        visitors = _value_at(answer, "data", "user", "edge_owner_to_timeline_media")
        return nodes_in(visitors or _value_at(answer, "data", "xdt_api__v1__feed__user_timeline_graphql_connection"))

    def _request(self, request: Any) -> Any:
        def bounded(seconds: float) -> Any:
            self.context.request_timeout = seconds
            return request()

        try:
            return with_timeout(bounded, self.command, "Instagram")
        except FetchError:
            raise
        except Exception as error:
            raise UnknownError(f"instaloader: {type(error).__name__}: {error}") from error


def account_of(user: Dict[str, Any]) -> Account:
    return Account(str(user.get("id") or user.get("pk")), author_of(user))


def require_visible(user: Dict[str, Any], username: str, viewer: Optional[str]) -> None:
    followed = user.get("followed_by_viewer") or _value_at(user, "friendship_status", "following")
    if user.get("is_private") and not followed and username != viewer:
        raise PrivateProfile(f"{username} shows its posts only to followers")


def nodes_in(connection: Any) -> Nodes:
    edges = _value_at(connection, "edges")
    if not isinstance(edges, list):
        raise UnknownError("Instagram's answer has no posts in the expected place")
    page = _value_at(connection, "page_info")
    cursor = _value_at(page, "end_cursor") if _value_at(page, "has_next_page") else None
    nodes = [node for node in (_value_at(edge, "node") for edge in edges) if isinstance(node, dict)]
    total = _value_at(connection, "count")
    return Nodes(nodes, cursor or None, total if isinstance(total, int) and total >= 0 else None)


def page_of(account: Account, found: Nodes, command: Command) -> Page:
    """Pinned posts precede newer ones, so the last post shows how far back a page goes."""
    posts = [post for post in (to_post(node, account.author) for node in found.nodes) if post]
    since = command.since
    new_posts = [post for post in posts if since is None or post.published_at >= since]
    reaches_since = since is not None and bool(posts) and posts[-1].published_at < since
    is_last = reaches_since or found.end_cursor is None or found.end_cursor == command.cursor
    cursor: Optional[str] = None if is_last else found.end_cursor
    skipped = len(found.nodes) - len(new_posts)
    return Page(new_posts, cursor, cursor is not None, total_available=found.total, skipped=skipped)


def page_size(command: Command) -> int:
    return min(max(command.limit or _MAX_POSTS, MIN_POSTS), _MAX_POSTS)


def username_of(command: Command) -> str:
    match = _USERNAME.fullmatch(command.external_id)
    if not match:
        raise InvalidCommand(f"externalId: {command.external_id[:100]!r} is not a name of an Instagram account")
    return match.group(1).lower()


def _doc_variables(account: Account, after: Optional[str], count: int) -> Dict[str, Any]:
    settings = {"include_relationship_info": True, "latest_besties_reel_media": True, "latest_reel_media": True}
    return {
        "data": {"count": count, **settings},
        "id": account.id,
        "username": account.author.username,
        "after": after,
        "before": None,
        "first": count,
        "last": None,
        "__relay_internal__pv__PolarisFeedShareMenurelayprovider": False,
    }


def _referer(account: Account) -> str:
    return f"https://www.instagram.com/{account.author.username}/"


def _value_at(value: Any, *names: str) -> Any:
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value
