from tests.pages.reading import keys, shown

THEME = "What do the reports say about the supply chain?"


def ask(app, question: str):
    app.chat_input(key="question").set_value(question).run()
    assert not app.exception
    return app


def test_an_empty_library_invites_to_load_the_samples(workspace, show):
    chat = show("ask/chat")
    assert "No reports yet" in shown(chat)
    assert chat.chat_input(key="question").proto.disabled
    chat.button(key="samples").click().run()
    assert not chat.exception
    assert len(workspace.documents()) == 3
    assert "3 reports in the library" in shown(chat)


def test_a_question_becomes_a_cell_with_answer_ledger_and_sources(library, show):
    chat = ask(show("ask/chat"), THEME)
    text = shown(chat)
    assert THEME in text
    assert "reports cited" in text
    assert "no language model used" in text
    assert [link.value for link in chat.page_link] == ["Open trace"]
    assert len(library.traces()) == 1


def test_the_notebook_outlives_session_and_restart(library, show):
    chat = ask(show("ask/chat"), THEME)
    address = chat.query_params["notebook"]
    again = show("ask/chat", notebook=address)
    assert THEME in shown(again)
    assert len(library.traces()) == 1


def test_the_same_question_twice_gives_two_cells(library, show):
    chat = ask(ask(show("ask/chat"), THEME), THEME)
    assert len(keys(chat, "")) == len(set(keys(chat, "")))
    (notebook,) = library.notebooks()
    assert [cell.question for cell in notebook.cells] == [THEME, THEME]
    assert len({cell.run_id for cell in notebook.cells}) == 2


def test_an_earlier_cell_is_a_line_that_unfolds_in_place(library, show):
    chat = ask(ask(show("ask/chat"), THEME), "What was revenue?")
    (notebook,) = library.notebooks()
    first, last = notebook.cells
    assert f"{last.id}-edit" in keys(chat, "")
    assert f"{first.id}-edit" not in keys(chat, "")
    chat.session_state[f"{first.id}-fold"] = True
    chat.run()
    assert not chat.exception
    chat.button(key=f"{first.id}-again").click().run()
    assert not chat.exception
    assert len(library.traces()) == 3


def test_a_cell_is_edited_and_run_again(library, show):
    chat = ask(show("ask/chat"), THEME)
    (cell,) = library.notebooks()[0].cells
    chat.button(key=f"{cell.id}-edit").click().run()
    chat.text_area[0].set_value("What was revenue?")
    next(button for button in chat.button if button.label == "Run").click().run()
    assert not chat.exception
    (changed,) = library.notebooks()[0].cells
    assert (changed.id, changed.question) == (cell.id, "What was revenue?")
    assert library.trace(changed.run_id).question == "What was revenue?"


def test_a_deleted_cell_is_gone_and_its_run_stays(library, show):
    chat = ask(show("ask/chat"), THEME)
    (cell,) = library.notebooks()[0].cells
    chat.button(key=f"{cell.id}-delete").click().run()
    assert not chat.exception
    assert library.notebooks() == ()
    assert library.trace(cell.run_id)


def test_a_new_notebook_leaves_the_old_one_in_the_list(library, show):
    chat = ask(show("ask/chat"), THEME)
    (old,) = library.notebooks()
    next(button for button in chat.button if button.label == "New notebook").click().run()
    assert chat.query_params["notebook"] != old.id
    chat.button(key=f"notebook-{old.id}").click().run()
    assert THEME in shown(chat)


def test_only_the_ticked_reports_are_asked(library, show):
    chat = show("ask/chat")
    alder = library.document("alder_2023.txt").id
    chat.multiselect(key="reports").set_value([alder])
    ask(chat, THEME)
    (trace,) = library.traces()
    assert trace.selection == (alder,)


def test_single_shot_names_the_reports_that_it_did_not_touch(library, show):
    chat = show("ask/chat")
    chat.get_by_key("mode").set_value("single_shot")
    ask(chat, "Castings and resin?")
    (trace,) = library.traces()
    assert trace.mode == "single_shot"
    untouched = [row for row in trace.coverage if row.state != "cited"]
    assert untouched
    assert all(row.title in shown(chat) for row in untouched)


def test_sources_open_their_page(library, show):
    chat = ask(show("ask/chat"), THEME)
    (cell,) = library.notebooks()[0].cells
    chat.session_state[f"{cell.id}-sources"] = True
    chat.run()
    first = keys(chat, f"{cell.id}-source-")[0]
    chat.button(key=first).click().run()
    assert not chat.exception


def test_dollars_and_markup_are_shown_letter_for_letter(library, show):
    question = "Is it $119.6 billion, up ~2% from $117.2 billion? <b>a_b</b> :smile: [n](http://x)"
    chat = ask(show("ask/chat"), question)
    assert question in shown(chat)
    assert not any(question in str(element.value) for element in chat.markdown)


def test_both_exports_are_offered(library, show):
    chat = ask(show("ask/chat"), THEME)
    assert [button.label for button in chat.get("download_button")] == ["Markdown", "Jupyter notebook"]


def test_a_ticked_report_that_is_deleted_is_ticked_no_more(library, show):
    chat = show("ask/chat")
    elm = library.document("elm_2023.txt").id
    chat.multiselect(key="reports").set_value([elm]).run()
    library.remove(elm)
    chat.run()
    assert not chat.exception
    ask(chat, THEME)
    assert library.traces()[0].selection is None


def test_a_cell_names_the_report_that_was_deleted_since(library, show):
    chat = show("ask/chat")
    elm = library.document("elm_2023.txt").id
    chat.multiselect(key="reports").set_value([elm])
    ask(chat, "What of trees and canteens?")
    library.remove(elm)
    chat.run()
    assert not chat.exception
    assert "a deleted report" in shown(chat)
