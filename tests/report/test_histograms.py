from tests.report.records import HOSTILE_VALUE, category_column, number_column
from triplea.report.histograms import column_picture, column_table, summary_of


def test_numbers_are_bars_with_an_outline_over_them():
    drawing = column_picture(number_column())
    assert drawing.count('class="synthetic-line"') == 2  # the histogram, and the missing values
    assert ">none</text>" in drawing


def test_without_missing_values_there_is_no_bar_for_them():
    drawing = column_picture(number_column(real=(0.5, 0.5, 0.0)))
    assert ">none</text>" not in drawing


def test_times_show_their_two_ends_as_text():
    labels = ("2020-01-01", "2020-07-01", "2021-01-01")
    drawing = column_picture(number_column(edge_labels=labels))
    assert "2020-01-01" in drawing
    assert "2021-01-01" in drawing
    assert ">5</text>" not in drawing


def test_times_leave_out_their_hours_unless_they_are_of_one_day():
    far = ("2020-01-01T00:00:00.000000", "2020-07-01T00:00:00.000000", "2021-12-31T23:59:59.000000")
    drawing = column_picture(number_column(edge_labels=far))
    assert ">2020-01-01<" in drawing and ">2021-12-31<" in drawing
    near = ("2020-01-01T08:00", "2020-01-01T12:00", "2020-01-01T16:00")
    assert ">2020-01-01T16:00<" in column_picture(number_column(edge_labels=near))


def test_a_category_without_synthetic_rows_is_marked_in_words():
    assert ">gone</text>" in column_picture(category_column())


def test_many_categories_are_summed_up_but_all_listed():
    column = category_column(values=30)
    assert "23 others" in column_picture(column)
    assert column_table(column).count('scope="row"') == 30


def test_values_of_strangers_are_escaped():
    for written in (column_picture(category_column()), column_table(category_column())):
        assert HOSTILE_VALUE not in written
        assert "&quot;&gt;&lt;img" in written


def test_the_description_names_the_largest_gap():
    assert summary_of(number_column()).startswith("Total variation 0.300. Largest gap at 5 to 10")


def test_a_column_of_nothing_is_still_drawn():
    empty = number_column(real=(0.0, 0.0, 0.0), synthetic=(0.0, 0.0, 0.0))
    assert "<svg" in column_picture(empty)
