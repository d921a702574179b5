"""`millrace-worker instagram --login`: logs in once, asks for what is missing, and keeps the session for the workers."""

from __future__ import annotations

import getpass
from typing import Mapping

from .instagram_login import Credentials, Login
from .instagram_sessions import session_file
from .settings import address, setting


def log_in(environ: Mapping[str, str]) -> str:
    """Returns what to print. Raises AuthError if Instagram refuses."""
    username = setting(environ, "MILLRACE_INSTAGRAM_USERNAME") or input("User name on Instagram: ").strip()
    file = session_file(environ, username)
    with file.locked():
        # A file that is not a session is not overwritten.
        file.read()
        password = environ.get("MILLRACE_INSTAGRAM_PASSWORD") or getpass.getpass(f"Password of {username}: ")
        login = Login(
            address(environ, "MILLRACE_INSTAGRAM_URL"),
            Credentials(username, password),
            ask_code=lambda: input("Code of the second factor: ").strip(),
        )
        file.write(login.run())
    return f"Logged in as {username}. Workers with MILLRACE_INSTAGRAM_USERNAME={username} use the session in {file.path}."
