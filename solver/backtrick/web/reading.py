"""Reading HTTP by httptools, which is an optional install: importing this module fails without it."""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from backtrick.web.limits import MOST_HEADERS


class Bounded(HttpToolsProtocol):
    """The protocol of uvicorn, with the limit on headers that h11 has and httptools has not. Trailers count too."""

    def __init__(self, *given: Any, **named: Any):
        super().__init__(*given, **named)
        self._whole, self._unread = False, 0

    def data_received(self, data: bytes) -> None:
        """Reads some bytes. Headers that do not end are refused with 400."""
        self._whole = False
        super().data_received(data)
        self._unread = 0 if self._whole else self._unread + len(data)
        if self._unread > MOST_HEADERS and not self.transport.is_closing():
            self.send_400_response("the headers are too long")

    def on_headers_complete(self) -> None:
        """The headers have ended."""
        self._whole = True
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A part of the body has arrived."""
        self._whole = True
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The request has ended."""
        self._whole = True
        super().on_message_complete()
