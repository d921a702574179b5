"""Writes logs to stderr, one JSON object per line."""

from __future__ import annotations

import json
import logging
import sys
from datetime import datetime, timezone
from typing import Any, Dict

from .instants import write_instant

log = logging.getLogger("millrace_worker")

#: The names are those of MILLRACE_LOG_LEVEL.
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
    """Returns the `extra` of a log call."""
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
    """Includes the logs of libraries, except pika, whose errors the worker logs in one line."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_JsonLines())
    logging.basicConfig(level=LEVELS[level], handlers=[handler], force=True)
    logging.getLogger("pika").setLevel(logging.CRITICAL)
