from dataclasses import replace

from tests.report.records import HOSTILE, association
from triplea.report.heatmap import heat_maps, largest_differences


def test_there_are_three_matrices_with_a_cell_per_pair():
    drawn = heat_maps(association())
    assert drawn.count("<svg") == 3
    assert drawn.count("<rect") == 27
    assert HOSTILE not in drawn


def test_a_loss_carries_a_bar_beside_its_colour():
    drawn = heat_maps(association())
    assert drawn.count('class="sign"') == 6  # the six cells off the diagonal lost .5


def test_large_matrices_are_merged_into_few_paths():
    drawn = heat_maps(association(60))
    assert "<rect" not in drawn
    assert len(drawn) < 400_000


def test_an_undefined_association_is_grey():
    holed = replace(association(2), real=((1.0, float("nan")), (float("nan"), 1.0)))
    assert 'class="unknown"' in heat_maps(holed)
    assert largest_differences(holed).count('scope="row"') == 0


def test_the_pairs_that_changed_most_come_first():
    made = association(4)
    changed = tuple(
        tuple(0.9 if {i, j} == {0, 1} else v for j, v in enumerate(row)) for i, row in enumerate(made.real)
    )
    written = largest_differences(replace(made, real=changed))
    assert written.index("column 1") < written.index("column 2")
    assert "\u22120.90" in written
