"""Reads and writes times in messages."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone

_INSTANT = re.compile(
    r"(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?(?:Z|([+-])(\d\d):(\d\d))", re.ASCII
)


def read_instant(text: str) -> datetime:
    """Reads times such as `2026-01-31T12:00:00Z`; raises ValueError for anything else."""
    match = _INSTANT.fullmatch(text)
    if not match:
        raise ValueError(f"{text!r} is not a time such as 2026-01-31T12:00:00Z")
    minute, second, fraction, sign, hours, minutes = match.groups()
    offset = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
    local = datetime.fromisoformat(f"{minute}:{second or '00'}")
    exact = local.replace(microsecond=int(((fraction or "") + "000000")[:6]), tzinfo=timezone.utc)
    try:
        return exact + offset if sign == "-" else exact - offset
    except OverflowError:
        raise ValueError(f"{text!r} is not within the years 1 to 9999") from None


def write_instant(instant: datetime) -> str:
    """A time without a zone is written without one, which the contract then refuses."""
    if instant.tzinfo is None:
        return instant.isoformat()
    utc = instant.astimezone(timezone.utc)
    return utc.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"
