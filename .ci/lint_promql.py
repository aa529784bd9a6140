"""PromQL lint: every expression of the alerts and of the dashboard must parse."""

import json
import sys
from pathlib import Path

import promql_parser
from ruamel.yaml import YAML

folder = Path(sys.argv[1])
alerts = YAML(typ="safe").load((folder / "alerts.yaml").read_text())
board = json.loads((folder / "grafana-dashboard.json").read_text())
found = [rule["expr"] for group in alerts["groups"] for rule in group["rules"]]
found += [target["expr"] for panel in board["panels"] for target in panel["targets"]]
for expr in found:
    # Grafana's own variable; Prometheus never sees it.
    promql_parser.parse(expr.replace("$__rate_interval", "5m"))
sys.stdout.write(f"{len(found)} expressions parse\n")
