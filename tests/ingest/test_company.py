import pytest

from rag.ingest.company import find_company

COVER = """UNITED STATES
SECURITIES AND EXCHANGE COMMISSION
FORM 10-K
Commission file number 1-9999
{name}
(Exact name of registrant as specified in its charter)
Common Stock, $.01 par value QLM New York Stock Exchange"""


def names(cover="", text="", file=""):
    return find_company(cover, cover or text, f"{cover}\n{text}", file)


def test_the_name_on_the_cover_without_its_legal_form():
    assert names(COVER.format(name="QUILLMOOR MARINE, INC.")) == ("QUILLMOOR MARINE", ("QUILLMOOR MARINE, Inc.", "QLM"))


def test_capitals_become_what_the_text_writes():
    found = names(COVER.format(name="THE QUILLMOOR COMPANY"), "Quillmoor sells ropes. Quillmoor grew.")
    assert found == ("Quillmoor", ("The Quillmoor Company", "QLM"))


def test_a_short_form_that_the_text_defines_is_taken():
    text = "Quillmoor Marine Outfitters, Inc. (“Quillmoor” or the “Company”) sells ropes."
    found = names(COVER.format(name="Quillmoor Marine Outfitters, Inc."), text)
    assert found.company == "Quillmoor"
    assert "Quillmoor Marine Outfitters" in found.aliases


def test_a_subsidiarys_short_form_is_not():
    text = "Quillmoor Rope Works, Inc. (“Quillmoor”) is a subsidiary."
    assert names(COVER.format(name="Quillmoor Marine, Inc."), text).company == "Quillmoor Marine"


def test_a_name_on_two_lines_is_put_together():
    cover = COVER.format(name="INTERNATIONAL ROPE MACHINES\nCORPORATION")
    assert names(cover, "International Rope Machines grew.").company == "International Rope Machines"


def test_a_name_without_the_usual_line_below_follows_the_file_number():
    cover = COVER.replace("(Exact name of registrant as specified in its charter)\n", "")
    assert names(cover.format(name="Quillmoor Corporation")).company == "Quillmoor"


def test_a_logo_in_place_of_the_name_leaves_it_to_the_text():
    text = "In this report “we” means The Vennhall Company. The Vennhall Company makes valves. Deloitte LLP audited it."
    assert names(COVER.replace("{name}\n", ""), text).company == "Vennhall"


@pytest.mark.parametrize(
    ("text", "company"),
    [
        ("Vennhall Hydraulics plc Annual Report & Accounts 2022", "Vennhall Hydraulics"),
        ("Annual Report & Accounts 2022 Vennhall Hydraulics PLC 3", "Vennhall Hydraulics"),
        ("Compagnie Vennhall SA\nThe figures of Compagnie Vennhall SA", "Compagnie Vennhall"),
        ("VENNHALL LIMITED\nFormerly known as Corve Metals Limited\nABN 73", "VENNHALL"),
        ("Corve, N.J. (January 24, 2023) – Vennhall & Sons (NYSE: VNH) today announced results", "Vennhall & Sons"),
        ("Vennhall Optics report 2023\nSales rose.", "Vennhall Optics"),
    ],
)
def test_other_reports_name_their_company(text, company):
    assert names(text=text).company == company


def test_former_names_and_tickers_are_aliases():
    text = "VENNHALL LIMITED\nFormerly known as Corve Metals Limited\n"
    assert "Corve Metals Limited" in names(text=text).aliases
    assert "VNH" in names(text="– Vennhall & Sons (NYSE: VNH) today announced").aliases


def test_the_file_name_is_a_hint_and_no_name_is_made_up():
    assert names(text="Net sales rose.", file="Vennhall 2022 annual report") == ("Vennhall", ())
    assert names(text="Net sales rose.") == (None, ())
