"""Sets everything up and runs it. Needs Python 3.11 or later and nothing else.

python3 bootstrap.py demo   the main job on real input: imports docs/memory and asks three questions
python3 bootstrap.py test   lint, types, layers and all tests

Both make a virtual environment in .venv (or the folder that ASCERTAIN_VENV names) and install
what they need into it; a second run finds that done.
"""

import hashlib
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = Path(os.environ.get("ASCERTAIN_VENV", ROOT / ".venv"))
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")

QUESTIONS = (
    "What is the candidate pool?",
    "후보 풀이 뭐야?",
    "What is the seed policy?",
    "What should I cook for dinner tonight?",
)

CHECKS = (
    ("lint", ["-m", "ruff", "check", "."]),
    ("format", ["-m", "ruff", "format", "--check", "."]),
    ("types", ["-m", "mypy"]),
    ("layers", ["-c", "from importlinter.cli import lint_imports_command as run; run()"]),
    ("site", ["-m", "mkdocs", "build", "--strict", "--site-dir", "build/site"]),
    ("tests", ["-m", "pytest"]),
)


def say(text: str) -> None:
    print(text, flush=True)


def run(arguments: list[str], allowed: tuple[int, ...] = (0,)) -> int:
    """Runs Python of the virtual environment in the project's folder; stops at another exit status."""
    environment = {**os.environ, "PYTHONUTF8": "1"}
    status = subprocess.run([str(PYTHON), *arguments], cwd=ROOT, env=environment, check=False).returncode
    if status not in allowed:
        sys.exit(status or 1)
    return status


def install(extra: str) -> None:
    """The package and what `extra` adds, once for each state of what they are made from."""
    if not PYTHON.exists():
        say(f"Making a virtual environment in {VENV} ...")
        try:
            venv.create(VENV, with_pip=True)
        except subprocess.CalledProcessError:
            sys.exit("This Python can't make virtual environments. On Debian: apt install python3-venv")
    state = hashlib.sha256(
        b"".join((ROOT / name).read_bytes() for name in ("pyproject.toml", "constraints.txt")) + str(ROOT).encode()
    ).hexdigest()
    mark = VENV / f"ascertain-{extra or 'plain'}.installed"
    if mark.exists() and mark.read_text() == state:
        return
    say("Installing ascertain and what it needs ...")
    target = f"{ROOT}[{extra}]" if extra else str(ROOT)
    run(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-c", "constraints.txt", "-e", target])
    mark.write_text(state)


def demo() -> None:
    install("")
    with tempfile.TemporaryDirectory(prefix="ascertain-demo-") as folder:
        store = str(Path(folder) / "demo.db")
        ascertain = ["-m", "ascertain"]
        say("\n$ ascertain import docs/memory")
        run([*ascertain, "import", "--store", store, "docs/memory"], allowed=(0, 3))
        for question in QUESTIONS:
            say(f'\n$ ascertain ask "{question}"')
            run([*ascertain, "ask", "--store", store, question], allowed=(0, 3, 4))


def test() -> None:
    install("dev")
    for name, arguments in CHECKS:
        say(f"== {name}")
        run(arguments)


if __name__ == "__main__":
    if sys.version_info < (3, 11):  # noqa: UP036  # an older Python runs this file, and is told so
        sys.exit(f"ascertain needs Python 3.11 or later; this is {sys.version.split()[0]}.")
    commands = {"demo": demo, "test": test}
    if len(sys.argv) != 2 or sys.argv[1] not in commands:
        sys.exit((__doc__ or "").strip())
    commands[sys.argv[1]]()
