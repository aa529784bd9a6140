"""Client verbs: descriptors that make a method from a request struct; it waits or is awaited."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from os import PathLike
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar, overload

from muniment.adapters.requests.answers import Page
from muniment.adapters.requests.verb_request import VerbRequest

P = ParamSpec("P")
T = TypeVar("T")
W = TypeVar("W")
Place = Mapping[str, object]
FileName = str | PathLike[str]


class Sending(Protocol):
    """Whoever sends a request and waits for the answer."""

    def send(self, request: VerbRequest[T], /) -> T: ...


class Awaiting(Protocol):
    """Whoever sends a request and is awaited."""

    async def send(self, request: VerbRequest[T], /) -> T: ...


class Streaming(Protocol):
    """Whoever hears what a request tells again and again."""

    def stream(self, request: VerbRequest[Page[T]], /) -> Iterator[T]: ...

    def lines(self, request: VerbRequest[Page[T]], /) -> Iterator[T]: ...


class AwaitingStream(Protocol):
    """Whoever hears it and is awaited."""

    def stream(self, request: VerbRequest[Page[T]], /) -> AsyncIterator[T]: ...

    def lines(self, request: VerbRequest[Page[T]], /) -> AsyncIterator[T]: ...


class Uploading(Protocol):
    """Whoever sends a file and waits for the answer."""

    def upload(self, request: VerbRequest[T], file: FileName, /) -> T: ...


class AwaitingUpload(Protocol):
    """Whoever sends a file and is awaited."""

    async def upload(self, request: VerbRequest[T], file: FileName, /) -> T: ...


class View(Generic[W]):
    """A view that waits; `where` says which job, conversation or channel it is of."""

    def __init__(self, client: Sending, where: W) -> None:
        self.client = client
        self.where = where

    def send(self, request: VerbRequest[T], /) -> T:
        return self.client.send(request)


class AsyncView(Generic[W]):
    """A view that is awaited."""

    def __init__(self, client: Awaiting, where: W) -> None:
        self.client = client
        self.where = where

    async def send(self, request: VerbRequest[T], /) -> T:
        return await self.client.send(request)


class verb(Generic[P, T]):  # noqa: N801 - it reads like a word where it is used
    """A method that sends a request: it takes what the struct takes, and answers what it says."""

    def __init__(self, request: Callable[P, VerbRequest[T]]) -> None:
        self.request = request

    @overload
    def __get__(self, view: Sending, kind: object = None) -> Callable[P, T]: ...
    @overload
    def __get__(self, view: Awaiting, kind: object = None) -> Callable[P, Awaitable[T]]: ...
    def __get__(self, view: Any, kind: object = None) -> Callable[P, Any]:
        return lambda *args, **kwargs: view.send(self.request(*args, **kwargs))


class follows(Generic[P, T]):  # noqa: N801
    """A method whose answers come as they happen: a loop over them waits, or awaits."""

    heard_by = "stream"

    def __init__(self, request: Callable[P, VerbRequest[Page[T]]]) -> None:
        self.request = request

    @overload
    def __get__(self, view: Streaming, kind: object = None) -> Callable[P, Iterator[T]]: ...
    @overload
    def __get__(
        self, view: AwaitingStream, kind: object = None
    ) -> Callable[P, AsyncIterator[T]]: ...
    def __get__(self, view: Any, kind: object = None) -> Callable[P, Any]:
        hear = getattr(view, self.heard_by)
        return lambda *args, **kwargs: hear(self.request(*args, **kwargs))


class exports(follows[P, T]):  # noqa: N801
    """A method whose answer is read line by line, and checked by the manifest at its end."""

    heard_by = "lines"


class uploads(Generic[P, T]):  # noqa: N801
    """A method that sends a file, with the fields of its request in the address."""

    def __init__(self, request: Callable[P, VerbRequest[T]]) -> None:
        self.request = request

    @overload
    def __get__(
        self, view: Uploading, kind: object = None
    ) -> Callable[Concatenate[FileName, P], T]: ...
    @overload
    def __get__(
        self, view: AwaitingUpload, kind: object = None
    ) -> Callable[Concatenate[FileName, P], Awaitable[T]]: ...
    def __get__(self, view: Any, kind: object = None) -> Callable[..., Any]:
        return lambda file, *args, **kwargs: view.upload(self.request(*args, **kwargs), file)


class there(Generic[W, P, T]):  # noqa: N801
    """A method of a view that is somewhere: its place is the first field of the request."""

    def __init__(self, request: Callable[Concatenate[W, P], VerbRequest[T]]) -> None:
        self.request = request

    @overload
    def __get__(self, view: View[W], kind: object = None) -> Callable[P, T]: ...
    @overload
    def __get__(self, view: AsyncView[W], kind: object = None) -> Callable[P, Awaitable[T]]: ...
    def __get__(self, view: Any, kind: object = None) -> Callable[P, Any]:
        return lambda *args, **kwargs: view.send(self.request(view.where, *args, **kwargs))


class placed(Generic[P, T]):  # noqa: N801
    """A method of a view whose place is several named fields of the request."""

    def __init__(self, request: Callable[P, VerbRequest[T]]) -> None:
        self.request = request

    @overload
    def __get__(self, view: View[Place], kind: object = None) -> Callable[P, T]: ...
    @overload
    def __get__(self, view: AsyncView[Place], kind: object = None) -> Callable[P, Awaitable[T]]: ...
    def __get__(self, view: Any, kind: object = None) -> Callable[P, Any]:
        return lambda *args, **kwargs: view.send(self.request(*args, **view.where, **kwargs))
