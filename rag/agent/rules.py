"""The rule-based reasoner: plans from the question and the catalogue, and answers in the passages' own words.

The same run leads to the same decision; nothing of it comes from a language model.
"""

from collections.abc import Generator, Sequence
from typing import Literal, cast

from rag.agent.answers.common import common_answer, search_for
from rag.agent.answers.draft import Draft, capital, in_words
from rag.agent.answers.fact import fact_answer
from rag.agent.answers.figure import figure_answer
from rag.agent.answers.summary import summary_answer
from rag.agent.answers.theme import theme_answer
from rag.agent.run import Run
from rag.agent.themes import MOST, ThemeFound, themes_in
from rag.ports import RunView
from rag.search.followup import stand_alone
from rag.search.question import Asked, read_question
from rag.types import Decision, Exchange, Step, Thinking
from rag.words import count

WIDE = 120  # passages that are read for themes, shared out over the reports
RISKS = "risk factors, principal risks, risks and uncertainties"  # how reports head what they fear
OWN = 3  # themes of one report alone that are looked for in the others, too
PER_THEME = 2  # passages of each report that a search for one of several themes offers


class RuleReasoner:
    """The port `Reasoner` without a model."""

    name = "rules"

    def decide(self, run: RunView) -> Generator[Thinking, None, Decision]:
        """The next action; with one iteration left, or none, the answer from what was found."""
        yield from ()  # nothing happens meanwhile
        return self.decided(cast(Run, run))

    def restate(self, question: str, history: Sequence[Exchange], run: RunView) -> Generator[Thinking, None, str]:
        """The question with the words of the last one that it leaves out."""
        yield from ()
        return stand_alone(question, [exchange.question for exchange in history], cast(Run, run).selection)

    def decided(self, state: Run) -> Decision:
        """What `decide` comes to."""
        asked = read_question(state.asked, without=state.scope.names)
        if not state.scope.documents:
            return self.answer(state, asked)
        plan = {
            "theme": self._theme,
            "figure": self._search_once,
            "fact": self._search_once,
            "common themes": self._common,
            "summary": self._summary,
        }[asked.intent]
        wanted = plan(state, asked)
        if wanted and state.iterations_left > 1:
            return wanted
        return self.answer(state, asked, cut_short=bool(wanted))

    def answer(self, run: Run, asked: Asked, *, cut_short: bool = False) -> Decision:
        """What the passages found so far carry."""
        draft = self._draft(run, asked)
        cited = len({hit.passage.document_id for hit in run.evidence})
        found = f"Passages of {cited} of {count(len(run.documents), 'document')} were found"
        thought = (
            f"{found}; the answer is written from them."
            if cited
            else "Nothing was found that an answer could be written from."
        )
        given: dict[str, object] = {"answer": draft.text, "value": draft.value, "counted": draft.counted}
        given |= {"cut_short": cut_short, "unanswered": draft.unanswered, "said": draft.said}
        return Decision(thought, "answer_directly", given)

    def _draft(self, run: Run, asked: Asked) -> Draft:
        if run.evidence and asked.intent == "theme":
            return theme_answer(run, asked)
        if run.evidence and asked.intent == "common themes" and (themes := _themes(run)):
            return common_answer(run, themes)
        if asked.intent == "summary" and any(step.observation.passages for step in run.steps):
            return summary_answer(run)
        if run.evidence:
            return figure_answer(run, asked) if asked.intent == "figure" else fact_answer(run, asked)
        draft = Draft(run)
        draft.count(_nothing(run, asked))
        return draft

    def _search_once(self, run: Run, asked: Asked) -> Decision | None:
        if _done(run, "search_documents"):
            return None
        known = f", which statements call “{asked.figures[0].lines[0]}” and the like" if asked.figures else ""
        thought = f"The question asks for {asked.topic or 'no topic'}{known}: {_each(run)} is asked for it."
        queries = [query for query in asked.queries if query] or [run.asked]
        return _search(queries, run, thought, exact=asked.intent == "theme")

    def _theme(self, run: Run, asked: Asked) -> Decision | None:
        if not _done(run, "search_documents"):
            thought = f"Which reports speak of {asked.topic}? {capital(_each(run))} is searched for it."
            return _search(list(asked.queries), run, thought, exact=asked.intent == "theme")
        return self._compare(run, [h.passage.id for d in run.documents for h in run.offered(d.id)[:1]], asked.topic)

    def _common(self, run: Run, asked: Asked) -> Decision | None:
        searches = _done(run, "search_documents")
        if not searches:
            thought = f"No theme is named, so the passages on {asked.topic} of {_each(run)} come first."
            return _search([RISKS], run, thought, top_k=min(30, max(8, WIDE // len(run.documents))))
        themes = _themes(run)
        if len(searches) == 1 and themes:
            names = ", ".join(t.name for t in themes)
            thought = f"The passages speak of {names}: each document is searched for each of them."
            return _search([t.query for t in themes], run, thought, top_k=PER_THEME, exact=True)
        widest = search_for(run, themes[0].query) if themes else None
        best = {hit.passage.document_id: hit.passage.id for hit in reversed(widest.hits)} if widest else {}
        return self._compare(run, list(best.values()), themes[0].name if themes else "")

    def _compare(self, run: Run, passages: list[str], topic: str) -> Decision | None:
        """Sets the best passages of two reports against each other, where there are two and it was not done yet."""
        if len(passages) < 2 or _done(run, "compare_chunks") or run.iterations_left <= 1:  # worth no cut
            return None
        titles = [run.by_id[passage.rpartition(":")[0]].title for passage in passages[:2]]
        thought = f"Do they overlap? The passages of {titles[0]} and {titles[1]} on {topic} are set against each other."
        return Decision(thought, "compare_chunks", {"left": passages[0], "right": passages[1]})

    def _summary(self, run: Run, asked: Asked) -> Decision | None:
        read = {p.document_id for step in run.steps for p in step.observation.passages}
        waiting = [d for d in run.documents if d.id not in read]
        if not waiting:
            return None
        if len(waiting) > 1 and run.iterations_left <= 2:
            thought = f"The {len(waiting)} documents that are left are summarised out of their own sentences."
            return Decision(thought, "get_document_summary", {"documents": [d.id for d in waiting]})
        thought = f"{waiting[0].title} is summarised out of its own sentences; {len(waiting) - 1} more to go."
        return Decision(thought, "get_document_summary", {"document": waiting[0].id})


def _each(run: Run) -> str:
    return "the document" if len(run.documents) == 1 else f"each of the {len(run.documents)} documents"


def _nothing(run: Run, asked: Asked) -> str:
    if not run.selection and run.library.documents():
        return "No document is selected, so nothing was searched."
    if not run.selection:
        return "The library holds no document yet. Add reports first."
    if not run.scope.documents:
        why = "no document in the library bears the name that the question asks for."
        return f"Nothing was searched: {' '.join(run.scope.gaps) or why}"
    reports = "report" if len(run.documents) == 1 else "reports"
    return f"Nothing was found on {asked.topic or 'this'} in the {in_words(len(run.documents))} {reports} in scope."


def _search(queries: list[str], run: Run, thought: str, *, top_k: int | None = None, exact: bool = False) -> Decision:
    words: dict[str, object] = {"query": queries[0]} if len(queries) == 1 else {"queries": queries}
    share: dict[str, object] = {"top_k": top_k} if top_k else {}
    return Decision(
        thought, "search_documents", {**words, "documents": list(run.scope.documents), **share, "exact": exact}
    )


def _done(run: Run, action: Literal["search_documents", "compare_chunks"]) -> list[Step]:
    """Steps of this action; the code's own sweep counts as a search."""
    swept = action == "search_documents"
    return [
        s
        for s in run.steps
        if not s.observation.error and ((s.decision and s.decision.action == action) or (swept and s.kind == "sweep"))
    ]


def _themes(run: Run) -> list[ThemeFound]:
    """The themes of what the first search found: those of several documents, and the first of each document's own."""
    first = _done(run, "search_documents")
    searches = first[0].observation.searches if first else run.searches[:1]
    themes = themes_in(hit.passage for search in searches for hit in search.hits)
    shared = [t for t in themes if len(t.documents) > 1]
    own = {t.documents[0]: t for t in reversed(themes) if len(t.documents) == 1}
    if len(run.documents) == 1:
        return themes[:MOST]
    return [*shared[:MOST], *list(own.values())[:OWN]]
