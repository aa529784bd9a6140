"""Lazy events: the union of all events, loaded with the first line; `.pyi` has the types.

Whoever opens a store reads heads and bytes, and no event.
"""

from muniment.model.lazy_names import lazy_names

WHERE = {
    "AnyEvent": "muniment.model.events",
    "Shredded": "muniment.model.events",
}

__getattr__ = lazy_names(__name__, WHERE, what="event")
