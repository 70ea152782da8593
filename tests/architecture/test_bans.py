"""The bans that import rules cannot see: random generators, file readers and pickle outside their rooms."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def complaints(source: str, *, file: str) -> str:
    """What ruff says about a text, if it stood in that file of the package."""
    return subprocess.run(
        [
            *(sys.executable, "-m", "ruff", "check", "--no-cache", "--select", "TID251,NPY002"),
            *("--output-format", "concise", "--stdin-filename", str(ROOT / "src" / "triplea" / file), "-"),
        ],
        input=source,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    ).stdout


@pytest.mark.parametrize(
    "source",
    [
        "import numpy as np\nnp.random.default_rng()\n",
        "from numpy.random import default_rng\n",
        "import numpy as np\nnp.random.normal(0, 1)\n",
        "import jax\njax.random.normal(jax.random.key(0))\n",
        "import random\n",
        "import secrets\n",
        "import pickle\n",
        "import pandas as pd\npd.read_csv('rows.csv')\n",
        "import pyarrow.parquet as pq\npq.read_table('rows.parquet')\n",
    ],
)
def test_a_method_may_not_draw_read_or_pickle(source: str) -> None:
    assert "TID251" in complaints(source, file="methods/planted.py")


def test_a_generator_may_be_named_as_a_type() -> None:
    source = "import numpy as np\n\n\ndef draw(rng: np.random.Generator) -> float:\n    return rng.random()\n"
    assert "TID251" not in complaints(source, file="sample/planted.py")


def test_the_noise_may_draw() -> None:
    assert "TID251" not in complaints("import secrets\n", file="anonymize/noise.py")


def test_tables_may_read() -> None:
    assert "TID251" not in complaints(
        "import pyarrow.parquet as pq\npq.read_table('rows.parquet')\n", file="tables/planted.py"
    )
