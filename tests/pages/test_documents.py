from pathlib import Path

from tests.pages.reading import keys, shown

HTML = "A35 Corp. Annual report 2023\n\n<script>alert(1)</script> <b>Revenue</b> was $5 and [n](http://x) :smile:\n"


def test_the_samples_come_with_one_click(workspace, show):
    page = show("library/documents")
    page.button(key="samples").click().run()
    assert not page.exception
    assert len(workspace.documents()) == 3
    assert shown(page).count("ready") == 3


def test_an_upload_is_taken_in_once_whatever_is_clicked_next(workspace, show):
    page = show("library/documents")
    page.file_uploader[0].upload("alder.txt", b"Alder Inc. Annual report 2023\n\nRevenue was $5 million.\n").run()
    assert not page.exception
    assert "added as" in shown(page)
    for _ in range(3):
        page.run()
    assert len(workspace.documents()) == 1
    assert "in the library already" not in shown(page)
    page.file_uploader[0].upload("copy.txt", b"Alder Inc. Annual report 2023\n\nRevenue was $5 million.\n").run()
    assert "copy.txt is in the library already" in shown(page).replace("*", "")


def test_a_bad_file_says_why_and_the_others_are_added(workspace, show):
    page = show("library/documents")
    page.file_uploader[0].upload("empty.pdf", b"").upload("good.txt", b"Birch plc. Annual report 2023. Revenue rose.\n")
    page.run()
    assert not page.exception
    assert "empty.pdf" in shown(page).replace("*", "")
    assert [document.file for document in workspace.documents()] == ["good.txt"]


def pages_of_a_new_version(show):
    page = show("library/documents")
    page.file_uploader[0].upload("alder.txt", b"Alder Inc. Annual report 2023\n\nRevenue was $5 million.\n").run()
    page.file_uploader[0].upload("alder.txt", b"Alder Inc. Annual report 2023\n\nRevenue was $6 million.\n").run()
    assert "In the library with other content: alder.txt" in shown(page).replace("*", "")
    return page


def test_a_new_version_replaces_the_old_one_where_the_user_says_so(workspace, show):
    page = pages_of_a_new_version(show)
    (old,) = workspace.documents()
    page.button(key="replace").click().run()
    (new,) = workspace.documents()
    assert new.id != old.id
    assert "in place of the earlier file" in shown(page)


def test_both_versions_are_kept_where_the_user_says_so(workspace, show):
    page = pages_of_a_new_version(show)
    page.button(key="keep-both").click().run()
    assert [document.version for document in workspace.documents()] == [1, 2]
    assert "version 2" in shown(page)


def test_a_new_version_is_left_where_the_user_says_so(workspace, show):
    page = pages_of_a_new_version(show)
    page.button(key="leave").click().run()
    assert len(workspace.documents()) == 1
    assert "other content" not in shown(page)


def test_a_locked_file_asks_for_its_password(workspace, show):
    data = (Path(__file__).parents[1] / "data" / "odd" / "password.pdf").read_bytes()
    page = show("library/documents")
    page.file_uploader[0].upload("locked.pdf", data).run()
    for password, documents in (("wrong", 0), ("open sesame", 1)):
        page.text_input[0].set_value(password)
        next(button for button in page.button if button.label == "Open").click().run()
        assert not page.exception
        assert len(workspace.documents()) == documents
    assert not page.text_input
    assert "sesame" not in repr(page.session_state)


def test_a_document_opens_at_its_address_with_page_and_passage(library, show):
    document = library.document("alder_2023.txt")
    (passage, *_) = library.passages(document.id)
    page = show("library/documents", document=document.id, page="1", passage=passage.id)
    assert ":primary-background[" in "".join(str(each.value) for each in page.markdown)
    assert "castings" in shown(page)
    page.button(key=f"mark-{passage.id}").click().run()
    assert "passage" not in page.query_params


def test_an_unknown_document_says_so_above_the_list(library, show):
    page = show("library/documents", document="nothing")
    assert "nothing" in page.warning[0].value
    assert len(keys(page, "open-")) == 3


def test_a_card_is_corrected(library, show):
    document = library.document("elm_2023.txt")
    page = show("library/documents", document=document.id)
    page.session_state[f"correct-{document.id}"] = True
    page.run()
    page.text_input[0].set_value("Elm Timber")
    page.number_input[0].set_value(2022)
    next(button for button in page.button if button.label == "Save").click().run()
    assert not page.exception
    card = library.document(document.id).card
    assert (card.company, card.fiscal_year) == ("Elm Timber", 2022)


def test_a_deleted_document_is_gone(library, show):
    document = library.document("elm_2023.txt")
    page = show("library/documents")
    page.button(key=f"delete-{document.id}").click().run()
    assert not page.exception
    assert len(library.documents()) == 2


def test_html_of_a_file_and_of_its_name_is_text(workspace, show):
    page = show("library/documents")
    page.file_uploader[0].upload("<img src=x onerror=alert(1)>.txt", HTML.encode()).run()
    assert not page.exception
    assert "<img src=x onerror=alert(1)>.txt" in shown(page)
    (document,) = workspace.documents()
    opened = show("library/documents", document=document.id)
    assert "<script>alert(1)</script>" in shown(opened)
    assert not any("<script>" in str(each.value) for each in opened.markdown)


def test_a_report_whose_file_is_gone_still_shows_its_text(workspace, show):
    list(workspace.add_samples())
    document = workspace.document("vennhall_2025.pdf")
    (workspace.settings.data / "files" / document.id).unlink()
    page = show("library/documents", document=document.id)
    assert "add its file again" in page.warning[0].value
    assert shown(page).count("Registered office: Weir House") == 2


def test_a_page_that_cannot_be_drawn_says_so_and_shows_its_text(workspace, show):
    list(workspace.add_samples())
    document = workspace.document("vennhall_2025.pdf")
    (workspace.settings.data / "files" / document.id).write_bytes(b"%PDF-1.7 damaged")
    page = show("library/documents", document=document.id)
    assert "cannot be drawn" in page.warning[0].value
    assert "Registered office: Weir House" in shown(page)


def test_an_address_with_a_page_that_is_not_there_opens_one_that_is(library, show):
    document = library.document("alder_2023.txt")
    for number in ("999", "0", "many"):
        assert "castings" in shown(show("library/documents", document=document.id, page=number, passage="none"))
