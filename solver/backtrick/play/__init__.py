"""Whole games: from the deal to the end, with cards that a player does not see.

    state         a whole game at one moment, what a player sees of it, and players
    players       players by name, their settings, and policies
    whole_game    what a game offers: states, players, worlds, and how a game ends
    odds          the share of the worlds in which a turn wins
    samples       positions out of whole games
    steps         a game one step at a time, with numbers for actions, for adapters
"""
