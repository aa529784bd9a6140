"""Sending: one POST to one checked address, in bounded time, following no redirect."""

import contextlib
import http.client
import socket
import ssl
import threading
from collections.abc import Collection, Mapping
from typing import Final

from muniment.adapters.webhooks import public_address

CONNECT_SECONDS: Final = 5.0
WHOLE_SECONDS: Final = 10.0  # from the first byte to the last: a drop at a time is no answer
OK_FROM, OK_BELOW = 200, 300


def post(url: str, body: bytes, headers: Mapping[str, str], allowed: Collection[str]) -> str:
    """`ok`, or what went wrong in words that hold nothing of an answer."""
    try:
        found = public_address.checked(url, allowed)
        address = public_address.resolved(found, allowed)
        line = _Line(found.hostname or "", address, tls=found.scheme == "https")
        path = (found.path or "/") + (f"?{found.query}" if found.query else "")
        return line.post(path, body, headers, found.netloc)
    except public_address.AddressNotAllowedError as error:
        return error.detail
    except ssl.SSLError:
        return "its certificate does not hold"
    except TimeoutError:
        return "no answer in time"
    except (OSError, http.client.HTTPException, ValueError) as error:
        return f"no answer: {type(error).__name__}"


class _Line:
    """A connection to the address that was checked, by the name that it was asked for."""

    def __init__(self, host: str, address: tuple[str, int], *, tls: bool) -> None:
        link = socket.create_connection(address, timeout=CONNECT_SECONDS)
        if tls:
            link = ssl.create_default_context().wrap_socket(link, server_hostname=host)
        link.settimeout(CONNECT_SECONDS)
        self._link = link
        self._late = False
        self._http = http.client.HTTPConnection(host, address[1])
        self._http.sock = link

    def post(self, path: str, body: bytes, headers: Mapping[str, str], host: str) -> str:
        timer = threading.Timer(WHOLE_SECONDS, self._hang_up)
        timer.start()
        try:
            told = {"Host": host, "Content-Type": "application/json", "User-Agent": "muniment"}
            self._http.request("POST", path, body, {**told, **headers})
            status = self._http.getresponse().status
        except (OSError, http.client.HTTPException) as error:
            if self._late:
                raise TimeoutError from error
            raise
        finally:
            timer.cancel()
            self._http.close()
        return "ok" if OK_FROM <= status < OK_BELOW else f"it answered {status}"

    def _hang_up(self) -> None:
        self._late = True
        with contextlib.suppress(OSError):  # it may be over already
            self._link.shutdown(socket.SHUT_RDWR)
