"""Access tokens at the MCP door: one issuer's, for this resource, in force, signed; no others."""

import hashlib
import hmac
import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt.algorithms import ECAlgorithm, RSAAlgorithm
from starlette.testclient import TestClient
from tests.mcp_client import HELLO, call
from tests.world import memory

from muniment.adapters.gateway import allowed_origins, api_keys
from muniment.adapters.gateway.api_keys import Grant, MemoryCredentials
from muniment.adapters.gateway.gateway import Gateway
from muniment.adapters.mcp import access_tokens, serve
from muniment.adapters.mcp.access_tokens import AccessTokens, Issuer
from muniment.model.errors import InputError
from muniment.model.scope import Channel, Role

ISSUER = "https://login.example.org/realm"
RESOURCE = "https://memory.example.org/mcp"
METADATA = "/.well-known/oauth-protected-resource/mcp"
RSA_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
EC_KEY = ec.generate_private_key(ec.SECP256R1())
STRANGER = rsa.generate_private_key(public_exponent=65537, key_size=2048)
PUBLIC = [
    json.loads(RSAAlgorithm.to_jwk(RSA_KEY.public_key())) | {"kid": "rsa", "alg": "RS256"},
    json.loads(ECAlgorithm.to_jwk(EC_KEY.public_key())) | {"kid": "ec", "alg": "ES256"},
    {"kty": "oct", "kid": "shared", "k": "c2VjcmV0", "alg": "HS256"},  # an issuer's mistake
]
PEM = RSA_KEY.public_key().public_bytes(
    serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
)


class Keys(BaseHTTPRequestHandler):
    """The issuer's public keys, and how often they were asked for."""

    asked = 0

    def do_GET(self) -> None:
        type(self).asked += 1
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({"keys": PUBLIC}).encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Nothing is printed."""


@pytest.fixture(scope="module")
def jwks() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Keys)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/keys"
    server.shutdown()
    thread.join()
    server.server_close()


class Door:
    """An MCP door over HTTP, without a socket, that takes keys and tokens."""

    def __init__(self, jwks: str, **grant: Any) -> None:  # noqa: ANN401
        self.known = MemoryCredentials()
        self.memory = memory()
        reception = Gateway(self.memory, self.known, channel=Channel.MCP)
        issuer = Issuer(issuer=ISSUER, jwks=jwks, resource=RESOURCE)
        tokens = AccessTokens(issuer, Grant(**{"agent": "ada", "user": "tuff", **grant}))
        self.app = serve.KeyedServers(reception, allowed_origins.at_port(8123), tokens)

    def client(self) -> TestClient:
        return TestClient(self.app, base_url="http://127.0.0.1:8123")


def token(
    key: Any = RSA_KEY,  # noqa: ANN401
    kid: str = "rsa",
    algorithm: str = "RS256",
    **claims: object,
) -> str:
    """One that counts, but for what is named here; None leaves a claim out."""
    whole = {"iss": ISSUER, "aud": RESOURCE, "sub": "alice", "exp": int(time.time()) + 300}
    said = {name: value for name, value in (whole | claims).items() if value is not None}
    return jwt.encode(said, key, algorithm=algorithm, headers={"kid": kid})


def bearing(text: str, **more: str) -> dict[str, str]:
    accept = "application/json, text/event-stream"
    return {"authorization": f"Bearer {text}", "accept": accept} | more


def unsigned(**header: str) -> str:
    parts = [{"alg": "none", "kid": "rsa"} | header, jwt.decode(token(), options=UNCHECKED)]
    spelled = (jwt.utils.base64url_encode(json.dumps(each).encode()).decode() for each in parts)
    return ".".join([*spelled, ""])


UNCHECKED: Any = {"verify_signature": False}
HOUR = 3_600


def confused() -> str:
    """Signed with the public key as if it were a shared secret."""
    parts = [{"alg": "HS256", "kid": "rsa"}, jwt.decode(token(), options=UNCHECKED)]
    spelled = [jwt.utils.base64url_encode(json.dumps(each).encode()) for each in parts]
    signed = hmac.new(PEM, b".".join(spelled), hashlib.sha256).digest()
    return b".".join([*spelled, jwt.utils.base64url_encode(signed)]).decode()


REFUSED: dict[str, Callable[[], str]] = {
    "for another audience": lambda: token(aud="https://other.example.org/mcp"),
    "for the host and not the path": lambda: token(aud="https://memory.example.org"),
    "for a longer path": lambda: token(aud=RESOURCE + "/other"),
    "for nobody in particular": lambda: token(aud=None),
    "for an empty list": lambda: token(aud=[]),
    "expired": lambda: token(exp=int(time.time()) - 5),
    "without an end": lambda: token(exp=None),
    "of tomorrow": lambda: token(nbf=int(time.time()) + HOUR),
    "of another issuer": lambda: token(iss="https://evil.example.org"),
    "of the same issuer with a slash": lambda: token(iss=ISSUER + "/"),
    "of no issuer": lambda: token(iss=None),
    "unsigned": unsigned,
    "unsigned, in capitals": lambda: unsigned(alg="NONE"),
    "with the signature cut off": lambda: token().rpartition(".")[0] + ".",
    "signed by a stranger": lambda: token(STRANGER),
    "signed by an unknown key": lambda: token(STRANGER, kid="new"),
    "signed with the public key as a secret": confused,
    "signed with a shared secret": lambda: token(b"secret", kid="shared", algorithm="HS256"),
    "signed by the other key": lambda: token(EC_KEY, kid="rsa", algorithm="ES256"),
    "about nobody": lambda: token(sub=None),
    "about an empty name": lambda: token(sub=""),
    "about anybody": lambda: token(sub="*"),
    "about a number": lambda: token(sub=7),
    "about a name that is none": lambda: token(sub="a\nb"),
    "about too long a name": lambda: token(sub="a" * 5_000),
    "longer than any": lambda: token(more="x" * 9_000),
    "changed on the way": lambda: token()[:-6] + "AAAAAA",
    "of three parts that are none": lambda: "a.b.c",
}


@pytest.mark.filterwarnings("ignore:The HMAC key is")
@pytest.mark.parametrize("wrong", REFUSED)
def test_a_token_that_is_not_for_here_in_force_and_signed_is_refused(wrong: str, jwks: str) -> None:
    with Door(jwks).client() as client:
        answer = client.post("/mcp", json=HELLO, headers=bearing(REFUSED[wrong]()))
        known = client.post("/mcp", json=HELLO, headers=bearing(token()))

    assert answer.status_code == 401
    assert answer.json()["error_code"] == "UNAUTHORIZED"
    told = answer.headers["www-authenticate"]
    assert told.startswith('Bearer error="invalid_token", ')
    assert f'resource_metadata="https://memory.example.org{METADATA}"' in told
    assert known.status_code == 200  # but for what is named it counts


def test_whoever_shows_nothing_is_told_where_a_token_can_be_had(jwks: str) -> None:
    with Door(jwks).client() as client:
        asked = client.post("/mcp", json=HELLO)
        told = client.get(METADATA)
        elsewhere = client.get(METADATA, headers={"host": "evil.example"})

    where = f'Bearer resource_metadata="https://memory.example.org{METADATA}"'
    assert (asked.status_code, asked.headers["www-authenticate"]) == (401, where)
    assert told.json() == {
        "resource": RESOURCE,
        "authorization_servers": [ISSUER],
        "bearer_methods_supported": ["header"],
    }
    assert elsewhere.status_code == 421


def said(client: TestClient, key: str, tool: str, **arguments: object) -> str:
    opened = client.post("/mcp", json=HELLO, headers=bearing(key))
    assert opened.status_code == 200, opened.text
    session = bearing(key, **{"mcp-session-id": opened.headers["mcp-session-id"]})
    return client.post("/mcp", json=call(1, tool, **arguments), headers=session).text


@pytest.mark.parametrize("aud", [RESOURCE, ["https://other.example.org", RESOURCE]])
def test_who_is_spoken_for_is_who_the_token_names_and_nobody_else(jwks: str, aud: object) -> None:
    door = Door(jwks)
    alice, bob = token(aud=aud), token(EC_KEY, "ec", "ES256", sub="bob", aud=aud)

    with door.client() as client:
        said(client, alice, "remember", text="I moved to Lisbon")
        assert "I moved to Lisbon" in said(client, alice, "recall", query="Lisbon")
        assert "I moved to Lisbon" not in said(client, bob, "recall", query="Lisbon")
        other = client.post("/mcp", json=HELLO, headers=bearing(bob, **{"muniment-user": "alice"}))

    assert other.status_code == 403
    assert door.memory.agent("ada", user="alice").recall("Lisbon").hits
    assert not door.memory.agent("ada", user="tuff").recall("Lisbon").hits


def test_the_session_of_one_token_is_not_another_persons(jwks: str) -> None:
    with Door(jwks).client() as client:
        opened = client.post("/mcp", json=HELLO, headers=bearing(token()))
        session = {"mcp-session-id": opened.headers["mcp-session-id"]}
        asked = call(1, "recall", query="Lisbon")
        own = client.post("/mcp", json=asked, headers=bearing(token(), **session))
        stolen = client.post("/mcp", json=asked, headers=bearing(token(sub="bob"), **session))

    assert own.status_code == 200
    assert stolen.status_code == 404


def test_keys_go_on_counting_and_a_door_without_an_issuer_takes_no_token(jwks: str) -> None:
    door = Door(jwks)
    key = api_keys.issue(door.known, Grant(agent="ada", user="tuff"))[0]
    reception = Gateway(door.memory, door.known, channel=Channel.MCP)
    bare = serve.KeyedServers(reception, allowed_origins.at_port(8123))

    with door.client() as client:
        assert client.post("/mcp", json=HELLO, headers=bearing(key)).status_code == 200
    with TestClient(bare, base_url="http://127.0.0.1:8123") as client:
        refused = client.post("/mcp", json=HELLO, headers=bearing(token()))
        assert client.get(METADATA).status_code == 401

    assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")


def test_whoever_guesses_at_tokens_is_told_to_wait_and_fetches_no_keys(jwks: str) -> None:
    with Door(jwks).client() as client:
        assert client.post("/mcp", json=HELLO, headers=bearing(token())).status_code == 200
        before = Keys.asked
        guesses = [token(STRANGER, kid=f"new {n}") for n in range(12)]
        told = [client.post("/mcp", json=HELLO, headers=bearing(each)) for each in guesses]
        known = client.post("/mcp", json=HELLO, headers=bearing(token()))

    assert [each.status_code for each in told] == [401] * 10 + [429] * 2
    assert Keys.asked == before
    assert known.status_code == 200


def test_keys_that_cannot_be_fetched_let_nobody_in() -> None:
    with Door("http://127.0.0.1:9/keys").client() as client:
        answer = client.post("/mcp", json=HELLO, headers=bearing(token()))

    assert (answer.status_code, answer.json()["retryable"]) == (503, True)


@pytest.mark.parametrize("name", ["issuer", "jwks", "resource"])
@pytest.mark.parametrize("address", ["http://login.example.org", "login.example.org", "https://"])
def test_what_could_be_read_on_the_way_is_no_address_of_an_issuer(name: str, address: str) -> None:
    whole = {"issuer": ISSUER, "jwks": ISSUER + "/keys", "resource": RESOURCE}

    assert access_tokens.issuer(over_http=True, **whole) is not None
    with pytest.raises(InputError, match=f"--oauth-{name} must be an https address"):
        access_tokens.issuer(over_http=True, **whole | {name: address})
    with pytest.raises(InputError, match="tokens need --http"):
        access_tokens.issuer(over_http=True, **whole | {name: ""})
    with pytest.raises(InputError, match="tokens need --http"):
        access_tokens.issuer(over_http=False, **whole)


def test_no_token_makes_a_member_of_the_council(jwks: str) -> None:
    with pytest.raises(InputError, match="a council member needs an API key"):
        Door(jwks, role=Role.COUNCIL, agent="", user="", who="olga")
