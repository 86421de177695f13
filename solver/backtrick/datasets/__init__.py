"""Data sets for learners: positions, their values, the value of every turn, the best turn (docs/export.md). Blind to the game.

parts     a portion of positions, solved, in columns
classes   the number of a class, its split, and which classes were seen
writers   the columns as Parquet, numpy arrays or JSON lines
told      what a data set says about itself: dataset.json
card      README.md for people
croissant croissant.json for programs
exporting all of this: a directory from portions of positions
"""
