import pytest

from rag.markdown import code, escape, prose


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("$5 up 2% ~ a_b*c", "\\$5 up 2% \\~ a\\_b\\*c"),
        ("<img src=x>", "\\<img src=x\\>"),
        ("![x](y)", "\\!\\[x\\](y)"),
        ("HTTPS://y.com, www.y.com, a@y.com", "HTTPS:\u2060//y.com, www\u2060.y.com, a\u2060@y.com"),
        ("**bold**", "\\*\\*bold\\*\\*"),
        ("# Head\n- item", "\\# Head - item"),
        ("1. first", "1\\. first"),
        ("- item", "\\- item"),
        ("a | b &amp; `c`", "a \\| b \\&amp; \\`c\\`"),
    ],
)
def test_text_of_others_is_shown_letter_for_letter(text, escaped):
    assert escape(text) == escaped


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("**Alder**: $5 [1][2].", "**Alder**: \\$5 [1][2]."),
        ("- **A_l**: a **b** [1]", "- **A\\_l**: a \\*\\*b\\*\\* [1]"),  # bold words of a document
        ("**Risk** (2 of 3) [1]", "**Risk** (2 of 3) [1]"),
        ("**Alder", "\\*\\*Alder"),
        ("See http://y [1]", "See http:\u2060//y [1]"),
        ("- a | b [1]", "- a \\| b [1]"),
        ("| a | 1*2 [1] |\n|---|--:|", "| a | 1\\*2 [1] |\n|---|--:|"),
        ("[1](javascript:alert(1))", "\\[1\\](javascript:alert(1))"),  # a mark that a document makes a link of
        ("[1]: http://x", "\\[1\\]: http:\u2060//x"),
        ("-5 million", "\\-5 million"),
        ("# no head", "\\# no head"),
    ],
)
def test_an_answers_own_markup_stays_and_no_other(text, shown):
    assert prose(text) == shown


def test_code_holds_backticks():
    assert code("a") == "`a`"
    assert code("a ``b`` \n`c`") == "``` a ``b`` `c` ```"
