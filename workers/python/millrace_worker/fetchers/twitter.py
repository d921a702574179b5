"""
Posts and reposts of an account without its replies, from Twitter's API v2.

MILLRACE_TWITTER_BEARER_TOKEN  the bearer token of the app
MILLRACE_TWITTER_URL           the address of the API (default: https://api.twitter.com)
"""

from __future__ import annotations

import os
import re
from typing import Any, Dict, Mapping

from ..errors import AuthError, InvalidCommand, NotFound, PrivateProfile, UnknownError
from ..messages import Command, Page
from ..registry import fetcher
from .expiring_cache import ExpiringCache
from .settings import address, setting
from .twitter_api import TwitterApi
from .twitter_cursor import Position, position_of
from .twitter_posts import posts_in

Json = Dict[str, Any]

_USERNAME = re.compile(r"@?([A-Za-z0-9_]{1,15})")
_USER_FIELDS = "name,username,profile_image_url,protected"
_FIELDS = {
    "exclude": "replies",
    "tweet.fields": "created_at,public_metrics,attachments,referenced_tweets,entities,note_tweet,author_id",
    "expansions": "attachments.media_keys,author_id,referenced_tweets.id,referenced_tweets.id.author_id",
    "media.fields": "url,preview_image_url,variants",
    "user.fields": _USER_FIELDS,
}


class Twitter:
    """Remembers the ids of accounts, so that a page usually costs one request."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._users: ExpiringCache[Json] = ExpiringCache(max_values=10_000, seconds=24 * 60 * 60)

    def fetch(self, command: Command) -> Page:
        username = _username(command)
        position = position_of(command)
        api = self._api(command)
        user = self._users.get(username) or self._look_up(api, username)
        try:
            answer = api.get(f"/2/users/{user['id']}/tweets", _query(command, position))
        except (NotFound, PrivateProfile):
            # The name may belong to another account now.
            self._users.forget(username)
            raise
        posts = posts_in(answer, user)
        meta = answer.get("meta")
        next_cursor = position.next_cursor(meta.get("next_token") if isinstance(meta, dict) else None)
        readable = [post for post in posts if post]
        return Page(readable, next_cursor, next_cursor is not None, skipped=len(posts) - len(readable))

    def _api(self, command: Command) -> TwitterApi:
        token = setting(self._environ, "MILLRACE_TWITTER_BEARER_TOKEN")
        if token is None:
            raise AuthError("MILLRACE_TWITTER_BEARER_TOKEN is not set; Twitter refuses requests without a token")
        url = address(self._environ, "MILLRACE_TWITTER_URL") or "https://api.twitter.com"
        return TwitterApi(url, token, command)

    def _look_up(self, api: TwitterApi, username: str) -> Json:
        answer = api.get(f"/2/users/by/username/{username}", {"user.fields": _USER_FIELDS})
        user = answer.get("data")
        if not isinstance(user, dict) or not re.fullmatch("[0-9]{1,20}", str(user.get("id"))):
            raise UnknownError("Twitter's answer to a request for an account has no account")
        if user.get("protected"):
            raise PrivateProfile(f"@{username} shows its posts only to approved followers")
        self._users.put(username, user)
        return user


def _username(command: Command) -> str:
    match = _USERNAME.fullmatch(command.external_id)
    if not match:
        raise InvalidCommand(f"externalId: {command.external_id[:100]!r} is not a name of a Twitter account")
    return match.group(1).lower()


def _query(command: Command, position: Position) -> Dict[str, str]:
    query = {**_FIELDS, "max_results": str(min(max(command.limit or 50, 5), 100))}
    if position.since_id is not None:
        query["since_id"] = position.since_id
    if position.pagination_token is not None:
        query["pagination_token"] = position.pagination_token
    return query


twitter = Twitter(os.environ)
fetcher("twitter")(twitter.fetch)
