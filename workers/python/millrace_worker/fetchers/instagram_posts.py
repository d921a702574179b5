"""Reads posts from Instagram's data, whose shape differs between visitors and users who are logged in."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any, Dict, List, Mapping, Optional

from ..messages import Author, Post

Json = Mapping[str, Any]


def to_post(node: Json, account: Author) -> Optional[Post]:
    """Returns None if an id, a link or a time is missing."""
    media_id = media_id_of(node)
    shortcode = node.get("shortcode") or node.get("code")
    taken_at = node.get("taken_at_timestamp") or node.get("taken_at")
    if not media_id or not shortcode or not isinstance(taken_at, int):
        return None
    return Post(
        external_id=media_id,
        content=_caption(node),
        published_at=datetime.fromtimestamp(taken_at, timezone.utc),
        author=_author(node, account),
        url=f"https://www.instagram.com/p/{shortcode}/",
        media_urls=_media(node),
        likes=_likes(node),
        comments=_first_count(node.get("edge_media_to_comment"), node.get("comment_count")),
    )


def media_id_of(node: Json) -> str:
    """Ids of later posts are higher. The empty text stands for none."""
    return str(node.get("pk") or node.get("id") or "").partition("_")[0]


def author_of(user: Json) -> Author:
    username = str(user.get("username", ""))
    large = _object(user.get("hd_profile_pic_url_info")).get("url")
    image = user.get("profile_pic_url_hd") or large or user.get("profile_pic_url")
    return Author(username, str(user.get("full_name") or username), image)


def _author(node: Json, account: Author) -> Author:
    """A post of several accounts is on the page of each, but belongs to one."""
    owner = _object(node.get("owner") or node.get("user"))
    if owner.get("username") in (None, "", account.username):
        return account
    return author_of(owner)


def _caption(node: Json) -> str:
    caption = _object(node.get("caption"))
    edges = _nodes(node.get("edge_media_to_caption"))
    return str((edges[0] if edges else caption).get("text") or "")


def _media(node: Json) -> List[str]:
    carousel = node.get("carousel_media")
    items = _nodes(node.get("edge_sidecar_to_children")) or (carousel if isinstance(carousel, list) else [])
    urls = (_media_url(_object(item)) for item in items or [node])
    return [url for url in urls if url]


def _media_url(node: Json) -> Optional[str]:
    """Returns the video, or its preview image if the address of the video is missing."""
    videos = node.get("video_versions")
    video = _object(videos[0]).get("url") if isinstance(videos, list) and videos else None
    images = _object(node.get("image_versions2")).get("candidates")
    image = _object(images[0]).get("url") if isinstance(images, list) and images else None
    for url in (node.get("video_url"), video, node.get("display_url"), image):
        if isinstance(url, str) and url:
            return url
    return None


def _likes(node: Json) -> Optional[int]:
    return _first_count(node.get("edge_media_preview_like"), node.get("edge_liked_by"), node.get("like_count"))


def _first_count(*values: Any) -> Optional[int]:
    """Hidden numbers are -1."""
    counts = (value.get("count") if isinstance(value, dict) else value for value in values)
    return next((count for count in counts if isinstance(count, int) and count >= 0), None)


def _nodes(connection: Any) -> List[Json]:
    edges = _object(connection).get("edges")
    return [_object(_object(edge).get("node")) for edge in (edges if isinstance(edges, list) else [])]


def _object(value: Any) -> Dict[str, Any]:
    return value if isinstance(value, dict) else {}
