"""What is offered to another space and what that makes of it: every entry of a story, compared."""

from collections.abc import Callable

from tests import world
from tests.rendering import decided
from tests.talks import OPEN_SPACES, talk

from muniment.model.kinds.conversation_item import Space
from muniment.model.kinds.episode import Authority
from muniment.model.policy import Policy, Privacy
from muniment.model.policy.conversation import SpaceRule, Spaces

Golden = Callable[[str, str], None]
OPEN = Policy(spaces=OPEN_SPACES)
ABOVE = SpaceRule(from_space=Space.SESSION, to_space=Space.USER, authority=Authority.SYSTEM_IMPOSED)


def test_a_shared_space_refuses_by_its_own_policy_what_it_is_offered(golden: Golden) -> None:
    of = world.memory(OPEN)
    ada = talk(of=of)
    strict = Policy(spaces=OPEN_SPACES, privacy=Privacy(deny_patterns=("secret",)))
    ada.record(user="We decided on tabs", space="project")
    of.admin().adopt_policy(strict, space="project")

    ada.record(user="We decided on a secret", space="project")
    ada.record(user="We decided on Rust", promote_to="project", source="page")
    ada.record(user="We decided on secrets", promote_to="project")

    golden("entries/refused_there.txt", decided(of))


def test_what_is_over_ends_in_the_space_where_it_is_said(golden: Golden) -> None:
    of = world.memory(OPEN)
    ada = talk(of=of)

    ada.record(user="My editor is Helix", space="user", source="page")
    ada.record(user="I no longer use Helix", space="user")

    golden("entries/over_there.txt", decided(of))


def test_a_person_may_wish_what_a_rule_would_not_let_pass_where_they_may_say_it(
    golden: Golden,
) -> None:
    for name, write in (("may", tuple(Space)), ("may_not", (Space.SESSION,))):
        of = world.memory(Policy(spaces=Spaces(write_spaces=write, promotions=(ABOVE,))))
        ada = talk(of=of)

        ada.record(user="I prefer tea, remember that for me")
        ada.record(user="My name is Ada", ai="We decided on Rust: remember for me")

        golden(f"entries/wish_{name}.txt", decided(of))
