"""The commands generate, check, verify and info, and --tables: what they print, what they refuse, and how they exit."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from backtrick.cli import main
from backtrick.errors import UsageError
from backtrick.face_to_face import Position, pack, solve_many
from backtrick.face_to_face.classes import TableName, count_classes, tables_up_to
from backtrick.face_to_face.tables.building import TableJob
from backtrick.storage import workers
from backtrick.storage.file import Reader, write_file
from command import ROOT, no_processes, refused

POSITION = "27^40v:17,18,45 13^50v:5,12"
ABOVE = "52^6v:16,18,19,57 53^15v:4,7,29,44"
ROUND = "15,43,44 21,53 51-62-35"


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """All tables up to 4 cards, and 3v2 with what it needs."""
    place = tmp_path_factory.mktemp("tables")
    with no_processes():
        assert main(["generate", "3v2", "--cards", "4", "--tables", str(place)]) == 0
    return place


def test_what_was_built_is_listed_and_not_built_again(tables, said):
    names = sorted(path.name for path in tables.glob("*.h5"))
    assert names == sorted(f"{name}.h5" for name in [*tables_up_to(4), TableName(3, 2)])
    for named, words in (("3v2", "2v1, 3v2 are in"), ("2v2", "2v2 is in")):
        code, out, err = said("generate", named, "--tables", tables)
        assert (code, out) == (0, "") and "nothing to build: " in err and f"{words} {tables}\n" in err


def test_a_damaged_table_is_told_and_built_anew(tables, said, tmp_path):
    sound = (tables / "2v1.h5").read_bytes()
    (tmp_path / "2v1.h5").write_bytes(sound[:-9] + bytes([sound[-9] ^ 1]) + sound[-8:])
    code, out, err = said("generate", "2v1", "--tables", tmp_path)
    assert code == 0 and out.startswith("2v1\t") and err.endswith("is rebuilt\n"), err


def test_a_directory_without_rights_is_not_called_empty(tmp_path, said, monkeypatch):
    """pathlib's `glob` finds nothing there."""

    def refuse(path: object = ".") -> None:
        raise PermissionError(13, "Permission denied", str(path))

    for name in ("os.listdir", "os.scandir", "pathlib.Path.iterdir"):  # pathlib of Python 3.10 keeps os.listdir and os.scandir
        monkeypatch.setattr(name, refuse)
    for command in ("check", "verify", "info"):
        refused(said(command, "--tables", tmp_path), f"{tmp_path}: ", "Permission denied")


def test_the_digests_in_the_repository_are_those_of_what_is_built(tables, said):
    code, out, err = said("check", "--digests", ROOT / "tablebases" / "digests.txt", tables)
    assert (code, err) == (0, "")
    assert len(out.splitlines()) == 7 and all(line.endswith("\tlisted") for line in out.splitlines())


def test_the_list_of_digests_names_every_table_up_to_10_cards():
    lines = (ROOT / "tablebases" / "digests.txt").read_text().splitlines()
    names = [line.split()[1] for line in lines if not line.startswith("#")]
    assert names == [f"{name}.h5" for name in tables_up_to(10)]


def test_a_digest_that_is_not_the_listed_one(tables, said, tmp_path):
    (tmp_path / "list").write_text(f"{'0' * 64}  2v1.h5\n")
    refused(said("check", "--digests", tmp_path / "list", tables / "2v1.h5"), "2v1.h5", "its digest is", code=3)
    (tmp_path / "list").write_text("nonsense\n")
    refused(said("check", "--digests", tmp_path / "list", tables), "is not a digest and a file name")


def test_check_and_verify_see_that_a_table_beside_was_rebuilt_differently(tables, said, tmp_path):
    (tmp_path / "3v2.h5").write_bytes((tables / "3v2.h5").read_bytes())
    job = TableJob(tmp_path, TableName(2, 1))
    chunks = [chunk ^ 1 for chunk in Reader(tables / "2v1.h5")]  # every value another one
    write_file(job.path, replace(job.header, counts=Reader(tables / "2v1.h5").header.counts), ((chunk, {}) for chunk in chunks))
    for command in ("check", "verify"):
        refused(said(command, tmp_path / "3v2.h5"), "it was built upon another 2v1 than the one beside it", code=3)


def test_verify_names_the_first_lie(tables, said, tmp_path):
    (tmp_path / "2v1.h5").write_bytes((tables / "2v1.h5").read_bytes())
    true = Reader(tables / "3v2.h5")
    job = TableJob(tmp_path, TableName(3, 2), dependencies=true.header.dependencies)
    chunks = list(true)
    chunks[0] = chunks[0].copy()
    chunks[0][100_000] ^= 1  # a slot that says 0 for 1, or 3 for 2
    write_file(job.path, replace(job.header, counts=true.header.counts), ((chunk, {}) for chunk in chunks))
    refused(said("verify", tmp_path / "3v2.h5"), "3v2.h5: ", "is stored as", "but its turns lead to", code=3)
    assert said("verify", tables / "3v2.h5")[0] == 0


def test_verify_by_rows_needs_the_tables_beside_it(tables, said, tmp_path):
    (tmp_path / "3v2.h5").write_bytes((tables / "3v2.h5").read_bytes())
    refused(said("verify", "--by", "rows", tmp_path), "no table 2v1.h5", "backtrick generate 2v1")
    assert said("verify", tmp_path)[0] == 0  # it was built by rows, and so by search


def test_info_counts_every_class(tables, said):
    code, out, _ = said("info", "--json", tables)
    assert code == 0
    for facts in map(json.loads, out.splitlines()):
        assert sum(facts["by_remoteness"].values()) == facts["classes"] == count_classes(TableName.parse(facts["table"])).classes
        longest = [Position.parse(text) for text in facts["longest_win_positions"]]
        assert [int(value) for value in solve_many(pack(longest))] == [facts["longest_win"]] * len(longest)


def test_info_counts_slots_where_classes_are_not_counted(tables, said, monkeypatch):
    monkeypatch.setattr("backtrick.face_to_face.tablebase.MOST_NUMBERS", 4)
    facts = json.loads(said("info", "--json", tables / "3v2.h5")[1])
    assert (facts["classes"], facts["bits_a_class"]) == (None, None)
    assert sum(facts["by_remoteness"].values()) == facts["slots"] == 2_344_190
    text = said("info", tables / "3v2.h5")[1]
    assert "remoteness  slots" in text and "all         2,344,190" in text
    assert said("info", *[tables / "3v2.h5"] * 2)[1] == f"{text}\n{text}"


def test_answers_from_tables_say_so(tables, said):
    code, out, _ = said("solve", "--tables", tables, "--json", POSITION, ABOVE)
    answers = [json.loads(line) for line in out.splitlines()]
    assert code == 0 and [(one["remoteness"], one["source"]) for one in answers] == [(1, "3v2"), (3, "search")]
    assert "source  3v2" in said("solve", "--tables", tables, POSITION)[1]
    graded = json.loads(said("grade", "--tables", tables, "--json", POSITION, "17^ 18^")[1])
    assert (graded["before"], graded["after"], graded["source"]) == (1, 2, "3v2, 2v1")
    best = json.loads(said("best", "--tables", tables, "--json", POSITION)[1])
    assert (best["best"], best["source"]) == ("17^ 18^ 45^", "3v2")
    refused(said("solve", "--tables", tables / "nowhere", POSITION), "nowhere", "cannot be read")


def test_an_estimate_builds_nothing(said, tmp_path):
    code, out, _ = said("generate", "--cards", "8", "--estimate", "--tables", tmp_path)
    assert code == 0 and "3,816,442,833" in out and "13,318,810,876" in out
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("game", "positions", "value"), [("face_to_face", [ABOVE, POSITION], "3"), ("take_that", [ROUND], "6")])
def test_solved_sets_of_both_games(said, tmp_path, game, positions, value):
    with no_processes():
        check_solved_sets(said, tmp_path, game, positions, value)


def check_solved_sets(said, tmp_path, game, positions, value):
    asked = tmp_path / "list.txt"
    asked.write_text("# a comment\n" + "\n".join(positions) + "\n")
    code, out, _ = said("generate", "--positions", asked, "--name", "some", "--tables", tmp_path, "--workers", "1")
    assert code == 0 and out.startswith("some\t") and out.endswith(f"\t{len(positions)} positions\n")
    assert said("check", tmp_path)[0] == said("verify", tmp_path)[0] == 0
    facts = json.loads(said("info", "--json", tmp_path)[1])
    assert (facts["kind"], facts["game"], facts["positions"]) == ("set", game, len(positions))
    assert facts["by_value"][value] == 1
    assert "some of " in said("info", tmp_path)[1]
    assert json.loads(said("solve", "--json", "--tables", tmp_path, positions[0])[1])["source"] == "set some"
    for suffix in (".npy", ".jsonl", ".tsv"):
        assert said("solve", "--input", asked, "--output", tmp_path / f"list{suffix}")[0] == 0
        again = said("generate", "--positions", tmp_path / f"list{suffix}", "--name", "some", "--tables", tmp_path / suffix[1:])
        assert again[1].split("\t")[1:] == out.split("\t")[1:], "the same digest"


def test_a_bad_line_of_a_list_is_named_and_nothing_is_written(said, tmp_path):
    asked = tmp_path / "list.txt"
    asked.write_text(f"{POSITION}\n27^40v:17 13^50v:5,99\n")
    refused(said("generate", "--positions", asked, "--tables", tmp_path), "line 2", "99")
    asked.write_text(f"{POSITION}\n27^40v:17+1 13^50v:5+2\n")
    refused(said("generate", "--positions", asked, "--tables", tmp_path), "line 2", "draw pile")
    assert not list(tmp_path.rglob("*.h5"))


def test_the_cluster_that_is_asked_for_does_the_work(said, monkeypatch):
    def cluster(*given):
        raise UsageError(f"{given}")

    monkeypatch.setattr(workers, "dask_cluster", cluster)
    for command in (["generate", "1v1"], ["match", "frugal", "hasty"]):
        refused(said(*command, "--local-cluster", "3"), "(None, 3)")
        refused(said(*command, "--scheduler", "tcp://host:8786"), "('tcp://host:8786', None)")


def test_memory_allows_fewer_workers_and_never_more(said):
    def estimate(workers, *more):
        return said("generate", "4v4", "--estimate", "--workers", workers, *more)[1]

    assert estimate("2", "--memory", "1T") == estimate("2", "--memory", "9" * 18) == estimate("2") != estimate("1")
    assert estimate("2", "--memory", "150M") == estimate("1"), "a worker needs 100 MiB"
