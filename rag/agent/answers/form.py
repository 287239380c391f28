"""A number in the form that a question asks for: its scale and its decimals."""

from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple

from rag.agent.denomination import SCALES
from rag.search.instructions import Form


class Shown(NamedTuple):
    text: str  # "1,577.0 million", "23.5%"
    value: float  # the same in plain units, per share or per cent as it is; unrounded where no decimals are asked for


def in_form(value: float, unit: str, form: Form, *, usual: int) -> Shown:
    """The value, in plain units, in the scale asked for or else its own, with `usual` decimals or those asked for.

    Per cent and amounts per share have no scale. Halves are rounded up, as by hand.
    """
    unit = form.scale if form.scale and unit not in ("%", "per share") else unit
    factor = SCALES.get(unit, 1.0)
    places = usual if form.decimals is None else form.decimals
    number = Decimal(repr(value / factor)).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    text = f"{number:,f}" + ("%" if unit == "%" else f" {unit}" if unit else "")
    return Shown(text, value if form.decimals is None else float(number) * factor)


def decimals_of(printed: str) -> int:
    """How many digits a printed number has behind its point."""
    return sum(map(str.isdigit, printed.partition(".")[2]))
