"""Gates by name, those that are on by default, and policies behind gates by name."""

from __future__ import annotations

from ascertain.decide.base import Policy
from ascertain.decide.catalogue import policy_named
from ascertain.decide.gates.base import Gate, GatedPolicy
from ascertain.decide.gates.residual import ResidualGate
from ascertain.errors import NotFound

GATES: tuple[Gate, ...] = (ResidualGate(),)

DEFAULT_GATES: tuple[str, ...] = ()
"""Names of the gates that are on by default; each needs an entry in evidence/ledger.json."""


def gate_named(name: str) -> Gate:
    """Raises NotFound for a name that no gate has."""
    for gate in GATES:
        if gate.name == name:
            return gate
    raise NotFound(f"no gate named {name!r}", hint=f"Known: {', '.join(one.name for one in GATES)}")


def gated_policy_named(name: str) -> Policy:
    """`seed` or `seed+residual`: a policy, and behind a plus sign each gate it must pass.

    Raises NotFound for a name that no policy or gate has.
    """
    first, *gates = name.split("+")
    policy = policy_named(first.strip())
    return GatedPolicy(policy, tuple(gate_named(gate.strip()) for gate in gates)) if gates else policy
