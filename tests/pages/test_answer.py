from pages.components.answer import answer_markdown
from rag.types import Answer, Citation, Passage

PASSAGE = Passage("a1:3", "a1", 12, "iv", 0, 4, "text")
CITED = (Citation(1, PASSAGE, "alder.pdf", 'Alder "10-K"', 0.8),)
LINK = r'[\[1\]](documents?document=a1&page=12&passage=a1%3A3 "Alder \"10\-K\"\, p\. iv")'


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
