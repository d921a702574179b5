"""Requests an account and pages of its posts like Instagram's own pages do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Optional

from ..errors import FetchError, NotFound, PrivateProfile, UnknownError
from ..messages import Author, Command
from .instagram_context import Context
from .instagram_posts import author_of
from .timeouts import with_timeout

# The timeline queries of instaloader up to 4.12, and of later versions for visitors and for users who are logged in.
_QUERY_HASH = "003056d32c2554def87228bc3fd9668a"
_VISITORS_DOC = "7950326061742207"
_MEMBERS_DOC = "7898261790222653"


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
        user = _at(self._ask(lambda: self.context.get_iphone_json(path, {})), "data", "user")
        if user is None:
            raise NotFound(f"Instagram account {username} does not exist")
        if not isinstance(user, dict) or not user.get("id"):
            raise UnknownError("Instagram's answer to a request for an account has no account")
        followed = user.get("followed_by_viewer") or username == self.context.username
        if user.get("is_private") and not followed:
            raise PrivateProfile(f"{username} shows its posts only to followers")
        return user

    def older(self, account: Account, after: Optional[str], wanted: int) -> Nodes:
        """Returns the posts after a cursor, or the newest ones, in one request."""
        if not hasattr(self.context, "doc_id_graphql_query"):
            question = {"id": account.id, "first": wanted, **({} if after is None else {"after": after})}
            answer = self._ask(lambda: self.context.graphql_query(_QUERY_HASH, question, _referer(account)))
        else:
            doc_id = _MEMBERS_DOC if self.context.is_logged_in else _VISITORS_DOC
            asked = _doc_question(account, after, wanted)
            answer = self._ask(lambda: self.context.doc_id_graphql_query(doc_id, asked, _referer(account)))
        visitors = _at(answer, "data", "user", "edge_owner_to_timeline_media")
        return nodes_in(visitors or _at(answer, "data", "xdt_api__v1__feed__user_timeline_graphql_connection"))

    def _ask(self, request: Any) -> Any:
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
    return Account(str(user["id"]), author_of(user))


def nodes_in(connection: Any) -> Nodes:
    edges = _at(connection, "edges")
    if not isinstance(edges, list):
        raise UnknownError("Instagram's answer has no posts in the expected place")
    page = _at(connection, "page_info")
    cursor = _at(page, "end_cursor") if _at(page, "has_next_page") else None
    nodes = [node for node in (_at(edge, "node") for edge in edges) if isinstance(node, dict)]
    total = _at(connection, "count")
    return Nodes(nodes, cursor or None, total if isinstance(total, int) and total >= 0 else None)


def _doc_question(account: Account, after: Optional[str], wanted: int) -> Dict[str, Any]:
    settings = {"include_relationship_info": True, "latest_besties_reel_media": True, "latest_reel_media": True}
    return {
        "data": {"count": wanted, **settings},
        "id": account.id,
        "username": account.author.username,
        "after": after,
        "before": None,
        "first": wanted,
        "last": None,
        "__relay_internal__pv__PolarisFeedShareMenurelayprovider": False,
    }


def _referer(account: Account) -> str:
    return f"https://www.instagram.com/{account.author.username}/"


def _at(value: Any, *names: str) -> Any:
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value
