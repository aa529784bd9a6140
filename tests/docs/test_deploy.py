"""The files of a deployment are true: probes, commands and metrics are those of the program."""

import json
import re
import shlex
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import httpx2
import pytest
import yaml  # type: ignore[import-untyped]
from tests.docs.test_commands import parsed
from tests.docs.test_readme import ROOT
from tests.scripted_model import scripted
from tests.service import serving
from tests.terminal import Shell

from muniment.adapters.cli.main import cli
from muniment.adapters.http.app import METRICS, READY
from muniment.model.scope import Role

KUBERNETES = ROOT / "deploy" / "kubernetes"
MONITORING = ROOT / "deploy" / "monitoring"
IMAGE = (ROOT / "Containerfile").read_text()
SECONDS_MAX = 60


def manifests() -> list[dict[str, Any]]:
    files = sorted(each for each in KUBERNETES.glob("*.yaml") if each.name != "kustomization.yaml")
    return [each for file in files for each in yaml.safe_load_all(file.read_text())]


def containers() -> Iterator[dict[str, Any]]:
    for each in manifests():
        spec = each.get("spec", {})
        pod = spec.get("jobTemplate", {}).get("spec", spec).get("template", {}).get("spec", {})
        yield from pod.get("containers", ())


def named_metrics() -> set[str]:
    """What the alerts and the dashboard ask for, without the endings of a histogram."""
    told = (MONITORING / "alerts.yaml").read_text().partition("groups:")[2]
    told += (MONITORING / "grafana-dashboard.json").read_text()
    return {each.removesuffix("_bucket") for each in re.findall(r"\bmuniment_[a-z_]+\b", told)}


def given_metrics(page: str) -> set[str]:
    """The names of a page, and those of each histogram and counter as a query spells them."""
    declared = re.findall(r"^# TYPE (\w+) (\w+)$", page, re.MULTILINE)
    return {name for name, _ in declared} | {
        f"{n}_total" for n, kind in declared if kind != "gauge"
    }


def test_every_metric_that_is_alerted_on_or_drawn_is_one_that_is_given_out(tmp_path: Path) -> None:
    shell = Shell("--store", str(tmp_path / "memory"), "--user", "tuff")
    with scripted(lambda _: "hello") as model:
        talks = shell("chat", "--model", f"{model.address} qwen3", typed="I like tea\n")
        assert talks.exit_code == 0
        printed = shell("metrics", "--model", f"{model.address} qwen3").output
    with serving() as service:
        key = service.key(role=Role.AUDITOR, who="ann")
        asked = {"Authorization": f"Bearer {key}"}
        served = httpx2.get(f"{service.url}{METRICS}", headers=asked).text

    assert 'muniment_model_tokens_total{model="openai:qwen3",type="input"} 100' in printed
    assert 'muniment_model_requests_total{model="openai:qwen3"} 1\n' in printed
    assert 'muniment_model_failures_total{model="openai:qwen3"} 0\n' in printed
    assert len(named_metrics()) > 8
    assert named_metrics() - given_metrics(printed) - given_metrics(served) == set()


def test_metrics_are_printed_for_every_memory_and_looking_writes_nothing(tmp_path: Path) -> None:
    shell = Shell("--store", str(tmp_path / "memory"), "--user", "tuff")
    shell("remember", "Remember my favourite colour is cerulean")
    shell("confirm", shell.confirmation())

    first, again = shell("metrics").output, shell("metrics").output
    assert "muniment_requests_pending 1\n" in first
    assert 'muniment_logs{kind="agent"} 1\n' in first
    assert "cerulean" not in first
    assert "tuff" not in first
    entries = re.findall(r"^muniment_log_entries_total.*$", first, re.MULTILINE)
    assert entries == re.findall(r"^muniment_log_entries_total.*$", again, re.MULTILINE)
    names = [each["name"] for each in shell.listed("metrics", "metrics")]
    assert set(names) == {name for name, _ in re.findall(r"^# TYPE (\w+) (\w+)$", first, re.M)}


def test_every_panel_has_a_place_of_its_own() -> None:
    board = json.loads((MONITORING / "grafana-dashboard.json").read_text())
    places = [tuple(each["gridPos"].values()) for each in board["panels"]]

    assert len(places) == len(set(places)) == len({each["id"] for each in board["panels"]})


def test_kustomize_names_every_manifest() -> None:
    told = yaml.safe_load((KUBERNETES / "kustomization.yaml").read_text())

    assert sorted([*told["resources"], "kustomization.yaml"]) == sorted(
        each.name for each in KUBERNETES.glob("*.yaml")
    )


def test_every_command_of_a_container_is_one_that_the_terminal_takes() -> None:
    ran = []
    for each in containers():
        words = each.get("args") or shlex.split(each["command"][-1].removeprefix("exec "))
        ran.append([*words] if words[0] == "muniment" else ["muniment", *words])
    image = re.findall(r"^CMD (\[.*\])$", IMAGE, re.MULTILINE)
    ran += [["muniment", *json.loads(each)] for each in image]

    assert {words[1] for words in ran} == {"serve", "backup"}
    for words in ran:
        parsed(cli, words)


def test_no_container_runs_as_root_or_writes_its_own_files() -> None:
    found = [each["securityContext"] for each in containers()]

    assert len(found) == 2
    assert all(each["readOnlyRootFilesystem"] for each in found)
    assert all(each["capabilities"] == {"drop": ["ALL"]} for each in found)
    assert not any(each["allowPrivilegeEscalation"] for each in found)


def test_a_volume_keeps_the_modes_of_keys_and_the_store_is_a_folder_of_its_own() -> None:
    """A cluster opens a volume to the group of the pod, each time unless it is told otherwise."""
    told = [(KUBERNETES / each).read_text() for each in ("memory.yaml", "backup.yaml")]
    stores = [env["value"] for each in containers() for env in each["env"]]

    assert all("fsGroupChangePolicy: OnRootMismatch" in each for each in told)
    assert stores == ["/memory/store"] * 2


def test_compose_starts_the_image_as_it_starts_itself_with_a_password_of_its_own() -> None:
    """libpq takes no password from a file that others may read; /tmp is for imported files."""
    services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    (command,) = re.findall(r"^CMD (\[.*\])$", IMAGE, re.MULTILINE)
    memory, database = services["memory"], services["database"]

    assert memory["command"] == json.loads(command)
    assert (memory["read_only"], memory["tmpfs"]) == (True, ["/tmp"])  # noqa: S108 - in the image
    assert memory["environment"]["PGPASSFILE"] in memory["entrypoint"][2]
    assert "umask 077" in memory["entrypoint"][2]
    assert "POSTGRES_USER" not in database["environment"]  # a superuser: not the memory's login
    assert "127.0.0.1" in database["healthcheck"]["test"]


@pytest.mark.parametrize("where", ["image", "kubernetes"])
def test_the_service_answers_its_probes_when_it_is_started_as_the_file_says(
    where: str, tmp_path: Path
) -> None:
    """A probe comes from elsewhere, so what it sends as its host decides whether it is heard."""
    if where == "image":
        (told,) = re.findall(r"^CMD (\[.*\])$", IMAGE, re.MULTILINE)
        words, probes = json.loads(told), [(READY, "127.0.0.1:{port}")]
    else:
        (memory,) = [each for each in containers() if each["name"] == "memory"]
        asked = [memory[f"{kind}Probe"]["httpGet"] for kind in ("startup", "readiness", "liveness")]
        words = memory["args"]
        probes = [(each["path"], each["httpHeaders"][0]["value"]) for each in asked]
    line = [sys.executable, "-m", "muniment", *words, "--port", "0", "--store", str(tmp_path / "m")]
    with _started(line) as process:
        assert process.stderr
        url = process.stderr.readline().rpartition("http://")[2].strip()
        port = url.rpartition(":")[2]
        answers = [_probed(port, path, host) for path, host in probes]

    assert answers == [200] * len(probes)


def test_the_image_prints_calls_that_it_answers_and_its_health_check_passes(tmp_path: Path) -> None:
    """It listens everywhere, and a call to `0.0.0.0` names no place of its own."""
    (told,) = re.findall(r"^CMD (\[.*\])$", IMAGE, re.MULTILINE)
    (check,) = re.findall(r"^HEALTHCHECK .* CMD (\[.*\])$", IMAGE, re.MULTILINE)
    words = [*json.loads(told), "--port", "0", "--store", str(tmp_path / "m")]
    with _started([sys.executable, "-m", "muniment", *words]) as process:
        printed = ""
        assert process.stderr
        while '{"query' not in printed:
            printed += process.stderr.readline()
        first, _ = re.findall(r"^curl -s .*?\}'$", printed, re.DOTALL | re.MULTILINE)
        _, _, url, *rest = shlex.split(first.replace("\\\n", " "))
        headers = dict(rest[n + 1].split(": ", 1) for n, each in enumerate(rest) if each == "-H")
        port = url.split("/")[2].rpartition(":")[2]
        _probed(port, READY, f"127.0.0.1:{port}")
        answer = httpx2.post(url, headers=headers, content=rest[rest.index("-d") + 1])
        python, *code = json.loads(check)
        asked = [each.replace(":8600", f":{port}") for each in code]
        healthy = subprocess.run([sys.executable, *asked], check=False, timeout=SECONDS_MAX)

    assert (answer.status_code, answer.json()["stored"]) == (200, True)
    assert (python, healthy.returncode) == ("python", 0)


def test_everything_that_the_image_copies_from_here_is_here() -> None:
    copied = re.findall(r"^COPY (?!--from)(.*) \S+$", IMAGE, re.MULTILINE)
    named = [each for line in copied for each in line.split()]

    assert len(named) > 5
    assert [each for each in named if not (ROOT / each).exists()] == []
    ignored = (ROOT / ".dockerignore").read_text().split("\n")
    assert [each for each in named if f"!{each}" not in ignored] == []
    (extras,) = re.findall(r"'\.\[([\w,-]+)\]'", IMAGE)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert set(extras.split(",")) <= set(project["optional-dependencies"])


@contextmanager
def _started(line: list[str]) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(line, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.terminate()
            process.communicate(timeout=SECONDS_MAX)


def _probed(port: str, path: str, host: str) -> int:
    until = time.monotonic() + SECONDS_MAX
    while True:
        try:
            return httpx2.get(
                f"http://127.0.0.1:{port}{path}",
                headers={"Host": host.format(port=port)},
                timeout=5,
            ).status_code
        except httpx2.TransportError:
            assert time.monotonic() < until
            time.sleep(0.1)


def test_the_scrape_job_asks_with_a_key_that_its_comment_makes(tmp_path: Path) -> None:
    text = (MONITORING / "scrape.yaml").read_text()
    (job,) = yaml.safe_load(text)
    (line,) = re.findall(r"muniment (keys create .*)", text)
    made = Shell("--store", str(tmp_path / "memory")).document(*shlex.split(line))

    assert job["metrics_path"] == METRICS
    assert (made["role"], made["verbs"]) == ("auditor", ["metrics"])
    assert click.unstyle(str(made["key"])).startswith("mk_")
