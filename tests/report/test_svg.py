from triplea.report import svg


def test_a_picture_has_a_name_a_description_and_a_role():
    drawing = svg.picture(10, 20, title="<A>", desc="B")
    assert '<svg viewBox="0 0 10 20"' in drawing
    assert 'role="img"' in drawing
    assert "<title>&lt;A&gt;</title><desc>B</desc>" in drawing


def test_values_outside_are_drawn_at_the_border():
    place = svg.linear(0, 1, 10, 20)
    assert [place(value) for value in (-1, 0, 0.5, 1, 9)] == [10, 10, 15, 20, 20]


def test_a_range_without_width_does_not_divide_by_zero():
    assert svg.linear(3, 3, 0, 10)(3) == 0


def test_long_names_are_cut_with_an_ellipsis():
    assert svg.clipped("short", 100) == "short"
    assert svg.clipped("a very long name of a column", 60).endswith("…")


def test_axes_name_what_they_count():
    frame = svg.Frame(left=40, top=10, width=200, height=100)
    assert "false alarms" in frame.x_axis("false alarms")
    assert frame.y_axis("hits").count('class="grid"') == 5


def test_bars_stand_between_edges_and_an_outline_walks_over_them():
    frame = svg.Frame(left=0, top=0, width=100, height=100, x_range=(0, 2), y_range=(0, 1))
    assert 'd="M0.5 100V50H49.5V100Z"' in svg.bars(frame, (0, 1, 2), (0.5, 0.0), "area")
    assert 'd="M0 100V50H50V100H100V100"' in svg.steps(frame, (0, 1, 2), (0.5, 0.0), "line")
