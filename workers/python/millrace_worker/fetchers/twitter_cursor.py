"""The cursor of a timeline: where it continues, and which posts to leave out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Optional

from ..errors import InvalidCommand
from ..messages import Command

# Ids count milliseconds from this time (ms since 1970), above their lower 22 bits.
_IDS_BEGAN = 1288834974657
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_CURSOR = re.compile(r"([A-Za-z0-9_-]+)(?:~([0-9]{1,20}))?")


@dataclass(frozen=True)
class Position:
    pagination_token: Optional[str]
    since_id: Optional[str]

    def next_cursor(self, next_token: Optional[str]) -> Optional[str]:
        """Returns the cursor of the next page. It repeats `since_id`, because a token is valid only for the same query."""
        if not next_token:
            return None
        return next_token if self.since_id is None else f"{next_token}~{self.since_id}"


def position_of(command: Command) -> Position:
    if command.cursor is None:
        return Position(None, None if command.since is None else since_id(command.since))
    match = _CURSOR.fullmatch(command.cursor)
    if not match:
        raise InvalidCommand(f"params.cursor: {command.cursor[:100]!r} is not a cursor of this worker")
    return Position(match.group(1), match.group(2))


def since_id(since: datetime) -> Optional[str]:
    """Returns an id just below those of posts of that time, or None for times before such ids existed."""
    milliseconds = (since - _EPOCH) // timedelta(milliseconds=1)
    # One is subtracted, because the API leaves out the id itself.
    ids_for = milliseconds - _IDS_BEGAN - 1
    return str(ids_for << 22) if ids_for > 0 else None
