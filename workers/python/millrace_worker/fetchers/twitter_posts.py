"""Reads the posts of a page of API v2."""

from __future__ import annotations

import html
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Dict, Iterable, List, Mapping, Optional

from ..instants import read_instant
from ..messages import Author, Post

Json = Dict[str, Any]


@dataclass(frozen=True)
class Includes:
    """Users, media and posts to which the posts of a page refer, by id."""

    users: Mapping[str, Json]
    tweets: Mapping[str, Json]
    media: Mapping[str, Json]


def posts_in(answer: Json, user: Json) -> List[Optional[Post]]:
    """Returns the posts of a page, with None for each without an id or a time."""
    referenced = _object(answer.get("includes"))
    includes = Includes(
        users={str(user.get("id")): user, **_by(referenced.get("users"), "id")},
        tweets=_by(referenced.get("tweets"), "id"),
        media=_by(referenced.get("media"), "media_key"),
    )
    return [_to_post(tweet, includes, user) for tweet in _objects(answer.get("data"))]


def author_of(user: Json) -> Author:
    username = str(user.get("username") or user.get("id"))
    picture = user.get("profile_image_url")
    # `_normal` is 48 pixels wide.
    avatar = picture.replace("_normal.", "_400x400.") if isinstance(picture, str) else None
    return Author(username, str(user.get("name") or username), avatar)


def _to_post(tweet: Json, includes: Includes, user: Json) -> Optional[Post]:
    """
    A repost has the content, author and link of the original, and a title that marks it as a repost. It keeps its own id
    and time, because reposting is what the followed account did.
    """
    original = _reposted(tweet, includes)
    shown = original or tweet
    written = _written_at(tweet)
    if not tweet.get("id") or written is None:
        return None
    author = author_of(includes.users.get(str(shown.get("author_id")), {} if original else user))
    metrics = _object(shown.get("public_metrics"))
    return Post(
        external_id=_first_id(tweet),
        content=_text(shown),
        published_at=written,
        author=author,
        url=f"https://x.com/{author.username}/status/{shown['id']}",
        title=f"Reposted @{author.username}" if original else None,
        media_urls=_media(shown, includes) or _media(tweet, includes),
        likes=_count(metrics.get("like_count")),
        comments=_count(metrics.get("reply_count")),
        shares=_count(metrics.get("retweet_count")),
    )


def _first_id(tweet: Json) -> str:
    """An edit creates a new id, so the first one identifies the post."""
    history = tweet.get("edit_history_tweet_ids")
    return str(history[0] if isinstance(history, list) and history else tweet["id"])


def _reposted(tweet: Json, includes: Includes) -> Optional[Json]:
    """Also returns None if the original is not visible; the repost then has the beginning of its text."""
    for reference in _objects(tweet.get("referenced_tweets")):
        original = includes.tweets.get(str(reference.get("id")))
        if reference.get("type") == "retweeted" and original and str(original.get("author_id")) in includes.users:
            return original
    return None


def _text(tweet: Json) -> str:
    """Long posts have their whole text in `note_tweet`. Short links are expanded, and links to media are removed."""
    note = _object(tweet.get("note_tweet"))
    whole = note if note.get("text") else tweet
    text = html.unescape(str(whole.get("text") or ""))
    links = [*_links(whole), *_links(tweet)]
    for link in sorted(links, key=lambda link: -len(str(link.get("url")))):
        short, long = link.get("url"), link.get("expanded_url")
        if isinstance(short, str) and short and isinstance(long, str):
            text = text.replace(short, "" if link.get("media_key") else long)
    return text.strip()


def _links(tweet: Json) -> List[Json]:
    return _objects(_object(tweet.get("entities")).get("urls"))


def _media(tweet: Json, includes: Includes) -> List[str]:
    keys = _object(tweet.get("attachments")).get("media_keys")
    attached = (includes.media.get(str(key)) for key in (keys if isinstance(keys, list) else []))
    urls = (_media_url(media) for media in attached if media)
    return [url for url in urls if url]


def _media_url(media: Json) -> Optional[str]:
    """Returns the best quality of a video that is one file, otherwise its preview image."""
    videos = [one for one in _objects(media.get("variants")) if one.get("content_type") == "video/mp4"]
    best: Json = max(videos, key=lambda one: _count(one.get("bit_rate")) or 0, default={})
    for url in (best.get("url"), media.get("url"), media.get("preview_image_url")):
        if isinstance(url, str) and url:
            return url
    return None


def _written_at(tweet: Json) -> Optional[datetime]:
    try:
        return read_instant(str(tweet.get("created_at"))).astimezone(timezone.utc)
    except ValueError:
        return None


def _count(value: Any) -> Optional[int]:
    return value if isinstance(value, int) and value >= 0 else None


def _by(items: Any, name: str) -> Dict[str, Json]:
    return {str(item.get(name)): item for item in _objects(items)}


def _objects(items: Any) -> List[Json]:
    given: Iterable[Any] = items if isinstance(items, list) else []
    return [item for item in given if isinstance(item, dict)]


def _object(item: Any) -> Json:
    return item if isinstance(item, dict) else {}
