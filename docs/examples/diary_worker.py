from datetime import datetime, timezone

from millrace_worker import Author, Command, NotFound, Page, Post, fetcher

# A real worker would request a site here.
DIARIES = {"ada": [(3, "It computes."), (2, "It turns."), (1, "It is built.")]}


@fetcher("diary")
def fetch(command: Command) -> Page:
    entries = DIARIES.get(command.external_id)
    if entries is None:
        raise NotFound(f"no diary of {command.external_id}")
    rest = [(day, text) for day, text in entries if command.cursor is None or day < int(command.cursor)]
    page = rest[: command.limit or 50]
    author = Author(username=command.external_id, display_name=command.external_id)
    posts = [Post(str(day), text, datetime(2026, 1, day, 12, tzinfo=timezone.utc), author) for day, text in page]
    has_more = len(page) < len(rest)
    return Page(posts, next_cursor=posts[-1].external_id if has_more else None, has_more=has_more)
