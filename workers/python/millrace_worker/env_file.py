"""Reads variables from a file such as `.env`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Dict, MutableMapping

DEFAULT_PATH = Path(".env")

_LINE = re.compile(
    r"""
    (?:export\s+)? (?P<name>[A-Za-z_][A-Za-z0-9_]*) \s*=\s*
    (?: "(?P<double>[^"]*)" | '(?P<single>[^']*)' | (?P<bare>[^"'\s\#].*?)? ) \s*(?:(?<=\s)\#.*)?
    """,
    re.VERBOSE,
)


class InvalidEnvFile(ValueError):
    pass


def load_env_file(path: Path, environ: MutableMapping[str, str]) -> None:
    """Adds the variables of the file. Variables that the environment already has win, even if they are empty."""
    for name, value in _parse(path).items():
        environ.setdefault(name, value)


def _parse(path: Path) -> Dict[str, str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidEnvFile(f"Could not read {path}: {error}") from error
    variables: Dict[str, str] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _LINE.fullmatch(line.strip())
        if not match:
            # The line may contain a password, so the error does not repeat it.
            raise InvalidEnvFile(f'Could not read {path}: line {number} is not NAME=value, NAME="value" or NAME=\'value\'')
        double, single, bare = match.group("double", "single", "bare")
        variables[match.group("name")] = (double.replace("\\n", "\n") if double is not None else single or bare) or ""
    return variables
