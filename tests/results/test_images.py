"""The record of pictures is stored and read back."""

from tests.report.records import images
from triplea.results import ImageSamples, jsonio


def test_pictures_survive_a_round_trip():
    assert jsonio.from_plain(ImageSamples, jsonio.to_plain(images())) == images()
