import pytest

from tests.pages.reading import keys, shown

THEME = "What do the reports say about the supply chain?"


@pytest.fixture
def run(library):
    list(library.ask(THEME))
    (trace,) = library.traces()
    return trace


def test_without_runs_it_says_where_they_come_from(workspace, show):
    assert "No run yet" in shown(show("ask/trace"))


def test_a_run_is_picked_from_the_list(run, show):
    page = show("ask/trace")
    assert "the supply chain" in page.button(key=f"run-{run.run_id}").label
    page.button(key=f"run-{run.run_id}").click().run()
    assert page.query_params["run"] == run.run_id
    assert page.title[0].value.startswith("What do the reports")


def test_an_address_that_names_no_run_says_so(run, show):
    assert "There is no run at this address" in shown(show("ask/trace", run="nothing"))


def test_every_step_is_there_with_its_thought(run, show):
    page = show("ask/trace", run=run.run_id)
    steps = [expander.label for expander in page.expander if expander.key and expander.key.startswith("step-")]
    assert len(steps) == len(run.steps)
    assert run.steps[0].thought.split(".")[0] in shown(page)


def test_a_score_unfolds_in_place(run, show):
    page = show("ask/trace", run=run.run_id)
    step = next(step for step in run.steps if step.observation.searches and step.observation.searches[0].hits)
    hit = step.observation.searches[0].hits[0]
    key = f"{run.run_id}-{step.number}-0-{hit.passage.id}"
    assert "| part |" not in shown(page)
    page.session_state[key] = True
    page.run()
    assert "| part |" in shown(page)
    assert keys(page, f"{key}-open")


def test_coverage_is_drawn_and_what_is_missing_is_said(library, show):
    list(library.ask("Compare revenue of Alder and Zebrafish Holdings."))
    (trace,) = library.traces()
    page = show("ask/trace", run=trace.run_id)
    assert page.get("vega_lite_chart")
    assert "Not covered" in shown(page)
    assert "Zebrafish" in shown(page)


def test_a_silent_report_is_an_answer_and_stands_apart_from_gaps(run, show):
    said = shown(show("ask/trace", run=run.run_id))
    assert "**Silent**\n\n- Elm annual report 2023: nothing found on this" in said
    assert "Elm" not in said.partition("**Not covered**")[2].partition("**Silent**")[0]


def test_a_run_that_was_stopped_is_shown_too(library, show):
    events = library.ask(THEME)
    next(events)
    next(events)
    events.close()
    (trace,) = library.traces()
    assert "stopped" in shown(show("ask/trace", run=trace.run_id))


def test_of_several_searches_each_is_folded_into_a_line(library, show):
    list(library.ask("Compare revenue and inventories across the reports."))
    (trace,) = library.traces()
    step = next(step for step in trace.steps if len(step.observation.searches) > 1)
    page = show("ask/trace", run=trace.run_id)

    def drawn() -> list[str]:
        return [each.key for each in page.expander if (each.key or "").startswith(trace.run_id)]

    folds = drawn()
    assert [key.endswith("-fold") for key in folds] == [True] * len(step.observation.searches)
    page.session_state[folds[0]] = True
    page.run()
    assert len(drawn()) - len(folds) == len(step.observation.searches[0].hits) > 0
