"""Membership inference: can an attacker who sees the synthetic table tell training rows from other people?"""

from __future__ import annotations

import numpy as np

from triplea.evaluate.bootstrap import Bootstrap
from triplea.evaluate.neighbours import nearest, points_of
from triplea.evaluate.ranking_scores import roc_auc
from triplea.evaluate.rows import Rows
from triplea.results import MembershipAttack, Score

_DENSITY_NEIGHBOURS = 1


def membership_attacks(
    train: Rows,
    held_out: Rows,
    synthetic: Rows,
    *,
    rows: int,
    references: int,
    rng: np.random.Generator,
    seed: int,
) -> tuple[MembershipAttack, ...]:
    """Run two attacks on equally many members and non-members.

    Distance: a row near a synthetic row is called a member. Density ratio (after DOMIAS): a row where the
    synthetic table is denser than a reference sample of real people is called a member; density is read off
    the distance to the nearest row. The reference is half
    of the held-out rows; the non-members are the other half.
    """
    order = rng.permutation(len(held_out))
    half = len(order) // 2
    outside, reference = held_out.take(order[:half]), held_out.take(order[half:])
    size = min(rows, len(train), len(outside))
    if size < 2 or not len(synthetic):
        return ()
    people = np.concatenate([points_of(train.sample(size, rng)), points_of(outside.sample(size, rng))])
    member = np.repeat([True, False], size)
    ours = points_of(synthetic.sample(references, rng))
    others = points_of(reference.sample(references, rng))
    near = nearest(people, ours, count=_DENSITY_NEIGHBOURS)[0]
    beside = nearest(people, others, count=_DENSITY_NEIGHBOURS)[0]
    ratio = np.log(beside[:, -1] + 1e-6) - np.log(near[:, -1] + 1e-6)
    return (
        _score("distance", "Nearest synthetic row", member, -near[:, 0], seed),
        _score("density_ratio", "Density ratio to other real rows", member, ratio, seed),
    )


def _score(attack: str, title: str, member: np.ndarray, scores: np.ndarray, seed: int) -> MembershipAttack:
    point = float(roc_auc(member, scores, np.ones((1, len(member))))[0])
    low, high = Bootstrap.of(len(member), seed=seed).of_rows(
        point, lambda rows, weights: roc_auc(member[rows], scores[rows], weights)
    )
    # The lowest threshold that keeps false alarms at or below 1 %.
    bar = np.quantile(scores[~member], 0.99, method="higher")
    return MembershipAttack(
        attack=attack,
        title=title,
        members=int(member.sum()),
        non_members=int((~member).sum()),
        auc=Score(value=point, low=low, high=high),
        true_positives_at_one_percent=float((scores[member] > bar).mean()),
    )
