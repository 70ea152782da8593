from tests.report.records import utility
from triplea.report.curves import curve_picture, line_legend


def test_real_and_synthetic_lines_differ_in_style():
    drawing = curve_picture(
        utility().curves, kind="roc", model="LightGBM", scores={"real": 0.9, "synthetic": 0.8}
    )
    assert drawing.count("<polyline") == 2
    assert 'class="real-curve"' in drawing
    assert 'class="synthetic-curve"' in drawing
    assert "synthetic: 0.800" in drawing
    assert 'class="diagonal"' in drawing


def test_precision_and_recall_have_no_diagonal():
    drawing = curve_picture(utility().curves, kind="pr", model="LightGBM", scores={})
    assert 'class="diagonal"' not in drawing
    assert "precision" in drawing


def test_the_key_says_what_a_model_was_trained_on():
    assert "trained on synthetic rows" in line_legend()
