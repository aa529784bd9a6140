"""Legal hold: what must not end until the order is lifted or expires, and why."""

import msgspec


def id_named(detail: str) -> str:
    """The id of the hold that a refusal names."""
    return detail.partition(" ")[0]


class LegalHold(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What it covers is named by all that is given: a person, a space, a span of days."""

    hold_id: str
    person: str = ""  # a reference: the name of somebody who is erased later is not kept here
    space: str = ""  # `agent:ada`, `session:s1`, `user:tuff`, `project:atlas`
    since: str = ""  # days: what was told from the first to the last, both included
    until: str = ""
    ends: str = ""  # the day from which it holds no more; empty: until it is lifted
    reason: str = ""

    @property
    def named(self) -> str:
        """As a refusal names it. By what order is for those who may see holds."""
        return f"{self.hold_id} (until {self.ends or 'it is lifted'})"

    def in_force(self, at: str) -> bool:
        """Whether it holds at a moment; where there is no clock, it holds."""
        return not self.ends or not at or at[:10] < self.ends

    def covers(self, *, people: set[str], places: set[str], told: str) -> bool:
        """Whether something is held: by whom it is about, where it lies, when it was told."""
        day = told[:10]
        return (
            (not self.person or self.person in people)
            and (not self.space or self.space in places)
            and (not self.since or day >= self.since)
            and (not self.until or day <= self.until)
        )
