"""Mem0: what `get_all` returns, of the platform or of the open-source package."""

from collections.abc import Iterator

from muniment.adapters.exchange import json_stream
from muniment.adapters.exchange.foreign_record import Found, Skipped, beside, named, texts
from muniment.adapters.exchange.source_files import SourceFiles

PATHS = (("results",), ("memories",), ("relations",))
IDS = ("agent_id", "app_id")  # whose memory it was there: here that is asked for, not read


def read(files: SourceFiles) -> Iterator[Found]:
    for name in files.names("*.json", "*.jsonl"):
        people: set[str] = set()
        with files.open(name) as data:
            for element in json_stream.elements(data, *PATHS):
                place = f"{name} {'/'.join(element.path)}#{element.number}"
                for found in _memory(place, element, people):
                    people |= set() if isinstance(found, Skipped) else {found.user}
                    yield found


def _memory(place: str, element: json_stream.Element, people: set[str]) -> Iterator[Found]:
    """Relations name nobody: they are of whom the memories before them are about, if of one."""
    told = named(element.value)
    if not told:
        yield Skipped(place=place, reason=element.reason or "no_object")
    elif element.path == ("relations",):
        words = (told.get("source"), told.get("relationship"), told.get("target"))
        user = next(iter(people)) if len(people) == 1 else ""
        yield from texts(place, _sentence(words), id=_sentence(words), origin="agent", user=user)
    elif told.get("is_deleted") or told.get("deleted_at"):
        yield Skipped(place=place, reason="deleted")
    else:
        yield from texts(
            place,
            _words(told),
            id=told.get("id"),
            user=told.get("user_id"),
            origin="agent" if told.get("role") == "assistant" else "user",
            speaker=told.get("actor_id"),
            session=told.get("run_id"),
            tags=told.get("categories"),
            metadata=beside(told, *IDS),
            expires=told.get("expiration_date"),
            at=told.get("updated_at") or told.get("created_at"),
        )


def _words(told: dict[str, object]) -> object:
    """As the API has them, as an event does, or as a row of the open-source package's store."""
    data = told.get("data")
    return told.get("memory") or told.get("text") or named(data).get("memory") or data


def _sentence(words: tuple[object, ...]) -> str | None:
    if not all(isinstance(each, str) and each.strip() for each in words):
        return None
    return " ".join(str(each).replace("_", " ") for each in words)
