"""Turns the body of a message into the body of its answer, without a broker, a log or state."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Dict, NoReturn, Optional, Union

from .contract import SCHEMA_VERSION, ContractBreach, check
from .errors import FetchError, InvalidCommand
from .failures import describe
from .instants import write_instant
from .messages import Command, LeadPage, Page, ScrapeCommand
from .registry import Fetcher, Plugin

MAX_ANSWER_BYTES = 10 * 1024 * 1024


@dataclass(frozen=True)
class Answer:
    """`outcome` is `success`, `expired`, `late` or an error's code. Without a body, nothing is answered."""

    outcome: str
    ids: Dict[str, str]
    ms: float
    body: Optional[bytes] = None
    error: Optional[BaseException] = None


def answer(plugin: Plugin, body: bytes, correlation_id: Optional[str] = None) -> Answer:
    """Never raises, whatever the message contains and the function does."""
    started = time.monotonic()
    message: Any = None
    command: Union[Command, ScrapeCommand, None] = None
    try:
        message = _parse(body)
        command = _to_command(plugin, message)
        if command.seconds_left() == 0:
            return Answer("expired", _ids(plugin, message, correlation_id), _ms_since(started))
        fields: Dict[str, Any] = {"status": "success", "data": _call(plugin, command)}
        error: Optional[BaseException] = None
    except BaseException as raised:  # This includes SystemExit: a function must not end the worker.
        fields, error = _error_fields(raised), raised
    ids, ms = _ids(plugin, message, correlation_id), _ms_since(started)
    if command and command.seconds_left() == 0:
        return Answer("late", ids, ms, error=error)
    result = {"schemaVersion": SCHEMA_VERSION, **ids, "timestamp": _now(), "processingTime": ms}
    try:
        encoded = _encode(plugin, {**result, **fields})
    except Exception as breach:
        fields, error = _error_fields(breach), breach
        encoded = _encode(plugin, {**result, **fields})
    outcome = fields["error"]["code"] if "error" in fields else "success"
    return Answer(outcome, ids, ms, encoded, error)


def _error_fields(error: BaseException) -> Dict[str, Any]:
    return {"status": "error", "error": describe(error)}


def _parse(body: bytes) -> Any:
    try:
        return json.loads(body, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise InvalidCommand(f"message: not JSON ({error})") from None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _to_command(plugin: Plugin, message: Any) -> Union[Command, ScrapeCommand]:
    try:
        check(f"{_kind(plugin)}-command", message)
        if message["sourceType"] != plugin.source_type:
            raise ValueError(f"sourceType: {message['sourceType']} does not belong on {plugin.queue}")
        return Command.from_json(message) if isinstance(plugin, Fetcher) else ScrapeCommand.from_json(message)
    except ValueError as error:
        raise InvalidCommand(str(error)) from None


def _call(plugin: Plugin, command: Any) -> Dict[str, Any]:
    page = plugin.function(command)
    expected = Page if isinstance(plugin, Fetcher) else LeadPage
    if not isinstance(page, expected):
        raise ContractBreach(f"it is a {type(page).__name__}, not a {expected.__name__}")
    return page.to_json()


def _encode(plugin: Plugin, result: Dict[str, Any]) -> bytes:
    """Lone surrogates cannot be written in UTF-8, so they become question marks."""
    check(f"{_kind(plugin)}-result", result)
    try:
        text = json.dumps(result, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise ContractBreach(f"it cannot be written as JSON: {error}") from None
    encoded = text.encode("utf-8", errors="replace")
    if len(encoded) > MAX_ANSWER_BYTES:
        raise FetchError(
            f"the answer has {len(encoded):,} bytes, the maximum is {MAX_ANSWER_BYTES:,}", retryable=False
        )
    return encoded


def _kind(plugin: Plugin) -> str:
    return "fetch" if isinstance(plugin, Fetcher) else "scrape"


def _ids(plugin: Plugin, message: Any, correlation_id: Optional[str]) -> Dict[str, str]:
    """Returns the ids of the command, as far as they can be read."""
    given = message if isinstance(message, dict) else {}
    ids = {"jobId": _name(given.get("jobId")) or _name(correlation_id) or "unknown"}
    if isinstance(plugin, Fetcher):
        ids["sourceId"] = _name(given.get("sourceId")) or "unknown"
    return ids


def _name(value: object) -> Optional[str]:
    return value if isinstance(value, str) and 1 <= len(value) <= 500 else None


def _now() -> str:
    return write_instant(datetime.now(timezone.utc))


def _ms_since(started: float) -> float:
    return round((time.monotonic() - started) * 1_000, 1)
