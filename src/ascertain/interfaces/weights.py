"""Weights of one's own for the calibrated policy, as `ascertain calibrate` writes them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from ascertain.decide.base import Policy
from ascertain.decide.calibrated import CalibratedPolicy, Weights
from ascertain.decide.gates.base import GatedPolicy
from ascertain.errors import InvalidInput, NotFound


def read_weights(path: Path) -> Weights:
    """Raises NotFound where there is no such file, InvalidInput where it holds no weights."""
    try:
        return Weights.from_json(json.loads(path.read_text("utf-8")))
    except FileNotFoundError as error:
        raise NotFound("there is no such file of weights", where=str(path), hint=_HINT) from error
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InvalidInput(f"holds no weights of this version: {error}", where=str(path), hint=_HINT) from error


def with_weights(policy: Policy, path: Path | None) -> Policy:
    """The policy with the weights of that file where it is the calibrated one, behind gates or not; any
    other policy, or without a path, as it is. Raises what `read_weights` raises."""
    if path is None:
        return policy
    if isinstance(policy, GatedPolicy):
        return replace(policy, policy=with_weights(policy.policy, path))
    return replace(policy, weights=read_weights(path)) if isinstance(policy, CalibratedPolicy) else policy


_HINT = "Make one: ascertain calibrate DIR --out FILE"
