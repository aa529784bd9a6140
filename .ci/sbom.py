"""Software bill of materials: what an installation of this package brings, as CycloneDX JSON.

    python .ci/sbom.py [EXTRA ...] > sbom.json

It reads what is installed beside it: names, versions and licences as their authors state them.
"""

import json
import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
DOORS = ("server", "client", "mcp", "postgres", "prom", "otel")  # frameworks are the caller's own


def main(extras: tuple[str, ...]) -> None:
    found = installed(extras)
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "library",
                "name": PROJECT["name"],
                "version": PROJECT["version"],
                "purl": f"pkg:pypi/{PROJECT['name']}@{PROJECT['version']}",
                "licenses": [{"license": {"name": PROJECT["license"]}}],
            }
        },
        "components": [component(found[name]) for name in sorted(found)],
    }
    sys.stdout.write(json.dumps(document, indent=2) + "\n")


def installed(extras: tuple[str, ...]) -> dict[str, metadata.Distribution]:
    """Every distribution that this package leads to, by its canonical name."""
    found: dict[str, metadata.Distribution] = {}
    optional = PROJECT["optional-dependencies"]
    named = [*PROJECT["dependencies"], *(each for its in extras for each in optional.get(its, ()))]
    waiting = [wanted for text in named for wanted in leads_to(text, "")]
    seen: set[tuple[str, str]] = set()
    while waiting:
        name, extra = waiting.pop()
        if (canonical(name), extra) not in seen:
            seen.add((canonical(name), extra))
            found[canonical(name)] = its = metadata.distribution(name)
            waiting += [wanted for text in its.requires or () for wanted in leads_to(text, extra)]
    return found


def leads_to(text: str, extra: str) -> list[tuple[str, str]]:
    """What a requirement asks for: a name, and each of its extras; nothing if it is not meant."""
    needed = Requirement(text)
    if needed.marker is not None and not needed.marker.evaluate({"extra": extra}):
        return []
    return [(needed.name, each) for each in ("", *needed.extras)]


def component(its: metadata.Distribution) -> dict[str, object]:
    name = canonical(its.metadata["Name"])
    return {
        "type": "library",
        "name": name,
        "version": its.version,
        "purl": f"pkg:pypi/{name}@{its.version}",
        "licenses": [{"license": {"name": licence(its)}}],
    }


def licence(its: metadata.Distribution) -> str:
    """As its author states it: an expression, or else the names among its classifiers."""
    stated = its.metadata.get("License-Expression")
    if stated:
        return str(stated)
    named = [
        each.rpartition(" :: ")[2]
        for each in its.metadata.get_all("Classifier") or ()
        if each.startswith("License ::")
    ]
    return " AND ".join(named) or str(its.metadata.get("License") or "unknown").splitlines()[0]


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    main(tuple(sys.argv[1:]) or DOORS)
