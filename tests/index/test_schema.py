import sqlite3

import numpy as np
import pytest

from rag.errors import BadLibrary
from rag.index.bm25 import Bm25Scorer
from rag.index.schema import MIGRATIONS, VERSION
from rag.index.store import FILE, Store
from rag.types import Query
from tests.index.make import as_bytes, read_file

COAL = read_file("Coal prices rose.")
UNDONE = {  # what each version had that the one before lacked
    2: ("ALTER TABLE library DROP COLUMN model", "ALTER TABLE library DROP COLUMN next_model"),
    3: ("DROP INDEX documents_by_file",),
    4: ("ALTER TABLE pages DROP COLUMN recognised",),
}


def set_back(folder, *, to):
    """The library's tables as an older version made them."""
    with sqlite3.connect(folder / FILE) as connection:
        for version in range(VERSION, to, -1):
            for statement in UNDONE[version]:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {to}")
    connection.close()


def tables(folder):
    with sqlite3.connect(folder / FILE) as connection:
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        found = {name: {row[1] for row in connection.execute(f"PRAGMA table_info({name})")} for name in names}
    connection.close()
    return found


@pytest.mark.parametrize("version", range(1, VERSION))
def test_a_library_of_each_earlier_version_gets_todays_tables_and_keeps_its_text(tmp_path, version):
    store = Store.open(tmp_path)
    document = store.add(COAL, as_bytes(COAL))
    store.close()
    today = tables(tmp_path)
    set_back(tmp_path, to=version)
    store = Store.open(tmp_path)
    assert tables(tmp_path) == today
    assert (store.documents(), store.passages(document.id)) == ((document,), COAL.passages)
    assert store.page(document.id, 1) == COAL.pages[0]
    assert not store.connection().execute("PRAGMA foreign_key_check").fetchall()
    store.close()


def test_a_database_of_another_program_is_refused_and_left_alone(tmp_path):
    with sqlite3.connect(tmp_path / FILE) as other:
        other.execute("CREATE TABLE theirs (a)")
    other.close()
    before = (tmp_path / FILE).read_bytes()
    with pytest.raises(BadLibrary, match="another program"):
        Store.open(tmp_path)
    assert (tmp_path / FILE).read_bytes()[100:] == before[100:]


def test_a_file_that_is_no_database_is_refused_with_a_way_out(tmp_path):
    (tmp_path / FILE).write_bytes(b"no database at all, " * 100)
    with pytest.raises(BadLibrary, match="backup"):
        Store.open(tmp_path)


def test_a_database_cut_short_is_refused_and_the_originals_stay(tmp_path):
    store = Store.open(tmp_path)
    document = store.add(COAL, as_bytes(COAL))
    store.close()
    whole = (tmp_path / FILE).read_bytes()
    for length in (len(whole) // 2, 0):
        (tmp_path / FILE).write_bytes(whole[:length])
        with pytest.raises(BadLibrary, match="backup"):
            Store.open(tmp_path)
        assert (tmp_path / "files" / document.id).exists()


def test_a_library_of_an_older_version_is_brought_up_to_date(tmp_path, monkeypatch):
    monkeypatch.setitem(MIGRATIONS, VERSION - 1, lambda connection: connection.execute("CREATE TABLE added (a)"))
    Store.open(tmp_path).close()
    with sqlite3.connect(tmp_path / FILE) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION - 1}")
    connection.close()
    store = Store.open(tmp_path)
    assert store.connection().execute("SELECT count(*) FROM added").fetchone() == (0,)
    assert store.connection().execute("PRAGMA user_version").fetchone() == (VERSION,)
    store.close()


def test_a_library_from_before_models_were_remembered_goes_on_with_its_vectors(tmp_path):
    store = Store.open(tmp_path, model="old")
    document = store.add(COAL, as_bytes(COAL))
    store.save_vectors("old", [f"{document.id}:0"], np.ones((1, 2), np.float32))
    store.close()
    set_back(tmp_path, to=1)
    store = Store.open(tmp_path, model="new")
    assert (store.spaces.serving(), store.spaces.agreed()) == ("old", None)
    assert store.documents()[0].state == "ready"
    store.close()


def test_a_library_from_before_pairs_of_characters_finds_japanese(tmp_path):
    store = Store.open(tmp_path)
    sales = read_file("当期の売上高は1,284億円。")
    store.add(sales, as_bytes(sales))
    store.add(COAL, as_bytes(COAL))
    store.close()
    set_back(tmp_path, to=2)
    with sqlite3.connect(tmp_path / FILE) as connection:
        connection.execute("UPDATE search SET body = '当期の売上高は1284億円。' WHERE rowid = 1")
        connection.execute("UPDATE passages SET words = 1 WHERE row = 1")
    connection.close()
    store = Store.open(tmp_path)
    (hit,) = Bm25Scorer(store).search(Query("売上高")).hits
    assert hit.passage.text == "当期の売上高は1,284億円。"
    assert len(Bm25Scorer(store).search(Query("coal")).hits) == 1
    store.close()


def test_a_folder_that_cannot_be_made_is_refused(tmp_path):
    (tmp_path / "file").write_text("a file where the folder should be")
    with pytest.raises(BadLibrary, match="may write to"):
        Store.open(tmp_path / "file")


def test_a_library_of_a_newer_version_is_refused(tmp_path):
    Store.open(tmp_path).close()
    with sqlite3.connect(tmp_path / FILE) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(BadLibrary, match="format 99"):
        Store.open(tmp_path)
