from triplea.report.dots import MARKS, Dot, dot_legend, dot_picture
from triplea.results import Score


def test_every_situation_has_a_mark_of_its_own_shape():
    marks = [MARKS[name](8, 8) for name in MARKS]
    assert len(set(marks)) == len(MARKS)


def test_an_interval_is_a_bar_and_an_unknown_score_is_no_mark():
    dots = [
        Dot(mark="synthetic", score=Score(value=0.5, low=0.4, high=0.6), name="synthetic"),
        Dot(mark="real", score=Score(value=float("nan")), name="real"),
    ]
    drawing = dot_picture([("LightGBM", dots)], title="t", axis="AUC", low=0, high=1)
    assert 'class="interval synthetic"' in drawing
    assert 'class="mark-real"' not in drawing
    assert "LightGBM: synthetic 0.500" in drawing


def test_the_key_repeats_the_marks():
    assert "mark-floor" in dot_legend([("floor", "knows nothing")])
