from dataclasses import replace

from tests.report.records import HOSTILE, points, projection
from triplea.report.scatter import dimension_picture, farthest_points, projection_panels


def test_three_panels_and_a_key_of_classes():
    drawn = projection_panels(projection())
    assert drawn.count("<figure") == 3
    assert 'class="legend"' in drawn
    assert HOSTILE not in drawn


def test_classes_differ_in_shape_and_not_in_colour_alone():
    drawn = projection_panels(projection(("a", "b", "c")))
    for shape in ("dot", "cross", "plus"):
        assert f"class0 {shape}" in drawn or f"class1 {shape}" in drawn or f"class2 {shape}" in drawn


def test_many_classes_are_not_coloured():
    drawn = projection_panels(projection(tuple("abcdefgh")))
    assert "class0" not in drawn
    assert 'class="legend"' not in drawn


def test_rows_without_classes_and_without_spread_are_drawn():
    still = replace(projection(()), real=((1.0, 1.0),), synthetic=((1.0, 1.0),))
    assert "<svg" in projection_panels(still)


def test_points_that_are_not_numbers_are_left_out():
    drawn = dimension_picture(points(), title="t", what="score")
    assert drawn.count('class="point') == 2
    assert 'class="diagonal"' in drawn


def test_r_squared_has_a_mark_of_its_own():
    assert "point box" in dimension_picture(points("R2"), title="t", what="score")


def test_the_farthest_point_is_listed_first():
    written = farthest_points(points(), caption="c", shares=False)
    assert written.index("&lt;script&gt;") < written.index("age")
    assert "0.900" in written
