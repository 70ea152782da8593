"""Verification recomputes totals and hashes, and finds what was changed."""

import json

import pyarrow.parquet as pq
import pytest

import triplea


def _edit(folder, **changes):
    path = folder / "certificate.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def test_an_untouched_release_holds(folder):
    outcome = triplea.verify(folder)
    assert outcome.ok
    assert outcome.problems == ()
    assert outcome.epsilon == pytest.approx(outcome.epsilon_certified)


def test_a_prettier_epsilon_is_found_out(folder):
    _edit(folder, epsilon_proved=0.1)
    assert "the certificate says 0.1" in triplea.verify(folder).problems[0]


def test_a_smaller_noise_in_the_ledger_is_found_out(folder):
    entries = json.loads((folder / "certificate.json").read_text())["entries"]
    entries[0]["charge"]["noise_multiplier"] = 0.5
    _edit(folder, entries=entries)
    assert any("above the target" in problem for problem in triplea.verify(folder).problems)


def test_a_prettier_curve_is_found_out(folder):
    curve = json.loads((folder / "certificate.json").read_text())["delta_curve"]
    _edit(folder, delta_curve=[[epsilon, delta / 10] for epsilon, delta in curve])
    assert triplea.verify(folder).problems == (
        "the entries cost other deltas than the certificate's curve says",
    )


@pytest.mark.parametrize("change", [{"sentence": "This table is private: proved."}, {"proved": False}])
def test_a_prettier_sentence_is_found_out(folder, change):
    _edit(folder, **change)
    (problem,) = triplea.verify(folder).problems
    assert problem == "the sentence of certificate.json is not what its entries say"


def test_a_prettier_page_is_found_out(folder):
    page = folder / "certificate.md"
    page.write_text(page.read_text().replace("(epsilon = ", "(epsilon = 0.0"))
    assert triplea.verify(folder).problems == (
        "certificate.md is missing or does not say what certificate.json says",
    )


def test_other_rows_are_found_out(release, folder):
    other = release.model.sample(1000, seed=77)
    pq.write_table(other, folder / "data.parquet")
    assert any("SHA-256" in problem for problem in triplea.verify(folder).problems)


def test_a_missing_table_is_found_out(folder):
    (folder / "data.parquet").unlink()
    assert triplea.verify(folder).problems == ("data.parquet is missing",)


def test_another_schema_is_found_out(folder):
    path = folder / "model" / "schema.json"
    state = json.loads(path.read_text())
    state["columns"][0]["upper"] = 120
    path.write_text(json.dumps(state))
    assert any("not the certified schema" in problem for problem in triplea.verify(folder).problems)


def test_another_model_is_found_out(folder):
    path = folder / "model" / "model.json"
    path.write_text(path.read_text().replace('"rows_seed": ', '"rows_seed": 1'))
    assert triplea.verify(folder).problems == ("model/ is missing or is not the certified model",)
    (folder / "model" / "arrays.npz").unlink()
    assert "model/ is missing or is not the certified model" in triplea.verify(folder).problems


def test_a_certificate_from_before_models_were_named_still_holds(folder):
    state = json.loads((folder / "certificate.json").read_text())
    del state["model_sha256"]
    (folder / "certificate.json").write_text(json.dumps(state))
    assert triplea.verify(folder).ok
