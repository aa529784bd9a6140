"""Lazy events: the union of all events, loaded with the first line; `.pyi` has the types.

Whoever opens a store reads heads and bytes, and no event.
"""

from importlib import import_module

WHERE = {
    "AnyEvent": "muniment.model.events",
    "Shredded": "muniment.model.events",
}


def __getattr__(name: str) -> object:
    if name not in WHERE:
        raise AttributeError(f"there is no event {name!r}")
    found: object = getattr(import_module(WHERE[name]), name)
    globals()[name] = found
    return found
