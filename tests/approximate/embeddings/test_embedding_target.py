"""Reading a noisy embedding: sizes from all counts, means drawn to their peers where they are noise."""

import numpy as np

from triplea.approximate.codes.binning import Binning
from triplea.approximate.codes.coordinates import MixedCoordinates
from triplea.approximate.embeddings.embedding_target import kinds_of, parts, read_embedding
from triplea.approximate.embeddings.random_features import draw_features

UNIT = Binning(edges=np.array([0.0, 1.0]), nullable=False, countable=False)
CODES = Binning(edges=np.arange(4), nullable=False, countable=True)
CODE = MixedCoordinates(binnings={"a": UNIT, "c": CODES}, discrete=["c"])
FEATURES = draw_features(
    CODE,
    harmonics=(1.0, 2.0, 3.0),
    joint=20,
    bandwidths=(1.0,),
    turn=0.0,
    joint_share=0.3,
    count_share=0.1,
    rng=np.random.default_rng(0),
)


def sums(counts, means):
    return np.asarray(counts, float)[:, None] * np.asarray(means)


def spread(noise):
    return np.broadcast_to(noise / FEATURES.weights, (2, FEATURES.width))


def made(noise, counts=(1000, 100), seed=0):
    rng = np.random.default_rng(seed)
    means = rng.uniform(-0.5, 0.5, (2, FEATURES.width))
    means[:, 0], means[:, 1:4] = 1.0, [[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]]
    values = sums(counts, means) + spread(noise) * rng.standard_normal((2, FEATURES.width))
    return means, read_embedding(values, spread(noise), FEATURES)


def test_every_entry_but_the_constant_belongs_to_one_part():
    entries = np.sort(np.concatenate(parts(FEATURES)))
    assert np.array_equal(entries, np.arange(1, FEATURES.width))


def test_without_noise_the_means_are_exact():
    means, target = made(1e-9)
    assert np.allclose(target.means, means, atol=1e-6)
    assert np.allclose(target.counts, [1000, 100])
    assert target.trust.min() > 0.999


def test_a_class_that_is_all_noise_looks_like_the_rest():
    means, target = made(30.0, counts=(100_000, 40))
    assert np.abs(target.means[0] - means[0])[1:].max() < 0.1
    overall = target.means[0]
    assert np.abs(target.means[1] - overall)[4:].mean() < 0.3
    assert target.trust[1] < 0.1 < 0.9 < target.trust[0]


def test_a_class_without_rows_has_size_and_trust_zero():
    values = sums((500, 0), np.ones((2, FEATURES.width)))
    values[1] = -3.0
    target = read_embedding(values, spread(0.01), FEATURES)
    assert target.counts[1] == 0.0 and target.trust[1] == 0.0
    assert np.isfinite(target.means).all()


def test_nothing_at_all_is_no_division_by_zero():
    target = read_embedding(np.zeros((2, FEATURES.width)), spread(1.0), FEATURES)
    assert target.counts.sum() == 0 and np.isfinite(target.means).all() and target.noise == 0.0


def test_entries_are_judged_by_others_of_their_kind():
    """Forty columns whose classes differ in the first cosine only: that is kept, the rest drawn together."""
    names = [f"x{i}" for i in range(40)]
    many = draw_features(
        MixedCoordinates(binnings=dict.fromkeys(names, UNIT), discrete=[]), harmonics=(1.0, 2.0), joint=0,
        bandwidths=(1.0,), turn=0.0, joint_share=0.3, count_share=0.1, rng=np.random.default_rng(0),
    )  # fmt: skip
    kinds = kinds_of(many)
    assert len(kinds) == many.width and len(np.unique(kinds)) == 1 + 4
    first = kinds == 2
    assert first.sum() == 40
    rng = np.random.default_rng(1)
    means = np.where(first, np.array([[0.3], [-0.3]]), 0.0)
    means[:, 0] = 1.0
    stddev = np.full(means.shape, 150.0)
    values = sums((1000, 1000), means) + stddev * rng.standard_normal(means.shape)
    found = read_embedding(values, stddev, many).means
    gap = np.abs(found[0] - found[1])
    assert gap[first].mean() > 0.4 and gap[kinds > 2].mean() < 0.1


def test_a_block_of_more_weight_is_a_kind_of_its_own():
    three = MixedCoordinates(binnings=dict.fromkeys("abc", CODES), discrete=list("abc"))
    options = {"harmonics": (), "joint": 0, "bandwidths": (1.0,), "turn": 0.0, "joint_share": 0.3}
    options |= {"count_share": 0.1, "rng": np.random.default_rng(0)}
    equal, focused = (draw_features(three, **options, focus=f, focus_weight=0.5) for f in ([], [1]))
    assert kinds_of(equal).tolist() == [0] + [1] * 9
    assert kinds_of(focused).tolist() == [0] + [1] * 3 + [2] * 3 + [1] * 3


def test_a_table_without_features_has_its_size():
    one = draw_features(
        MixedCoordinates(binnings={}, discrete=[]), harmonics=(), joint=0, bandwidths=(1.0,), turn=0.0,
        joint_share=0.3, count_share=0.1, rng=np.random.default_rng(0),
    )  # fmt: skip
    assert read_embedding(np.array([[5.0], [7.0]]), np.ones((2, 1)), one).counts.tolist() == [5, 7]
