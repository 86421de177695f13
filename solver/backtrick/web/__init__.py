"""The HTTP API and the page (docs/api.md): requests in, calls out. Blind to the game. Only `http` needs httptools.

    serving     the server as processes: address, signals, the end
    http        connections: requests in, responses out; limits on connections
    app         the application: paths, hosts, origins
    workers     the limits, and threads for what takes longer: addresses in turns, one amount of memory
    endpoints   what each endpoint answers
    batches     many positions in one request
    parameters  what a request asks, read from its query; positions and turns in URLs
    page        the files of the page; positions in the path, and what a preview of a link shows
    responses   bodies and errors as responses: ETag, Cache-Control, gzip, problem details
    openapi     the description of it all
"""
