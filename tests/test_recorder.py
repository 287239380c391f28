from rag.recorder import Recorder
from rag.types import AnswerDelta, RunFinished, RunStarted, StepFinished
from tests.runs import run

WHOLE = run()


def begun():
    recorder = Recorder("Who?", "agent", ("a1",), {"a1": "Alder"})
    recorder.see(RunStarted("run-7", "Who?", "agent", "rules", 5))
    recorder.see(StepFinished(WHOLE.steps[0]))
    recorder.see(StepFinished(WHOLE.steps[1]))
    recorder.see(AnswerDelta("Half an "))
    recorder.see(AnswerDelta("answer"))
    return recorder


def test_a_run_left_half_way_is_cancelled_and_keeps_its_steps():
    trace = begun().trace()
    assert (trace.run_id, trace.status, trace.steps, trace.iterations) == ("run-7", "cancelled", WHOLE.steps[:2], 1)
    assert trace.answer.text == "Half an answer"


def test_a_run_that_broke_says_what_broke_it():
    trace = begun().trace(ZeroDivisionError("by zero"))
    assert trace.status == "error"
    assert "ZeroDivisionError: by zero" in trace.error


def test_a_run_that_never_began_has_an_address_too():
    traces = [Recorder("Who?", "agent", None, {}).trace() for _ in range(2)]
    assert len({trace.run_id for trace in traces}) == 2
    assert traces[0].question == "Who?"


def test_it_knows_when_the_run_is_finished():
    recorder = begun()
    assert not recorder.finished
    recorder.see(RunFinished(WHOLE))
    assert recorder.finished


def test_what_broke_a_run_names_no_path():
    error = PermissionError(13, "Permission denied", "/srv/library/library.sqlite")
    assert "Permission denied" in Recorder("Why?", "agent", None, {}).trace(error).error
    assert "/srv" not in Recorder("Why?", "agent", None, {}).trace(error).error
