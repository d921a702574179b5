"""Finds an account and its posts in the data that Instagram's page of the account contains and loads."""

from __future__ import annotations

import json
import re
from typing import Any, Dict, Iterator, List, Optional, Set

from .instagram_posts import media_id_of
from .instagram_timeline import nodes_in

Json = Dict[str, Any]

_SCRIPTS = re.compile(r'<script type="application/json"[^>]*>(.*?)</script>', re.DOTALL)
_VISITORS, _MEMBERS = "edge_owner_to_timeline_media", "xdt_api__v1__feed__user_timeline_graphql_connection"
# Instagram puts this before some of its JSON, so that other sites cannot run it as a script.
_PREFIX = "for (;;);"
_MAX_VALUES = 500_000


class PageData:
    """Instagram changes names of requests often, but rarely those of accounts and timelines, which are found anywhere."""

    def __init__(self, username: str) -> None:
        self.user: Optional[Json] = None
        self.is_missing = False
        self.has_timeline = False
        self.has_more = False
        self.nodes: List[Json] = []
        self._username = username
        self._ids: Set[str] = set()

    @property
    def last_id(self) -> Optional[int]:
        return int(media_id_of(self.nodes[-1])) if self.nodes else None

    @property
    def total(self) -> Optional[int]:
        user = self.user or {}
        count = (user.get(_VISITORS) or {}).get("count", user.get("media_count"))
        return count if isinstance(count, int) and count >= 0 else None

    def add(self, text: str, is_document: bool) -> None:
        for source in _SCRIPTS.findall(text) if is_document else [text]:
            try:
                content = json.loads(source[len(_PREFIX) :] if source.startswith(_PREFIX) else source)
            except (ValueError, RecursionError):
                continue
            if isinstance(content, dict) and content.get("data") == {"user": None}:
                self.is_missing = True
            for parent in _objects_in(content):
                self._add(parent)

    def _add(self, item: Json) -> None:
        owner = item.get("username")
        is_own = isinstance(owner, str) and owner.lower() == self._username
        if is_own and "is_private" in item:
            self.user = {**(self.user or {}), **item}
        self._add_posts(item.get(_MEMBERS))
        if is_own or owner is None:
            self._add_posts(item.get(_VISITORS))

    def _add_posts(self, connection: Any) -> None:
        if not isinstance(connection, dict) or not isinstance(connection.get("edges"), list):
            return
        found = nodes_in(connection)
        self.has_timeline = True
        self.has_more = found.end_cursor is not None
        for node in found.nodes:
            media_id = media_id_of(node)
            if media_id.isdecimal() and media_id not in self._ids:
                self._ids.add(media_id)
                self.nodes.append(node)


def _objects_in(content: Any) -> Iterator[Json]:
    """Yields the objects of a JSON text in its order."""
    left: List[Any] = [content]
    for _ in range(_MAX_VALUES):
        if not left:
            return
        value = left.pop()
        if isinstance(value, dict):
            yield value
            left.extend(reversed(list(value.values())))
        elif isinstance(value, list):
            left.extend(reversed(value))
