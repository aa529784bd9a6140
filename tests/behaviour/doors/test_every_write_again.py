"""Every write that takes an Idempotency-Key, sent twice and once more at the end: done once."""
# ruff: noqa: ANN401 - what is sent and answered here is JSON of every shape

from typing import Any

import pytest
from tests.service import Caller, Running, serving

import muniment
from muniment.adapters.config import Settings
from muniment.adapters.http.route_table import ROUTES
from muniment.adapters.models.chat_model import PlainModel
from muniment.engine.streams.ports import Model

LONG = " ".join(
    f"The ledger of week {n} says that {n * 37} crates went to harbour {n % 7} by ship."
    for n in range(400)
)
SAID = [{"role": "user", "content": "I like figs"}, {"role": "user", "content": "Figs are sweet"}]
RELATED = '{"related": true, "confidence": 0.9, "reasoning": "the same report"}'
TALK = {"session": "monday"}


class Story:
    """Somebody who never gets the first answer, and remembers what each call was told."""

    def __init__(self, service: Running) -> None:
        self.service = service
        self.told: list[tuple[Caller, str, str, Any, str, tuple[int, Any]]] = []
        self.routes: set[tuple[str, str]] = set()

    def __call__(
        self, who: Caller, route: str, body: Any = None, *, method: str = "POST", **named: Any
    ) -> Any:
        path, key = route.format(**named), f"call {len(self.told)}"
        self.routes.add((method, route))
        first = self.send(who, method, path, body, key)
        assert first[0] == 200, (path, first)
        head = self.heads()
        assert self.send(who, method, path, body, key) == first, path
        assert self.heads() == head, path
        self.told.append((who, method, path, body, key, first))
        return first[1]

    def again(self) -> None:
        """All of it once more, now that everything else has happened since."""
        head = self.heads()
        for who, method, path, body, key, first in self.told:
            assert self.send(who, method, path, body, key) == first, path
        assert self.heads() == head

    def send(self, who: Caller, method: str, path: str, body: Any, key: str) -> tuple[int, Any]:
        given = {"params": body} if method == "DELETE" else {"json": {} if body is None else body}
        answer = who.send(method, path, headers={"idempotency-key": key}, **given)
        return answer.status_code, answer.json()

    def heads(self) -> dict[str, int]:
        memory = self.service.memory
        return {each.text: memory._hub.writer(each).head.seq for each in memory.streams()}


@pytest.mark.parametrize("model", [None, PlainModel("oracle", lambda *_: "", lambda *_: RELATED)])
def test_every_write_is_done_once_however_often_it_is_sent(model: Model | None) -> None:
    """Also what a model was asked for, and what was said in a job that has ended meanwhile."""
    settings = Settings(neighbours=muniment.Neighbours(model=model))
    with serving(settings=settings) as service:
        story = Story(service)
        ada, tuff = service.agent(), service.user()
        remembering(story, ada, tuff)
        rolling_back(story, tuff)
        talking(story, ada)
        threading(story, ada)
        working(story, ada)
        filing(story, ada)
        mem0(story, ada)
        governing(story, tuff, service.council(), service.admin())
        holding(story, service.admin())
        ada.post("/v1/remember", {"text": "The receipts of all reads are in the log"})
        story.again()
        keyed = {(row.method, row.path) for row in ROUTES if row.keyed}
        # A model's answer has to be there first: behaviour/learning takes one back twice.
        models = {("POST", "/v1/extractions/undo"), ("POST", "/v1/summaries/undo")}
        assert story.routes == keyed - models
        assert service.memory.prove()


def remembering(story: Story, ada: Caller, tuff: Caller) -> None:
    kept = story(tuff, "/v1/remember", {"text": "I moved to Lisbon in March"})
    many = story(tuff, "/v1/remember/many", {"texts": ["I swim", "I row", "I run"]})
    assert many
    outside = {"text": "The market closes at noon", "origin": "external"}
    waiting = story(ada, "/v1/remember", outside)
    story(tuff, "/v1/vouch", {"item_id": waiting["episodic_id"]})
    other = {"item_id": kept["episodic_id"], "text": "I moved to Porto in March"}
    told = story(tuff, "/v1/correct", other)
    story(tuff, "/v1/forget", {"item_id": told["episodic_id"]})
    story(tuff, "/v1/remember", {"text": "I keep bees", "tags": ["garden"]})
    gone = tuff.post("/v1/forget/where", {"where": {"tags": "garden"}})
    story(tuff, "/v1/restore", {"first": gone["first"], "last": gone["last"]})
    story(tuff, "/v1/remember", {"text": "My sister Ines works at Airbus"})
    story(tuff, "/v1/entities/merge", {"name": "Ines", "into": "Airbus"})
    story(tuff, "/v1/entities/split", {"name": "Ines"})
    story(tuff, "/v1/entities/restore", {"name": "Ines"})
    consent = story(tuff, "/v1/consents", {"text": "Keep my phone number as it is"})
    story(tuff, "/v1/consents/{consent_id}/revoke", consent_id=consent["consent_id"])
    story(tuff, "/v1/facts", {"canonical_key": "user/profile/user_tuff/shoe_size", "value": 44})
    episode = story(ada, "/v1/remember", {"text": "The harbour opens at six"})["episodic_id"]
    petition = {"episodic_id": episode, "target_sem_key": "system/place/harbour/opens"}
    story(ada, "/v1/petitions", petition)


def rolling_back(story: Story, tuff: Caller) -> None:
    page = {"text": "The bees of the page sleep", "source": "bees.example.org"}
    story(tuff, "/v1/remember", page)
    back = tuff.post("/v1/rollback", {"by": "source", "name": "bees.example.org"})
    story(tuff, "/v1/rollback/undo", {"first": back["first"]})


def holding(story: Story, otto: Caller) -> None:
    order = {"space": "project:none", "reason": "order 7"}
    held = story(otto, "/v1/admin/holds", order)["hold_id"]
    story(otto, "/v1/admin/holds/{hold_id}/lift", {"reason": "closed"}, hold_id=held)


def talking(story: Story, ada: Caller) -> None:
    said = {"user": "I prefer trains to planes", "ai": "Noted."}
    told = story(ada, "/v1/conversation/record", TALK | said)
    item = told["written"][0]["id"]
    corrected = story(
        ada, "/v1/conversation/correct", TALK | {"item_id": item, "text": "I prefer boats"}
    )
    assert corrected
    more = story(ada, "/v1/conversation/record", TALK | {"user": "I prefer tea to coffee"})
    promoted = {"item_id": more["written"][-1]["id"], "to_space": "user"}
    story(ada, "/v1/conversation/promote", TALK | promoted)
    third = story(ada, "/v1/conversation/record", TALK | {"user": "I prefer figs to dates"})
    story(ada, "/v1/conversation/forget", TALK | {"item_id": third["written"][-1]["id"]})
    story(ada, "/v1/conversation/undo", TALK | {"seq": story.told[-1][-1][1]["seq"]})
    story(ada, "/v1/conversation/phases", TALK | {"name": "second", "reason": "a new week"})
    phases = {"from_phase": "phase-1", "to_phase": "phase-2"}
    story(ada, "/v1/conversation/phases/diff", TALK | phases)


def threading(story: Story, ada: Caller) -> None:
    story(ada, "/v1/threads/timeout", {"minutes": 45})
    turn = {"channel": "slack", "text": "The budget report for Paris is late"}
    story(ada, "/v1/threads/turns", turn)
    story(ada, "/v1/threads/turns", turn | {"text": "Claire owns the Paris budget report"})
    story(ada, "/v1/threads/turns", turn | {"text": LONG})
    linked = story(
        ada, "/v1/threads/turns", turn | {"text": "Has Claire sent the Paris report?", "new": True}
    )
    decided = linked["link"]["link"]["n"]
    story(ada, "/v1/threads/links/{decision}", {"related": True}, decision=decided)
    its = linked["thread_id"]
    story(ada, "/v1/threads/{thread_id}/timeout", {"minutes": 5}, thread_id=its)
    for n in range(6):
        text = f"The Paris budget report has {n} pages that Claire sent to Marta on 14 March"
        story(ada, "/v1/threads/turns", turn | {"text": text, "thread_id": its})
    story(ada, "/v1/threads/{thread_id}/end", thread_id=its)


def working(story: Story, ada: Caller) -> None:
    number = story(ada, "/v1/jobs", {"seed": "seed-1", "session": "travel"})["number"]
    at = {"number": number}
    seen = story(ada, "/v1/jobs/{number}/observe", {"text": "The platform is 4"}, **at)
    story(ada, "/v1/jobs/{number}/episodes", {"summary": "The train was booked"}, **at)
    held = story(ada, "/v1/jobs/{number}/working", {"entry": {"value": "platform 4"}}, **at)
    wm_id = held["wm_id"]
    story(ada, "/v1/jobs/{number}/reference", {"item_id": wm_id}, **at)
    story(ada, "/v1/jobs/{number}/reference", {"item_id": wm_id}, **at)
    story(ada, "/v1/jobs/{number}/promote", {"wm_id": wm_id}, **at)
    story(ada, "/v1/jobs/{number}/tick", **at)
    goal = {"goal_id": "g1", "text": "Book the train"}
    story(ada, "/v1/jobs/{number}/goals", goal, **at)
    story(ada, "/v1/jobs/{number}/events", {"kind": "actor_output", "content": "Four."}, **at)
    petition = {
        "episodic_id": seen["episodic_id"],
        "target_sem_key": "system/place/platform/number",
    }
    story(ada, "/v1/jobs/{number}/petitions", petition, **at)
    turning(story, ada, at)
    context = ada.post(f"/v1/jobs/{number}/context", {"prompt": "platform", "budget": 500})
    story(ada, "/v1/jobs/{number}/tick", **at)
    receipt = context["receipt"]
    its = {"context": receipt["receipt_id"]}
    story(ada, "/v1/contexts/{context}/use", {"ids": receipt["ids"][:1]}, **its)
    story(ada, "/v1/jobs/{number}/outcome", {"outcome": "success"}, **at)
    story(ada, "/v1/jobs/{number}/commit", **at)


def turning(story: Story, ada: Caller, at: dict[str, Any]) -> None:
    story(ada, "/v1/jobs/{number}/memorize", {"item": {"type": "observation", "text": LONG}}, **at)
    short = {"item": {"type": "observation", "text": "The conductor was Marta"}, "store": "EM"}
    story(ada, "/v1/jobs/{number}/memorize", short, **at)
    tool = {"tool_name": "search", "parameters": {"to": "Porto"}, "result": "08:35"}
    story(ada, "/v1/jobs/{number}/tools", tool, **at)


def filing(story: Story, ada: Caller) -> None:
    document = {"namespace": ["list"], "key": "a"}
    story(ada, "/v1/documents", document | {"value": {"n": 1}})
    story(ada, "/v1/documents", document | {"value": {"n": 2}, "expect": 1})
    story(ada, "/v1/documents/add", {"namespace": ["list"], "values": ["b", "c"]})
    story(ada, "/v1/documents/drop", document)
    story(ada, "/v1/documents/clear", {"namespace": ["list"]})
    story(ada, "/v1/documents/clear", {"namespace": ["list"]})
    story(ada, "/v1/documents/add", {"namespace": ["list"], "values": ["d"]})


def mem0(story: Story, ada: Caller) -> None:
    whose = {"user_id": "tuff"}
    story(ada, "/v1/memories/", whose, method="DELETE")
    added = story(ada, "/v1/memories/", whose | {"messages": SAID})["results"]
    story(ada, "/v3/memories/add/", whose | {"messages": SAID[:1], "metadata": {"a": 1}})
    one, two = (each["id"] for each in added)
    text = {"text": "I like dates"}
    story(ada, "/v1/memories/{memory_id}/", text, method="PUT", memory_id=one)
    story(ada, "/v1/memories/{memory_id}/", None, method="DELETE", memory_id=two)
    story(ada, "/v1/memories/", whose, method="DELETE")
    story(ada, "/v1/memories/", whose | {"messages": SAID[1:]})
    story(ada, "/v1/memories/", whose | {"run_id": "r9"}, method="DELETE")


def governing(story: Story, tuff: Caller, olga: Caller, otto: Caller) -> None:
    wish = story(tuff, "/v1/remember", {"text": "Remember my favourite colour is cerulean"})
    confirmation = wish["question"]["confirmation_id"]
    request = story(
        tuff, "/v1/confirmations/{confirmation_id}", {"yes": True}, confirmation_id=confirmation
    )["request_id"]
    story(olga, "/v1/requests/{request_id}/votes", {"vote": "approve"}, request_id=request)
    story(olga, "/v1/council/tick")
    story(tuff, "/v1/erasure", {"reason": "I move on"})
    key = "user/profile/user_tuff/favorite_color"
    deletion = story(otto, "/v1/admin/deletions", {"key": key, "reason": "he asked"})
    its = {"request_id": deletion["request_id"]}
    story(olga, "/v1/requests/{request_id}/votes", {"vote": "approve"}, **its)
    story(otto, "/v1/admin/deletions/{request_id}/carry-out", **its)
    weights = {"similarity_ppm": 500_000}
    story(
        otto,
        "/v1/admin/coefficients",
        {"of_agent": "ada", "weights": weights, "reason": "it reads better"},
    )
    story(otto, "/v1/admin/policies", {"policy": {}, "of_agent": "ada", "reason": "a fresh start"})
    imposed = {"of_agent": "ada", "of_user": "tuff", "session": "monday"}
    laid = story(otto, "/v1/admin/impositions", imposed | {"text": "Answer in Portuguese"})
    assert laid
    met = tuff.post("/v1/conversation/recall", TALK | {"query": "Portuguese"})["items"]
    item = next(each["id"] for each in met if each["text"] == "Answer in Portuguese")
    story(otto, "/v1/admin/impositions/lift", imposed | {"item_id": item})
    story(otto, "/v1/admin/erasures", {"of_user": "tuff", "reason": "he asked"})
    story(otto, "/v1/admin/keys", {"role": "auditor", "who": "ann"})
