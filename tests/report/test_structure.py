from tests.report.records import association, fidelity, projection
from triplea.report.structure import association_section, dimensions_section, projection_section


def test_associations_come_with_their_words_and_pairs():
    written = association_section(association())
    assert "Cramér" in written
    assert "Pairs of columns that changed most" in written


def test_the_projection_says_how_much_it_explains():
    assert "60\u00a0% of the variance" in projection_section(projection())


def test_dimensions_are_two_plots_or_none():
    assert dimensions_section(fidelity()).count("<svg") == 2
    assert dimensions_section(fidelity(probability=())).count("<svg") == 1
    assert dimensions_section(fidelity(probability=(), prediction=())) is None
