"""Where the public data sets come from, and the checksums that their files are known by.

A file without a checksum here is not published with one that could be confirmed; for all sets, the converted
table must have the published number of rows and of rows in every class.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

UCI = "https://archive.ics.uci.edu/ml/machine-learning-databases"
MNIST = "https://ossci-datasets.s3.amazonaws.com/mnist"
FASHION = "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com"
PHYSIONET = "https://physionet.org/files/mimiciii-demo/1.4"
IMAGE_FILES = (
    "train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz",
    "t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Download:
    """One file. `checksum` is "sha256:..." or "md5:..."; `sums` is the address of a list of sha256 sums."""

    url: str
    checksum: str | None = None
    sums: str | None = None

    @property
    def name(self) -> str:
        """The last part of the address."""
        return self.url.rpartition("/")[2]


@dataclass(frozen=True, kw_only=True)
class Origin:
    """The files of a data set, its licence, and how many rows its classes must have after conversion."""

    files: tuple[Download, ...]
    licence: str
    classes: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


def _images(base: str, sums: tuple[str, str, str, str]) -> tuple[Download, ...]:
    return tuple(
        Download(url=f"{base}/{name}", checksum=f"md5:{known}")
        for name, known in zip(IMAGE_FILES, sums, strict=True)
    )


ORIGINS: dict[str, Origin] = {
    "adult": Origin(
        files=(Download(url=f"{UCI}/adult/adult.data"), Download(url=f"{UCI}/adult/adult.test")),
        licence="CC BY 4.0",
        classes={"income": {"<=50K": 37_155, ">50K": 11_687}, "split": {"train": 32_561, "test": 16_281}},
    ),
    "census": Origin(
        files=(
            Download(url=f"{UCI}/census-income-mld/census-income.data.gz"),
            Download(url=f"{UCI}/census-income-mld/census-income.test.gz"),
        ),
        licence="CC BY 4.0",
        classes={
            "income": {"- 50000": 280_717, "50000+": 18_568},
            "split": {"train": 199_523, "test": 99_762},
        },
    ),
    "cervical": Origin(
        files=(Download(url=f"{UCI}/00383/risk_factors_cervical_cancer.csv"),),
        licence="CC BY 4.0",
        classes={"biopsy": {"0": 803, "1": 55}, "schiller": {"0": 784, "1": 74}},
    ),
    "covtype": Origin(
        files=(
            Download(
                url="https://ndownloader.figshare.com/files/5976039",
                checksum="sha256:614360d0257557dd1792834a85a1cdebfadc3c4f30b011d56afee7ffb5b15771",
            ),
        ),
        licence="CC BY 4.0",
        classes={
            "cover_type": {
                "1": 211_840, "2": 283_301, "3": 35_754, "4": 2_747, "5": 9_493, "6": 17_367, "7": 20_510,
            },
        },
    ),
    "credit": Origin(
        files=(Download(url="https://www.openml.org/data/download/1673544/phpKo8OWT"),),
        licence="ODbL 1.0 / DbCL 1.0",
        classes={"class": {"0": 284_315, "1": 492}},
    ),
    "diabetes": Origin(
        files=(
            Download(
                url="https://raw.githubusercontent.com/jbrownlee/Datasets/master/pima-indians-diabetes.data.csv"
            ),
        ),
        licence="public domain",
        classes={"outcome": {"0": 500, "1": 268}},
    ),
    "epileptic": Origin(
        files=(Download(url=f"{UCI}/00388/data.csv"),),
        licence="CC BY 4.0",
        classes={"y": dict.fromkeys("12345", 2_300)},
    ),
    "fashion_mnist": Origin(
        files=_images(
            FASHION,
            (
                "8d4fb7e6c68d591d4c3dfef9ec88bf0d", "25c81989df183df01b3e8a0aad5dffbe",
                "bef4ecab320f06d8554ea6380940ec79", "bb300cfdad3c16e7a12a480ee83cd310",
            ),
        ),
        licence="MIT",
        classes={"label": dict.fromkeys("0123456789", 7_000)},
    ),
    "intrusion": Origin(
        files=(
            Download(
                url="https://ndownloader.figshare.com/files/5976042",
                checksum="sha256:8045aca0d84e70e622d1148d7df782496f6333bf6eb979a1b0837c42a9fd9561",
            ),
            Download(url="http://kdd.ics.uci.edu/databases/kddcup99/corrected.gz"),
        ),
        licence="CC BY 4.0",
        classes={
            "category": {"dos": 621_311, "normal": 157_871, "r2l": 17_315, "probe": 8_273, "u2r": 280},
            "split": {"train": 494_021, "test": 311_029},
        },
    ),
    "isolet": Origin(
        files=(Download(url="https://www.openml.org/data/download/52405/phpB0xrNj"),),
        licence="CC BY 4.0",
        classes={
            "letter": {**{str(letter): 300 for letter in range(1, 27)}, "6": 298, "13": 299},
            "split": {"train": 6_238, "test": 1_559},
        },
    ),
    "mimic3_demo": Origin(
        files=tuple(
            Download(url=f"{PHYSIONET}/{name}", sums=f"{PHYSIONET}/SHA256SUMS.txt")
            for name in ("PATIENTS.csv", "DIAGNOSES_ICD.csv")
        ),
        licence="ODbL 1.0",
    ),
    "mnist": Origin(
        files=_images(
            MNIST,
            (
                "f68b3c2dcbeaaa9fbdd348bbdeb94873", "d53e105ee54ea40749a09fcbcd1e9432",
                "9fb629c4189551a2d022fa330f9573f3", "ec29112dd5afa0611ce80d1b7f02629c",
            ),
        ),
        licence="CC BY-SA 3.0",
        classes={
            "label": {
                "0": 6_903, "1": 7_877, "2": 6_990, "3": 7_141, "4": 6_824,
                "5": 6_313, "6": 6_876, "7": 7_293, "8": 6_825, "9": 6_958,
            },
        },
    ),
    "phishing": Origin(
        files=(Download(url=f"{UCI}/00327/Training%20Dataset.arff"),),
        licence="CC BY 4.0",
        classes={"result": {"1": 6_157, "-1": 4_898}},
    ),
}  # fmt: skip
