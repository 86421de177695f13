"""The command `backtrick`: arguments in, calls out.

    main       the run as a whole: exit codes, errors, a closed pipe, Ctrl-C
    arguments  commands, options, help
    query      one question about a position, as it is written in an argument, on a line or in a file
    read       queries, read in portions and parsed
    write      where answers go: standard output, or a file
    commands   the commands that answer questions about positions, a function each
    odds       the command about views, where cards are hidden
    matches    the commands about whole games, a function each
    files      the commands that write and examine files, a function each
    streams    standard input, output and error
"""

from backtrick.cli.main import main

__all__ = ["main"]
