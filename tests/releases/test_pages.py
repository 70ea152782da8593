"""The readable pages say the guarantee, every question, and what is not covered."""

from dataclasses import replace

from triplea.releases.pages import certificate_page, datasheet_page


def test_the_certificate_page_lists_every_question(release):
    page = certificate_page(release.certificate)
    assert release.certificate.sentence in page
    assert all(entry.charge.label in page for entry in release.certificate.entries)
    assert "What is not covered" in page
    assert "triplea verify" in page


def test_the_datasheet_lists_every_column(release):
    page = datasheet_page(release.certificate, release.schema)
    assert all(f"| {column.name} |" in page for column in release.schema.columns)
    assert release.certificate.sentence in page


def test_names_of_strangers_are_text_in_both_pages(release):
    warned = replace(release.certificate, warnings=("observed: <script>x</script>,\na",), unit="a|b")
    schema = replace(release.schema, name="<b>bold</b>")
    pages = certificate_page(warned) + datasheet_page(warned, schema)
    assert "<script>" not in pages and "<b>" not in pages
    assert "> **Warning.** observed: &lt;script>x&lt;/script>, a\n" in pages
    assert "| privacy unit | a\\|b |" in pages
