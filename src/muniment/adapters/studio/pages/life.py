"""Timeline: a life as a picture, and what was known at any moment of it, without a reload."""

from bisect import bisect_right
from typing import Final

import msgspec

from muniment.adapters.studio import life_picture
from muniment.adapters.studio.item_line import ItemLine, ItemLines
from muniment.adapters.studio.known import profile, wording
from muniment.adapters.studio.known.catalogue import MemoryCatalogue
from muniment.adapters.studio.known.catalogue_items import DAY, Known, Sort, State
from muniment.adapters.studio.life_picture import Picture, PicturedEvent, Span
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.page_request import PageRequest, RenderedPage, link, shortened
from muniment.adapters.studio.pages import life_window
from muniment.adapters.studio.pages.life_window import LifeWindow

EVERYBODY_MAX: Final = 2_000
KNOWN_MAX: Final = 60
STEPS_MAX: Final = 2_000  # of the slider; a shorter span has finer ones
NEWS_MAX: Final = 4
HAPPENED_MAX: Final = 60
DREAMT: Final = frozenset({Sort.SKILL, Sort.SUMMARY})
APPROVED: Final = frozenset({Sort.APPROVED})
Lanes = list[tuple[str, list[PicturedEvent]]]
TONES: Final = {Sort.APPROVED: "approved", Sort.PROFILE: "profile", Sort.FACT: "fact"}


class LifeView(msgspec.Struct, frozen=True, kw_only=True):
    """What of whose life is looked at, and at which of its moments."""

    user: str
    window: LifeWindow
    first: str
    last: str
    times: list[str]  # when anything began or ended, in all of the life
    moments: list[str]  # those of the window
    step: int

    @property
    def moment(self) -> str:
        return self.moments[self.step] if self.moments else self.last


def page(studio: Studio, asked: PageRequest) -> RenderedPage:
    return RenderedPage(template="life.html", values=_values(ItemLines(studio, asked)))


def moment(studio: Studio, asked: PageRequest) -> RenderedPage:
    """The picture and what was known at a moment; asked for by the slider."""
    return RenderedPage(template="moment.html", values=_values(ItemLines(studio, asked)))


def _values(made: ItemLines) -> dict[str, object]:
    known, asked = made.known, made.asked
    view = _view(known, asked)
    own = _own(known, view.user)
    then = profile.distinct(own, lambda each: each.was_known(view.moment))
    lanes = _lanes(known, own, view) if view.moments else []
    kept = {"user": view.user, "from": asked.get("from"), "to": asked.get("to")}
    return {
        "view": view,
        "far": made.far,
        "people": known.roster(),
        "picture": _picture(own, lanes, view) if view.moments else None,
        "then": _then(made, then),
        "count": len(then),
        "news": _news(own, view.moment),
        "kept": kept,
        "zooms": life_window.zooms(view.user, view.window, view.moment),
        "beside": life_window.beside(view.user, view.window, view.times),
        "happened": _happened(lanes, view),
        "first": view.first[:DAY],
        "last": view.last[:DAY],
        "is_short": bool(view.window.start) and view.window.start[:DAY] == view.window.end[:DAY],
        "at_words": wording.minute(view.moment) if view.moments else "",
    }


def _own(known: MemoryCatalogue, user: str) -> list[Known]:
    """A person's things; of everybody, those that came last."""
    return known.by_person.get(user, []) if user else known.newest()[:EVERYBODY_MAX]


def _view(known: MemoryCatalogue, asked: PageRequest) -> LifeView:
    user = asked.get("user")
    times = sorted(
        {each for item in _own(known, user) for each in (item.since, item.until) if each}
    )
    window = LifeWindow(start=asked.day("from"), end=asked.day("to"))
    first = window.first or (times[0] if times else "")
    last = window.last or (times[-1] if times else "")
    moments = [each for each in times if first <= each <= last]
    every = -(-len(moments) // STEPS_MAX) or 1
    moments = moments[::every]
    top = max(len(moments) - 1, 0)
    if asked.get("at_time"):
        step = max(bisect_right(moments, asked.get("at_time")) - 1, 0)
    else:
        given = asked.number("step")
        step = top if given is None else min(given, top)
    return LifeView(
        user=user,
        window=window,
        first=first,
        last=last,
        times=times,
        moments=moments,
        step=step,
    )


def _picture(own: list[Known], lanes: Lanes, view: LifeView) -> Picture:
    lasted = [each for each in _bars(own) if each.since <= view.last and _lasts(each, view.first)]
    spans = [
        Span(
            since=each.since,
            until=each.until,
            words=wording.told(each),
            where=link("/item", stream=each.stream, id=each.id),
            tone=_tone(each, view.moment),
        )
        for each in lasted[-life_picture.BARS_MAX :]
    ]
    drawn = life_picture.draw(spans, lanes, first=view.first, last=view.last, moment=view.moment)
    return msgspec.structs.replace(drawn, hidden=len(lasted) - len(spans))


def _lasts(each: Known, first: str) -> bool:
    return not each.until or each.until >= first


def _lanes(known: MemoryCatalogue, own: list[Known], view: LifeView) -> Lanes:
    return [
        ("Conversations", _talks(own, view)),
        ("Dreams: what was done, in short, and skills", _of_sorts(own, view, DREAMT)),
        ("Approvals", _of_sorts(own, view, APPROVED)),
        ("Refused and redacted", _refused(known, view)),
    ]


def _happened(lanes: Lanes, view: LifeView) -> list[tuple[str, str, PicturedEvent]]:
    """What the lanes show, in words: the time, the lane, and what it was; the newest first."""
    found = [
        (wording.minute(each.when), name.partition(":")[0], each)
        for name, events in lanes
        for each in events
        if view.first <= each.when <= view.last
    ]
    return sorted(found, key=lambda each: (each[2].when, each[1]), reverse=True)[:HAPPENED_MAX]


def _talks(own: list[Known], view: LifeView) -> list[PicturedEvent]:
    said = [each for each in own if each.sort is Sort.MESSAGE and each.source == "user"]
    return [
        _event(each, link("/talk", user=each.person, session=each.session), view)
        for each in _latest(said, view)
    ]


def _of_sorts(own: list[Known], view: LifeView, sorts: frozenset[Sort]) -> list[PicturedEvent]:
    found = [each for each in own if each.sort in sorts and not each.session]
    return [
        _event(each, link("/item", stream=each.stream, id=each.id), view)
        for each in _latest(found, view)
    ]


def _latest(found: list[Known], view: LifeView) -> list[Known]:
    """Those of the window, and of them as many as a lane draws: the ones that came last."""
    inside = [each for each in found if view.first <= each.since <= view.last]
    return sorted(inside, key=lambda each: each.since)[-life_picture.DOTS_MAX :]


def _refused(known: MemoryCatalogue, view: LifeView) -> list[PicturedEvent]:
    return [
        PicturedEvent(
            when=each.when,
            words=f"{each.what}: {wording.note(each)}",
            where=link("/entry", stream=each.stream, seq=each.seq),
            tone="note" if each.when <= view.moment else "later",
        )
        for each in known.notes
        if (not view.user or each.person == view.user) and not each.is_ordinary
    ]


def _bars(own: list[Known]) -> list[Known]:
    """What lasted: each sentence once, by its best wording, also what has ended since."""
    found: dict[tuple[str, int], Known] = {}
    for each in own:
        if profile.is_stated(each) and each.sort is not Sort.MESSAGE:
            place = (each.stream, each.cause)
            best = found.get(place)
            if best is None or profile.is_better(each, best):
                found[place] = each
    return sorted(found.values(), key=lambda each: (each.since, each.id))


def _event(item: Known, where: str, view: LifeView) -> PicturedEvent:
    tone = str(TONES.get(item.sort, item.sort)) if item.since <= view.moment else "later"
    return PicturedEvent(
        when=item.since, words=shortened(wording.told(item)), where=where, tone=tone
    )


def _tone(each: Known, moment: str) -> str:
    if each.since > moment:
        return "later"
    if not each.was_known(moment):
        return "gone"
    return "apart" if each.state is State.QUARANTINED else TONES.get(each.sort, "told")


def _then(made: ItemLines, then: list[Known]) -> list[tuple[ItemLine, bool]]:
    """What was known then, newest first, and whether it has ended since."""
    shown = sorted(then, key=lambda each: (each.since, each.id), reverse=True)
    return [(made.line(each), not each.is_alive) for each in shown[:KNOWN_MAX]]


def _news(own: list[Known], moment: str) -> list[str]:
    """What happened at this very moment, in words."""
    stated = [each for each in own if profile.is_stated(each)]
    new = [f"learned: {wording.told(each)}" for each in stated if each.since == moment]
    old = [
        f"{wording.STATES[each.state]}: {wording.told(each)}"
        for each in stated
        if each.until == moment
    ]
    return list(dict.fromkeys(new + old))[:NEWS_MAX]
