"""Makes commands, and follows the cursors of their answers."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import Any, Callable, Iterator, List

from millrace_worker import Command, Page

Fetch = Callable[[Command], Page]


def command(external_id: str, **options: Any) -> Command:
    return Command("job-1", "source-1", "any", external_id, **options)


def in_seconds(seconds: float) -> datetime:
    return datetime.now(timezone.utc) + timedelta(seconds=seconds)


def pages(fetch: Fetch, asked: Command) -> Iterator[Page]:
    """Yields the requested page and all pages after it."""
    while True:
        page = fetch(asked)
        yield page
        if not page.has_more:
            return
        asked = replace(asked, cursor=page.next_cursor)


def ids(*pages: Page) -> List[str]:
    return [post.external_id for page in pages for post in page.posts]
