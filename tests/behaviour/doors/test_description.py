"""The OpenAPI document is true: whatever schemathesis makes of it is answered as it says."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.service import Running, serving

from muniment.adapters.http import openapi
from muniment.adapters.http.route_table import ROUTES

# A schema cannot say everything: which names are visible, which keys are canonical, where the log
# ends. So what fits the schema may still be told that it has no meaning; it never breaks anything.
SETTINGS = """
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "400", "401", "403", "404", "409", "413", "422"]
[checks.negative_data_rejection]
expected-statuses = ["400", "401", "403", "404", "405", "408", "409", "413", "415", "421", "422"]
"""
MANY = bool(os.getenv("MUNIMENT_LAWS"))
EXAMPLES = os.getenv("MUNIMENT_EXAMPLES", "25" if MANY else "1")  # 25 make 10,000 requests
PHASES = "examples,coverage,fuzzing,stateful" if MANY else "examples,fuzzing,stateful"
SECONDS = 3600 if MANY else 240
TAGS = {
    "agent": ("contexts", "conversation", "jobs", "mem0", "documents", "threads", "learning"),
    "user": ("memory",),
    "subconscious": ("subconscious",),
    "admin": ("administration", "keys", "proof"),
    "council": ("council",),
}


def keys(service: Running) -> dict[str, str]:
    return {
        "agent": service.agent().key,
        "user": service.user().key,
        "subconscious": service.subconscious().key,
        "admin": service.admin().key,
        "council": service.council().key,
    }


@pytest.mark.parametrize("role", TAGS)
def test_what_the_document_says_is_what_happens(role: str, tmp_path: Path) -> None:
    config = tmp_path / "schemathesis.toml"
    config.write_text(SETTINGS)
    with serving() as service:
        key = keys(service)[role]
        command = [
            str(Path(sys.executable).with_name("st")),
            f"--config-file={config}",
            "run",
            f"{service.url}/openapi.json",
            f"--header=Authorization: Bearer {key}",
            "--seed=7",
            "--no-color",
            "--exclude-path=/v1/log/stream",  # it does not end
            "--request-timeout=30",
            f"--phases={PHASES}",
            f"--max-examples={EXAMPLES}",
            *(f"--include-tag={tag}" for tag in TAGS[role]),
        ]
        told = subprocess.run(
            command, capture_output=True, text=True, timeout=SECONDS, cwd=tmp_path, check=False
        )

    generated = re.search(r"(\d+) generated", told.stdout)
    assert generated, told.stdout + told.stderr
    assert int(generated[1]) >= len(TAGS[role])
    print(role, generated[0])
    assert told.returncode == 0, told.stdout[-6000:]


def test_every_group_of_routes_is_tried_by_somebody() -> None:
    assert {route.tag for route in ROUTES} == {tag for its in TAGS.values() for tag in its}


def test_every_route_is_described_once_and_every_error_it_may_answer() -> None:
    document = openapi.document(ROUTES)
    rows = [(path, method) for path, its in document["paths"].items() for method in its]
    operations = [its[method] for its in document["paths"].values() for method in its]

    said = re.findall(r"'#/components/schemas/([^']+)'", str(document))
    assert set(said) <= set(document["components"]["schemas"])
    assert not [name for name in said if "." in name], "two kinds of answers have one name"
    assert len(rows) == len(ROUTES)
    assert len({each["operationId"] for each in operations}) == len(ROUTES)
    assert all(each["summary"].endswith(".") for each in operations)
    assert all({"400", "401", "403", "404", "429"} <= set(each["responses"]) for each in operations)
