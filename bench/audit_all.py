"""Audit every method and variant, and write the results page and the badges of the README.

    python bench/audit_all.py --out audit --workers 16 --seconds 100

Each audit runs in a process of its own; `--seconds` is the time of its runs. What the folder `--out` holds
already is not run again, so a stopped run goes on. With `--show` the pages are only written again.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from triplea.audit.attack import Settings, cores
from triplea.audit.badges import badge, badge_line, file_name
from triplea.audit.records import audit_all, in_order, load_all, markdown
from triplea.audit.verdicts import AuditReport

ROOT = Path(__file__).parents[1]
PAGE, IMAGES, README = ROOT / "docs/results/audit.md", ROOT / "docs/images", ROOT / "README.md"
ON_README = (
    ("mosaic", "provable"), ("naive-bayes", "provable"), ("dp-merf", "provable"), ("clustmix", "published"),
)  # fmt: skip
BEGIN, END = "<!-- audit -->", "<!-- /audit -->"
HEAD = """# Audits

What every method claims, and the largest lower bound on epsilon that an attack reached, at 95 % confidence.
[The guide](../guide/audit.md) says how the attacks work and what "consistent" means. A lower bound far below the
claim is no fault: most attacks see less than the worst case that a proof covers. Where all noise is Gaussian and
the door's answers are visible, the attack is the best there is, and the column "mu" says which share of the
theoretical mu it reached.

Every row is one `triplea audit METHOD --variant VARIANT --out audit`; `python bench/audit_all.py --out audit
--workers 16 --seconds 100` makes all of them and writes this page{when}.

"""  # noqa: E501


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--workers", type=int, default=cores())
    parser.add_argument("--seconds", type=float, default=100.0)
    parser.add_argument("--runs", type=int, default=None)
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    if given.show:
        found = in_order(load_all(given.out))
    else:
        settings = Settings(workers=given.workers, seconds=given.seconds, runs=given.runs)
        found = audit_all(
            settings, given.out, told=lambda what, at, of: print(f"{at}/{of} {what}", file=sys.stderr)
        )
    write(found)


def write(found: list[AuditReport]) -> None:
    PAGE.write_text(HEAD.format(when=_when(found)) + markdown(found) + _remarks(found), encoding="utf-8")
    by_name = {(report.method, report.variant): report for report in found}
    shown = [by_name[name] for name in ON_README if name in by_name]
    for report in shown:
        (IMAGES / file_name(report)).write_text(badge(report), encoding="utf-8")
    line = badge_line(shown, folder="docs/images", link="docs/results/audit.md")
    text = README.read_text(encoding="utf-8")
    pattern = re.compile(re.escape(BEGIN) + ".*?" + re.escape(END), re.DOTALL)
    README.write_text(pattern.sub(lambda _: f"{BEGIN}\n{line}\n{END}", text), encoding="utf-8")


def _when(found: list[AuditReport]) -> str:
    days = sorted({report.created[:10] for report in found})
    return f" ({days[0]})" if len(days) == 1 else f" ({days[0]} to {days[-1]})" if days else ""


def _remarks(found: list[AuditReport]) -> str:
    lines = ["", "The pair of tables behind each row, and the test that told most:", ""]
    for report in found:
        best = report.best
        test = (
            ""
            if best is None
            else f"; {best.test}, {best.alarms + best.misses} errors in {2 * best.runs} counted runs"
        )
        lines.append(f"- {report.method}, {report.variant}: {report.pair} ({report.why}){test}.")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
