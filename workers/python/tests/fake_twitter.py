"""
Twitter's API v2: accounts by name, and their posts with `since_id`, `pagination_token`, `max_results`, `exclude` and
expansions.

Started and controlled as tests.fake_upstream describes. The bearer token is `test-token`. Options of an account: posts,
state (`protected`, `suspended`), says_protected (the lookup shows it, too), display_name. Options of a post: text, at
(milliseconds after 1970), reply, media (`photo`, `video`), reposts or quotes (the id of another post), urls and note
(as the API has them), edited (the id of the post that it is an edit of).
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any, Dict, List, Optional, Set
from urllib.parse import unquote

from .fake_upstream import Answer, FakeUpstream, Json, Request, run

TOKEN = "test-token"
IDS_BEGAN = 1288834974657
HOUR_MS = 3_600_000
PROBLEMS = "https://api.twitter.com/2/problems"


@dataclass
class FakeTweet:
    id: int
    author: str
    text: str
    at: int
    reply: bool = False
    media: List[str] = field(default_factory=list)
    reposts: Optional[str] = None
    quotes: Optional[str] = None
    urls: List[Json] = field(default_factory=list)
    note: Optional[Json] = None
    edited: Optional[str] = None


@dataclass
class FakeUser:
    id: int
    name: str
    display_name: str
    state: str = "open"
    says_protected: bool = False
    # Newest first.
    timeline: List[FakeTweet] = field(default_factory=list)


class FakeTwitter(FakeUpstream):
    def __init__(self, port: int = 0) -> None:
        super().__init__(port)
        self._users: Dict[str, FakeUser] = {}
        self._taken: Set[int] = set()

    def accounts(self) -> Dict[str, List[str]]:
        return {name: [str(tweet.id) for tweet in user.timeline] for name, user in self._users.items()}

    def add_account(self, name: str, posts: int = 0, **options: Any) -> str:
        user = self._users.get(name)
        if user is None:
            user = FakeUser(5000 + len(self._users), name, name.title())
            self._users[name] = user
        for option, value in options.items():
            setattr(user, option, value)
        now = int(time.time() * 1000)
        for number in range(posts):
            self.add_post(name, text=f"Post {number + 1} of {name}", at=now - (posts - number) * HOUR_MS)
        return str(user.id)

    def add_post(self, account: str, **options: Any) -> str:
        user = self._users[account]
        at = options.pop("at", int(time.time() * 1000))
        text = options.pop("text", f"Post {len(user.timeline) + 1} of {account}")
        number = (at - IDS_BEGAN) << 22
        while number in self._taken:
            number += 1
        self._taken.add(number)
        user.timeline.append(FakeTweet(number, account, text, at, **options))
        user.timeline.sort(key=lambda tweet: -tweet.id)
        return str(number)

    def answer(self, request: Request) -> Answer:
        if request.headers.get("authorization") != f"Bearer {TOKEN}":
            problem = {"title": "Unauthorized", "type": "about:blank", "status": 401, "detail": "Unauthorized"}
            return Answer(problem, 401)
        parts = unquote(request.path).strip("/").split("/")
        if parts[:4] == ["2", "users", "by", "username"] and len(parts) == 5:
            return self._by_username(parts[4])
        if parts[:2] == ["2", "users"] and len(parts) == 4 and parts[3] == "tweets":
            return self._tweets(parts[2], request.query)
        return Answer({"title": "Not Found", "type": "about:blank", "status": 404, "detail": "Not Found"}, 404)

    def _by_username(self, name: str) -> Answer:
        user = self._users.get(name)
        about = {"resource_type": "user", "resource_id": name, "parameter": "username", "value": name}
        if user is None:
            reason = f"Could not find user with username: [{name}]."
            problem = {"title": "Not Found Error", "detail": reason, "type": f"{PROBLEMS}/resource-not-found"}
            return Answer({"errors": [{**about, **problem}]})
        if user.state == "suspended":
            reason = f"User has been suspended: [{name}]."
            problem = {"title": "Forbidden", "detail": reason, "type": f"{PROBLEMS}/resource-not-found"}
            return Answer({"errors": [{**about, **problem}]})
        return Answer({"data": _user(user)})

    def _tweets(self, user_id: str, query: Dict[str, str]) -> Answer:
        user = next((one for one in self._users.values() if str(one.id) == user_id), None)
        about = {"resource_type": "user", "resource_id": user_id, "parameter": "id", "value": user_id}
        if user is None or user.state == "suspended":
            reason = f"Could not find user with id: [{user_id}]."
            problem = {"title": "Not Found Error", "detail": reason, "type": f"{PROBLEMS}/resource-not-found"}
            return Answer({"errors": [{**about, **problem}]})
        if user.state == "protected":
            reason = f"Sorry, you are not authorized to see the user with id: [{user_id}]."
            kind = f"{PROBLEMS}/not-authorized-for-resource"
            return Answer({"errors": [{**about, "title": "Authorization Error", "detail": reason, "type": kind}]})
        size = int(query.get("max_results", "10"))
        if not 5 <= size <= 100:
            return _invalid("max_results", f"The `max_results` query parameter value [{size}] is not between 5 and 100")
        return self._page(user, query, size)

    def _page(self, user: FakeUser, query: Dict[str, str], size: int) -> Answer:
        without_replies = "replies" in query.get("exclude", "").split(",")
        since = int(query.get("since_id", "0"))
        wanted = [one for one in user.timeline if one.id > since and not (one.reply and without_replies)]
        token = query.get("pagination_token")
        if token is not None:
            if not token.startswith("older") or not token[5:].isdecimal():
                reason = f"The `pagination_token` query parameter value [{token}] is not valid"
                return _invalid("pagination_token", reason)
            wanted = [one for one in wanted if one.id < int(token[5:])]
        page = wanted[:size]
        meta: Json = {"result_count": len(page)}
        if len(wanted) > size:
            meta["next_token"] = f"older{page[-1].id}"
        if not page:
            return Answer({"meta": meta})
        data = [_tweet(one, self._users) for one in page]
        return Answer({"data": data, "includes": self._includes(page), "meta": meta})

    def _includes(self, page: List[FakeTweet]) -> Json:
        everything = {str(tweet.id): tweet for user in self._users.values() for tweet in user.timeline}
        ids = [one.reposts or one.quotes for one in page]
        referenced = [everything[one] for one in ids if one in everything]
        shown = page + referenced
        authors = {tweet.author for tweet in shown}
        return {
            "users": [_user(self._users[name]) for name in sorted(authors)],
            "tweets": [_tweet(one, self._users) for one in referenced],
            "media": [_media(tweet, number) for tweet in shown for number in range(len(tweet.media))],
        }


def _user(user: FakeUser) -> Json:
    picture = f"https://pictures.example/{user.name}_normal.jpg"
    about = {"id": str(user.id), "username": user.name, "name": user.display_name, "profile_image_url": picture}
    return {**about, "protected": user.says_protected}


def _tweet(tweet: FakeTweet, users: Dict[str, FakeUser]) -> Json:
    seconds, milliseconds = divmod(tweet.at, 1000)
    moment = datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")
    found: Json = {
        "id": str(tweet.id),
        "text": tweet.text,
        "author_id": str(users[tweet.author].id),
        "created_at": f"{moment}.{milliseconds:03d}Z",
        "edit_history_tweet_ids": [one for one in (tweet.edited, str(tweet.id)) if one],
        "public_metrics": {"retweet_count": 3, "reply_count": 2, "like_count": 9, "quote_count": 1},
    }
    if tweet.media:
        found["attachments"] = {"media_keys": [f"{tweet.id}_{number}" for number in range(len(tweet.media))]}
    if tweet.urls:
        found["entities"] = {"urls": tweet.urls}
    if tweet.note:
        found["note_tweet"] = tweet.note
    if tweet.reposts or tweet.quotes:
        kind = "retweeted" if tweet.reposts else "quoted"
        found["referenced_tweets"] = [{"type": kind, "id": tweet.reposts or tweet.quotes}]
    return found


def _media(tweet: FakeTweet, number: int) -> Json:
    key, kind = f"{tweet.id}_{number}", tweet.media[number]
    if kind == "photo":
        return {"media_key": key, "type": kind, "url": f"https://pictures.example/{key}.jpg"}
    videos = [
        {"content_type": "application/x-mpegURL", "url": f"https://videos.example/{key}.m3u8"},
        {"content_type": "video/mp4", "bit_rate": 256000, "url": f"https://videos.example/{key}_low.mp4"},
        {"content_type": "video/mp4", "bit_rate": 2176000, "url": f"https://videos.example/{key}_high.mp4"},
    ]
    still = f"https://pictures.example/{key}_still.jpg"
    return {"media_key": key, "type": kind, "preview_image_url": still, "variants": videos}


def _invalid(parameter: str, reason: str) -> Answer:
    problem = {"title": "Invalid Request", "detail": "One or more parameters to your request was invalid."}
    errors = [{"parameters": {parameter: []}, "message": reason}]
    return Answer({**problem, "type": f"{PROBLEMS}/invalid-request", "errors": errors}, 400)


def make(port: int, accounts: int, posts: int) -> FakeTwitter:
    fake = FakeTwitter(port)
    for number in range(1, accounts + 1):
        fake.add_account(f"account_{number}", posts=posts)
    return fake


if __name__ == "__main__":
    run(make, "Twitter's API v2 on loopback")
