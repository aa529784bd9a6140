"""What type checkers see of `lazy_events`: each name from where it lives."""

from muniment.model.events import AnyEvent as AnyEvent
from muniment.model.events import Shredded as Shredded

WHERE: dict[str, str]
