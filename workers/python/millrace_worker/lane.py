"""Consumes one queue and runs its commands in a thread.

The connection belongs to the worker's main thread; all but `_work` runs there. A delivery goes to this lane's thread, and
its answer comes back through `add_callback_threadsafe`, so that heartbeats flow however long a function takes.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any, Optional

from pika import BasicProperties, BlockingConnection
from pika.exceptions import AMQPChannelError, AMQPConnectionError, ChannelClosed, NackError, UnroutableError

from .answer import Answer, answer
from .backoff import Backoff
from .failures import is_unexpected, text_of
from .logs import fields, log
from .registry import Plugin
from .trace import trace_fields

_DIRECT_REPLY = "amq.rabbitmq.reply-to."


@dataclass(frozen=True)
class Delivery:
    connection: Any
    tag: int
    properties: Any
    body: bytes


class Lane:
    def __init__(self, plugin: Plugin) -> None:
        self._plugin = plugin
        self._channel: Any = None
        self._consumer: Optional[str] = None
        self._unsettled: Optional[Delivery] = None
        self._is_working = False
        self._inbox: SimpleQueue[Delivery] = SimpleQueue()
        self._backoff = Backoff()
        self._next_attempt = 0.0
        self._last_reason = ""
        Thread(target=self._work, name=plugin.queue, daemon=True).start()

    @property
    def is_settled(self) -> bool:
        return self._unsettled is None

    def ensure_consuming(self, connection: BlockingConnection) -> None:
        """Starts to consume unless it does already, or a command from before the connection was lost is still running."""
        if self._is_consuming() or not self.is_settled or self._is_working or time.monotonic() < self._next_attempt:
            return
        try:
            self._open(connection)
        except AMQPChannelError as error:
            self._wait(error)
        else:
            log.info("consuming", extra=fields(queue=self._plugin.queue))
            self._last_reason = ""

    def stop_consuming(self) -> None:
        """Returns commands that were delivered but not started to the queue."""
        if self._is_consuming():
            self._channel.basic_cancel(self._consumer)
        self._consumer = None

    def forget_delivery(self) -> None:
        """Forgets the current command: its connection is lost, so RabbitMQ delivers it again."""
        if self._unsettled:
            job = self._unsettled.properties.correlation_id
            log.warning("connection lost before the answer", extra=fields(queue=self._plugin.queue, jobId=job))
        self._channel = self._consumer = self._unsettled = None

    def _is_consuming(self) -> bool:
        return self._consumer is not None and self._channel.is_open

    def _open(self, connection: BlockingConnection) -> None:
        """Fails if the queue does not exist. Millrace declares it, and both would have to use the same arguments."""
        if self._channel and self._channel.is_open:
            self._channel.close()
        self._channel = connection.channel()
        self._channel.add_on_cancel_callback(self._on_cancel)
        self._channel.confirm_delivery()
        self._channel.basic_qos(prefetch_count=1)
        self._consumer = self._channel.basic_consume(self._plugin.queue, partial(self._on_message, connection))

    def _wait(self, error: AMQPChannelError) -> None:
        self._consumer = None
        self._next_attempt = time.monotonic() + self._backoff.next_delay()
        reason = error.reply_text if isinstance(error, ChannelClosed) else repr(error)
        details = fields(queue=self._plugin.queue, reason=reason)
        if reason == self._last_reason:
            log.debug("still waiting for the queue", extra=details)
        else:
            log.warning("waiting for the queue", extra=details)
        self._last_reason = reason

    def _on_cancel(self, _method: Any) -> None:
        log.warning("RabbitMQ cancelled the consumer; the queue may have been deleted", extra=fields(queue=self._plugin.queue))
        self._consumer = None

    def _on_message(self, connection: Any, _channel: Any, method: Any, properties: Any, body: bytes) -> None:
        self._unsettled = Delivery(connection, method.delivery_tag, properties, body)
        if properties.reply_to:
            self._is_working = True
            self._inbox.put(self._unsettled)
        else:
            log.warning("skipped a command without reply_to", extra=self._log_fields())
            self._settle(self._unsettled, None)

    def _work(self) -> None:
        """Runs in the thread of this lane."""
        while True:
            delivery = self._inbox.get()
            answered = answer(self._plugin, delivery.body, delivery.properties.correlation_id)
            self._is_working = False
            try:
                delivery.connection.add_callback_threadsafe(partial(self._settle, delivery, answered))
            except AMQPConnectionError:
                pass  # `forget_delivery` logs it.

    def _settle(self, delivery: Delivery, answered: Optional[Answer]) -> None:
        """Replies, and acknowledges the command once RabbitMQ has confirmed the reply."""
        if delivery is not self._unsettled:
            return
        try:
            if answered is None or self._reply(delivery, answered):
                self._channel.basic_ack(delivery.tag)
            else:
                self._channel.basic_nack(delivery.tag, requeue=False)
            if answered:
                self._log_answer(answered)
            self._backoff.reset()
        except AMQPChannelError as error:
            # RabbitMQ delivers the command again, and the same answer may close the channel again.
            self._next_attempt = time.monotonic() + self._backoff.next_delay()
            log.warning("answer failed", extra=self._log_fields(reason=repr(error)))
        self._unsettled = None

    def _reply(self, delivery: Delivery, answered: Answer) -> bool:
        """Returns whether the command is finished. If RabbitMQ refuses the reply, it becomes a dead letter."""
        if answered.body is None:
            return True
        reply_to, given = delivery.properties.reply_to, delivery.properties
        properties = BasicProperties(
            content_type="application/json",
            correlation_id=given.correlation_id or answered.ids["jobId"],
            app_id="millrace-worker",
        )
        try:
            # RabbitMQ returns every mandatory message to a direct reply-to, even if it arrives.
            mandatory = not reply_to.startswith(_DIRECT_REPLY)
            self._channel.basic_publish("", reply_to, answered.body, properties, mandatory)
        except UnroutableError:
            log.info("the caller is gone", extra=self._log_fields())
        except NackError:
            log.error("RabbitMQ refused the reply", extra=self._log_fields())
            return False
        return True

    def _log_answer(self, answered: Answer) -> None:
        size = None if answered.body is None else len(answered.body)
        details = self._log_fields(**answered.ids, outcome=answered.outcome, ms=answered.ms, bytes=size)
        if answered.outcome == "expired":
            log.warning("skipped an expired command (or the clocks differ)", extra=details)
        elif answered.outcome == "late":
            log.warning("finished after the deadline, so the answer was dropped", extra=details)
        elif answered.error is None:
            log.info("answered", extra=details)
        else:
            stack = answered.error if is_unexpected(answered.error) else None
            details["fields"]["reason"] = text_of(answered.error)
            log.warning("failed", extra=details, exc_info=stack)

    def _log_fields(self, **values: object) -> Any:
        given = self._unsettled.properties if self._unsettled else None
        ids = {"jobId": given.correlation_id, **trace_fields(given)} if given else {}
        return fields(queue=self._plugin.queue, sourceType=self._plugin.source_type, **{**ids, **values})
