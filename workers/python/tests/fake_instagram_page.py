"""
The page of an account as a browser gets it. A program that does not run its script sees no more than twelve posts.

Kinds of pages: embeds (the first posts are in the HTML), loads (a script loads them), empty (nothing can be read), login and
challenge (a redirect), leaves (a script leads to the login).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict

from .fake_upstream import Answer

HEADERS = {"content-type": "text/html; charset=utf-8"}
REDIRECTS = {"login": "/accounts/login/?next=/", "challenge": "/challenge/?next=/"}
_HTML = Path(__file__).with_name("fake_instagram_page.html").read_text(encoding="utf-8")


def account_page(kind: str, user: Dict[str, Any], timeline: Dict[str, Any], document: str) -> Answer:
    if kind in REDIRECTS:
        return Answer("", 302, {"location": REDIRECTS[kind]})
    embedded = {"require": [["RelayPrefetchedStreamCache", "next", [], [{"__bbox": {"result": {"data": {"user": user}}}}]]]}
    page = {"kind": kind, "id": user["id"], "username": user["username"], "document": document, "timeline": timeline}
    html = _HTML.replace("@title", user["full_name"])
    html = html.replace('"@data"', json.dumps(embedded if kind == "embeds" else {}))
    html = html.replace("'@page'", json.dumps(page if kind == "embeds" else {**page, "timeline": None}))
    return Answer(html, headers=HEADERS)


def missing_page() -> Answer:
    text = "<!doctype html><title>Instagram</title><p>Sorry, this page isn't available.</p>"
    return Answer(text, 404, HEADERS)
