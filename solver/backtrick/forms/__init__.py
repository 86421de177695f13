"""How answers are written, wherever they are shown: on the command line, in files and by the HTTP API. Blind to the game.

    question  a parsed question, and the signs for what is not there
    forms     how an answer reads in each format, a class for each command
    columns   the same for many answers at once, in columns
    formats   the formats, and the suffixes of files
"""
