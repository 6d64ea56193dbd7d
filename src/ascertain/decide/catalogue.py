"""Policies by name, and the default."""

from __future__ import annotations

from ascertain.decide.base import Policy
from ascertain.decide.calibrated import CalibratedPolicy
from ascertain.decide.grounds import GroundsPolicy
from ascertain.decide.seed import SeedPolicy
from ascertain.errors import NotFound

POLICIES: tuple[Policy, ...] = (SeedPolicy(), GroundsPolicy(), CalibratedPolicy())
DEFAULT = "calibrated"


def policy_named(name: str) -> Policy:
    """Raises NotFound for a name that no policy has."""
    for policy in POLICIES:
        if policy.name == name:
            return policy
    raise NotFound(f"no policy named {name!r}", hint=f"Known: {', '.join(one.name for one in POLICIES)}")
