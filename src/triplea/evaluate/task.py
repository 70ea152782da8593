"""The prediction task: features and targets of the three tables, cleaned of rows without a target."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from triplea.errors import TableError
from triplea.evaluate.rows import Rows
from triplea.results import Note


@dataclass(frozen=True, kw_only=True)
class Labelled:
    """Features with their target: class numbers, or floats for regression."""

    features: Rows
    target: np.ndarray

    def __len__(self) -> int:
        return len(self.target)

    def sample(self, count: int, rng: np.random.Generator) -> Labelled:
        """Return at most `count` rows, drawn without replacement."""
        if len(self) <= count:
            return self
        chosen = np.sort(rng.choice(len(self), count, replace=False))
        return Labelled(features=self.features.take(chosen), target=self.target[chosen])


@dataclass(frozen=True, kw_only=True)
class Task:
    """Train, test and synthetic rows for one target. `classes` is empty for regression."""

    target: str
    classes: tuple[str, ...]
    train: Labelled
    test: Labelled
    synthetic: Labelled
    notes: tuple[Note, ...]

    @property
    def is_classification(self) -> bool:
        """Whether the target is a class and not a number."""
        return bool(self.classes)

    @property
    def positive(self) -> str | None:
        """The positive one of two classes."""
        return self.classes[1] if len(self.classes) == 2 else None

    @property
    def majority_share(self) -> float:
        """Accuracy on the test rows of always saying the training rows' most common class."""
        return float(np.mean(self.test.target == self.majority)) if len(self.test) else float("nan")

    @property
    def majority(self) -> int:
        """The most common class of the real training rows."""
        return int(np.bincount(self.train.target, minlength=len(self.classes)).argmax())


def make_task(train: Rows, test: Rows, synthetic: Rows, target: str, *, positive: str | None = None) -> Task:
    """Split target from features. Classes are sorted by name, or put `positive` last of two.

    A whole-number target of two values is a class; any other number target is regression.
    """
    field = train.field(target)
    two_numbers = field.whole and field.upper - field.lower == 1
    classes: tuple[str, ...] = ()
    if field.levels is not None or two_numbers:
        classes = _classes([train, test, synthetic], target, positive)
    parts = [_labelled(rows, target, classes, low=field.lower) for rows in (train, test, synthetic)]
    for name, part in zip(("training", "test"), parts, strict=False):
        if not len(part):
            raise TableError(f"column {target!r}: the real {name} rows hold no usable target value")
    usual = 1 - len(parts[0]) / len(train)
    notes = _lost(synthetic, parts[2], target, usual)
    if classes:
        notes += _vanished(parts, classes, target)
    return Task(
        target=target,
        classes=classes,
        train=parts[0],
        test=parts[1],
        synthetic=parts[2],
        notes=tuple(notes),
    )


def _names(rows: Rows, target: str) -> tuple[str, ...]:
    field = rows.field(target)
    return field.levels if field.levels is not None else (f"{field.lower:g}", f"{field.upper:g}")


def _classes(tables: list[Rows], target: str, positive: str | None) -> tuple[str, ...]:
    names = _names(tables[0], target)
    real = {names[code] for rows in tables[:2] for code in np.unique(_class_codes(rows, target)) if code >= 0}
    classes = sorted(real)
    if positive is not None:
        if positive not in classes:
            raise TableError(f"positive class {positive!r} does not occur: the classes are {classes}")
        classes = [*(name for name in classes if name != positive), positive]
    if len(classes) == 1:
        # One real class is still a task of two: a constant target must not stop the rest.
        classes += [name for name in sorted(names) if name not in classes][:1] or ["(no other class)"]
    return tuple(classes)


def _class_codes(rows: Rows, target: str) -> np.ndarray:
    field, values = rows.field(target), rows[target]
    if field.levels is not None:
        return values
    return np.where(np.isnan(values), -1, np.nan_to_num(values) - field.lower).astype(np.int64)


def _labelled(rows: Rows, target: str, classes: tuple[str, ...], *, low: float) -> Labelled:
    if not classes:
        kept = ~np.isnan(rows[target])
        return Labelled(features=rows.without(target).take(kept), target=rows[target][kept])
    number = {name: place for place, name in enumerate(classes)}
    table = np.array([*(number.get(name, -1) for name in _names(rows, target)), -1], dtype=np.int64)
    labels = table[_class_codes(rows, target)]
    kept = labels >= 0
    return Labelled(features=rows.without(target).take(kept), target=labels[kept])


def _lost(rows: Rows, part: Labelled, target: str, usual: float) -> list[Note]:
    """Note synthetic rows without a usable target; a warning if the share is above the real rows' `usual`."""
    lost = len(rows) - len(part)
    if not lost:
        return []
    text = (
        f"{lost} of {len(rows)} synthetic rows have no target value of the real rows; utility leaves them out"
    )
    level = "warning" if lost / len(rows) > usual + 0.01 else "info"
    return [Note(code="target-lost", text=text, level=level, column=target)]


def _vanished(parts: list[Labelled], classes: tuple[str, ...], target: str) -> list[Note]:
    notes = []
    real, synthetic = set(np.unique(parts[0].target)), set(np.unique(parts[2].target))
    gone = [classes[label] for label in sorted(real - synthetic)]
    if len(synthetic) < 2:
        text = (
            "the synthetic target holds one class only: a model trained on it scores like a constant (AUC .5)"
        )
        notes.append(Note(code="one-class", text=text, column=target))
    elif gone:
        text = f"classes of the real rows that no synthetic row has: {gone}"
        notes.append(Note(code="class-vanished", text=text, column=target))
    if len(np.unique(parts[1].target)) < 2:
        text = "the real test rows hold one class only: AUC is set to .5"
        notes.append(Note(code="test-one-class", text=text, column=target))
    return notes
