"""Redactor: one pass over a value that replaces findings and records them."""

from collections.abc import Callable

from muniment.model import canonical_json, ids
from muniment.model.events.redaction import Redaction
from muniment.model.kinds import carried_record
from muniment.model.policy import Action, Privacy
from muniment.rules.privacy.rule import DetectFunction, PrivacyFinding


def _is_made(row: dict[str, object]) -> bool:
    """Whether a row of evidence says nothing but what the engine named itself."""
    return all(isinstance(each, str) and ids.is_made(each) for each in row.values())


class Redactor:
    """One look over a command: redacts as it goes and remembers what it saw."""

    def __init__(
        self,
        privacy: Privacy,
        pseudonym: Callable[[str], str],
        detector: DetectFunction,
        *,
        knows_own_names: bool = False,
    ) -> None:
        self.redactions: list[Redaction] = []
        self._knows_own_names = knows_own_names
        self._privacy = privacy
        self._pseudonym = pseudonym
        self._detector = detector
        self._found: dict[str, tuple[PrivacyFinding, ...]] = {}

    def is_secret(self, name: str) -> bool:
        return any(self._action(each) == Action.DENY for each in self._findings(name))

    def look(self, value: object, path: str) -> object:
        match value:
            case str():
                return self._text(value, path)
            case dict() if self._knows_own_names and _is_made(value):
                return value
            case list() | tuple():
                return [self.look(inner, f"{path}.{n}") for n, inner in enumerate(value, start=1)]
            case dict() if value.keys() == {canonical_json.FRACTION}:
                return self._number(value, str(value[canonical_json.FRACTION]), path)
            case dict():
                pairs = enumerate(value.items(), start=1)
                return dict(self._pair(n, str(key), inner, path) for n, (key, inner) in pairs)
            case int() if not isinstance(value, bool):
                return self._number(value, str(value), path)
            case _:
                return value

    def look_at_fields(self, value: object, path: str) -> object:
        """The fields of an event: names stay as they are, unless one is a secret."""
        match value:
            case dict():
                return {name: self._field(name, inner, path) for name, inner in value.items()}
            case list() | tuple():
                return [self.look_at_fields(each, f"{path}.{n}") for n, each in enumerate(value, 1)]
            case _:
                return self.look(value, path)

    def _field(self, name: str, inner: object, path: str) -> object:
        if name in carried_record.NAMES:
            return self._named(inner, f"{path}.{name}")
        if name in carried_record.STRUCTS:
            return self.look_at_fields(inner, f"{path}.{name}")
        return self.look(inner, f"{path}.{name}")

    def _named(self, value: object, path: str) -> object:
        """A name, or several of them; anything else under that word is looked at."""
        names = value if isinstance(value, list | tuple) else [value]
        if not all(isinstance(each, str) for each in names):
            return self.look(value, path)
        if any(self.is_secret(str(each)) for each in names):
            return self.look(value, path)
        return value

    def _pair(self, n: int, key: str, inner: object, path: str) -> tuple[str, object]:
        found = len(self.redactions)
        name = self._text(key, f"{path}.key")
        # A key that was found to be personal must not stand in the path of what lies below it.
        step = name if len(self.redactions) == found else f"key{n}"
        return name, self.look(inner, f"{path}.{step}")

    def _number(self, value: object, spelled: str, path: str) -> object:
        # A card or an account number may arrive as a bare number.
        seen = self._text(spelled, path)
        return value if seen == spelled else seen

    def _text(self, text: str, path: str) -> str:
        if not text:
            return text
        pieces: list[str] = []
        end = 0
        for finding in self._findings(text):
            action = self._action(finding)
            found = text[finding.start : finding.end]
            mark = self._note(finding, found, action, path)
            pieces += [text[end : finding.start], mark if action == Action.REDACT else found]
            end = finding.end
        return "".join([*pieces, text[end:]])

    def _findings(self, text: str) -> tuple[PrivacyFinding, ...]:
        """What is in a text, looked at once; nothing is in a name that the engine made."""
        found = self._found.get(text)
        if found is None:
            own = self._knows_own_names and ids.is_made(text)
            found = () if own else self._detector(text, self._privacy.phone_regions)
            self._found[text] = found
        return found

    def _note(self, finding: PrivacyFinding, found: str, action: Action, path: str) -> str:
        # A refused secret leaves no trace of itself, not even a keyed one.
        tag = self._pseudonym(found) if action == Action.REDACT else ""
        self.redactions.append(
            Redaction(
                path=path,
                kind=finding.kind,
                risk=finding.risk,
                rule=finding.rule,
                action=action,
                hash=tag,
            )
        )
        return f"[{finding.kind}:{tag}]"

    def _action(self, finding: PrivacyFinding) -> Action:
        if finding.category == "secret":
            return self._privacy.secret
        table = {
            "high": self._privacy.pii_high,
            "medium": self._privacy.pii_medium,
            "low": self._privacy.pii_low,
        }
        return table[finding.risk]
