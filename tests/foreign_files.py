"""Files of other programs, made by hand as these write them: good, broken and hostile ones."""

import json
import zipfile
from io import BytesIO
from typing import Any

from muniment.adapters.exchange.json_stream import DEPTH_MAX

SECRET = "my password is hunter2-vAult-9931"  # noqa: S105 - what must not be kept
PHONE = "call me at +1 415 555 2671"


def j(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def rows(*values: object) -> bytes:
    return b"\n".join(map(j, values)) + b"\n"


def zipped(**files: bytes) -> bytes:
    made = BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, data in files.items():
            archive.writestr(name.replace("__", "/") + ".json", data)
    return made.getvalue()


def node(
    name: str, parent: str | None, role: str, parts: list[Any], **more: object
) -> dict[str, Any]:
    content = {"content_type": more.pop("kind", "text"), "parts": parts}
    message = {
        "id": f"m-{name}",
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": 1_700_000_000.5,
        "content": content,
        "recipient": "all",
        "metadata": {},
        **more,
    }
    return {"id": name, "message": message, "parent": parent, "children": []}


def chatgpt(*nodes: dict[str, Any], current: str | None) -> bytes:
    root: dict[str, Any] = {"id": "root", "message": None, "parent": None, "children": []}
    mapping = {each["id"]: each for each in (root, *nodes)}
    for each in nodes:
        mapping[each["parent"]]["children"].append(each["id"])
    told = {"title": "T", "create_time": 1.0, "mapping": mapping, "current_node": current}
    return j([told | {"conversation_id": "c-1"}])


IMAGE = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://x", "width": 1}
TELEGRAM = {
    "name": "Ann",
    "type": "personal_chat",
    "id": 1,
    "messages": [
        {"id": 1, "type": "service", "date": "2023-01-01T10:00:00", "action": "join", "text": ""},
        {
            "id": 2,
            "type": "message",
            "date": "2023-01-01T10:01:00",
            "date_unixtime": "1672567260",
            "from": "Ann",
            "from_id": "user1",
            "text": ["I moved to ", {"type": "bold", "text": "Lisbon"}],
        },
        {"id": 3, "type": "message", "from": "Bob", "photo": "photos/1.jpg", "text": ""},
        {"id": 4, "type": "message", "from": "Bob", "text": "News", "forwarded_from": "A channel"},
    ],
}
CLAUDE = [
    {
        "uuid": "c1",
        "name": "",
        "created_at": "2024-05-01T10:00:00.000000Z",
        "account": {"uuid": "a"},
        "chat_messages": [
            {
                "uuid": "m1",
                "text": "I moved to Lisbon",
                "content": [{"type": "text", "text": "I moved to Lisbon"}],
                "sender": "human",
                "created_at": "2024-05-01T10:00:01.000000Z",
                "attachments": [
                    {"file_name": "a.txt", "extracted_content": "The lease ends in May"},
                    {"file_name": "b.pdf", "extracted_content": ""},
                ],
                "files": [],
            },
            {
                "uuid": "m2",
                "text": "",
                "content": [
                    {"type": "thinking", "thinking": "hm"},
                    {"type": "tool_use", "name": "search", "input": {}},
                    {"type": "text", "text": "How nice"},
                ],
                "sender": "assistant",
                "created_at": "2024-05-01T10:00:02.000000Z",
            },
            {"uuid": "m3", "text": None, "content": [], "sender": "human"},
        ],
    }
]
LETTA = {
    "agents": [
        {
            "id": "agent-0",
            "name": "Loop",
            "block_ids": ["b0"],
            "messages": [
                {"role": "system", "content": [{"type": "text", "text": "You are Loop."}]},
                {
                    "role": "user",
                    "id": "message-1",
                    "content": [
                        {
                            "type": "text",
                            "text": '{"type": "user_message", "message": "I moved to Lisbon"}',
                        }
                    ],
                    "created_at": "2025-01-01T00:00:00+00:00",
                },
                {
                    "role": "assistant",
                    "id": "message-2",
                    "content": None,
                    "tool_calls": [
                        {"function": {"name": "send_message", "arguments": '{"message": "Lovely"}'}}
                    ],
                },
                {"role": "user", "content": '{"type": "heartbeat", "reason": "x"}'},
            ],
        }
    ],
    "blocks": [
        {"id": "b0", "label": "human", "value": "Likes tea", "limit": 5000},
        {"id": "b1", "label": "persona", "value": "", "limit": 5000},
    ],
    "tools": [],
}
GRAPHITI = {
    "nodes": [{"uuid": "n1", "name": "Ada", "summary": "Lives in Lisbon"}, {"name": "X"}],
    "edges": [
        {"uuid": "e1", "fact": "Ada lives in Lisbon", "valid_at": "2024-01-01T00:00:00Z"},
        {"uuid": "e2", "fact": "Ada lives in Porto", "invalid_at": "2023-12-31T00:00:00Z"},
    ],
    "episodes": [{"uuid": "p1", "content": "Ada: I moved", "source": "message"}],
}
COGNEE = {
    "nodes": [
        ["n1", {"name": "ada", "type": "Entity", "description": "a programmer"}],
        {"id": "n2", "name": "lisbon", "type": "Entity", "properties": {"description": "a city"}},
        {"id": "n3", "type": "DocumentChunk", "text": "Ada lives in Lisbon."},
        {"id": "n4", "name": "person", "type": "EntityType"},
    ],
    "edges": [["n1", "n2", "lives_in", {}], {"source": "n1", "target": "n9", "relation": "is"}],
}
RICH = [
    {
        "type": "rich_text",
        "elements": [
            {
                "type": "rich_text_section",
                "elements": [
                    {"type": "text", "text": "Ask "},
                    {"type": "user", "user_id": "U1"},
                    {"type": "emoji", "name": "tea"},
                ],
            },
            {
                "type": "rich_text_list",
                "style": "bullet",
                "elements": [
                    {"type": "rich_text_section", "elements": [{"type": "text", "text": each}]}
                    for each in ("Lisbon", "Porto")
                ],
            },
        ],
    }
]
SLACK = {
    "users": [{"id": "U1", "name": "ann", "profile": {"display_name": "Ann"}}],
    "general__2023-01-01": [
        {
            "type": "message",
            "user": "U1",
            "text": "I moved to &lt;Lisbon&gt;",
            "ts": "1672567260.1",
        },
        {"type": "message", "subtype": "channel_join", "user": "U1", "text": "joined"},
        {"type": "message", "user": "U9", "text": "hi <@U1>", "ts": "1672567261.0"},
        {
            "type": "message",
            "user": "U1",
            "text": "",
            "files": [{"id": "F1"}],
            "ts": "1672567262.0",
        },
        {"type": "message", "user": "U1", "text": "", "blocks": RICH, "ts": "1672567263.0"},
    ],
}
MAIL = (
    b"From MAILER Mon Jan  1 10:00:00 2024\n"
    b"From: =?utf-8?q?Zo=C3=AB?= <zoe@example.org>\nSubject: =?utf-8?b?TGlzc2Fib24=?=\n"
    b"Date: Mon, 1 Jan 2024 10:00:00 +0200\nMessage-ID: <1@example.org>\n\n"
    b"I moved to Lisbon.\n>From there I write.\n> what you said\nOn Sunday, Bob wrote:\n"
    b"-- \nZoe\n\n"
    b"From MAILER Mon Jan  1 11:00:00 2024\n"
    b"From: bob@example.org\nContent-Type: text/html; charset=utf-8\n\n"
    b"<style>x</style><p>Tea &amp; jam</p>\n\n"
    b"From MAILER Mon Jan  1 12:00:00 2024\nFrom: x\n\n\n"
)
WHATSAPP_IOS = (
    "\u200e[31/12/2023, 22:15:30] Ann: \u200eMessages are end-to-end encrypted.\n"
    "[31/12/2023, 22:16:00] Ann: I moved to Lisbon\nlast week\n"
    "[31/12/2023, 22:17:00] Bob: \u200eimage omitted\n"
    "[31/12/2023, 22:18:00] Bob: This message was deleted.\n"
)
WHATSAPP_US = (
    "12/31/23, 10:15\u202fPM - Messages and calls are end-to-end encrypted.\n"
    "12/31/23, 10:16\u202fPM - Ann: I like tea\n12/31/23, 10:17\u202fPM - Bob: <Media omitted>\n"
)
NOTE = (
    b"---\ntags: [a]\ndate: 2024-02-03\n---\n# Trip\nWe saw [[Lisbon|the city]].\n"
    b"## Food\n![[x.png]]\n"
)

# By name: the file, its format, and what was kept, redacted, refused, skipped; or why nothing was.
Expected = tuple[int, int, dict[str, int], dict[str, int]] | str
FILES: dict[str, tuple[bytes, str, Expected]] = {
    "mem0-platform.json": (
        j(
            {
                "count": 3,
                "next": None,
                "results": [
                    {"id": "1", "memory": "Likes tea", "user_id": "mira", "categories": ["food"]},
                    {"id": "2", "memory": None, "user_id": "mira", "metadata": None},
                    {"id": "3", "memory": PHONE, "user_id": "mira", "created_at": "2025-03-01"},
                ],
            }
        ),
        "mem0",
        (2, 1, {}, {"no_words": 1}),
    ),
    "mem0-oss.json": (
        j(
            {
                "results": [{"id": "1", "memory": "Likes tea", "hash": "x", "score": None}],
                "relations": [{"source": "mira", "relationship": "lives_in", "target": "porto"}],
            }
        ),
        "mem0",
        (2, 0, {}, {}),
    ),
    "mem0-list.json": (
        j([{"id": "1", "memory": SECRET}, {"id": "2", "memory": "Likes tea"}]),
        "mem0",
        (1, 0, {"privacy_deny_sensitive": 1}, {}),
    ),
    "mem0-numbers.json": (j({"results": [{"id": 1}]}), "mem0", "1 no_words"),
    "mem0-cut.json": (
        j({"results": [{"id": "1", "memory": "Tea"}]})[:-6],
        "mem0",
        "not complete JSON",
    ),
    "letta.af": (j(LETTA), "letta", (3, 0, {}, {"system_prompt": 1, "no_words": 2})),
    "letta-old.af": (
        j(
            {
                "agent_type": "memgpt_agent",
                "name": "Old",
                "core_memory": [{"label": "human", "value": "Likes jam"}],
                "messages": [{"role": "user", "text": "I moved to Porto", "created_at": "2025"}],
            }
        ),
        "letta",
        (2, 0, {}, {}),
    ),
    "graphiti.json": (j(GRAPHITI), "graphiti", (3, 0, {}, {"no_longer_valid": 1, "no_words": 1})),
    "zep.jsonl": (
        rows(
            {"uuid": "f1", "fact": "Ada likes tea", "created_at": "2024-01-01T00:00:00Z"},
            {"uuid": "f2", "fact": None},
            "nothing",
        ),
        "graphiti",
        (1, 0, {}, {"no_words": 1, "no_object": 1}),
    ),
    "cognee.json": (
        j(COGNEE),
        "cognee",
        (4, 0, {}, {"structure": 1, "ends_without_names": 1}),
    ),
    "langgraph.jsonl": (
        rows(
            {"namespace": ["m"], "key": "a", "value": {"text": "Likes green tea"}},
            {"namespace": ["m"], "key": "b", "value": {"city": "Porto"}},
            {"namespace": ["m"], "key": "c", "value": {"deep": {"er": [1, None]}}},
            {"namespace": ["m"], "key": "d", "value": None},
        ),
        "langgraph",
        (3, 0, {}, {"no_value": 1}),
    ),
    "mcp.jsonl": (
        rows(
            {"type": "entity", "name": "Mira", "entityType": "person", "observations": ["sings"]},
            {"type": "entity", "name": "Void", "entityType": "person", "observations": None},
            {"type": "relation", "from": "Mira", "relationType": "works_with", "to": "Jonas"},
            {"type": "song"},
        ),
        "mcp",
        (2, 0, {}, {"no_words": 1, "neither_entity_nor_relation": 1}),
    ),
    "hindsight.json": (
        j(
            {
                "items": [
                    {"id": "1", "text": "Alice works at Google", "fact_type": "world"},
                    {
                        "id": "2",
                        "text": "I helped Alice",
                        "fact_type": "experience",
                        "date": "2025",
                    },
                    {"id": "3", "text": "", "fact_type": "world"},
                ],
                "total": 3,
            }
        ),
        "hindsight",
        (2, 0, {}, {"no_words": 1}),
    ),
    "chatgpt-conversations.json": (
        chatgpt(
            node("s", "root", "system", [""]),
            node("u1", "s", "user", ["I moved to Porto"]),
            node("u2", "s", "user", [IMAGE, "I moved to Lisbon"], kind="multimodal_text"),
            node("a", "u2", "assistant", ["Lovely"]),
            node("t", "a", "tool", ["{}"], kind="execution_output"),
            node("e", "t", "assistant", [None, ""]),
            current="e",
        ),
        "chatgpt",
        (
            2,
            0,
            {},
            {
                "system_prompt": 1,
                "image_asset_pointer": 1,
                "execution_output": 1,
                "no_words": 1,
                "other_branch": 1,
            },
        ),
    ),
    "chatgpt-circle.json": (
        j(
            [
                {
                    "mapping": {
                        "a": node("a", "b", "user", ["One"]),
                        "b": node("b", "a", "user", ["Two"]),
                    },
                    "current_node": "a",
                },
                {"mapping": None},
                "x",
            ]
        ),
        "chatgpt",
        (2, 0, {}, {"no_messages": 2}),
    ),
    "chatgpt.zip": (
        zipped(conversations=chatgpt(node("u", "root", "user", ["I like tea"]), current="u")),
        "chatgpt",
        (1, 0, {}, {}),
    ),
    "claude-conversations.json": (
        j(CLAUDE),
        "claude",
        (3, 0, {}, {"attachment": 1, "thinking": 1, "tool_use": 1, "no_words": 1}),
    ),
    "claude.zip": (
        zipped(
            conversations=j(CLAUDE),
            projects=j(
                [{"name": "P", "docs": [{"filename": "a.md", "content": "Text of a file"}]}]
            ),
            memories=j([{"conversations_memory": "Ada likes tea", "project_memories": {}}]),
            users=j([{"uuid": "a", "full_name": "Ada"}]),
        ),
        "claude",
        (5, 0, {}, {"attachment": 1, "thinking": 1, "tool_use": 1, "no_words": 1}),
    ),
    "openai-messages.json": (
        j(
            {
                "messages": [
                    {"role": "system", "content": "Be brief"},
                    {"role": "user", "content": [{"type": "text", "text": "I like tea"}]},
                    {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]},
                    {"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]},
                    {"role": "tool", "content": "22 degrees", "tool_call_id": "1"},
                ]
            }
        ),
        "transcript",
        (3, 0, {}, {"image_url": 1, "tool_call": 1}),
    ),
    "anthropic-messages.json": (
        j(
            [
                {"role": "user", "content": "I like jam"},
                {"role": "assistant", "content": [{"type": "tool_use", "name": "x", "input": {}}]},
                {
                    "role": "user",
                    "content": [
                        {"type": "tool_result", "content": [{"type": "text", "text": "ok so"}]}
                    ],
                },
                {"role": "user", "content": {"a": 1}},
                {"content": "nobody says it"},
            ]
        ),
        "transcript",
        (2, 0, {}, {"tool_use": 1, "not_text": 1, "no_role": 1}),
    ),
    "training.jsonl": (
        rows(
            {"messages": [{"role": "user", "content": "I like tea"}]},
            {"messages": [{"role": "user", "content": "I like jam"}]},
        ),
        "transcript",
        (2, 0, {}, {}),
    ),
    "talk.txt": (
        f"Mira: I like tea\n  with honey\nassistant: Noted\nuser: {SECRET}".encode(),
        "transcript",
        (2, 0, {"privacy_deny_sensitive": 1}, {}),
    ),
    "talk-latin.txt": ("Zoë: J'aime le café".encode("cp1252"), "transcript", (1, 0, {}, {})),
    "talk-utf16.txt": ("Zoë: J'aime le café".encode("utf-16"), "transcript", (1, 0, {}, {})),
    "whatsapp-ios.txt": (
        WHATSAPP_IOS.encode(),
        "whatsapp",
        (1, 0, {}, {"notice": 1, "media": 1, "deleted": 1}),
    ),
    "whatsapp-us.txt": (WHATSAPP_US.encode(), "whatsapp", (1, 0, {}, {"notice": 1, "media": 1})),
    "telegram.json": (j(TELEGRAM), "telegram", (2, 0, {}, {"notice": 1, "photo": 1})),
    "telegram-account.json": (
        j({"chats": {"about": "x", "list": [TELEGRAM, {"name": "empty"}]}}),
        "telegram",
        (2, 0, {}, {"notice": 1, "photo": 1, "no_messages": 1}),
    ),
    "slack.zip": (
        zipped(**{name: j(value) for name, value in SLACK.items()}),
        "slack",
        (3, 0, {}, {"channel_join": 1, "file": 1}),
    ),
    "note.md": (NOTE, "markdown", (1, 0, {}, {"image": 1})),
    "empty.md": (b"---\na: b\n---\n\n", "markdown", "1 no_words"),
    "binary.md": (b"\xff\xfe\x00\x01\x02", "markdown", "1 not_text"),
    "mail.mbox": (MAIL, "mbox", (2, 1, {}, {"no_words": 1})),
    "mail-none.mbox": (b"Dear all\n", "mbox", "does not begin"),
    # hostile ones
    "deep.json": (b"[" * (DEPTH_MAX + 2) + b"]" * (DEPTH_MAX + 2), "mem0", "nested deeper"),
    "brackets.json": (b'[{"memory": "x"]}', "mem0", "brackets do not match"),
    "nul.json": (
        j([{"id": "1", "memory": "a\x00b\x1b[31m tea"}, {"id": "2", "memory": "\x00\x01"}]),
        "mem0",
        (1, 0, {}, {"not_text": 1}),
    ),
    "surrogate.json": (b'[{"id": "1", "memory": "\\ud800"}]', "mem0", "not_readable"),
    "huge-number.json": (
        b'[{"id": "1", "memory": "Tea", "created_at": 1e400}, {"id": "2", "memory": "Jam",'
        b' "created_at": "9999-99-99T99:99:99Z"}]',
        "mem0",
        (1, 0, {}, {"not_readable": 1}),
    ),
    "bomb.zip": (
        zipped(conversations=b"[" + b" " * (8 << 20) + b"]"),
        "chatgpt",
        "nothing to remember",
    ),
    "null.json": (b"null", "mem0", "no_object"),
    "number.json": (b"12", "mem0", "no_object"),
    "nothing.json": (b"", "mem0", "nothing to remember"),
    "long.json": (
        j([{"id": "1", "memory": "tea and jam. " * 2_000}]),
        "mem0",
        (4, 0, {}, {}),
    ),
}
