"""Workers for Millrace: a function that fetches posts becomes a type of source."""

from .errors import (
    AuthError,
    FetchError,
    InvalidCommand,
    NetworkError,
    NotFound,
    PrivateProfile,
    RateLimited,
    TimedOut,
    UnknownError,
)
from .messages import Author, Command, Lead, LeadPage, Page, Post, ScrapeCommand
from .registry import Registry, fetcher, scraper

__all__ = [
    "AuthError",
    "Author",
    "Command",
    "FetchError",
    "InvalidCommand",
    "Lead",
    "LeadPage",
    "NetworkError",
    "NotFound",
    "Page",
    "Post",
    "PrivateProfile",
    "RateLimited",
    "Registry",
    "ScrapeCommand",
    "TimedOut",
    "UnknownError",
    "fetcher",
    "scraper",
]
