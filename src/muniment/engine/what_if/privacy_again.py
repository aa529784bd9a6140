"""Privacy what-if: how another privacy policy would treat commands already screened.

What was taken out then is gone: a stricter table can refuse it, a freer one cannot bring it back.
"""

from collections.abc import Callable
from typing import Final

import msgspec

from muniment.model.commands import RememberMany
from muniment.model.commands.conversation import RecordInteraction
from muniment.model.events import Received
from muniment.model.events.redaction import Redaction
from muniment.model.policy import Action, Privacy
from muniment.rules.privacy import screen
from muniment.rules.privacy.screen import Screened

STRICTNESS: Final = (Action.ALLOW, Action.REDACT, Action.DENY)


def screened(
    received: Received, then: Privacy, now: Privacy, look: Callable[[Received], Screened]
) -> Received:
    """A command as the other table would have left it: `look` screens what is still there."""
    gone = [each for each in received.redactions if each.action == Action.REDACT]
    denied = [each for each in gone if action(each, then, now) == Action.DENY]
    by_piece = isinstance(received.command, RememberMany | RecordInteraction)
    if denied and not by_piece:
        return msgspec.structs.replace(received, refused=screen.SENSITIVE)
    for each in denied:
        received = _without(received, each)
    seen = look(received)
    return msgspec.structs.replace(
        received,
        command=seen.command,
        redactions=(*gone, *seen.redactions),
        refused=seen.refused,
    )


def action(found: Redaction, then: Privacy, now: Privacy) -> Action:
    """What another table does with something that was found."""
    name = f"pii_{found.risk}"
    if getattr(then, name, "") != found.action:
        name = "secret"
    told: Action = getattr(now, name)
    return told


def is_freer(found: Redaction, then: Privacy, now: Privacy) -> bool:
    """Whether another table would have let stand what is gone."""
    return STRICTNESS.index(action(found, then, now)) < STRICTNESS.index(Action(found.action))


def _without(received: Received, found: Redaction) -> Received:
    """Sentences and messages do not answer for each other: only this one is refused."""
    command = received.command
    field, _, rest = found.path.partition(".")
    place = int(number) - 1 if (number := rest.partition(".")[0]).isdecimal() else -1
    if isinstance(command, RememberMany) and field == "texts":
        texts = [*command.texts]
        texts[place] = screen.REFUSED_TEXT
        changed = msgspec.structs.replace(command, texts=tuple(texts))
        return msgspec.structs.replace(received, command=changed)
    if isinstance(command, RecordInteraction) and field == "messages":
        messages = [*command.messages]
        messages[place] = msgspec.structs.replace(messages[place], text=screen.REFUSED_TEXT)
        changed_talk = msgspec.structs.replace(command, messages=tuple(messages))
        return msgspec.structs.replace(received, command=changed_talk)
    return msgspec.structs.replace(received, refused=screen.SENSITIVE)
