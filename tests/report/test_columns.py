import re

from tests.report.records import HOSTILE, fidelity, number_column
from triplea.report.columns import WITH_PICTURE, columns_section


def shown_order(written: str) -> list[str]:
    return re.findall(r'data-column="([^"]*)"', written)


def test_the_worst_column_comes_first():
    written = columns_section(fidelity())
    assert shown_order(written) == ["&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt;", "ward", "age"]
    assert HOSTILE not in written


def test_few_columns_need_no_search_and_no_folds():
    assert "find-column" not in columns_section(fidelity())


def test_all_of_many_columns_can_be_reached_in_a_small_file():
    many = tuple(
        number_column(f"column {i}", edges=tuple(float(e) for e in range(21)), real=(0.05,) * 20 + (0.0,),
                      synthetic=(0.05,) * 20 + (0.0,), labels=(*map(str, range(20)), "missing"),
                      total_variation=i / 3000)
        for i in range(3000)
    )  # fmt: skip
    written = columns_section(fidelity(columns=many))
    assert len(shown_order(written)) == WITH_PICTURE
    assert all(f"column {i}<" in written for i in (0, 1, 1500, 2999))
    assert "find-column" in written
    assert len(written.encode()) < 5_000_000
