"""Matches: many games between players, paired, recorded, and what their results say. Blind to the game.

    players  a player by its name, for any game; programs as players
    record   a game as one line of JSON, played again, and the file of a match
    written  a game that people have written down
    playing  which games a match has, one game, and all of them on all cores
    score    scores by pairs of games, ratings, and a test of two strengths
    grading  what is known of every turn of a recorded game
    review   a whole game in review: what was right, who could have won until when
    report   all of this about files of records

>>> from backtrick import matches
>>> print(matches.match("frugal", "hasty", games=20, processes=0, progress=False).pairings[0].first)
frugal
"""

from backtrick.names.lazy_imports import public_names

__all__, __getattr__, __dir__ = public_names(__name__, {
    "backtrick.matches.playing": ["Match", "match", "play_match"],
    "backtrick.matches.record": ["Record", "check_replay", "read_records"],
    "backtrick.matches.report": ["Report", "reports"],
    "backtrick.matches.review": ["Review", "grade_game"],
})  # fmt: skip
