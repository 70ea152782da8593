from tests.report.records import HOSTILE, images
from triplea.report.pictures import images_section


def test_every_class_has_real_and_synthetic_pictures_with_words():
    written = images_section(images())
    assert written.count("<img") == 3
    assert 'alt="2 real rows of class 0"' in written
    assert 'src="data:image/png;base64,' in written
    assert HOSTILE not in written


def test_a_class_without_synthetic_rows_says_none():
    assert "<strong>none</strong>" in images_section(images())
