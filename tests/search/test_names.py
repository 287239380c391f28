import pytest

from rag.search.names import bearers, known_names, mentions, plain, unknown_names
from tests.search.cards import report

LIBRARY = (
    report("Johnson & Johnson"),
    report("Verizon Communications", aliases=("VZ", "Verizon Communications Inc.")),
    report("American Express"),
    report("General Mills"),
    report("Coca-Cola"),
    report("3M"),
    report("MGM Resorts International"),
)
NAMES = known_names(LIBRARY)
# Words that the passages of this library hold, in lower case.
SPOKEN = frozenset("brexit pfas ukraine covid-19 covid 19 climate tariffs china european union revenue".split())


def named(question):
    """Companies that the question names, in order."""
    return [" ".join(i.split()[:-2]) for mention in mentions(question, NAMES) for i in mention.documents]


def absent(question):
    return unknown_names(question, mentions(question, NAMES), SPOKEN.__contains__)


def test_the_bearers_of_names_come_as_the_text_names_them_and_each_once():
    verizon, mills = LIBRARY[1].id, LIBRARY[3].id
    assert bearers("General Mills, VZ, and General Mills again", LIBRARY) == (mills, verizon)


def test_a_name_is_compared_without_case_punctuation_and_legal_form():
    assert plain("The Coca-Cola Company") == plain("Coca Cola Co.") == ("coca", "cola")
    assert plain("Verizon’s") == ("verizon",)
    assert plain("The Group") == ("the", "group")  # made of legal words alone, so they are kept


@pytest.mark.parametrize(
    "question",
    [
        "What was Johnson & Johnson's revenue?",
        "What was Johnson and Johnson’s revenue?",
        "Did JnJ grow?",
        "Did J&J grow?",
        "JNJ: revenue?",
    ],
)
def test_all_spellings_of_johnson_and_johnson(question):
    assert named(question) == ["Johnson & Johnson"]


@pytest.mark.parametrize(
    "question, company",
    [
        ("What did Verizon Communications Inc. earn?", "Verizon Communications"),
        ("What did Verizon earn?", "Verizon Communications"),
        ("what did verizon earn?", "Verizon Communications"),
        ("Verizon’s debt", "Verizon Communications"),
        ("VZ debt", "Verizon Communications"),
        ("AMEX net income", "American Express"),
        ("What is Amex's net income?", "American Express"),
        ("How is Coca Cola doing?", "Coca-Cola"),
        ("3M's capex", "3M"),
        ("capex of 3m in 2022", "3M"),
        ("How did MGM do?", "MGM Resorts International"),
    ],
)
def test_short_forms_possessives_and_initials(question, company):
    assert named(question) == [company]


@pytest.mark.parametrize(
    "question",
    [
        "What did Johnson Controls earn?",
        "What did General Electric earn?",
        "Which American companies pay dividends?",
        "What is the general outlook?",
    ],
)
def test_another_company_of_the_same_first_word_is_not_meant(question):
    assert named(question) == []


def test_a_common_word_in_lower_case_names_nobody():
    names = known_names([report("Apple")])
    assert mentions("How many apple trees does Nike own?", names) == []
    assert [m.text for m in mentions("How many trees does Apple own?", names)] == ["Apple"]


def test_companies_come_in_the_order_of_the_question():
    assert named("Compare 3M with Verizon and General Mills") == ["3M", "Verizon Communications", "General Mills"]


def test_a_mention_is_the_words_of_the_question_without_the_possessive():
    (mention,) = mentions("What is Verizon's debt?", NAMES)
    assert mention.text == "Verizon"


def test_one_name_of_two_reports_names_both():
    names = known_names([report("Pfizer", 2021), report("Pfizer", 2022)])
    assert [m.documents for m in mentions("Pfizer revenue", names)] == [("Pfizer 10-K 2021", "Pfizer 10-K 2022")]


def test_the_first_word_names_none_where_two_companies_share_it():
    names = known_names([report("Delta Air Lines"), report("Delta Apparel")])
    assert mentions("What did Delta earn?", names) == []
    assert [m.documents for m in mentions("What did Delta Apparel earn?", names)] == [("Delta Apparel 10-K 2022",)]


def test_a_report_without_a_company_bears_no_name():
    assert known_names([report(None)]) == {}
    assert mentions("What did Verizon earn?", {}) == []


@pytest.mark.parametrize(
    "question, names",
    [
        ("Compare the revenue of Verizon, Tesla and 3M", ["Tesla"]),
        ("Compare Verizon with Tesla", ["Tesla"]),
        ("Compare Tesla & Verizon", ["Tesla"]),
        ("What was Tesla's revenue?", ["Tesla"]),
        ("What was Tesla’s revenue in 2022?", ["Tesla"]),
        ("Revenue of Tesla (fiscal 2022)", ["Tesla"]),
        ("What did Siemens AG report?", ["Siemens"]),
        ("Compare revenue of Tesla and Ford", ["Tesla", "Ford"]),
        ("What did Johnson Controls earn?", ["Johnson Controls"]),
        ("Johnson Controls revenue FY2022", ["Johnson Controls"]),
        ("General Mills and General Electric: compare revenue", ["General Electric"]),
        ("How does Verizon compare to Procter & Gamble?", ["Procter & Gamble"]),
        ("How does Verizon compare to Tesla?", ["Tesla"]),
        ('What did "Bluebell" cost?', ["Bluebell"]),
    ],
)
def test_names_that_no_report_bears(question, names):
    assert absent(question) == names


@pytest.mark.parametrize("theme", ["Brexit", "PFAS", "Ukraine", "COVID-19", "Climate Change", "Tariffs", "GDPR"])
@pytest.mark.parametrize(
    "question",
    [
        "Which reports mention {}?",
        "Do Verizon and 3M discuss {}?",
        "What is said of {} and tariffs?",
        "{} in 2022",
        "Do they speak of {}?",
    ],
)
def test_a_known_theme_is_no_company(question, theme):
    assert absent(question.format(theme)) == []


@pytest.mark.parametrize("question", ["Which of them mention Dutch Disease?", "Do they speak of Dutch Disease?"])
def test_a_theme_of_which_nobody_has_heard_is_no_company(question):
    assert absent(question) == []


@pytest.mark.parametrize(
    "question",
    [
        "What are the common risk factors across these Annual Reports?",
        "What was the EBITDA of Verizon in Q2 2022?",
        "Please compare Revenue in USD for Verizon",
        "Which reports speak of China or the European Union?",
        "",
    ],
)
def test_words_of_a_question_are_no_company(question):
    assert absent(question) == []
