"""Audits on disk: a page and a JSON record each, one file of lines for all, and the table that shows them."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from triplea.audit.attack import Settings, audit
from triplea.audit.catalogue import is_compiled
from triplea.audit.page import write_audit_page
from triplea.audit.runs import single_threaded
from triplea.audit.verdicts import FORMAT, AuditReport, rounded_down
from triplea.errors import UserError
from triplea.registry import find_method, method_names

LINES = "audit.jsonl"
Told = Callable[[str, int, int], None]


def save(report: AuditReport, folder: Path) -> None:
    """Write the page and the record of one audit, and append the record to the file of all."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{report.method}-{report.variant}"
    state = json.dumps(_plain(report.to_json()), allow_nan=False)
    (folder / f"{stem}.json").write_text(state + "\n", encoding="utf-8")
    with (folder / LINES).open("a", encoding="utf-8") as lines:
        lines.write(state + "\n")
    write_audit_page(report, folder / f"{stem}.html")


def load_all(folder: Path) -> list[AuditReport]:
    """The last record of every method and variant."""
    path, latest = folder / LINES, {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        try:
            state = json.loads(line)
        except ValueError:
            continue  # cut short by a crash
        if state.get("format") == FORMAT:
            report = AuditReport.from_json(_numbers(state))
            latest[report.method, report.variant] = report
    return list(latest.values())


def everything() -> Iterator[tuple[str, str]]:
    """Every registered method with each of its variants."""
    for name in method_names():
        for variant in find_method(name).variants:
            yield name, variant


def in_order(found: list[AuditReport]) -> list[AuditReport]:
    """The audits of methods that are registered now, in the order of the registry."""
    by_name = {(report.method, report.variant): report for report in found}
    return [by_name[entry] for entry in everything() if entry in by_name]


def audit_all(settings: Settings, folder: Path, *, told: Told | None = None) -> list[AuditReport]:
    """Audit what the folder does not hold yet at this epsilon and delta; then write the table."""
    say = told or (lambda *_: None)
    done = {
        (report.method, report.variant)
        for report in load_all(folder)
        if (report.claim.epsilon, report.claim.delta) == (settings.epsilon, settings.delta)
    }
    left = [entry for entry in everything() if entry not in done]
    left.sort(key=lambda entry: not is_compiled(entry[0]))  # what takes longest begins first
    for number, found in enumerate(_in_parallel(left, settings), start=1):
        if isinstance(found, AuditReport):
            save(found, folder)
        say("methods and variants" if isinstance(found, AuditReport) else found, number, len(left))
    known = in_order(load_all(folder))
    (folder / "audit.md").write_text(markdown(known), encoding="utf-8")
    return known


def _in_parallel(left: list[tuple[str, str]], settings: Settings) -> Iterator[AuditReport | str]:
    """Each audit in a process of its own, where its programs are compiled once."""
    alone = replace(settings, workers=1)
    if settings.workers == 1:
        yield from (_attempt(method, variant, alone) for method, variant in left)
        return
    with single_threaded(), ProcessPoolExecutor(settings.workers, mp_context=get_context("spawn")) as pool:
        waiting = [pool.submit(_attempt, method, variant, alone) for method, variant in left]
        for done in as_completed(waiting):
            yield done.result()


def _attempt(method: str, variant: str, settings: Settings) -> AuditReport | str:
    """One audit, or why there is none: a method may refuse, for example for want of an optional library."""
    try:
        return audit(method, variant, settings)
    except UserError as refusal:
        return f"{method} ({variant}) refused: {refusal}"
    except Exception as error:  # one method's fault must not end the audits of all others
        return f"{method} ({variant}) failed: {type(error).__name__}: {error}"


def markdown(found: list[AuditReport]) -> str:
    """The table of the results page: a row per method and variant."""
    lines = [
        "| method | variant | neighbours | claimed epsilon | measured epsilon | mu | runs | verdict |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for report in found:
        tight = "" if report.tightness is None else f"{100 * report.tightness:.0f} %"
        claimed = "none" if report.claim.kind == "none" else f"{report.claim.epsilon:g}"
        cells = (
            report.method, report.variant, report.claim.neighbours, f"{claimed} ({report.claim.kind})",
            f">= {rounded_down(report.measured, 2)}", tight, f"{2 * report.runs:,}", f"**{report.status}**",
        )  # fmt: skip
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _plain(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return {"number": repr(value)}
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def _numbers(value: Any) -> Any:
    if isinstance(value, dict):
        return (
            float(value["number"]) if set(value) == {"number"} else {k: _numbers(v) for k, v in value.items()}
        )
    return [_numbers(item) for item in value] if isinstance(value, list) else value
