"""Finds the modules that register fetchers and scrapers."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from pathlib import Path

from .registry import Registry

SHIPPED = ("instagram", "twitter")


class CannotLoad(Exception):
    pass


def load(name: str, registry: Registry) -> None:
    """Imports a shipped fetcher, a module or a file, which must register something."""
    before = len(registry.plugins)
    try:
        _import(name)
    except CannotLoad:
        raise
    except Exception as error:
        raise CannotLoad(f"Could not import {name}: {type(error).__name__}: {error}") from error
    if len(registry.plugins) == before:
        raise CannotLoad(f"{name} registers nothing: it has no function with @fetcher(…) or @scraper(…), or was named twice")


def _import(name: str) -> None:
    if name.endswith(".py") or os.sep in name:
        _import_file(Path(name))
    elif name in SHIPPED:
        importlib.import_module(f"{__package__}.fetchers.{name}")
    else:
        _import_module(name)


def _import_module(name: str) -> None:
    """Also searches the current folder, which Python does not search for installed programs."""
    if os.getcwd() not in sys.path and "" not in sys.path:
        sys.path.insert(0, os.getcwd())
    if importlib.util.find_spec(name) is None:
        raise CannotLoad(f"module {name} does not exist; the shipped ones are {', '.join(SHIPPED)}")
    importlib.import_module(name)


def _import_file(path: Path) -> None:
    if not path.is_file():
        raise CannotLoad(f"file {path} does not exist")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise CannotLoad(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    # Dataclasses and pickle look modules up there.
    sys.modules[path.stem] = module
    # The file may import modules beside it.
    sys.path.insert(0, str(path.parent.resolve()))
    spec.loader.exec_module(module)
