"""What the fetchers read from the environment."""

from __future__ import annotations

from typing import Mapping, Optional

from ..errors import UnknownError


def setting(environ: Mapping[str, str], name: str) -> Optional[str]:
    """An empty variable is one that is not set."""
    return environ.get(name, "").strip() or None


def address(environ: Mapping[str, str], name: str) -> Optional[str]:
    given = setting(environ, name)
    if given is not None and not given.startswith(("http://", "https://")):
        raise UnknownError(f"{name} is {given!r}, which is no http:// or https:// address", retryable=False)
    return given and given.rstrip("/")
