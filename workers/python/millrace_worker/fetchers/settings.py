"""Reads settings of the fetchers from the environment."""

from __future__ import annotations

from typing import Mapping, Optional

from ..errors import UnknownError


def setting(environ: Mapping[str, str], name: str) -> Optional[str]:
    """An empty variable counts as not set."""
    return environ.get(name, "").strip() or None


def address(environ: Mapping[str, str], name: str) -> Optional[str]:
    given = setting(environ, name)
    if given is not None and not given.startswith(("http://", "https://")):
        raise UnknownError(f"{name} must be an http:// or https:// address, not {given!r}", retryable=False)
    return given and given.rstrip("/")
