from hypothesis import given
from hypothesis import strategies as st

from triplea.report.html import Html, escape, join, name_of, table, tag


@given(st.text(st.characters(codec=None)))
def test_no_text_gets_through_as_markup(text):
    written = tag("p", text, title=text)
    assert written.count("<") == 2
    assert written.count('"') == 2
    written.encode("utf-8")  # lone surrogates would raise


@given(st.text())
def test_control_characters_become_a_visible_mark(text):
    assert not any(ord(letter) < 32 and letter not in "\t\n\r" for letter in escape(text))


def test_markup_passes_once_and_nothing_is_nothing():
    assert join(Html("<b>"), None, ["a<", 3], ()) == "<b>a&lt;3"


def test_attributes_may_be_absent_or_bare():
    assert tag("input", hidden=True, id=None, max=1.25, for_="x") == '<input hidden max="1.25" for="x">'


def test_names_of_strangers_keep_their_direction_to_themselves():
    assert name_of("\u202egnp") == "<bdi>\u202egnp</bdi>"


def test_tables_have_a_caption_headings_and_a_scroller_for_the_keyboard():
    written = table("Shares", ("value", "real"), [("a", "1")])
    assert "<caption><span>Shares</span></caption>" in written
    assert '<th scope="col">value</th>' in written
    assert '<th scope="row">a</th>' in written
    assert 'tabindex="0"' in written
