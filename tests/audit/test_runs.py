"""Runs on two tables: in this process or in others, with answers that follow from their seeds."""

from __future__ import annotations

import os

import numpy as np

from tests.audit import planted
from triplea.audit.pairs import outlier, singleton_category
from triplea.audit.runs import Batch, Pool, fresh, gather, look, single_threaded
from triplea.releases.request import Request, prepare


def requested(method: object, pair=None) -> Request:
    pair = pair or singleton_category()
    return prepare(
        schema=pair.schema,
        epsilon=1.0,
        delta=1e-5,
        neighbours=pair.relation,
        method=method,  # type: ignore[arg-type]
    )


def test_ratios_lean_to_the_table_of_the_run() -> None:
    rng = np.random.default_rng(0)
    pair = singleton_category()
    request = prepare(schema=pair.schema, epsilon=20.0, delta=1e-5, method="independent")
    first, second = gather(Pool(1), request, pair, runs=12, features=2, visible=True, rng=rng)
    assert np.mean([seen.ratio for seen in first]) < 0 < np.mean([seen.ratio for seen in second])
    assert [seen.features is not None for seen in first] == [True] * 2 + [False] * 10


def test_the_same_seeds_show_the_same() -> None:
    pair = outlier()
    batch = Batch(
        request=requested("independent", pair), table=pair.table, other=pair.neighbour, sign=1.0,
        seeds=(1, 2), visible=True,
    )  # fmt: skip
    assert look(batch) == look(batch)


def test_a_run_that_goes_another_way_is_marked() -> None:
    pair = outlier()
    request = requested(planted.ExactClassCount(), pair)
    batch = Batch(
        request=request, table=pair.table, other=singleton_category().neighbour, sign=1.0, seeds=(1,),
        visible=True,
    )  # fmt: skip
    assert look(batch)[0].broken


def test_an_error_is_an_outcome() -> None:
    pair = outlier()
    batch = Batch(
        request=requested(planted.ErrorFromARow(), pair), table=pair.neighbour, other=pair.table, sign=1.0,
        seeds=(1,), visible=False,
    )  # fmt: skip
    (seen,) = look(batch)
    assert seen.features is not None and seen.features["ended with an error"] == 1.0


def test_a_fresh_request_has_a_method_that_has_not_been_fitted() -> None:
    request = requested("independent")
    again = fresh(request)
    assert again.method is not request.method and again.method.get_params() == request.method.get_params()


def test_processes_that_start_now_use_one_thread() -> None:
    before = os.environ.get("OMP_NUM_THREADS")
    with single_threaded():
        assert os.environ["OMP_NUM_THREADS"] == "1"
    assert os.environ.get("OMP_NUM_THREADS") == before
