"""The same worker as worker.program.ts, on the Python kit."""

from datetime import datetime, timezone

from millrace_worker import Author, Command, Page, Post, fetcher

_POSTS = [
    Post(
        external_id=f"post-{number}",
        content="x" * 500,
        published_at=datetime(2026, 1, 1, tzinfo=timezone.utc),
        author=Author(username="ada", display_name="Ada"),
    )
    for number in range(12)
]


@fetcher("bench-python")
def fetch(command: Command) -> Page:
    return Page(posts=_POSTS)
