import pytest

from rag.index.bm25 import Bm25Scorer
from rag.index.dense import DenseScorer
from rag.index.keyword import KeywordScorer
from rag.index.serving import ServingScorer
from rag.index.store import Store
from rag.index.terms import Terms
from rag.models.hashing import HashingEmbedder
from rag.models.overlap import OverlapReranker
from rag.search.fallback import FallbackRetriever
from rag.search.hybrid import HybridRetriever
from rag.search.reranked import RerankedRetriever
from rag.types import Query
from tests.index.make import as_bytes, read_file

EMBEDDER = HashingEmbedder(1024)

SCORERS = {
    "keyword": KeywordScorer,
    "bm25": Bm25Scorer,
    "dense": lambda store: DenseScorer(store, EMBEDDER, floor=0.1),
    "dense of the model that serves": lambda store: ServingScorer(store, lambda _: EMBEDDER, Terms(store), floor=0.1),
}
RETRIEVERS = SCORERS | {
    "hybrid": lambda store: HybridRetriever(Bm25Scorer(store), SCORERS["dense"](store), counts=Bm25Scorer(store)),
    "hybrid reranked": lambda store: RerankedRetriever(RETRIEVERS["hybrid"](store), OverlapReranker()),
    "hybrid with a fallback": lambda store: FallbackRetriever(
        RETRIEVERS["hybrid"](store), RETRIEVERS["hybrid without dense"](store)
    ),
    "hybrid without dense": lambda store: HybridRetriever(Bm25Scorer(store), None, counts=Bm25Scorer(store)),
}


class Library:
    """A store with its vectors, and one retriever over it."""

    def __init__(self, store, make_retriever):
        self.store = store
        self.retriever = make_retriever(store)

    def add(self, *pages, headings=()):
        """The id of a document with a passage for each page."""
        parsed = read_file(*pages, headings=headings)
        self.store.add(parsed, as_bytes(parsed))
        while waiting := self.store.unembedded(100):
            ids, texts = zip(*waiting, strict=True)
            self.store.save_vectors(EMBEDDER.name, ids, EMBEDDER.embed(texts))
        return parsed.id

    def search(self, text, *, k=10, documents=None):
        return self.retriever.search(Query(text, k=k, documents=documents)).hits

    def texts(self, text, **options):
        return [hit.passage.text for hit in self.search(text, **options)]


@pytest.fixture(params=RETRIEVERS)
def library(request, tmp_path):
    store = Store.open(tmp_path, model=EMBEDDER.name)
    yield Library(store, RETRIEVERS[request.param])
    store.close()


@pytest.fixture(params=SCORERS)
def scored(request, tmp_path):
    """As `library`, with a retriever that can also score what another one found."""
    store = Store.open(tmp_path, model=EMBEDDER.name)
    yield Library(store, SCORERS[request.param])
    store.close()
