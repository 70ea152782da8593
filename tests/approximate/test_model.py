"""Models register themselves by kind, so that a stored model finds its reader."""

from triplea.approximate.mixtures.product_mixture import ProductMixture
from triplea.approximate.model import Model


def test_a_model_is_found_by_its_kind():
    assert Model.kinds["product-mixture"] is ProductMixture
