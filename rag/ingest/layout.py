"""Pieces of text that stand somewhere on a page, in the order in which they are read."""

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

_MIDDLE = (0.35, 0.65)  # of the width: where the gap between two columns lies
_ACROSS = 0.2  # at most this share of the pieces, such as titles, runs across it
_LEAST, _PROSE = 5, 18  # pieces, and characters of a usual one, on each side: else it is a table


class Box(NamedTuple):
    left: float
    top: float  # downwards
    right: float
    bottom: float
    text: str

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2


def page_text(boxes: Sequence[Box]) -> str:
    """A line a row, its pieces apart by blanks; of two columns of prose the left one first, between what spans both."""
    lines: list[str] = []
    gap = _gap(boxes)
    columns: tuple[list[str], list[str]] = ([], [])
    for row in _rows(boxes):
        if gap is None or any(box.left < gap < box.right for box in row):
            lines += [*columns[0], *columns[1], " ".join(box.text for box in row)]
            columns = ([], [])
            continue
        for column, side in zip(columns, (True, False), strict=True):
            if line := " ".join(box.text for box in row if (box.left < gap) is side):
                column.append(line)
    return "\n".join([*lines, *columns[0], *columns[1]])


def _rows(boxes: Sequence[Box]) -> list[list[Box]]:
    """From the top, each from the left; a piece belongs to a row whose last one stands at its height."""
    rows: list[list[Box]] = []
    for box in sorted(boxes, key=lambda box: box.middle):
        last = rows[-1][-1] if rows else None
        if last and box.middle - last.middle < (box.bottom - box.top) / 2:
            rows[-1].append(box)
        else:
            rows.append([box])
    return [sorted(row) for row in rows]


def _gap(boxes: Sequence[Box]) -> float | None:
    """Where two columns of prose part; None: there is one, or a table."""
    if not boxes:
        return None
    left, right = min(box.left for box in boxes), max(box.right for box in boxes)
    least, most = (left + share * (right - left) for share in _MIDDLE)
    edges = [box.left - 1 for box in boxes if least < box.left - 1 < most]
    if not edges:
        return None
    gap = min(edges, key=lambda edge: sum(box.left < edge < box.right for box in boxes))
    sides = [box for box in boxes if box.right <= gap], [box for box in boxes if box.left >= gap]
    if len(boxes) - sum(map(len, sides)) > _ACROSS * len(boxes):
        return None
    prose = all(len(side) >= _LEAST and median(len(box.text) for box in side) >= _PROSE for side in sides)
    return gap if prose else None
