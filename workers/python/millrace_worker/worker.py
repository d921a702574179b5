"""Serves every registered type, and reconnects whenever the connection is lost, until it is stopped."""

from __future__ import annotations

import time
from typing import Any, List, Sequence
from urllib.parse import urlsplit

from pika import BlockingConnection, URLParameters
from pika.exceptions import AMQPError

from .backoff import MAX_SECONDS, Backoff
from .lane import Lane
from .logs import fields, log
from .registry import Plugin

_POLL_SECONDS = 0.2
_HEARTBEAT_SECONDS = 30
_BLOCKED_SECONDS = 300


class Worker:
    def __init__(self, url: str, plugins: Sequence[Plugin]) -> None:
        self._parameters = _parameters(url)
        self._lanes: List[Lane] = [Lane(plugin) for plugin in plugins]
        self._is_stopping = False

    def stop(self) -> None:
        """Takes no more commands; `run` returns once the current ones are answered. Signal handlers may call this."""
        self._is_stopping = True

    def run(self) -> None:
        """Returns only after `stop`."""
        backoff = Backoff()
        where = fields(host=self._parameters.host, port=self._parameters.port, vhost=self._parameters.virtual_host)
        while not self._is_stopping:
            since = time.monotonic()
            try:
                connection = BlockingConnection(self._parameters)
                log.info("connected", extra=where)
                self._serve(connection)
            except Exception as error:  # A new connection resolves whatever failed.
                details = {**where["fields"], "reason": str(error) or repr(error)}
                expected = isinstance(error, (AMQPError, OSError))
                log.warning("connection failed", extra=fields(**details), exc_info=None if expected else error)
            for lane in self._lanes:
                lane.forget_delivery()
            if time.monotonic() - since > MAX_SECONDS:
                backoff.reset()
            self._pause(backoff.next_delay())

    def _serve(self, connection: BlockingConnection) -> None:
        try:
            while not self._is_stopping:
                for lane in self._lanes:
                    lane.ensure_consuming(connection)
                connection.process_data_events(_POLL_SECONDS)
            for lane in self._lanes:
                lane.stop_consuming()
            while not all(lane.is_settled for lane in self._lanes):
                connection.process_data_events(_POLL_SECONDS)
        finally:
            _close(connection)

    def _pause(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while not self._is_stopping and time.monotonic() < end:
            time.sleep(_POLL_SECONDS)


def _parameters(url: str) -> Any:
    if not url.startswith(("amqp://", "amqps://")):
        raise ValueError("it must begin with amqp:// or amqps://")
    address = urlsplit(url)
    if address.username is not None and address.password is None:
        raise ValueError("it has a user but no password")
    parameters = URLParameters(url)
    if parameters.heartbeat is None:
        parameters.heartbeat = _HEARTBEAT_SECONDS
    if parameters.blocked_connection_timeout is None:
        parameters.blocked_connection_timeout = _BLOCKED_SECONDS
    return parameters


def _close(connection: BlockingConnection) -> None:
    try:
        connection.close()
    except AMQPError:
        pass  # It was already closed.
