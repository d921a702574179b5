"""What the tests with a real Chromium share."""

from __future__ import annotations

import os
import shutil
import time
import unittest
from pathlib import Path
from typing import Any, Dict, List
from unittest import mock

from millrace_worker import Page
from millrace_worker.fetchers.instagram import Instagram

from .fake_instagram import FakeInstagram
from .paging import command, pages

try:
    from millrace_worker.fetchers.instagram_fallback import BrowserFallback
except ImportError:
    BrowserFallback = None  # type: ignore[assignment, misc]

CHROMIUM = os.environ.get("TEST_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
CHROMEDRIVER = os.environ.get("TEST_CHROMEDRIVER") or shutil.which("chromedriver")
MISSING = "there is no selenium, Chromium or chromedriver (Debian: python3-selenium, chromium, chromium-driver)"
needs_browser = unittest.skipUnless(BrowserFallback and CHROMIUM and CHROMEDRIVER, MISSING)


@needs_browser
class BrowserTest(unittest.TestCase):
    """The tests of a class share a site and a browser. Each uses an account of its own."""

    fake: FakeInstagram
    fallback: Any

    @classmethod
    def setUpClass(cls) -> None:
        cls.fake = FakeInstagram()
        cls.fake.start()
        cls.addClassCleanup(cls.fake.stop)
        cls.fallback = cls.new_fallback()

    @classmethod
    def new_fallback(cls, **environment: str) -> Any:
        given = browser_environment(MILLRACE_INSTAGRAM_URL=cls.fake.url, **environment)
        instagram = Instagram(given)
        fallback = BrowserFallback(instagram.fetch, instagram.sessions, given)
        cls.addClassCleanup(fallback.close)
        return fallback

    def setUp(self) -> None:
        self.fake.forget()
        # People need more time to scroll than this site.
        faster = mock.patch("millrace_worker.fetchers.instagram_browser._SCROLL_SECONDS", 0.2)
        faster.start()
        self.addCleanup(faster.stop)
        self.account = self.id().rpartition(".test_")[2][:30]

    def add_account(self, posts: int = 0, **options: Any) -> None:
        self.fake.add_account(self.account, posts=posts, **{"refuses_programs": 401, **options})

    def ids(self) -> List[str]:
        return self.fake.accounts()[self.account]

    def fetch(self, **options: Any) -> Page:
        page: Page = self.fallback.fetch(command(self.account, **options))
        return page

    def walk(self, **options: Any) -> List[Page]:
        return list(pages(self.fallback.fetch, command(self.account, **options)))


def browser_environment(**environment: str) -> Dict[str, str]:
    return {"MILLRACE_CHROMIUM": CHROMIUM or "", "MILLRACE_CHROMEDRIVER": CHROMEDRIVER or "", **environment}


def descendants(pid: int) -> Dict[int, str]:
    """Returns the names of all processes that a process has started, zombies included."""
    parents: Dict[int, int] = {}
    names: Dict[int, str] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                name, _, rest = (folder / "stat").read_text().partition("(")[2].rpartition(")")
            except OSError:
                continue  # It has ended.
            names[int(folder.name)], parents[int(folder.name)] = name, int(rest.split()[1])
    found = [pid]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return {one: names[one] for one in found[1:]}


def wait_until_gone(pids: Dict[int, str], seconds: float = 20.0) -> Dict[int, str]:
    """Returns the processes that are still there, zombies included."""
    end = time.monotonic() + seconds
    while True:
        left = {pid: name for pid, name in pids.items() if Path(f"/proc/{pid}").exists()}
        if not left or time.monotonic() > end:
            return left
        time.sleep(0.05)
