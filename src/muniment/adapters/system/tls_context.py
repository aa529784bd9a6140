"""TLS context of every HTTP client: reading all certificate authorities takes 50 ms, so once."""

import ssl
from functools import cache


@cache
def verifying() -> ssl.SSLContext:
    """As the library makes it by default; nobody changes it, so all clients of a process share."""
    import httpx2  # late: whoever asks nobody needs no client

    return httpx2.create_ssl_context()
