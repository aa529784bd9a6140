"""Short ids: an episode's name in seventeen bytes instead of thirty-nine.

Most of what can be recalled is named `ep:` and a UUID. What has another name keeps it as it is;
no name begins with the byte that marks a short one.
"""

import re
from typing import Final

PREFIX: Final = "ep:"
MARK: Final = b"\x01"
_UUID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def kept(name: str) -> bytes:
    if name.startswith(PREFIX) and _UUID.fullmatch(name, len(PREFIX)):
        return MARK + bytes.fromhex(name[len(PREFIX) :].replace("-", ""))
    return name.encode()


def told(code: bytes) -> str:
    if code[:1] != MARK:
        return code.decode()
    text = code.hex()[2:]
    return f"{PREFIX}{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
