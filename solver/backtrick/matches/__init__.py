"""Matches: many games between players, paired, recorded, and what their results say. Blind to the game.

    players  a player by its name, for any game; programs as players
    record   a game as one line of JSON, played again, and the file of a match
    match    which games a match has, one game, and all of them on all cores
    score    scores by pairs of games, ratings, and a test of two strengths
    grading  what is known of every turn of a recorded game
    report   all of this about files of records
"""
