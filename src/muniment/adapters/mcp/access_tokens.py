"""OAuth 2.1 resource server: JWT access tokens of one issuer, for this resource and no other.

As the MCP specification asks: where to get a token is told by the metadata of the protected
resource (RFC 9728), and a token counts only if it was made for this very resource (RFC 8707).
It is beside the API keys, not above them: what a token may do is what the command line says.
"""

import hashlib
from typing import Final
from urllib.parse import urlsplit

import jwt
import msgspec
from mcp.server.auth.routes import build_resource_metadata_url
from mcp.shared.auth import ProtectedResourceMetadata
from pydantic import AnyHttpUrl

from muniment.adapters.gateway import allowed_origins, api_keys
from muniment.adapters.gateway.api_keys import ANY, Grant
from muniment.adapters.gateway.errors import BusyError, UnauthorizedError
from muniment.adapters.gateway.gateway import Gateway, Visit
from muniment.model.errors import InputError
from muniment.model.scope import Role

# What a key pair signs. Shared secrets and `none` are no signatures of an issuer.
ALGORITHMS: Final = (
    "RS256",
    "RS384",
    "RS512",
    "PS256",
    "PS384",
    "PS512",
    "ES256",
    "ES384",
    "EdDSA",
)
NEEDED: Final = ["exp", "iss", "aud", "sub"]
FETCH_SECONDS_MAX: Final = 5
KEYS_SECONDS: Final = 300  # so long the issuer's keys are at hand
TOKEN_CHARACTERS_MAX: Final = 8_192
TOKENS: Final = "token:"  # how those who come with a token are told apart from keys


class Issuer(msgspec.Struct, frozen=True, kw_only=True):
    """Whose tokens count here, and for which resource they must have been made."""

    issuer: str  # as `iss` says it, to the letter
    jwks: str  # where the issuer's public keys are
    resource: str  # the address of this door, as clients and `aud` name it

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            _check_address(name, getattr(self, name))


class AccessTokens:
    """Turns a token into a visit; whatever does not fit is refused alike."""

    def __init__(self, issuer: Issuer, grant: Grant) -> None:
        if grant.role not in {Role.AGENT, Role.USER}:
            raise InputError("tokens are for agents and users; a council member needs an API key")
        self._issuer = issuer
        self._grant = grant
        self._keys = jwt.PyJWKClient(issuer.jwks, lifespan=KEYS_SECONDS, timeout=FETCH_SECONDS_MAX)
        resource = AnyHttpUrl(issuer.resource)
        self.metadata_address = str(build_resource_metadata_url(resource))
        self.metadata_path = urlsplit(self.metadata_address).path
        self.metadata = ProtectedResourceMetadata.model_validate(
            {"resource": issuer.resource, "authorization_servers": [issuer.issuer]}
        ).model_dump(mode="json", exclude_none=True)

    @staticmethod
    def is_one(text: str) -> bool:
        """Whether it has the shape of a token; an API key has none of its dots."""
        return text.count(".") == 2 and len(text) <= TOKEN_CHARACTERS_MAX  # noqa: PLR2004

    def admit(self, reception: Gateway, text: str) -> Visit:
        """The visit of the person whom the token names. It may fetch keys: not on an event loop."""
        claims = self._claims(text)
        subject, client = claims.get("sub"), claims.get("client_id") or claims.get("azp") or ""
        if not isinstance(subject, str) or subject in {"", ANY}:
            raise UnauthorizedError
        try:
            grant = api_keys.checked(msgspec.structs.replace(self._grant, user=subject))
        except InputError:
            raise UnauthorizedError from None
        named = hashlib.sha256(f"{subject}\0{client}".encode()).hexdigest()
        return Visit(reception, grant, f"{TOKENS}{named[:32]}")

    def _claims(self, text: str) -> dict[str, object]:
        try:
            return jwt.decode(
                text,
                self._keys.get_signing_key_from_jwt(text),
                algorithms=ALGORITHMS,
                audience=self._issuer.resource,
                issuer=self._issuer.issuer,
                options={"require": NEEDED},
            )
        except jwt.PyJWKClientConnectionError:
            raise BusyError("the keys of the token issuer cannot be fetched") from None
        except (jwt.PyJWTError, ValueError, TypeError):
            raise UnauthorizedError from None


def _check_address(name: str, address: str) -> None:
    """HTTPS, but on this machine; what could be read on the way proves nothing."""
    parts = urlsplit(address)
    local = parts.scheme == "http" and allowed_origins.is_loopback(parts.hostname or "")
    if not parts.hostname or parts.fragment or not (parts.scheme == "https" or local):
        raise InputError(f"--oauth-{name} must be an https address")


def issuer(*, over_http: bool, **addresses: str) -> Issuer | None:
    """The issuer that three options name; none where none of them is given."""
    if not any(addresses.values()):
        return None
    if not over_http or not all(addresses.values()):
        raise InputError("tokens need --http, --oauth-issuer, --oauth-jwks and --oauth-resource")
    return Issuer(**addresses)
