"""The arguments and results of fetchers and scrapers."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from typing import Any, Dict, Mapping, Optional, Sequence

from .instants import read_instant, write_instant

Json = Dict[str, Any]


class _WithDeadline:
    """A command whose answer is ignored after `deadline`."""

    deadline: Optional[datetime]

    def seconds_left(self, now: Optional[datetime] = None) -> Optional[float]:
        """Returns the seconds until the deadline, at least 0, or None if the command has no timeout."""
        if self.deadline is None:
            return None
        return max(0.0, (self.deadline - (now or datetime.now(timezone.utc))).total_seconds())


@dataclass(frozen=True)
class Command(_WithDeadline):
    """Asks for one page of a source's posts, the newest ones unless `cursor` says where to continue."""

    job_id: str
    source_id: str
    source_type: str
    external_id: str
    cursor: Optional[str] = None
    since: Optional[datetime] = None
    limit: Optional[int] = None
    timeout_ms: Optional[int] = None
    deadline: Optional[datetime] = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def from_json(cls, message: Mapping[str, Any]) -> Command:
        """Reads a message that is known to be valid."""
        params = message["params"]
        since = params.get("since")
        return cls(
            source_id=message["sourceId"],
            external_id=message["externalId"],
            since=None if since is None else read_instant(since),
            **_common_fields(message),
        )


@dataclass(frozen=True)
class ScrapeCommand(_WithDeadline):
    """Asks for one page of leads that match the criteria."""

    job_id: str
    source_type: str
    industry: Optional[str] = None
    geography: Optional[str] = None
    keywords: Sequence[str] = ()
    search_query: Optional[str] = None
    filters: Mapping[str, Any] = field(default_factory=dict)
    cursor: Optional[str] = None
    limit: Optional[int] = None
    timeout_ms: Optional[int] = None
    deadline: Optional[datetime] = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def from_json(cls, message: Mapping[str, Any]) -> ScrapeCommand:
        """Reads a message that is known to be valid."""
        params = message["params"]
        return cls(
            industry=params.get("industry"),
            geography=params.get("geography"),
            keywords=tuple(params.get("keywords") or ()),
            search_query=params.get("searchQuery"),
            filters=params.get("filters") or {},
            **_common_fields(message),
        )


def _common_fields(message: Mapping[str, Any]) -> Json:
    timeout = message.get("timeout")
    return {
        "job_id": message["jobId"],
        "source_type": message["sourceType"],
        "cursor": message["params"].get("cursor"),
        "limit": message["params"].get("limit"),
        "timeout_ms": timeout,
        "deadline": None if timeout is None else _add_milliseconds(read_instant(message["timestamp"]), timeout),
        "metadata": message.get("metadata") or {},
    }


def _add_milliseconds(instant: datetime, ms: int) -> Optional[datetime]:
    try:
        return instant + timedelta(milliseconds=ms)
    except OverflowError:
        return None  # After the year 9999.


@dataclass(frozen=True)
class Author:
    username: str
    display_name: str
    avatar_url: Optional[str] = None

    def to_json(self) -> Json:
        return _without_none(
            {"username": self.username, "displayName": self.display_name, "avatarUrl": self.avatar_url}
        )


@dataclass(frozen=True)
class Post:
    """`external_id` is the site's own id of the post; `published_at` must have a time zone."""

    external_id: str
    content: str
    published_at: datetime
    author: Author
    url: Optional[str] = None
    title: Optional[str] = None
    media_urls: Sequence[str] = ()
    likes: Optional[int] = None
    comments: Optional[int] = None
    shares: Optional[int] = None
    content_format: str = "text"

    def to_json(self) -> Json:
        metrics = _without_none({"likes": self.likes, "comments": self.comments, "shares": self.shares})
        return _without_none(
            {
                "externalId": self.external_id,
                "content": self.content,
                "contentFormat": self.content_format,
                "title": self.title,
                "url": self.url,
                "mediaUrls": list(self.media_urls),
                "publishedAt": write_instant(self.published_at),
                "author": self.author.to_json(),
                "metrics": metrics or None,
            }
        )


@dataclass(frozen=True)
class Page:
    """Posts, usually newest first. `next_cursor` is where older ones begin, required if `has_more`."""

    posts: Sequence[Post]
    next_cursor: Optional[str] = None
    has_more: bool = False
    total_available: Optional[int] = None
    skipped: int = 0

    def to_json(self) -> Json:
        counts = {
            "totalAvailable": self.total_available,
            "fetchedCount": len(self.posts),
            "skippedCount": self.skipped,
        }
        return _without_none(
            {
                "posts": [post.to_json() for post in self.posts],
                "nextCursor": self.next_cursor,
                "hasMore": self.has_more,
                "metadata": _without_none(counts),
            }
        )


@dataclass(frozen=True)
class Lead:
    """A company or person that was found. `raw` is the data of the site, which must be valid JSON."""

    name: str
    domain: Optional[str] = None
    emails: Sequence[str] = ()
    phones: Sequence[str] = ()
    address: Optional[str] = None
    country: Optional[str] = None
    description: Optional[str] = None
    url: Optional[str] = None
    raw: Any = None

    def to_json(self) -> Json:
        described = {
            "name": self.name,
            "domain": self.domain,
            "emails": list(self.emails),
            "phones": list(self.phones),
            "address": self.address,
            "country": self.country,
            "description": self.description,
            "url": self.url,
        }
        return {**_without_none(described), "raw": self.raw}


@dataclass(frozen=True)
class LeadPage:
    leads: Sequence[Lead]
    next_cursor: Optional[str] = None
    has_more: bool = False
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> Json:
        return _without_none(
            {
                "leads": [lead.to_json() for lead in self.leads],
                "nextCursor": self.next_cursor,
                "hasMore": self.has_more,
                "metadata": dict(self.metadata),
            }
        )


def _without_none(values: Mapping[str, Any]) -> Json:
    return {name: value for name, value in values.items() if value is not None}
