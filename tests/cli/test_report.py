"""The report command: the page again from the record alone, and clear words about other files."""

import json

from tests.cli.support import triplea
from tests.report.records import evaluation


def test_the_report_lies_beside_the_evaluation(tmp_path):
    record = evaluation().save(tmp_path / "evaluation.json")
    done = triplea("report", record)
    assert done.exit_code == 0, done.output
    assert "do not publish it" in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "do not publish" in done.output


def test_the_report_goes_where_it_is_sent_and_prints_json_alone(tmp_path):
    record = evaluation().save(tmp_path / "evaluation.json")
    done = triplea("report", record, "--out", tmp_path / "mine.html", "--json")
    assert json.loads(done.stdout)["bytes"] == (tmp_path / "mine.html").stat().st_size


def test_other_files_are_refused_with_a_cure(tmp_path):
    (tmp_path / "other.json").write_text("[1, 2]")
    for name, words in (
        ("nothing.json", "cannot be read"),
        ("other.json", "is no evaluation of this version"),
    ):
        done = triplea("report", tmp_path / name)
        assert done.exit_code == 2
        assert words in done.output
