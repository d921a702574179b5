"""Where a walk through a timeline goes on, and which posts it was asked to leave out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Optional

from ..errors import InvalidCommand
from ..messages import Command

# Milliseconds after 1970 at which the ids begin; the lower 22 bits of one are no time.
_IDS_BEGAN = 1288834974657
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_CURSOR = re.compile(r"([A-Za-z0-9_-]+)(?:~([0-9]{1,20}))?")


@dataclass(frozen=True)
class Place:
    pagination_token: Optional[str]
    since_id: Optional[str]

    def then(self, next_token: Optional[str]) -> Optional[str]:
        """The cursor of the next page. It repeats `since_id`: a token goes with the question it was given for."""
        if not next_token:
            return None
        return next_token if self.since_id is None else f"{next_token}~{self.since_id}"


def place_of(command: Command) -> Place:
    if command.cursor is None:
        return Place(None, None if command.since is None else since_id(command.since))
    match = _CURSOR.fullmatch(command.cursor)
    if not match:
        raise InvalidCommand(f"params.cursor: {command.cursor[:100]!r} was not given by this worker")
    return Place(match.group(1), match.group(2))


def since_id(since: datetime) -> Optional[str]:
    """An id just below those of posts of that time. None for times before there were such ids."""
    milliseconds = (since - _EPOCH) // timedelta(milliseconds=1)
    # One less, because the API leaves out the id itself.
    ids_for = milliseconds - _IDS_BEGAN - 1
    return str(ids_for << 22) if ids_for > 0 else None
