"""A proxy in front of RabbitMQ that a test can cut, keep cut and pause."""

from __future__ import annotations

import socket
import threading
from typing import List
from urllib.parse import urlsplit, urlunsplit


class CutWire:
    def __init__(self, url: str) -> None:
        self._given = urlsplit(url)
        self._ends: List[socket.socket] = []
        self._flows = threading.Event()
        self._flows.set()
        self._is_refusing = False
        self.connections = 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        login = self._given.netloc.rpartition("@")[0]
        port = self._listener.getsockname()[1]
        return urlunsplit(self._given._replace(netloc=f"{login}@127.0.0.1:{port}"))

    def cut(self) -> None:
        """Ends every connection, as a broker that dies would."""
        ends, self._ends = self._ends, []
        for end in ends:
            _shut(end)

    def refuse(self) -> None:
        """Cuts all connections and refuses new ones."""
        self._is_refusing = True
        self.cut()

    def accept(self) -> None:
        self._is_refusing = False

    def hold(self) -> None:
        """Passes nothing on, without closing the connections."""
        self._flows.clear()

    def close(self) -> None:
        self._listener.close()
        self._flows.set()
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            if self._is_refusing:
                _shut(near)
                continue
            # New connections are not paused.
            self._flows = self._flows if self._flows.is_set() else _set()
            far = socket.create_connection((self._given.hostname or "127.0.0.1", self._given.port or 5672))
            self._ends += [near, far]
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=_pump, args=(source, target, self._flows), daemon=True).start()


def _set() -> threading.Event:
    event = threading.Event()
    event.set()
    return event


def _pump(source: socket.socket, target: socket.socket, flows: threading.Event) -> None:
    try:
        while True:
            data = source.recv(65_536)
            flows.wait()
            if not data:
                break
            target.sendall(data)
    except OSError:
        pass  # The other side has closed the connection.
    _shut(source)
    _shut(target)


def _shut(end: socket.socket) -> None:
    try:
        end.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # It is closed already.
    end.close()
