"""Each summarised report by its own sentences, in the report's order."""

from rag.agent.answers.draft import Draft
from rag.agent.run import Run
from rag.agent.summary import summarise


def summary_answer(run: Run) -> Draft:
    """A list of quotations under each report's title."""
    draft = Draft(run)
    for passages in (step.observation.passages for step in run.steps):
        if passages:
            lines = [f"{sentence} {run.mark(passage.id)}" for passage, sentence in summarise(passages)]
            draft.quotes(lines, title=f"**{run.by_id[passages[0].document_id].title}**")
    return draft
