"""Legal holds: placed by order, listed, and lifted, which carries out what was blocked."""

from collections.abc import Iterator
from contextlib import suppress

import msgspec

from muniment.engine.evidence.branches import Branches
from muniment.engine.session.role_session import RoleSession
from muniment.engine.streams import argument_checks
from muniment.log.entry import Line
from muniment.model import fact_keys
from muniment.model.commands import BeginErasure
from muniment.model.commands.branches import CloseBranch
from muniment.model.commands.holds import LiftHold, PlaceHold
from muniment.model.errors import HELD, InputError, NotFoundError, RefusedError
from muniment.model.events import Received, WriteDenied
from muniment.model.events.holds import HoldPlaced
from muniment.model.kinds.conversation_item import Space
from muniment.model.kinds.hold import LegalHold, id_named
from muniment.model.scope import Channel, Principal, Role, StreamId, person_owner
from muniment.model.scope import name as scope_name
from muniment.model.struct_copy import copied

SPACES = ("agent", "session", "user", "project")


class PlacedHold(msgspec.Struct, frozen=True, kw_only=True):
    """A legal hold that was placed and not lifted."""

    hold_id: str
    user: str
    space: str
    since: str
    until: str
    ends: str
    reason: str
    in_force: bool


class LiftedHold(msgspec.Struct, frozen=True, kw_only=True):
    """What became of what had waited for a hold."""

    hold_id: str
    carried_out: int  # what was asked for meanwhile, and is done now
    refused: int  # what another hold still covers, or what is there no more
    erasures: tuple[str, ...] = ()  # requests that can be carried out now


class Holds(RoleSession):
    """An administrator's hands for legal holds."""

    def place_hold(
        self,
        *,
        reason: str,
        user: str = "",
        space: str = "",
        since: str = "",
        until: str = "",
        ends: str = "",
    ) -> str:
        """Let nothing end that this covers: not by forgetting, expiry, rollback or erasure.

        Name a `user`, a `space` (`project:atlas`, `session:s1`, `agent:ada`), the days on which
        something was told (`since`, `until`), or several: what all of them cover is held, until the
        day `ends` or until it is lifted. Returns the hold's id.
        """
        kind = space.partition(":")[0]
        if space and (kind not in SPACES or not space.partition(":")[2]):
            raise InputError(f"a space is one of {', '.join(SPACES)}, a colon and a name")
        if not reason.strip():
            raise InputError("reason: a hold needs the order as its reason")
        days = {"since": since, "until": until, "ends": ends}
        checked = {name: argument_checks.check_day(day)[:10] for name, day in days.items()}
        command = PlaceHold(
            person=self._ref(user), space=self._place(space), reason=reason, **checked
        )
        told = self._append_or_raise(self._council, command)
        return next(e.event.hold_id for e in told.lines if isinstance(e.event, HoldPlaced))

    def holds(self) -> list[PlacedHold]:
        """Those that were placed and not lifted, the oldest first."""
        now = self._hub.parts.clock.now()
        return [self._shown(each, now) for each in self._hub.holds.of(self._principal.tenant)]

    def lift_hold(self, hold_id: str, *, reason: str = "") -> LiftedHold:
        """Lift a hold, and carry out what it had kept from being done, as it was asked for."""
        self._append_or_raise(self._council, LiftHold(hold_id=hold_id, reason=reason))
        done, refused, erasures = 0, 0, list[str]()
        for stream, denied, asked in list(self._waiting(hold_id)):
            if isinstance(asked.command, BeginErasure):
                erasures.append(asked.command.request_id)
            elif self._done_now(stream, denied, asked):
                done += 1
            else:
                refused += 1
        return LiftedHold(
            hold_id=hold_id,
            carried_out=done,
            refused=refused,
            erasures=tuple(dict.fromkeys(erasures)),
        )

    def settle_holds(self) -> list[LiftedHold]:
        """Lift every hold whose day has come."""
        over = [each.hold_id for each in self.holds() if not each.in_force]
        return [self.lift_hold(each, reason="it has run out") for each in over]

    # ── Inside ──────────────────────────────────────────────────────────────────────────────────

    def _ref(self, user: str) -> str:
        """By reference: the name of somebody who is erased later is not kept in an order."""
        if not user:
            return ""
        who = fact_keys.user_entity(scope_name(user, "user"))
        return self._hub.parts.world.keyring.ref("subject", f"{self._principal.tenant}/{who}")

    def _place(self, space: str) -> str:
        """A person's space by their reference too, as its log is named."""
        kind, _, named = space.partition(":")
        return f"{kind}:{person_owner(self._ref(named))}" if kind == Space.USER else space

    def _shown_place(self, space: str) -> str:
        kind, _, owner = space.partition(":")
        if kind != Space.USER:
            return space
        known = self._hub.parts.world.keyring.known("subject")
        found = (self._named(ref) for ref, _ in known if person_owner(ref) == owner)
        return f"{kind}:{next(found, owner).removeprefix('user_')}"

    def _shown(self, hold: LegalHold, now: str) -> PlacedHold:
        return copied(
            PlacedHold,
            hold,
            user=self._named(hold.person).removeprefix("user_") if hold.person else "",
            space=self._shown_place(hold.space),
            in_force=hold.in_force(now),
        )

    def _waiting(self, hold_id: str) -> Iterator[tuple[StreamId, Line, Received]]:
        """What was refused because of a hold, log by log, in the order in which it was asked."""
        for stream in self._hub.known_streams():
            if stream.tenant != self._principal.tenant:
                continue
            asked: Received | None = None
            for line in self._hub.writer(stream).lines(
                wanted=lambda header: header.type in {"received", "memory_denied"}
            ):
                if isinstance(line.event, Received):
                    asked = line.event
                elif (
                    isinstance(line.event, WriteDenied)
                    and line.event.reason == HELD
                    and id_named(line.event.detail) == hold_id
                    and asked is not None
                ):
                    yield stream, line, asked

    def _done_now(self, stream: StreamId, denied: Line, asked: Received) -> bool:
        """The same, asked by the same; once, however often a hold is lifted."""
        if isinstance(asked.command, CloseBranch):
            return self._branch_ended(denied, asked.command, self._speaker(asked))
        key = f"effect:{denied.hash.hex()}"
        ask = self._hub.prepare(asked.command, self._speaker(asked), operation=key)
        return self._hub.append(stream, [ask])[-1].refusal is None

    def _branch_ended(self, denied: Line, command: CloseBranch, speaker: Principal) -> bool:
        """A branch that was to end, unless it has, and its name is another's by now."""
        branches = Branches(self._hub, speaker)
        with suppress(NotFoundError, RefusedError):
            if branches.status(command.name).opened < denied.seq:
                end = branches.merge if command.outcome == "merged" else branches.discard
                end(command.name)
                return True
        return False

    def _speaker(self, asked: Received) -> Principal:
        named = self._hub.parts.world.keyring.name(asked.actor) or ""
        who = named.partition(":")[2]
        return Principal(
            name=who,
            role=Role(asked.role),
            tenant=self._principal.tenant,
            channel=Channel.ENGINE,
            user=who if asked.role == Role.USER else "",
        )
