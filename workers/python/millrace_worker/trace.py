"""Finds the trace to which a command belongs, if Millrace records traces."""

from __future__ import annotations

import re
from typing import Any, Dict

_TRACEPARENT = re.compile(r"[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-")


def trace_fields(properties: Any) -> Dict[str, str]:
    """Returns a field for log lines, named as in Millrace's own, or nothing without a W3C traceparent."""
    given = (properties.headers or {}).get("traceparent")
    found = _TRACEPARENT.match(given) if isinstance(given, str) else None
    return {"traceId": found.group(1)} if found else {}
