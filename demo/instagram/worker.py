"""The Instagram worker of `npm run demo` over RabbitMQ. It asks the demo's Instagram only; docs/demo.md says how to start it."""

import json
import os
from datetime import datetime
from typing import Any, Dict
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import urlopen

from millrace_worker import Author, Command, FetchError, NetworkError, NotFound, Page, Post, PrivateProfile, RateLimited
from millrace_worker import fetcher

SITE = os.environ["DEMO_INSTAGRAM_URL"]
PAGE_SIZE = 12
TIMEOUT_SECONDS = 15


@fetcher("instagram")
def fetch(command: Command) -> Page:
    query: Dict[str, Any] = {"count": command.limit or PAGE_SIZE}
    if command.cursor is not None:
        query["before"] = command.cursor
    url = f"{SITE}/users/{quote(command.external_id, safe='')}/posts?{urlencode(query)}"
    try:
        with urlopen(url, timeout=TIMEOUT_SECONDS) as response:
            page = json.load(response)
    except HTTPError as error:
        raise failure(error, command.external_id) from error
    user = page["user"]
    author = Author(user["username"], user["fullName"], user["avatarUrl"])
    posts = [to_post(post, author) for post in page["posts"]]
    return Page(posts, next_cursor=page["next"], has_more=page["next"] is not None)


def to_post(post: Dict[str, Any], author: Author) -> Post:
    # Python 3.10 and older do not read the Z.
    published_at = datetime.fromisoformat(post["takenAt"].replace("Z", "+00:00"))
    return Post(
        post["id"],
        post["caption"],
        published_at,
        author,
        url=post["url"],
        media_urls=[post["imageUrl"]],
        likes=post["likes"],
        comments=post["comments"],
    )


def failure(error: HTTPError, username: str) -> FetchError:
    if error.code == 404:
        return NotFound(f"there is no profile {username}")
    if error.code == 403:
        return PrivateProfile(f"the profile {username} is private")
    if error.code == 429:
        seconds = int(error.headers.get("Retry-After", 60))
        return RateLimited("Instagram asks for fewer requests", retry_after_seconds=seconds)
    return NetworkError(f"Instagram answered with status {error.code}")
