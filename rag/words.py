"""The words of a text, as every part of the project compares them: folded, without stop words, stemmed."""

import re
import threading
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

import snowballstemmer

_PORTER = snowballstemmer.stemmer("porter")  # the stemmer that SQLite's FTS5 has, so that both agree
_ONE = threading.Lock()  # the stemmer keeps the word that it works on in itself
_WORD = re.compile(r"\w+(?:['’][^\W\d_]+)?")  # once underscores are blanks, which is faster than to leave them out here
_ASCII_WORD = re.compile(r"[a-z0-9]++(?:'[a-z]++)?")  # the same for folded ASCII, in two thirds of the time
_THOUSANDS = re.compile(r",(?<=\d,)(?=\d{3}(?!\d))")  # the sign first: it is looked for ten times as fast
_ACCENTS = re.compile(r"[\u0300-\u036f]")  # of Latin, Greek and Cyrillic; marks of other scripts are letters
_DECIMAL = re.compile(r"\.(?<=\d\.)(?=\d)")

# Scripts that put no blanks between words: Han, kana and hangul. A line may break anywhere in them.
_UNSPACED = "[々〇〆ぁ-ゖゝ-ゟァ-ヺー-ヿ㐀-䶿一-鿿가-힣豈-\ufaff\U00020000-\U0003ffff]"
_RUN = re.compile(rf"{_UNSPACED}+(?:\n{_UNSPACED}+)*")
_HIRAGANA = re.compile("[ぁ-ゖー]{1,2}")  # of which Japanese makes its endings and particles

# English function words, and those that ask rather than say. A query of these alone finds nothing.
STOP = frozenset(
    """
    a about above across again against all also am among an and any are as at be because been being below between
    both but by can could did do does doing down during each either few for from further give given gives had has
    have having he her here hers him his how i if in into is it its itself let me more most my no nor not now of off
    on once only or other our out over own per please same she should show so some such tell than that the their
    them then there these they this those through to too under until up upon us very was we were what when where
    which while who whom why will with within would you your
    """.split()
)


def fold(text: str) -> str:
    """The text as the index sees it: NFKC, lower case, no accents, and a number as one word: 12450, 1p5.

    Chinese, Japanese and Korean as overlapping pairs of characters: 売上高 as 売上 上高.
    """
    text = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    if not text.isascii():
        text = unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", text)))
    return in_pairs(_DECIMAL.sub("p", _THOUSANDS.sub("", text)))


def in_pairs(text: str) -> str:
    """Folded text with what is written without blanks cut into pairs of characters, each a word."""
    return text if text.isascii() else _RUN.sub(_pairs, text)


def _pairs(run: re.Match[str]) -> str:
    signs = run[0].replace("\n", "")
    return f" {' '.join(signs[at : at + 2] for at in range(max(len(signs) - 1, 1)))} "


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """The stem of a folded word; a number is its own stem, and so is a word of one or two letters."""
    if len(word) < 3 or word[0].isdigit():
        return word
    with _ONE:
        return str(_PORTER.stemWord(word.removesuffix("'s")))


def tokens(text: str) -> list[str]:
    """Folded words in order, stop words included."""
    folded = fold(text)
    words: list[str] = _ASCII_WORD.findall(folded) if folded.isascii() else _WORD.findall(folded.replace("_", " "))
    return [word.removesuffix("'s") for word in words] if "'" in folded else words


def content_words(text: str) -> list[str]:
    """Folded words that carry meaning, in order, each once by its stem.

    A pair of hiragana is left out where anything else is said, since it is most often an ending or a particle.
    """
    every = [word for word in tokens(text) if word not in STOP]
    words = [word for word in every if not _HIRAGANA.fullmatch(word)] or every
    first = {stem(word): word for word in reversed(words)}
    return [first[key] for key in dict.fromkeys(map(stem, words))]


def stems(text: str) -> list[str]:
    """Stems of all words but stop words, in order, repeated as the text repeats them."""
    return [stem(word) for word in tokens(text) if word not in STOP]


def is_sign(word: str) -> bool:
    """Whether a folded word is a single character of a script without blanks, which stands in pairs in the index."""
    return len(word) == 1 and bool(_RUN.fullmatch(word))


def count(number: int, noun: str, plural: str = "") -> str:
    """ "1 passage", "1,204 passages"."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def listed(values: Iterable[object]) -> str:
    """ "a, b and c", of one value or more."""
    *most, last = map(str, values)
    return f"{', '.join(most)} and {last}" if most else last
