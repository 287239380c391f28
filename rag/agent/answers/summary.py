"""Each summarised report by its own sentences, in the report's order."""

from rag.agent.answers.draft import Draft
from rag.agent.run import Run
from rag.agent.summary import summarise


def summary_answer(run: Run) -> Draft:
    """A list of quotations under each report's title."""
    draft = Draft(run)
    read = [passage for step in run.steps for passage in step.observation.passages]
    for document_id in dict.fromkeys(passage.document_id for passage in read):
        chosen = summarise(run.library.passages(document_id))
        lines = (f"{sentence} {run.mark(passage.id)}" for passage, sentence in chosen)
        draft.quotes(lines, title=f"**{run.by_id[document_id].title}**")
    return draft
