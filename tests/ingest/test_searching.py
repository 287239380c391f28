from rag.ingest.searching import search_texts
from rag.types import Card, Page, Passage

CARD = Card("Elm", (), "10-K", 2022)
HEAD = "Debt of the group (in millions)\n2022 2021"
FIRST, LATER = "Notes due 2024 1,000 1,100", "Notes due 2025 2,000 2,100"
TEXT = f"{HEAD}\n{FIRST}\n{LATER}"


def bodies(*spans, statement=None, headings=()):
    page = Page(1, "1", TEXT, statement=statement)
    passages = [
        Passage(f"elm:{n}", "elm", 1, "1", start, end, TEXT[start:end], headings, statement)
        for n, (start, end) in enumerate(spans)
    ]
    return [text.body for text in search_texts(passages, [page], CARD)]


def test_the_later_part_of_a_table_is_found_by_its_title_units_and_years():
    cut = TEXT.index(LATER)
    first, later = bodies((0, cut - 1), (cut, len(TEXT)))
    assert later == f"{LATER}\n{HEAD}\nElm 10-K 2022".casefold().replace(",", "")
    assert first.count("debt") == 1  # it holds the head itself


def test_every_part_of_a_statement_is_found_by_its_head():
    cut = TEXT.index(FIRST)
    _, rows = bodies((0, cut - 1), (cut, len(TEXT)), statement="balance")
    assert "debt of the group (in millions)\n2022 2021" in rows


def test_headings_and_the_statements_names_are_a_field_of_their_own():
    passage = Passage("elm:0", "elm", 1, "1", 0, 4, "Debt", ("Item 8", "Balance"), "balance")
    (text,) = search_texts([passage], [Page(1, "1", "Debt", statement="balance")], CARD)
    assert text.heading == "item 8\nbalance\nbalance sheet statement of financial position"


def test_the_second_page_of_a_statement_is_found_by_the_head_of_its_first():
    pages = [Page(1, "1", TEXT, statement="balance"), Page(2, "2", LATER, statement="balance"), Page(3, "3", LATER)]
    passages = [
        Passage(f"elm:{page.number}", "elm", page.number, page.label, 0, len(page.text), page.text, (), page.statement)
        for page in pages
    ]
    _, second, other = (text.body for text in search_texts(passages, pages, CARD))
    assert "debt of the group (in millions)\n2022 2021" in second
    assert "debt" not in other
