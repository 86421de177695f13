"""How answers and cards are written.

    columns    answers as columns, from which every format is written
    formats    the formats of files, and what reading and writing share
    drawing    cards as SVG
"""
