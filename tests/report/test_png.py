import io
from base64 import b64decode, b64encode

import numpy as np
import pytest

from triplea.report.png import grey_png, strip


def test_the_picture_is_read_back_by_an_independent_reader():
    image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    pixels = np.arange(12, dtype=np.uint8) * 20
    read = np.asarray(image.open(io.BytesIO(grey_png(pixels.tobytes(), height=3, width=4))))
    np.testing.assert_array_equal(read, pixels.reshape(3, 4))


def test_pictures_stand_side_by_side():
    image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    one = b64encode(bytes([255] * 6)).decode()
    address = strip([one, one], height=2, width=3)
    read = np.asarray(image.open(io.BytesIO(b64decode(address.partition(",")[2]))))
    np.testing.assert_array_equal(read, [[255, 255, 255, 0, 255, 255, 255]] * 2)


def test_a_wrong_number_of_pixels_is_refused():
    with pytest.raises(ValueError, match="expected 2 x 2 = 4 bytes, got 3"):
        grey_png(b"abc", height=2, width=2)
