from rag.agent.summary import MOST, summarise
from tests.agent.shelf import passage

THINGS = ("frost", "rain", "hail", "wind", "heat", "mites", "drought", "floods", "moths", "rust")


def said(passages, **options):
    return [sentence for _, sentence in summarise(passages, **options)]


def test_the_sentences_nearest_to_what_the_document_speaks_of():
    honey = "Honey from our hives is sold to shops in every county."
    others = "The annual meeting takes place in Leeds next June. Shops and hives and honey matter to our county."
    assert said([passage(f"{others} {honey}")], most=1) == [honey]


def test_in_the_documents_order_each_with_its_passage():
    first = passage("Almonds are grown on our farms in the south of Spain.", 0)
    second = passage("Bees are kept by families who live near those orchards.", 1)
    assert summarise([first, second]) == [(first, first.text), (second, second.text)]


def test_repetitions_are_passed_over():
    sentence = "Almonds are grown on our farms in the south of Spain."
    assert said([passage(sentence, 0), passage(sentence, 1)]) == [sentence]


def test_at_most_so_many():
    words = [f"{thing}{end}" for thing in THINGS for end in ("land", "berg", "dorf", "hope", "ford", "stead")]
    text = " ".join(f"The {' '.join(words[i : i + 6])}." for i in range(0, len(words), 6))
    assert len(said([passage(text)])) == MOST
    assert len(said([passage(text)], most=3)) == 3


def test_covers_and_addresses_are_no_sentences():
    cover = "Alder Group Annual Report And Accounts For The Year."
    prose = "Almonds are grown on our farms in the south of Spain."
    assert said([passage(f"{cover} {prose}")]) == [prose]


def test_a_document_without_sentences_gives_its_first_words():
    table = passage("Net sales 12 11\nGoodwill 5 4")
    assert summarise([table, passage("Inventories 7 6", 1)]) == [(table, "Net sales 12 11 Goodwill 5 4")]
    assert summarise([]) == []


def test_what_it_does_how_it_went_what_it_fears_and_expects():
    """The rest of a report, however often it says a thing, gives way to these."""
    noise = " ".join(f"Members of committee {n} met in town {n} to talk about minutes of town {n}." for n in range(9))
    does = "Alder Group is a grower of almonds and a maker of honey in Spain."
    went = "Net sales of the group rose by 8% to $12 million last year."
    fears = "A long drought may cut the harvest of our almond orchards by half."
    expects = "Management expects to plant forty hectares of new orchards next spring."
    passages = [
        passage(f"{noise} {does}", 0),
        passage(f"{noise} {went}", 1),
        passage(f"{noise} {fears}", 2, headings=("Risk factors",)),
        passage(f"{noise} {expects}", 3),
    ]
    assert said(passages, most=4) == [does, went, fears, expects]


def test_what_may_happen_counts_as_feared_only_under_a_heading_on_risks():
    may = "Directors of this trust may be elected again by members at the meeting."
    plain = "Almonds are grown on farms of old families in the south of Spain."
    assert said([passage(f"{plain} {may}")], most=1) == [plain] or said([passage(may)], most=1) == [may]
