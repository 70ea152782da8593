import re
from dataclasses import replace

from tests.report.records import HOSTILE, HOSTILE_VALUE, evaluation, fidelity
from triplea.report.owner import owner_report, write_owner_report
from triplea.results import Evaluation

ANCHORS = [
    "summary", "warnings", "budget", "utility", "images", "columns", "associations", "components",
    "dimensions", "risk", "about",
]  # fmt: skip


def test_all_parts_are_there_in_order():
    assert re.findall(r'<section id="([a-z]+)"', owner_report(evaluation())) == ANCHORS


def test_further_targets_have_sections_of_their_own():
    found = evaluation()
    assert found.utility is not None
    written = owner_report(replace(found, further=(replace(found.utility, target="second"),)))
    assert '<section id="utility-2"' in written
    assert "Utility: second" in written


def test_names_of_strangers_are_never_markup():
    written = owner_report(evaluation())
    assert HOSTILE not in written
    assert HOSTILE_VALUE not in written
    assert written.count("<script>") == 1
    assert "onerror=alert" not in re.sub(r"&[a-z#0-9]+;[^<]*", "", written)


def test_a_sparse_record_still_makes_a_page():
    bare = fidelity(association=None, projection=None, probability=(), prediction=(), marginals=())
    sparse = replace(
        evaluation(), utility=None, risk=None, release=None, images=None, fidelity=bare, notes=()
    )
    written = owner_report(sparse)
    assert re.findall(r'<section id="([a-z]+)"', written) == ["summary", "warnings", "columns", "about"]


def test_a_record_draws_the_same_page_after_it_was_stored(tmp_path):
    found = evaluation()
    stored = Evaluation.load(found.save(tmp_path / "evaluation.json"))
    assert owner_report(stored) == owner_report(found)


def test_the_file_is_one_and_needs_no_other(tmp_path):
    path = write_owner_report(evaluation(), tmp_path / "report.html")
    text = path.read_text(encoding="utf-8")
    assert not re.search(r'(src|href)="(?!#|data:)', text)
    assert path.stat().st_size < 6_000_000
