"""Commands about legal holds: place one by order, lift it."""

from muniment.model.commands.command import Command, Name, Text


class PlaceHold(Command, tag="place_hold", frozen=True, kw_only=True):
    """Nothing that it covers may end from here on; at least one of the first four is named."""

    person: Name = ""  # a reference
    space: Name = ""
    since: Name = ""
    until: Name = ""
    ends: Name = ""
    reason: Text


class LiftHold(Command, tag="lift_hold", frozen=True, kw_only=True):
    hold_id: Name
    reason: Text = ""


HoldCommand = PlaceHold | LiftHold
