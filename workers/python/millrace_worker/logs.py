"""One JSON object a line on stderr."""

from __future__ import annotations

import json
import logging
import sys
from datetime import datetime, timezone
from typing import Any, Dict

from .instants import write_instant

log = logging.getLogger("millrace_worker")

#: As Millrace itself names them in MILLRACE_LOG_LEVEL.
LEVELS = {
    "trace": logging.DEBUG,
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warn": logging.WARNING,
    "error": logging.ERROR,
    "fatal": logging.CRITICAL,
    "silent": logging.CRITICAL + 1,
}
_NAMES = {logging.WARNING: "warn", logging.CRITICAL: "fatal"}


def fields(**values: object) -> Dict[str, Any]:
    """For a log call's `extra`."""
    return {"fields": values}


class _JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": write_instant(datetime.fromtimestamp(record.created, timezone.utc)),
            "level": _NAMES.get(record.levelno, record.levelname.lower()),
            "msg": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["stack"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def start_logging(level: str) -> None:
    """Libraries log through it, too, except pika: what it has to say is said by the worker in one line."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_JsonLines())
    logging.basicConfig(level=LEVELS[level], handlers=[handler], force=True)
    logging.getLogger("pika").setLevel(logging.CRITICAL)
