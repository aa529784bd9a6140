"""The orchestrator's page is true: its example runs, and the core it tells of names no vendor."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "orchestrator.md").read_text()
CORE = ("model", "log", "layers", "rules", "retrieval", "engine")
# Arithmetic, spelling, sealing and numbering plans: none of these is a service or a product.
LIBRARIES = {
    "cryptography",
    "msgspec",
    "muniment",
    "numpy",
    "phonenumbers",
    "rfc8785",
    "Stemmer",
    "stdnum",
}


@pytest.mark.covers("D-001")
def test_the_example_of_the_page_runs() -> None:
    example, _ = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)

    run = subprocess.run(
        [sys.executable, "-c", example], capture_output=True, text=True, check=False
    )

    assert run.returncode == 0, run.stderr
    assert run.stdout == "2000\n"


@pytest.mark.covers("D-004", "D-012")
def test_the_core_imports_no_vendor_s_database_model_or_interface() -> None:
    found: set[str] = set()
    for floor in CORE:
        for path in (ROOT / "src" / "muniment" / floor).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Import):
                    found.update(each.name.partition(".")[0] for each in node.names)
                if isinstance(node, ast.ImportFrom) and node.module:
                    found.add(node.module.partition(".")[0])

    assert found - set(sys.stdlib_module_names) <= LIBRARIES
