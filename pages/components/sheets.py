"""Long lists, a sheet at a time."""

from collections.abc import Sequence
from typing import TypeVar

import streamlit as st

T = TypeVar("T")


def sheet(rows: Sequence[T], size: int, *, key: str) -> Sequence[T]:
    """The rows of the sheet that is open; where there are several, a way to the others stands above."""
    sheets = -(-len(rows) // size)
    number = st.pagination(sheets, key=f"{key}-sheet") if sheets > 1 else 1
    return rows[(number - 1) * size : number * size]
