"""Plant every mistake of the catalogue in a copy of the source and see that the named tests notice it.

    python bench/mutants/run.py [--only NAME ...] [--jobs 2] [--out FILE.jsonl]

First all named tests run once on an unchanged copy: a test that fails there can prove nothing. Then each
mutant gets a fresh copy of src, its tests run against it, and it is killed if one of them fails. Errors
of collection and time limits do not count. Prints a table; --out adds one JSON object a line. The exit
code is 1 if a mutant survives.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench.mutants.catalogue import ROOT, Mutant, all_mutants

SECONDS = 300.0  # for one mutant: a few on an idle machine, many more beside other work
CONTROL_SECONDS = 1800.0
FAILED, PASSED = 1, 0  # exit codes of pytest; all others mean that it could not do its work


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What became of one mutant: "killed", "survived", "timed out" or "broken"."""

    name: str
    state: str
    caught_by: str
    seconds: float


def judged(mutant: Mutant, *, seconds: float = SECONDS) -> Verdict:
    """Plant one mutant in a copy of the source and run its tests."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="triplea-mutant-") as folder:
        source = copy_of_source(Path(folder))
        mutant.plant(source)
        state, caught_by = run_tests(source, mutant.tests, seconds=seconds)
    return Verdict(
        name=mutant.name, state=state, caught_by=caught_by, seconds=round(time.monotonic() - started, 1)
    )


def copy_of_source(folder: Path) -> Path:
    """Copy src without its caches."""
    return Path(shutil.copytree(ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__")))


def run_tests(source: Path, tests: Sequence[str], *, seconds: float) -> tuple[str, str]:
    """Run tests against a copy of the source; say what happened and which test failed first."""
    plugins = ["-p", "no:cacheprovider", "-p", "bench.mutants.unshrunk"]
    command = [sys.executable, "-m", "pytest", "-x", "-q", *plugins, "--tb=no", *tests]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(source), str(ROOT)]),
        "PYTHONDONTWRITEBYTECODE": "1",
        "OMP_NUM_THREADS": "1",
    }
    environment.pop("PYTEST_ADDOPTS", None)
    try:
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return "timed out", ""
    found = re.search(r"^FAILED (\S+?::\w+)", done.stdout, re.MULTILINE)
    if done.returncode == FAILED and found:
        return "killed", found[1]
    if done.returncode == PASSED:
        return "survived", ""
    return "broken", (done.stdout + done.stderr).strip().splitlines()[-1][:200]


def check_that_the_copy_is_tested(source: Path) -> None:
    """Make sure that Python imports the copy and not the installed package."""
    environment = {**os.environ, "PYTHONPATH": str(source)}
    script = "import triplea; print(triplea.__file__)"
    shown = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    if not Path(shown.stdout.strip()).is_relative_to(source):
        sys.exit(f"the tests would not see the copy: triplea is imported from {shown.stdout.strip()}")


def check_the_tests(mutants: Sequence[Mutant]) -> None:
    """Run all named tests on an unchanged copy; they must pass."""
    with tempfile.TemporaryDirectory(prefix="triplea-control-") as folder:
        source = copy_of_source(Path(folder))
        check_that_the_copy_is_tested(source)
        tests = sorted({test for mutant in mutants for test in mutant.tests})
        state, caught_by = run_tests(source, tests, seconds=CONTROL_SECONDS)
    if state != "survived":
        sys.exit(f"the tests {state.replace('killed', 'fail')} on the unchanged source: {caught_by}")


def main() -> None:
    """Judge the chosen mutants, print the table and leave with 1 if one survived."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", metavar="NAME", help="names of mutants; all by default")
    parser.add_argument("--jobs", type=int, default=2, help="mutants at a time (default: 2)")
    parser.add_argument("--out", type=Path, help="a file for one JSON object a line")
    parser.add_argument("--no-control", action="store_true", help="do not run the tests unchanged first")
    options = parser.parse_args()
    known = {mutant.name: mutant for mutant in all_mutants()}
    unknown = set(options.only or ()) - set(known)
    if unknown:
        parser.error(f"no mutant named {', '.join(sorted(unknown))}; there are: {', '.join(known)}")
    mutants = [known[name] for name in options.only or known]
    if not options.no_control:
        check_the_tests(mutants)
    with ThreadPoolExecutor(max(1, options.jobs)) as pool:
        verdicts = []
        for mutant, verdict in zip(mutants, pool.map(judged, mutants), strict=True):
            verdicts.append(verdict)
            print(
                f"{mutant.name:42} {verdict.state:9} {verdict.seconds:5.1f} s  {verdict.caught_by}",
                flush=True,
            )
    if options.out:
        lines = [json.dumps(asdict(verdict)) for verdict in verdicts]
        options.out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    killed = sum(verdict.state == "killed" for verdict in verdicts)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    minutes = (used.ru_utime + used.ru_stime) / 60
    print(f"{killed} of {len(verdicts)} mutants killed, {minutes:.1f} minutes of CPU time")
    sys.exit(killed != len(verdicts))


if __name__ == "__main__":
    main()
