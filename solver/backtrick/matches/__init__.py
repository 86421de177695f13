"""Matches: many games between players, paired, recorded, and what their results say. Blind to the game.

    players   a player by its name, for any game
    external  a player that is a program
    forfeit   how a game is lost without being played to its end
    schedule  which games a match has, in their order
    playing   one game
    record    a game as one line of JSON
    replaying recorded games, played again
    recording the file of a match: what it holds, and what is still to be played
    running   a match, on all cores
    score     results of two players by pairs of games, with an interval
    ratings   strengths of any number of players, with intervals
    sprt      a test of two hypotheses
    report    all of this about files of records
"""
