from tests.report.records import claimed, guarantee
from triplea.report.ledger import budget_picture, ledger, ledger_table


def test_every_question_has_a_bar_with_its_share():
    drawing = budget_picture(guarantee())
    assert drawing.count('class="paid"') == 2
    assert "80\u00a0%" in drawing
    assert "20\u00a0%" in drawing


def test_a_question_without_a_price_is_drawn_as_such():
    drawing = budget_picture(claimed())
    assert 'class="unpriced"' in drawing
    assert "not proved" in drawing


def test_the_table_names_mechanism_noise_and_proof():
    written = ledger_table(guarantee())
    for words in ("gaussian", "4 to 9", "1 (L2)", "docs/proofs/counts.md", "420"):
        assert words in written


def test_many_questions_are_cut_in_the_picture_and_whole_in_the_table():
    question = guarantee().questions[0]
    written = ledger(guarantee(questions=(question,) * 50))
    assert "20 smaller questions are in the table only" in written
    assert written.count('scope="row"') == 50


def test_questions_of_one_name_are_told_apart():
    first, second = guarantee().questions
    written = ledger(guarantee(questions=(first, second, first)))
    assert f"{first.label} (1 of 2)" in written and f"{first.label} (2 of 2)" in written
    assert f"{second.label} (" not in written
