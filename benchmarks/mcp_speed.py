"""What the MCP server adds to an `ask`, when it is ready, and how many clients at once are answered.

Run: python benchmarks/mcp_speed.py [STORE]. Without a store, docs/memory is imported into one. Prints
milliseconds and ratios within this run.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import anyio
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from ascertain.memory import Memory

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 25
IMPORTS = """
import mcp.server.mcpserver, uvicorn
from ascertain.encoders.bundled import BundledEncoder
BundledEncoder().encode(["a"])
"""
QUESTIONS = (
    "What is the candidate pool?",
    "후보 풀이 뭐야?",
    "What is the seed policy?",
    "Why is the encoder part of the store?",
    "What should I cook for dinner tonight?",
)


def environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("ASCERTAIN_")}


def stdio(store: Path) -> Any:
    arguments = ["-m", "ascertain", "mcp", "--store", str(store)]
    return stdio_client(StdioServerParameters(command=sys.executable, args=arguments, env=environment()))


def importing() -> float:
    """Seconds in which a new process imports the SDK and loads the encoder."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", IMPORTS], check=True, env=environment())
    return time.perf_counter() - start


async def ready(store: Path, *, asked: bool) -> float:
    """Seconds until a new stdio server has answered the handshake, or its first question."""
    start = time.perf_counter()
    async with Client(stdio(store), mode="legacy") as client:
        if asked:
            await told(client, QUESTIONS[0])
        return time.perf_counter() - start


async def told(client: Client, question: str) -> tuple[str, str | None]:
    result = await client.call_tool("ask", {"question": question})
    found = result.structured_content
    assert found is not None
    return found["state"], found["node"]


async def through(client: Client, question: str) -> float:
    """Median milliseconds of a question over a client."""
    await told(client, question)
    spent = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        await told(client, question)
        spent.append((time.perf_counter() - start) * 1e3)
    return statistics.median(spent)


async def idle(client: Client) -> float:
    """Median milliseconds of a call that does next to nothing, each after the time of an `ask`: what the
    SDK, the transport and waking up take by themselves."""
    spent = []
    for _ in range(ROUNDS):
        await anyio.sleep(0.02)
        start = time.perf_counter()
        await client.call_tool("history", {"id": "none of this name"})
        spent.append((time.perf_counter() - start) * 1e3)
    return statistics.median(spent)


def alone(memory: Memory, question: str) -> tuple[float, tuple[str, str | None]]:
    """Median milliseconds of `Memory.ask` with its material in this process, and the answer."""
    memory.ask(question)
    spent = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        answer = memory.ask(question)
        if answer.node is not None:
            memory.material(answer.node, budget=1500)
        spent.append((time.perf_counter() - start) * 1e3)
    return statistics.median(spent), (answer.state, answer.node)


async def crowd(address: str, store: Path, answers: dict[str, tuple[str, str | None]]) -> tuple[int, int, float]:
    """100 calls by ten clients over HTTP and 20 by two over stdio at once: how many were answered as
    one alone is, of how many, in how many seconds."""
    right = 0

    async def ask(server: Any) -> None:
        nonlocal right
        async with Client(server, mode="legacy") as client:
            for number in range(10):
                question = QUESTIONS[number % len(QUESTIONS)]
                found = await told(client, question)
                right += found == answers[question]

    start = time.perf_counter()
    async with anyio.create_task_group() as group:
        for _ in range(10):
            group.start_soon(ask, address)
        for _ in range(2):
            group.start_soon(ask, stdio(store))
    return right, 120, time.perf_counter() - start


async def main(store: Path) -> None:
    imports = statistics.median(importing() for _ in range(5))
    shook = statistics.median([await ready(store, asked=False) for _ in range(5)])
    first = statistics.median([await ready(store, asked=True) for _ in range(5)])
    print(f"SDK and encoder in a new process {imports * 1e3:.0f} ms")
    print(f"server ready {shook * 1e3:.0f} ms ({shook / imports:.2f} of that), first answer {first * 1e3:.0f} ms"
          f" ({first / imports:.2f})")  # fmt: skip
    with Memory.open(store) as memory:
        here = {question: alone(memory, question) for question in QUESTIONS}
    async with Client(stdio(store), mode="legacy") as client:
        idle_stdio = await idle(client)
        over_stdio = [await through(client, question) - here[question][0] for question in QUESTIONS]
    command = [sys.executable, "-m", "ascertain", "mcp", "--http", "--port", "0", "--store", str(store)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, env=environment(), text=True) as process:
        try:
            assert process.stderr is not None
            found = re.search(r"http://\S+/mcp", process.stderr.readline())
            assert found is not None
            address = found[0]
            async with Client(address, mode="legacy") as client:
                idle_http = await idle(client)
                over_http = [await through(client, question) - here[question][0] for question in QUESTIONS]
            answers = {question: answer for question, (_, answer) in here.items()}
            right, asked, seconds = await crowd(address, store, answers)
        finally:
            process.kill()
    base = statistics.median(spent for spent, _ in here.values())
    print(f"ask with its material in one process: median {base:.1f} ms")
    for name, added, nothing in (("stdio", over_stdio, idle_stdio), ("HTTP", over_http, idle_http)):
        each = ", ".join(f"{one:.1f}" for one in added)
        print(f"over {name}: adds {statistics.median(added):.1f} ms in the median (each question: {each});"
              f" a call that does nothing takes {nothing:.1f}")  # fmt: skip
    print(f"10 HTTP clients and 2 stdio servers at once: {right} of {asked} answered as alone, {seconds:.1f} s")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        anyio.run(main, Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "memory.db"
            with Memory.open(path) as filled:
                filled.import_path(ROOT / "docs" / "memory")
            anyio.run(main, path)
