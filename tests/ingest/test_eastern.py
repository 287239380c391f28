import pytest

from rag.ingest.company import find_company
from rag.ingest.eastern import without_form


def names(text):
    return find_company("", text, text, "")


@pytest.mark.parametrize(
    ("text", "legal", "company"),
    [
        ("有価証券報告書\n花咲自動車株式会社\n第120期", "花咲自動車株式会社", "花咲自動車"),
        ("株式会社花咲製作所 統合報告書 2023\n", "株式会社花咲製作所", "花咲製作所"),
        (
            "株式会社はなさきホールディングスは、銀行を持つ。",
            "株式会社はなさきホールディングス",
            "はなさきホールディングス",
        ),
        ("(はなさきリース株式会社)", "はなさきリース株式会社", "はなさきリース"),
        ("当社は花咲FG株式会社といい、売上高は1,284億円である。", "花咲FG株式会社", "花咲FG"),
        ("青松酒业股份有限公司2023年年度报告\n", "青松酒业股份有限公司", "青松酒业"),
        ("青松積體電路製造股份有限公司\n年報", "青松積體電路製造股份有限公司", "青松積體電路製造"),
        ("솔빛전자 주식회사\n사업보고서", "솔빛전자 주식회사", "솔빛전자"),
        ("주식회사 솔빛\n사업보고서", "주식회사 솔빛", "솔빛"),
    ],
)
def test_a_name_is_read_with_its_legal_form_on_either_side(text, legal, company):
    assert names(text) == (company, (legal,))


def test_the_company_of_the_report_is_the_one_that_it_names_most():
    text = "花咲自動車株式会社\n主要な取引先は松原鉄鋼株式会社である。花咲自動車株式会社の売上高は1億円。"
    assert names(text).company == "花咲自動車"


def test_exchanges_auditors_and_this_company_are_no_names():
    assert names("株式会社東京証券取引所に上場。本公司及子公司。有限責任監査法人。株式会社の機関。") == (None, ())


def test_a_name_without_such_a_form_stays_as_it_is():
    assert (without_form("花咲"), without_form("株式会社")) == ("花咲", "株式会社")
