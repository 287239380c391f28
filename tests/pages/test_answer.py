from streamlit.testing.v1 import AppTest

from pages.components.answer import answer_markdown
from rag.types import Answer, Citation, Passage

PASSAGE = Passage("a1:3", "a1", 12, "iv", 0, 4, "text")
CITED = (Citation(1, PASSAGE, "alder.pdf", 'Alder "10-K"', 0.8),)
LINK = r'[\[1\]](documents?document=a1&page=12&passage=a1%3A3 "Alder \"10\-K\"\, p\. iv \(sheet 12\)")'


def test_a_mark_is_a_link_to_its_passage():
    assert answer_markdown(Answer("Lines stopped [1]", CITED)) == f"Lines stopped {LINK}"


def test_a_mark_that_cites_nothing_is_text():
    assert answer_markdown(Answer("See note [2]", CITED)) == r"See note \[2\]"


def test_bold_lists_and_tables_stay_and_the_rest_is_escaped():
    text = "**Two themes** recur\n\n| Theme | A_b |\n|---|:-:|\n| <b> | [1] |\n\n- $5 and $6\n- no"
    assert answer_markdown(Answer(text, CITED)) == (
        f"**Two themes** recur\n\n| Theme | A\\_b |\n|---|:-:|\n| \\<b\\> | {LINK} |\n\n- \\$5 and \\$6\n- no"
    )


def test_blanks_beside_marks_stay():
    assert answer_markdown(Answer("**A** b [1] c", CITED)) == f"**A** b {LINK} c"


def test_markup_of_a_document_is_text():
    shown = answer_markdown(Answer("![x](http://y) [z](http://y) # <script>", CITED))
    assert "](" not in shown.replace(r"\]\(", "")
    assert r"\<script\>" in shown


def test_lines_of_a_paragraph_keep_their_breaks():
    assert answer_markdown(Answer("one\ntwo")) == "one  \ntwo"


def draw(text: str) -> AppTest:
    """A page that shows this answer and nothing else."""

    def page(text: str) -> None:
        from pages.components.answer import draw_answer
        from rag.types import Answer

        draw_answer(Answer(text))

    app = AppTest.from_function(page, kwargs={"text": text}).run()
    assert not app.exception
    return app


def listed(title: str, reports: int) -> str:
    return "\n".join([title, *(f"- Report {n}: words" for n in range(reports))])


def test_lists_under_titles_are_folded_where_they_are_many():
    app = draw(f"Two themes.\n\n{listed('**Ports** (all reports) [1][2]', 4)}\n\n{listed('**Staff** [3]', 4)}")
    assert [each.label for each in app.expander] == [r"**Ports** \(all reports\)", "**Staff**"]
    assert [each.proto.expanded for each in app.expander] == [True, False]
    assert app.markdown[0].value == r"Two themes\."


def test_a_short_answer_stands_open():
    assert not draw(f"One theme.\n\n{listed('**Ports**', 3)}").expander


def test_of_a_long_list_without_a_title_the_first_items_stand_open():
    app = draw("\n".join(f"- Report {n}" for n in range(9)))
    assert [each.label for each in app.expander] == ["3 more"]
    assert app.markdown[0].value.count("- Report") == 6


def test_a_long_run_of_marks_is_counted_but_in_a_table():
    marks = "".join(f"[{n}]" for n in range(1, 13))
    assert answer_markdown(Answer(f"All say so {marks}.")) == r"All say so \[1\]\[2\]\[3\] and 9 more\."
    assert answer_markdown(Answer(f"| {marks} |")).count(r"\[") == 12


def test_a_form_does_not_break_in_a_cell():
    assert answer_markdown(Answer("| Alder 10-K 2023 |")) == "| Alder 10\\-\u2060K 2023 |"
