"""Rows as pictures: the schema gives the size, every class gives a few."""

from base64 import b64decode

import numpy as np
import pytest

from triplea.errors import UserError
from triplea.evaluate.images import image_size, sample_images
from triplea.evaluate.rows import Field, Rows

FIELDS = (
    Field(name="p0", lower=0, upper=1),
    Field(name="p1", lower=0, upper=1),
    Field(name="label", levels=("cat", "dog")),
)


def make_rows(labels: list[int], level: float) -> Rows:
    values = {
        "p0": np.full(len(labels), level), "p1": np.full(len(labels), np.nan), "label": np.array(labels)
    }  # fmt: skip
    return Rows(fields=FIELDS, values=values)


def test_pictures_are_scaled_by_the_public_bounds():
    rng = np.random.default_rng(0)
    found = sample_images(
        make_rows([0, 1, 1], 0.5), make_rows([0, 0], 1.0), size=(1, 2), target="label", rng=rng, per_class=1
    )
    assert found.classes == ("cat", "dog")
    assert b64decode(found.real[0][0]) == bytes([128, 0])
    assert b64decode(found.synthetic[0][0]) == bytes([255, 0])
    assert [len(few) for few in found.real] == [1, 1]
    assert found.synthetic[1] == ()


@pytest.mark.parametrize("entry", [{"shape": [2, 3]}, {"height": 2, "width": 3}])
def test_the_size_may_be_written_in_two_ways(entry):
    assert image_size({"image": entry}) == (2, 3)


def test_without_a_target_there_is_one_class():
    rows = make_rows([0, 1], 0.5)
    found = sample_images(rows, rows, size=(2, 1), target=None, rng=np.random.default_rng(0))
    assert [len(few) for few in found.real] == [2]


def test_a_size_that_does_not_fit_is_refused():
    rows = make_rows([0], 0.5)
    with pytest.raises(UserError, match="image is 3 x 3 = 9 pixels, but there are 2 number columns"):
        sample_images(rows, rows, size=(3, 3), target="label", rng=np.random.default_rng(0))


def test_the_size_is_read_from_the_schema():
    assert image_size({}) is None
    assert image_size({"image": {"height": 28, "width": 20}}) == (28, 20)
    for bad in (28, {"height": 28}, {"height": 0, "width": 3}, {"height": True, "width": 3}):
        with pytest.raises(UserError, match="image must give height and width as positive integers"):
            image_size({"image": bad})
