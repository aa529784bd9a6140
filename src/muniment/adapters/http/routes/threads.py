"""Routes of threads: turns on a channel, how long a thread waits, what belongs to it, its end."""

from typing import Final

from muniment.adapters.gateway.gateway import Hands
from muniment.adapters.http.route import route, tagged
from muniment.adapters.requests.threads import (
    ContinuityRequest,
    EndThreadRequest,
    Settled,
    SettleLinkRequest,
    Silence,
    ThreadContextRequest,
    ThreadRequest,
    ThreadsRequest,
    ThreadsTimeoutRequest,
    ThreadText,
    ThreadTimeoutRequest,
    TurnRequest,
)
from muniment.engine.conversation.channel import PlacedTurn, ThreadChannel


def _turn(hands: Hands, asked: TurnRequest) -> PlacedTurn:
    channel = hands.agent.thread(
        asked.channel, explicit=asked.explicit, timeout_minutes=asked.timeout_minutes
    )
    return channel.turn(asked.text, source=asked.source, thread_id=asked.thread_id, new=asked.new)


def _thread(hands: Hands, thread_id: str) -> ThreadChannel:
    """The channel whose last turn went to this thread: a call that was not here before says it."""
    channel = hands.agent.thread()
    channel.thread_id = thread_id
    return channel


def _all_wait(hands: Hands, asked: ThreadsTimeoutRequest) -> Silence:
    hands.agent.set_thread_timeout(asked.minutes)
    return Silence(minutes=asked.minutes)


def _waits(hands: Hands, asked: ThreadTimeoutRequest) -> Silence:
    _thread(hands, asked.thread_id).set_timeout(asked.minutes)
    return Silence(minutes=asked.minutes)


def _settle(hands: Hands, asked: SettleLinkRequest) -> Settled:
    hands.agent.thread().settle_link(asked.decision, related=asked.related)
    return Settled(decision=asked.decision, related=asked.related)


def _context(hands: Hands, asked: ThreadContextRequest) -> ThreadText:
    return ThreadText(text=_thread(hands, asked.thread_id).context(asked.budget, **asked.then))


ROUTES: Final = tagged(
    "threads",
    [
        route(TurnRequest, _turn),
        route(ThreadsRequest, lambda hands, asked: hands.agent.threads(**asked.then)),
        route(ThreadsTimeoutRequest, _all_wait),
        route(SettleLinkRequest, _settle),
        route(
            ThreadRequest,
            lambda hands, asked: _thread(hands, asked.thread_id).thread(**asked.then),
        ),
        route(
            ContinuityRequest,
            lambda hands, asked: _thread(hands, asked.thread_id).continuity(**asked.then),
        ),
        route(ThreadContextRequest, _context),
        route(ThreadTimeoutRequest, _waits),
        route(EndThreadRequest, lambda hands, asked: _thread(hands, asked.thread_id).end()),
    ],
)
