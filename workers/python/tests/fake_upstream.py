"""
What the fake sites have in common: an HTTP server on loopback that records its requests and can be made to
fail. `python3 -m tests.fake_instagram --port 0 --accounts 200 --posts 30` prints its address as the first line and
runs until it is stopped; so does tests.fake_twitter.

`GET /control` answers `{"requests": [{"method", "path", "query"}, …], "accounts": {name: [ids, newest first], …}}`.
`POST /control` takes a JSON object with any of these, and answers with an object of what they gave:

  {"addPost": {"account": "account_1", "text": "…"}}        → {"addPost": "<id>"}; every other key changes the post
  {"account": {"name": "x", "posts": 3, "private": true}}   adds an account, or changes the one of that name
  {"fail": {"status": 503, "times": 3}}                     the next answers; null times: all from now on. Also
                                                            body, headers, path (the beginning of those that fail)
  {"delay": {"seconds": 2, "times": 1}}                     answers after this delay
  {"drip": {"seconds": 0.05, "times": 1}}                   answers one byte at a time, with this delay between them
  {"forget": true}                                          empties the list of requests, ends failures and delays
"""

from __future__ import annotations

import argparse
import json
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, List, Optional, Union
from urllib.parse import parse_qsl, urlsplit

Json = Dict[str, Any]


@dataclass
class Request:
    method: str
    path: str
    query: Dict[str, str]
    headers: Dict[str, str] = field(repr=False, default_factory=dict)

    @property
    def cookies(self) -> Dict[str, str]:
        given = self.headers.get("cookie", "").split(";")
        pairs = (one.strip().partition("=")[::2] for one in given if "=" in one)
        return {name: value.strip('"') for name, value in pairs}


@dataclass
class Answer:
    body: Any
    status: int = 200
    headers: Dict[str, Union[str, List[str]]] = field(default_factory=dict)

    def content(self) -> bytes:
        return (self.body if isinstance(self.body, str) else json.dumps(self.body)).encode()


@dataclass
class Fault:
    kind: str
    times: Optional[int]
    seconds: float = 0.0
    answer: Optional[Answer] = None
    path: str = ""


class FakeUpstream:
    """Answers through `answer(request)`; `accounts()` and `add_account`, `add_post` serve the control interface."""

    def __init__(self, port: int = 0) -> None:
        self.requests: List[Request] = []
        self._faults: List[Fault] = []
        self._lock = threading.RLock()
        fake = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                fake._handle(self)

            do_POST = do_GET

            def log_message(self, *_args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def answer(self, request: Request) -> Answer:
        raise NotImplementedError

    def accounts(self) -> Dict[str, List[str]]:
        raise NotImplementedError

    def add_account(self, name: str, **options: Any) -> Any:
        raise NotImplementedError

    def add_post(self, account: str, **options: Any) -> str:
        raise NotImplementedError

    def actions(self) -> Dict[str, Callable[[Any], Any]]:
        """The actions that a message to `/control` can request."""
        return {
            "addPost": lambda given: self.add_post(**given),
            "account": lambda given: self.add_account(**given),
            "fail": lambda given: self.fail(**given),
            "delay": lambda given: self.delay(**given),
            "drip": lambda given: self.drip(**given),
            "forget": lambda _given: self.forget(),
        }

    def fail(self, status: int, body: Any = "", times: Optional[int] = 1, **options: Any) -> None:
        answer = Answer(body, status, options.get("headers", {}))
        self._add_fault(Fault("fail", times, answer=answer, path=options.get("path", "")))

    def delay(self, seconds: float, times: Optional[int] = 1) -> None:
        self._add_fault(Fault("delay", times, seconds))

    def drip(self, seconds: float, times: Optional[int] = 1) -> None:
        self._add_fault(Fault("drip", times, seconds))

    def forget(self) -> None:
        with self._lock:
            self.requests.clear()
            self._faults.clear()

    def start(self) -> FakeUpstream:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def serve(self) -> None:
        self._server.serve_forever()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _add_fault(self, fault: Fault) -> None:
        with self._lock:
            self._faults.append(fault)

    def _handle(self, handler: BaseHTTPRequestHandler) -> None:
        given = handler.rfile.read(int(handler.headers.get("content-length") or 0)).decode()
        url = urlsplit(handler.path)
        if url.path == "/control":
            return _send(handler, Answer(self._control(json.loads(given) if given else {})))
        query = dict(parse_qsl(url.query) + parse_qsl(given))
        headers = {name.lower(): value for name, value in handler.headers.items()}
        request = Request(handler.command, url.path, query, headers)
        with self._lock:
            self.requests.append(request)
            faults = self._due(request)
            failed = next((one.answer for one in faults if one.answer), None)
            answer = failed or self.answer(request)
        time.sleep(sum(one.seconds for one in faults if one.kind == "delay"))
        pause = next((one.seconds for one in faults if one.kind == "drip"), None)
        return _send(handler, answer, pause)

    def _due(self, request: Request) -> List[Fault]:
        """Returns at most one fault of each kind."""
        matching = [one for one in self._faults if request.path.startswith(one.path)]
        due = list({one.kind: one for one in reversed(matching)}.values())
        for fault in due:
            if fault.times is not None:
                fault.times -= 1
        self._faults = [one for one in self._faults if one.times is None or one.times > 0]
        return due

    def _control(self, message: Json) -> Json:
        actions = self.actions()
        with self._lock:
            if message:
                return {name: actions[name](given) for name, given in message.items()}
            asked = [{"method": one.method, "path": one.path, "query": one.query} for one in self.requests]
            return {"requests": asked, "accounts": self.accounts()}


def _send(handler: BaseHTTPRequestHandler, answer: Answer, pause: Optional[float] = None) -> None:
    content = answer.content()
    try:
        handler.send_response(answer.status)
        for name, value in {"content-type": "application/json", **answer.headers}.items():
            for line in [value] if isinstance(value, str) else value:
                handler.send_header(name, line)
        handler.send_header("content-length", str(len(content)))
        handler.end_headers()
        if pause is None:
            handler.wfile.write(content)
            return
        for byte in content:
            handler.wfile.write(bytes([byte]))
            time.sleep(pause)
    except (BrokenPipeError, ConnectionResetError):
        # The other side stopped waiting, which is what some tests are about.
        handler.close_connection = True


def run(make: Callable[[int, int, int], FakeUpstream], description: str) -> None:
    """The command line of a fake."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--accounts", type=int, default=10, help="account_1, account_2 …")
    parser.add_argument("--posts", type=int, default=30, help="of each account at the start")
    options = parser.parse_args()
    fake = make(options.port, options.accounts, options.posts)
    print(fake.url, flush=True)
    try:
        fake.serve()
    except KeyboardInterrupt:
        fake.stop()
