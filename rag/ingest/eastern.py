"""Company names as Chinese, Japanese and Korean reports write them: name and legal form without a blank between."""

import re
from collections.abc import Iterator

_FORMS = (
    r"株式会社|有限会社|合同会社|\(株\)|㈱"
    r"|股份有限公司|有限责任公司|有限責任公司|有限公司"
    r"|주식회사|유한회사|\(주\)|㈜"
)
_FIRST = r"株式会社|有限会社|合同会社|\(株\)|㈱|주식회사|유한회사|\(주\)|㈜"  # those that may stand before the name
_SIGN = "A-Za-z0-9Ａ-Ｚａ-ｚ&＆・ー々〇ァ-ヺ㐀-䶿一-鿿豈-\ufaff가-힣"
_KANA = r"(?:(?<![^\s(（「『、。:：])[ぁ-ゖー]{2,})?"  # only names begin in hiragana behind a blank or a bracket
_NAME = rf"{_KANA}(?![0-9])[{_SIGN}]{{2,24}}?"
_AT_START = rf"(?<![{_SIGN}])"
_BEHIND = rf"{_AT_START}{_NAME}[ \u3000]?(?:{_FORMS})"
_BEFORE = rf"{_AT_START}(?:{_FIRST})[ \u3000]?(?:[ぁ-ゖー]{{2,}})?[{_SIGN}]{{2,24}}"
_NAMED = re.compile(rf"{_BEHIND}|{_BEFORE}")
_FORM = re.compile(rf"^(?:{_FIRST})[ \u3000]?|[ \u3000]?(?:{_FORMS})$")
_OTHERS = re.compile("取引所|交易所|信託銀行|監査法人|会计师|會計師|子公司|당사|^(?:本|当|當|該|该|同)")


def named(text: str) -> Iterator[tuple[int, int]]:
    """Where names with a legal form stand, as (start, end); exchanges, auditors and "this company" left out."""
    return (found.span() for found in _NAMED.finditer(text) if not _OTHERS.search(found[0]))


def without_form(name: str) -> str:
    """The name alone, as it is where it has no such form."""
    return _FORM.sub("", name) or name
