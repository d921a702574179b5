"""
A Chromium without a window, driven by Selenium, which opens one page at a time.

MILLRACE_CHROMIUM        the program (default: chromium, chromium-browser or google-chrome in PATH)
MILLRACE_CHROMEDRIVER    the driver of the same version (default: chromedriver in PATH)
MILLRACE_CHROMIUM_FLAGS  more flags, such as --proxy-server=http://proxy:3128
"""

from __future__ import annotations

import json
import logging
import os
import re
import shlex
import shutil
import subprocess
import sys
import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Optional

from selenium.common.exceptions import WebDriverException
from selenium.webdriver import ChromeOptions, Remote
from selenium.webdriver.chromium.remote_connection import ChromiumRemoteConnection
from urllib3.exceptions import HTTPError

from ..errors import FetchError, NetworkError, TimedOut, UnknownError
from ..logs import fields, log
from .settings import setting

# Chromium grows with every page, so it is replaced after so many.
_MAX_PAGES = 50
_IDLE_SECONDS = 300.0
_ALIVE_SECONDS = 5.0
_MAX_BODY_BYTES = 5_000_000
_MAX_PAGE_BYTES = 30_000_000
_GUARD_END_SECONDS = 20.0
_GUARD = Path(__file__).with_name("browser_guard.py")
_STARTED = re.compile(r"started successfully on port (\d+)")
_FLAGS = (
    "--headless=new",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-extensions",
    "--mute-audio",
    "--lang=en-US",
    "--window-size=1280,1600",
    "--js-flags=--max-old-space-size=512",
)
_PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
# Instagram's page is read from its data, so pictures are not loaded.
_PREFERENCES = {"profile.managed_default_content_settings.images": 2}
_MISSING_BODY = ("No resource with given identifier", "No data found", "evicted")

# At the level debug, Selenium logs all that it sends, such as cookies.
logging.getLogger("selenium").setLevel(logging.WARNING)


@dataclass(frozen=True)
class Response:
    """A document or data that the page has loaded."""

    url: str
    status: int
    headers: Mapping[str, str]
    text: str
    is_document: bool


class Browser:
    """Starts Chromium for the first page and again whenever it has died. Ends it when it has been idle for five minutes."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        """Raises ValueError if a program is missing."""
        self._chromium = _find(environ, "MILLRACE_CHROMIUM", _PROGRAMS)
        self._chromedriver = _find(environ, "MILLRACE_CHROMEDRIVER", ("chromedriver",))
        self._flags = [*_FLAGS, *shlex.split(environ.get("MILLRACE_CHROMIUM_FLAGS", ""))]
        self._lock = threading.Lock()
        self._guard: Optional[subprocess.Popen[str]] = None
        self._driver: Any = None
        self._pages = 0
        self._idle: Optional[threading.Timer] = None

    @contextmanager
    def page(self, url: str, seconds: float, cookies: Optional[Mapping[str, str]] = None) -> Iterator[BrowserPage]:
        """Opens a page. After `seconds`, the browser is killed, whatever it does, and TimedOut is raised."""
        is_late = threading.Event()

        def stop() -> None:
            is_late.set()
            self._kill()

        deadline = threading.Timer(seconds, stop)
        deadline.daemon = True
        with self._lock:
            self._cancel_idle()
            deadline.start()
            try:
                self._ensure_started(is_late)
                try:
                    yield BrowserPage(self._driver, url, cookies or {})
                finally:
                    self._leave_page()
            except (WebDriverException, HTTPError, OSError, FetchError) as error:
                if isinstance(error, FetchError) and not is_late.is_set():
                    raise
                self._end()
                raise _failure(error, seconds if is_late.is_set() else None) from error
            finally:
                deadline.cancel()

    def close(self) -> None:
        """Ends the browser even if it still loads a page."""
        self._kill()
        self._close_idle()

    def _close_idle(self) -> None:
        with self._lock:
            self._cancel_idle()
            self._end()

    def _ensure_started(self, is_late: threading.Event) -> None:
        if self._driver and self._is_alive():
            return
        if self._driver:
            log.warning("the browser has died and is started again")
        self._end()
        if is_late.is_set():
            raise TimedOut("no time left to start the browser")
        command = [sys.executable, "-I", str(_GUARD), self._chromedriver, "--port=0"]
        # A session of its own keeps signals of the terminal away from it, so that the current command can end.
        self._guard = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True
        )
        connection = ChromiumRemoteConnection(
            remote_server_addr=f"http://127.0.0.1:{_port_of(self._guard)}",
            vendor_prefix="goog",
            browser_name="chrome",
            ignore_proxy=True,
        )
        try:
            self._driver = Remote(connection, options=_options(self._chromium, self._flags))
        except (WebDriverException, HTTPError, OSError) as error:
            raise UnknownError(f"Could not start {self._chromium}: {_first_line(error)}") from error
        self._pages = 0
        log.info("browser started", extra=fields(version=self._driver.capabilities.get("browserVersion")))

    def _is_alive(self) -> bool:
        limit = threading.Timer(_ALIVE_SECONDS, self._kill)
        limit.daemon = True
        limit.start()
        try:
            return bool(self._driver.current_url)
        except (WebDriverException, HTTPError, OSError):
            return False
        finally:
            limit.cancel()

    def _leave_page(self) -> None:
        """An empty page frees the memory of the last one, and stops its requests."""
        self._pages += 1
        if self._pages >= _MAX_PAGES:
            self._end()
            return
        self._driver.get("about:blank")
        self._driver.execute("executeCdpCommand", {"cmd": "Network.clearBrowserCookies", "params": {}})
        self._idle = threading.Timer(_IDLE_SECONDS, self._close_idle)
        self._idle.daemon = True
        self._idle.start()

    def _cancel_idle(self) -> None:
        if self._idle:
            self._idle.cancel()
        self._idle = None

    def _end(self) -> None:
        if self._driver:
            self._driver.command_executor.close()
        guard = self._guard
        self._driver = self._guard = None
        if guard is None:
            return
        _close_input(guard)
        try:
            guard.wait(_GUARD_END_SECONDS)
        except subprocess.TimeoutExpired:
            guard.kill()
            guard.wait()
        if guard.stdout:
            guard.stdout.close()

    def _kill(self) -> None:
        """Runs in the thread of a timer. Calls that wait for the browser then fail."""
        if self._guard:
            _close_input(self._guard)


class BrowserPage:
    def __init__(self, driver: Any, url: str, cookies: Mapping[str, str]) -> None:
        self._driver = driver
        self._bytes = 0
        self._received: Dict[str, Dict[str, Any]] = {}
        self._document = ""
        self._frame = driver.current_window_handle
        self._events()
        self._command("Network.setUserAgentOverride", userAgent=_user_agent(driver), acceptLanguage="en-US,en")
        for name, value in cookies.items():
            self._command("Network.setCookie", name=name, value=value, url=url)
        driver.get(url)

    @property
    def location(self) -> str:
        return str(self._driver.current_url)

    def text(self) -> str:
        return str(self._driver.execute_script("return document.body ? document.body.innerText : ''"))

    def scroll_down(self) -> None:
        self._driver.execute_script("if (document.body) window.scrollTo(0, document.body.scrollHeight)")

    def responses(self) -> Iterator[Response]:
        """Yields the documents and JSON texts that arrived since the last call."""
        for event in self._events():
            params = event.get("params", {})
            request = str(params.get("requestId"))
            if event.get("method") == "Network.requestWillBeSent":
                if params.get("type") == "Document" and params.get("frameId") == self._frame:
                    self._document = request
            elif event.get("method") == "Network.responseReceived":
                if request == self._document or _is_data(params):
                    self._received[request] = params["response"]
            elif event.get("method") == "Network.loadingFinished" and request in self._received:
                yield self._response(request, params.get("encodedDataLength", 0))
            elif event.get("method") == "Network.loadingFailed":
                # Chromium also reports an error without a text as a failure.
                if request in self._received:
                    yield self._response(request, None)
                elif request == self._document and not params.get("canceled"):
                    raise NetworkError(f"could not load the page: {params.get('errorText')}")

    def _events(self) -> List[Dict[str, Any]]:
        entries = self._driver.execute("getLog", {"type": "performance"})["value"]
        return [json.loads(entry["message"])["message"] for entry in entries]

    def _response(self, request: str, size: Optional[float]) -> Response:
        response = self._received.pop(request)
        self._bytes += int(size or 0)
        if self._bytes > _MAX_PAGE_BYTES:
            raise UnknownError(f"the page loaded more than {_MAX_PAGE_BYTES:,} bytes", retryable=False)
        text = "" if size is None or size > _MAX_BODY_BYTES else self._body(request)
        headers = {str(name).lower(): str(value) for name, value in response.get("headers", {}).items()}
        return Response(str(response["url"]), int(response["status"]), headers, text, request == self._document)

    def _body(self, request: str) -> str:
        try:
            body = self._command("Network.getResponseBody", requestId=request)
        except WebDriverException as error:
            if any(reason in str(error.msg) for reason in _MISSING_BODY):
                return ""
            raise
        return "" if body.get("base64Encoded") else str(body.get("body", ""))

    def _command(self, name: str, /, **params: Any) -> Any:
        return self._driver.execute("executeCdpCommand", {"cmd": name, "params": params})["value"]


def _find(environ: Mapping[str, str], variable: str, names: tuple[str, ...]) -> str:
    given = setting(environ, variable)
    for name in [given] if given else names:
        path = shutil.which(name)
        if path:
            return path
    raise ValueError(f"there is no program {given or names[0]}; {variable} names another")


def _options(chromium: str, flags: List[str]) -> Any:
    options = ChromeOptions()
    options.binary_location = chromium
    # The page is watched while it loads.
    options.page_load_strategy = "none"
    options.unhandled_prompt_behavior = "dismiss"
    options.add_experimental_option("prefs", _PREFERENCES)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL"})
    for flag in flags if os.name != "posix" or os.geteuid() else [*flags, "--no-sandbox"]:
        options.add_argument(flag)  # type: ignore[no-untyped-call]
    return options


def _port_of(guard: subprocess.Popen[str]) -> int:
    """Afterwards the output is read and dropped, because chromedriver would stop if nobody read it."""
    output = guard.stdout
    for line in output or ():
        started = _STARTED.search(line)
        if started and output:
            threading.Thread(target=output.read, daemon=True, name="output of chromedriver").start()
            return int(started.group(1))
    raise UnknownError("Could not start chromedriver")


def _is_data(params: Mapping[str, Any]) -> bool:
    kind = str(params["response"].get("mimeType"))
    return params.get("type") in ("XHR", "Fetch") and ("json" in kind or "javascript" in kind)


def _user_agent(driver: Any) -> str:
    """The pages for people, not those for programs without a window."""
    return str(driver.execute_script("return navigator.userAgent")).replace("HeadlessChrome", "Chrome")


def _close_input(guard: subprocess.Popen[str]) -> None:
    with suppress(OSError, ValueError):
        if guard.stdin:
            guard.stdin.close()


def _failure(error: Exception, late_after: Optional[float]) -> FetchError:
    if late_after is not None:
        return TimedOut(f"the browser did not load the page within {late_after:.3g} s")
    if "net::ERR" in str(error):
        return NetworkError(f"could not load the page: {_first_line(error)}")
    return UnknownError(f"the browser ended unexpectedly: {_first_line(error)}")


def _first_line(error: Exception) -> str:
    return (str(getattr(error, "msg", None) or error) or repr(error)).splitlines()[0][:300]
