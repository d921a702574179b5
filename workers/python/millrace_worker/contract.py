"""Validates messages against the published JSON Schemas and describes how they break them."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any, Iterator, List

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

SCHEMA_VERSION = 1

_SCHEMAS = Path(__file__).parent / "contracts"
_MAX_BREACHES = 5
_MAX_VALUE_LENGTH = 100


class ContractBreach(ValueError):
    """The message describes each invalid field: `params.limit: 0 is less than the minimum of 1`."""


def check(name: str, message: Any) -> None:
    """Raises ContractBreach unless the message is a `fetch-command`, `fetch-result`, … of the contract."""
    errors = [leaf for error in _validator(name).iter_errors(message) for leaf in _leaves(error)]
    breaches = list(dict.fromkeys(line for error in errors for line in _lines(error)))
    if breaches:
        more = [f"and {len(breaches) - _MAX_BREACHES} more"] if len(breaches) > _MAX_BREACHES else []
        raise ContractBreach("; ".join(breaches[:_MAX_BREACHES] + more))


@lru_cache(maxsize=None)
def _validator(name: str) -> Draft202012Validator:
    schema = json.loads((_SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    return Draft202012Validator(schema)


def _leaves(error: ValidationError) -> Iterator[ValidationError]:
    """Yields the errors of the alternative of a union that the message matches best."""
    if error.validator not in ("anyOf", "oneOf"):
        yield error
        return
    for branch in _matching_branch(error):
        yield from _leaves(branch)


def _matching_branch(error: ValidationError) -> List[ValidationError]:
    branches: List[List[ValidationError]] = [[] for _ in error.validator_value]
    for suberror in error.context or ():
        branches[suberror.schema_path[0]].append(suberror)
    matching = [branch for branch in branches if branch and not any(_is_other_kind(e, error) for e in branch)]
    if matching:
        return matching[0]
    # No alternative fits, for example if the status does not exist.
    return next(branch for branch in branches if branch)


def _is_other_kind(suberror: ValidationError, union: ValidationError) -> bool:
    """Returns whether the error shows that the message belongs to another alternative."""
    is_top = list(suberror.absolute_path) == list(union.absolute_path)
    return bool(suberror.validator == "const") or (is_top and suberror.validator == "type")


def _lines(error: ValidationError) -> List[str]:
    path = [str(step) for step in error.absolute_path]
    if error.validator == "required":
        missing = [name for name in error.validator_value if name not in error.instance]
        return [f"{'.'.join([*path, name])}: is missing" for name in missing]
    return [f"{'.'.join(path) or 'message'}: {_problem(error)}"]


def _problem(error: ValidationError) -> str:
    value, expected = _shorten(error.instance), error.validator_value
    if error.absolute_path and error.absolute_path[-1] == "schemaVersion":
        return f"version {value} is not supported, only version {SCHEMA_VERSION} is"
    if error.validator == "type":
        kinds = " or ".join(expected) if isinstance(expected, list) else expected
        return f"{value} is not of type {kinds}"
    if error.validator == "pattern" and error.schema.get("format") == "date-time":
        return f"{value} is not a time such as 2026-01-31T12:00:00Z"
    if error.validator in ("maxLength", "maxItems"):
        return f"has {len(error.instance)}, the maximum is {expected}"
    if error.validator in ("minLength", "minItems"):
        return f"has {len(error.instance)}, the minimum is {expected}"
    if error.validator == "const":
        return f"{value} is not {json.dumps(expected)}"
    if error.validator == "enum":
        return f"{value} is not one of {', '.join(map(str, expected))}"
    if error.validator in ("minimum", "maximum"):
        return f"{value} is {'below' if error.validator == 'minimum' else 'above'} {expected}"
    return f"breaks {error.validator} {_shorten(expected)}"


def _shorten(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= _MAX_VALUE_LENGTH else f"{text[:_MAX_VALUE_LENGTH]}…"
