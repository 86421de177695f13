"""Drawings of cards as SVG, blind to the game: sheets of paper, colours, and what cards of all games share.

A game draws its own cards and positions in `drawing.py`. Notebooks, `backtrick draw` and the explorer page show the same cards.
"""
