"""The HTTP API and the page (docs/api.md): requests in, calls out. Blind to the game. Only `serving` needs uvicorn.

    serving     the server as a process: address, signals, its end
    reading     HTTP by httptools, where that is installed
    app         the application: routes, wired to all below
    answers     what each path answers
    batch       many positions in one request
    parameters  what a request asks, read from its query
    spelling    positions and turns in URLs
    players     the players that may be asked for, bounded in time
    puzzles     the committed lists of puzzles
    working     threads for what takes longer; limits, cancelling
    limits      the limits, as one value
    problems    errors as problem details
    responses   bodies: ETag, Cache-Control, gzip
    guards      who may ask, and what a browser may do with an answer
    static      the files of the page
    openapi     the description of it all
"""
