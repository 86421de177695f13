"""Fifteen programs of a researcher, as one types them after five minutes with the README. Each runs as it stands: in this process,
and in the slow suite in one of its own, which has imported nothing."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec

import pytest

from command import ENVIRONMENT

PROGRAMS = {
    "one position": """
import backtrick
answer = backtrick.solve("52^6v:16,18,19,57 53^15v:4,7,29,44")
print(answer)
print(answer.position.board())
""",
    "a CSV": """
import csv
from backtrick.face_to_face import samples, solve
with open("positions.csv", "w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow(["position", "value", "best"])
    for position in samples.selfplay(20, seed=1):
        answer = solve(position)
        writer.writerow([position, answer.value, answer.best])
with open("positions.csv", newline="") as file:
    rows = list(csv.DictReader(file))
assert all(solve(row["position"]).value == int(row["value"]) for row in rows) and len(rows) == 20
""",
    "a column: pandas": """
import pandas as pd
from backtrick import face_to_face
from backtrick.face_to_face import samples
frame = pd.DataFrame({"position": [str(position) for position in samples.selfplay(100, seed=1)]})
frame["value"] = face_to_face.solve_many(frame.position)
frame["best"] = face_to_face.turns_text(face_to_face.best_many(frame["position"]))
frame["wins"] = frame.value % 2 == 1
print(frame.groupby("wins").value.mean(), frame.head())
assert (frame.position.map(lambda text: face_to_face.solve(text).value) == frame.value).all()
""",
    "a plot: matplotlib": """
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
from backtrick.take_that import samples, solve_many
plt.hist(solve_many(samples.selfplay_array(200, seed=1)), bins=30)
plt.savefig("values.png")
""",
    "two turns compared": """
import backtrick
position = "52^6v:16,18,19,57 53^15v:4,7,29,44"
for turn in ("16v 18v'", "16v 18^'"):
    print(turn, backtrick.grade(position, turn))
for outcome in backtrick.outcomes(position)[:3]:
    print(outcome.turn, outcome.value, outcome.ways)
""",
    "tables": """
from backtrick import face_to_face
face_to_face.build_tables("tables", ["1v1", "2v1"], processes=0)
with face_to_face.open_tablebase("tables") as tables:
    print(tables.probe("27^40v:17 13^50v:5"), tables.get("27^40v:17,18,45 13^50v:5,12", None))
""",
    "a file: h5py": """
import h5py
from backtrick.face_to_face import samples, solve_many
positions = samples.selfplay_array(100, seed=1)
with h5py.File("positions.h5", "w") as file:
    file["positions"], file["values"] = positions, solve_many(positions)
with h5py.File("positions.h5") as file:
    assert (solve_many(file["positions"]) == file["values"][:]).all()
""",
    "many: dask": """
import dask
from backtrick.face_to_face import samples, solve_many
parts = [dask.delayed(solve_many)(samples.selfplay_array(50, seed=seed)) for seed in range(4)]
print(sum(len(values) for values in dask.compute(*parts, scheduler="threads")))
""",
    "a test: pytest": """
import pytest
from pathlib import Path
Path("test_mine.py").write_text('''
from backtrick.testing import assert_optimal, assert_value
def test_my_position():
    assert_value("52^6v:57,16,18,19 53^15v:4,7,29,44", 3)
    assert_optimal("52^6v:16,18,19,57 53^15v:4,7,29,44", "16v 18v'")
''')
assert pytest.main(["-q", "-p", "no:cacheprovider", "test_mine.py"]) == 0
""",
    "an environment: gymnasium": """
import gymnasium as gym
import backtrick.learn.gymnasium
env = gym.make("backtrick/FaceToFace-v0")
observation, info = env.reset(seed=1)
done = False
while not done:
    action = env.action_space.sample(info["action_mask"]) if "action_mask" in info else env.unwrapped.legal()[0]
    observation, reward, terminated, truncated, info = env.step(action)
    done = terminated or truncated
print(reward)
""",
    "an own bot": """
from backtrick import face_to_face
from backtrick.matches import match
def my_bot(view):
    if view.position:
        return face_to_face.best_turn(view.position)
    turns = [turn for turn in face_to_face.legal_turns(view) if len(turn) == 2]
    return min(turns, key=lambda turn: sum(abs(play.card - 30) for play in turn))
report = match("frugal", my_bot, games=10)
print(report)
""",
    "a notebook: IPython": """
from backtrick import face_to_face
answer = face_to_face.solve("27^40v:17,18,45 13^50v:5,12")
assert "<svg" in answer._repr_html_() and "<svg" in answer.position._repr_html_()
from IPython.display import HTML
HTML(answer._repr_html_())
""",
    "Parquet: pyarrow": """
import pyarrow as pa
import pyarrow.parquet as pq
from backtrick.face_to_face import samples, solve_many
texts = [str(position) for position in samples.selfplay(50, seed=1)]
pq.write_table(pa.table({"position": texts}), "positions.parquet")
table = pq.read_table("positions.parquet")
print(table.append_column("value", [solve_many(table["position"])]).num_columns)
""",
    "an own game graded": """
from backtrick import face_to_face
position = face_to_face.Position.parse("52^6v:57,16,18,19 53^15v:4,7,29,44")
for turn in ["16v 18v'", "4v 7^'", "19^ 57^"]:
    print(position, turn, face_to_face.grade(position, turn).verdict)
    position = face_to_face.after(position, turn)
""",
    "a citation": """
import backtrick
print(f"Backtrick {backtrick.__version__}")
""",
}


def needs(name):
    _, _, library = name.partition(": ")
    if library and not find_spec(library):
        pytest.skip(f"needs {library}")


@pytest.mark.parametrize("name", [one for one in PROGRAMS if "pytest" not in one])
def test_a_program_runs(name, tmp_path, monkeypatch):
    needs(name)
    monkeypatch.chdir(tmp_path)
    exec(compile(PROGRAMS[name], name, "exec"), {"__name__": "__main__"})


@pytest.mark.parametrize("name", [one if one == "one position" else pytest.param(one, marks=pytest.mark.slow) for one in PROGRAMS])
def test_a_program_runs_as_first_typed(name, tmp_path):
    needs(name)
    done = subprocess.run([sys.executable, "-c", PROGRAMS[name]], cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]


def test_there_are_fifteen():
    assert len(PROGRAMS) == 15
