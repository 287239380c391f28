"""A reasoner whose decisions a test writes down."""

from rag.types import Decision


class Scripted:
    """A reasoner that takes its decisions from a list, the last one again and again."""

    name = "test:scripted"

    def __init__(self, *decisions):
        self.decisions = list(decisions)

    def decide(self, run):
        yield from ()
        decision = self.decisions.pop(0) if len(self.decisions) > 1 else self.decisions[0]
        return decision(run) if callable(decision) else decision

    def restate(self, question, history, run):
        yield from ()
        return question


def result(thinking):
    """What a reasoner comes to, whatever happens meanwhile."""
    while True:
        try:
            next(thinking)
        except StopIteration as done:
            return done.value


def look(**given):
    return Decision("Looks.", "search_documents", given)


def reply(answer, **more):
    return Decision("Enough.", "answer_directly", {"answer": answer} | more)
