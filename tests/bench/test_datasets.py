"""Rows, targets and splits of the data sets."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from tests.bench.conftest import diabetes_like
from triplea.bench.datasets import load_dataset, prepare_dataset
from triplea.bench.recipes import OURS, STRATIFIED, Recipe
from triplea.errors import UserError


def test_a_split_is_the_same_every_time_and_loses_no_row(small_data: Path) -> None:
    first, second = load_dataset("diabetes"), load_dataset("diabetes")
    assert first.train.equals(second.train)
    assert (first.train.num_rows, first.test.num_rows) == (576, 192)


def test_the_two_scenarios_of_mc_gen_exchange_their_parts(small_data: Path) -> None:
    one, two = load_dataset("diabetes/mc-gen-1"), load_dataset("diabetes/mc-gen-2")
    assert one.train.equals(two.test)
    assert (one.train.num_rows, two.train.num_rows) == (154, 614)


def test_a_file_with_other_rows_is_refused(small_data: Path) -> None:
    pq.write_table(diabetes_like(10), small_data / "diabetes.parquet")
    with pytest.raises(UserError, match="expected 768 rows, got 10"):
        load_dataset("diabetes")


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UserError, match="there is no data set 'x'. Known data sets: adult, census"):
        load_dataset("x")


def test_undersampling_keeps_a_share_of_one_class_and_all_of_the_others() -> None:
    table = diabetes_like()
    counts = {value: pc.sum(pc.equal(table.column("outcome"), value)).as_py() for value in (0, 1)}
    found = prepare_dataset("d", replace(OURS["diabetes"], kept={"0": 0.1}, split=0.5), table)
    kept = pa.concat_tables([found.train, found.test]).column("outcome").to_pylist()
    assert kept.count(1) == counts[1]
    assert kept.count(0) == int(0.1 * counts[0])


def test_a_stratified_split_is_the_one_that_scikit_learn_makes() -> None:
    selection = pytest.importorskip("sklearn.model_selection")
    table = diabetes_like()
    found = prepare_dataset("d", replace(OURS["diabetes"], split=STRATIFIED), table)
    label = table.column("outcome").to_numpy()
    train, test = selection.train_test_split(range(768), test_size=0.25, stratify=label, random_state=0)
    assert found.train.equals(table.take(train)) and found.test.equals(table.take(test))
    other = prepare_dataset("d", replace(OURS["diabetes"], split=STRATIFIED), table, split=1)
    assert not other.train.equals(found.train)
    shares = [part.column("outcome").to_numpy().mean() for part in (found.train, found.test)]
    assert shares[0] == pytest.approx(shares[1], abs=0.005)


def test_a_class_can_be_left_out_and_rows_be_limited() -> None:
    recipe = replace(OURS["diabetes"], without_class="1", rows=100)
    found = prepare_dataset("d", recipe, diabetes_like())
    assert found.train.num_rows + found.test.num_rows == 100
    assert set(found.train.column("outcome").to_pylist()) == {0}


@pytest.mark.parametrize(
    ("name", "train", "test", "columns", "target"),
    [
        ("adult", 32_561, 16_281, 15, "income"),
        ("adult/dp-auto-gan", 32_561, 16_281, 13, "income"),
        ("cervical/dp-merf", 602, 151, 36, "biopsy"),  # 753 rows, as the paper counts
        ("isolet/dp-merf", 4_366, 1_872, 618, "vowel"),  # 4,366 as the paper counts
        ("epileptic/dp-merf", 8_049, 3_451, 179, "seizure"),
        ("mimic3_demo", 75, 25, 276, None),
    ],
)
def test_real_files_give_the_published_sizes(
    data_folder: Path, name: str, train: int, test: int, columns: int, target: str | None
) -> None:
    found = load_dataset(name)
    assert (found.train.num_rows, found.test.num_rows) == (train, test)
    assert found.train.num_columns == columns
    assert found.target == target


def test_vowels_are_five_of_the_letters(data_folder: Path) -> None:
    found = load_dataset("isolet")
    both = pa.concat_tables([found.train, found.test]).column("vowel").to_pylist()
    assert both.count(1) == 5 * 300
    assert "letter" not in found.train.column_names


def test_a_recipe_can_name_another_target(data_folder: Path) -> None:
    recipe = Recipe(file="cervical", target="schiller", drop=("hinselmann", "citology", "biopsy"), note="n")
    table = pq.read_table(data_folder / "cervical.parquet")
    assert prepare_dataset("c", recipe, table).target == "schiller"


def test_a_table_with_one_split_has_no_second_one() -> None:
    with pytest.raises(UserError, match="'diabetes' has one split, number 0; got split 1.*credit/stratified"):
        load_dataset("diabetes", split=1)
