import pytest

from rag.errors import BadFile
from rag.ingest.html import HtmlReader


def quiet(done: int, total: int) -> None:
    pass


def text(data: bytes) -> str:
    return "\n".join(page.text for page in HtmlReader().read(data, quiet).pages)


def test_a_table_row_is_a_line():
    rows = b"<table><tr><td>Revenue</td><td>1,204</td></tr><tr><td>Loss</td><td>(98)</td></tr></table>"
    assert text(b"<html><body>" + rows) == "Revenue | 1,204\nLoss | (98)"


def test_scripts_styles_and_hidden_parts_stay_out():
    data = b"<html><style>p{}</style><script>alert(1)</script><p>Sales &amp; costs</p><p style='display:none'>no</p>"
    assert text(data) == "Sales & costs"


@pytest.mark.parametrize(
    "how",
    [
        "hidden",
        "hidden='until-found'",
        "aria-hidden='TRUE'",
        "style='color:red; DISPLAY : none !important'",
        "style='visibility:hidden'",
        "style='visibility: collapse'",
    ],
)
def test_what_no_reader_sees_is_left_out_with_all_that_it_holds(how):
    assert text(f"<html><p>Sales <span {how}>No <b>profit</b></span>rose</p>".encode()) == "Sales rose"
    with pytest.raises(BadFile):
        text(f"<div {how}>Profit</div>".encode())


@pytest.mark.parametrize("how", ["aria-hidden='false'", "style='display:block'", "style='--x-display: nonetheless'"])
def test_what_only_looks_like_it_is_kept(how):
    assert text(f"<html><p {how}>Sales</p>".encode()) == "Sales"


def test_headings_keep_their_level():
    reading = HtmlReader().read(b"<html><h1>Alder <b>plc</b></h1><p>x</p><h3>Risks</h3><p>One.</p>", quiet)
    assert [(heading.level, heading.title) for heading in reading.headings] == [(1, "Alder plc"), (3, "Risks")]
    assert "Alder plc" in reading.pages[0].text


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16"])
def test_the_pages_own_encoding_is_followed(encoding):
    page = f"<html><meta charset='{encoding}'><p>Umsatz für März</p>"
    assert text(page.encode(encoding)) == "Umsatz für März"


def test_a_page_without_words_is_refused():
    with pytest.raises(BadFile):
        text(b"<html><body></body></html>")


def test_cells_of_a_filing_are_joined_to_figures():
    cells = "<td>Net loss</td><td></td><td>$</td><td>(98</td><td>)</td><td></td><td>12</td><td>%</td>"
    assert text(f"<html><table><tr>{cells}</tr></table>".encode()) == "Net loss | $(98) | 12%"


def test_the_breaks_that_it_prints_with_make_pages():
    after = "<p>One</p><hr style='page-break-after:always'><p>Two</p>"
    before = "<div style='break-before: page'>Three</div>"
    reading = HtmlReader().read(f"<html><body>{after}{before}".encode(), quiet)
    assert [page.text for page in reading.pages] == ["One", "Two", "Three"]
    assert reading.notes == ()
