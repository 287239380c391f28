"""Small libraries and odd queries, through every scorer."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rag.ingest.upload import Upload
from rag.settings import Settings
from rag.types import Query
from rag.workspace import Workspace

JAPANESE = """明星電機株式会社 有価証券報告書

当期の売上高は1,284億円となり、前期に比べて増加した。
サイバー攻撃は当社の事業に重大な影響を及ぼす可能性がある。
"""
CHINESE = """华星科技股份有限公司 年度报告

报告期内，公司实现营业收入56.3亿元，同比增长12%。
公司面临网络安全风险和汇率波动风险。
"""
ENGLISH = "Alder plc\nAnnual report 2023\n\nInventory was 12,450 units. Sites 12 and 450 closed. Cyber attacks rose.\n"
SCORERS = ("keyword", "bm25", "hybrid")


def opened(folder, **texts):
    work = Workspace.open(Settings(data=folder, embeddings="off"))
    list(work.add([Upload(f"{name}.txt", text.encode()) for name, text in texts.items()]))
    return work


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    with opened(tmp_path_factory.mktemp("edges"), japanese=JAPANESE, chinese=CHINESE, english=ENGLISH) as work:
        yield work


def found(work, text, scorer):
    return [work.document(hit.passage.document_id).file for hit in work.search(Query(text), scorer=scorer).hits]


@pytest.mark.parametrize("scorer", SCORERS)
@pytest.mark.parametrize(
    "query, file",
    [
        ("売上高", "japanese.txt"),
        ("売上高はいくらですか", "japanese.txt"),
        ("ｻｲﾊﾞｰ攻撃", "japanese.txt"),
        ("円", "japanese.txt"),
        ("营业收入", "chinese.txt"),
        ("营业收入是多少？", "chinese.txt"),
        ("网络安全", "chinese.txt"),
        ("12450", "english.txt"),
        ("12,450", "english.txt"),
        ("cyber", "english.txt"),
    ],
)
def test_a_query_finds_its_report_alone(library, query, file, scorer):
    assert found(library, query, scorer) == [file]


@pytest.mark.parametrize("scorer", SCORERS)
@pytest.mark.parametrize("query", ["", " ", "?!…", "。、？", "the of and", "what is it", "zebra", "鯨"])
def test_a_query_that_says_nothing_or_of_nothing_here_finds_nothing(library, query, scorer):
    assert found(library, query, scorer) == []


@pytest.mark.parametrize("scorer", SCORERS)
def test_a_very_long_query_is_answered(library, scorer):
    assert found(library, "cyber attacks " + "on every single site of ours, 売上高 " * 2_000, scorer)


@pytest.mark.parametrize("query", ["coal", "the of and", "", "???", "12450", "売上高", "word " * 700])
def test_an_empty_library_finds_nothing_and_says_so(tmp_path, query):
    with opened(tmp_path) as work:
        assert all(not found(work, query, scorer) for scorer in SCORERS)
        if query.strip():
            *_, finished = work.ask(query)
            assert finished.trace.status == "not_found"
            assert finished.trace.answer.text


@pytest.mark.parametrize("scorer", SCORERS)
def test_one_tiny_document_is_found_with_a_score_above_nothing(tmp_path, scorer):
    with opened(tmp_path, one="coal") as work:
        (hit,) = work.search(Query("coal", k=10), scorer=scorer).hits
        assert hit.score > 0


def test_a_question_in_japanese_or_chinese_is_answered_from_its_report(library):
    for question, said in (("売上高はいくらですか", "1,284億円"), ("营业收入是多少？", "56.3亿元")):
        *_, finished = library.ask(question)
        assert said in finished.trace.answer.text
        assert finished.trace.answer.citations


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.text(max_size=40))
def test_no_query_breaks_a_search(library, query):
    for scorer in SCORERS:
        hits = library.search(Query(query), scorer=scorer).hits
        assert all(0 < hit.score <= 1 for hit in hits)
