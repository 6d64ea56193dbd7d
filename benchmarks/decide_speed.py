"""How long a decision takes over recorded evidence: python benchmarks/decide_speed.py FILE...

FILE is what `ascertain exam run --record` wrote. Prints the mean and the slowest percentile for each,
beside the seed policy's: ratios within one run say more than milliseconds of one machine.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

from ascertain.decide.base import Policy
from ascertain.decide.calibrated import CalibratedPolicy, shipped_weights
from ascertain.decide.seed import SeedPolicy
from ascertain.decide.visibility import unfiltered
from ascertain.exam.recorded import read_recording
from ascertain.model.evidence import Pool
from ascertain.pool import SIZE
from ascertain.resolve import trimmed


def milliseconds(pools: list[Pool], policy: Policy) -> list[float]:
    """For each pool the better of two."""
    found = []
    for pool in pools:
        times = []
        for _ in range(2):
            start = time.perf_counter()
            policy.decide(pool)
            times.append((time.perf_counter() - start) * 1e3)
        found.append(min(times))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", type=Path, nargs="+")
    shipped_weights()
    print("| recording | pools | calibrated, mean ms | 99th percentile | seed, mean ms |")
    print("| --- | --- | --- | --- | --- |")
    for path in parser.parse_args().files:
        pools = [trimmed(unfiltered(one.pool), SIZE) for one in read_recording(path)]
        ours, seed = milliseconds(pools, CalibratedPolicy()), milliseconds(pools, SeedPolicy())
        high, means = sorted(ours)[int(len(ours) * 0.99)], (statistics.mean(ours), statistics.mean(seed))
        print(f"| {path.stem} | {len(pools)} | {means[0]:.2f} | {high:.2f} | {means[1]:.2f} |")


if __name__ == "__main__":
    main()
