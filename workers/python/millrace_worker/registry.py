"""Maps queues to the functions that answer them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Callable, Dict, List, TypeVar, Union

from .messages import Command, LeadPage, Page, ScrapeCommand

Fetch = Callable[[Command], Page]
Scrape = Callable[[ScrapeCommand], LeadPage]
F = TypeVar("F", bound=Fetch)
S = TypeVar("S", bound=Scrape)


@dataclass(frozen=True)
class Fetcher:
    source_type: str
    function: Fetch

    @property
    def queue(self) -> str:
        return f"fetch.{self.source_type}"


@dataclass(frozen=True)
class Scraper:
    source_type: str
    function: Scrape

    @property
    def queue(self) -> str:
        return f"scrape.{self.source_type}"


Plugin = Union[Fetcher, Scraper]


class Registry:
    def __init__(self) -> None:
        self._by_queue: Dict[str, Plugin] = {}

    def fetcher(self, source_type: str) -> Callable[[F], F]:
        """Makes the function below answer commands on `fetch.<source_type>`."""
        _check_name(source_type)

        def register(function: F) -> F:
            self._add(Fetcher(source_type, function))
            return function

        return register

    def scraper(self, source_type: str) -> Callable[[S], S]:
        """Makes the function below answer commands on `scrape.<source_type>`."""
        _check_name(source_type)

        def register(function: S) -> S:
            self._add(Scraper(source_type, function))
            return function

        return register

    @property
    def plugins(self) -> List[Plugin]:
        return list(self._by_queue.values())

    def _add(self, plugin: Plugin) -> None:
        if plugin.queue in self._by_queue:
            raise ValueError(f"{plugin.queue} has two functions; a worker can have one for each type")
        self._by_queue[plugin.queue] = plugin


def _check_name(source_type: str) -> None:
    """Millrace declares no queues for other names."""
    if not re.fullmatch(r"[a-z][a-z0-9-]{0,49}", source_type):
        raise ValueError(f"{source_type!r} is not a valid type; use at most 50 lower-case letters, digits and hyphens")


registry = Registry()
fetcher = registry.fetcher
scraper = registry.scraper
