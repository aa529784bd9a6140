"""`metrics`: Prometheus text of the store."""

import click

from muniment.adapters.cli.options import SERVER, Terminal, command
from muniment.adapters.operations import metrics as store


@command("metrics", verb="metrics")
def metrics(terminal: Terminal) -> None:
    """Print metrics of the store as Prometheus text: logs, pending work, failures, models.

    They cover the tenant's memory whichever way it is used: the service, MCP, a program or this
    terminal. The HTTP service has a `/metrics` of its own, with its requests.
    """
    with terminal.memory() as memory:
        found = [
            *store.store_metrics(
                terminal.house,
                pending=len(terminal.hands("requests").requests()),
                open_incidents=len(terminal.hands("incidents").admin.incidents(queue="admin")),
            ),
            *store.model_metrics(memory),
        ]
        place = terminal.options.store
        found += [] if SERVER in place else [store.disk_metric(place)]
        if terminal.is_for_people:
            click.echo(store.prometheus_text(found), nl=False)
        else:
            terminal.answer({"metrics": found}, list)
